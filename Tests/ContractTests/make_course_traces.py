"""Writes Tests/Vectors/course-traces.json: random lives of single courses, as the contract tells them.

Whoever folds the events of a course can replay these and compare after every step. Each trace is one
course with up to five rounds; each step one move with the number of its round: the logs of the
contract as they are on a chain and decoded, then the contract's own `course(id)` and `round_of(id,
round)` (`shown`), which of its views of the account that moved are true, all credits (nobody
withdraws), what it owes in each currency, and for the present and for either side of the next
deadlines the moves that are open to each role, written `move:round`. A step with `refused` was
refused with this text and changed nothing; it carries the terms it was tried with if they are not
the round's. Amounts are decimal strings, bytes hexadecimal.

    .venv/bin/python Tests/ContractTests/make_course_traces.py [--steps N] [--seed S] [--into FILE]
    .venv/bin/python Tests/ContractTests/make_course_traces.py --check

The moves that are open come from the model, so that a step takes milliseconds; each move is made on
the contract and on the model, which must agree on it.
"""

import argparse
import copy
import json
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

from course_market import CourseMarket, digest
from course_model import DAY, ENDED, NATIVE, PRICE_MAX, SETTLED, YEAR, CourseTerms
from course_moves import IN_STATUS, open_moves, times
from machine import ROOT, Refused, boa, now, travel_to

PATH = ROOT / "Tests" / "Vectors" / "course-traces.json"
STEPS = 330
START = 1_800_000_000
# Points of a trace's students are drawn from here, so that each percentage of the incentive occurs.
MOODS = [(100, 100), (80, 99), (60, 79), (0, 59), (80, 100), (60, 100), (0, 100)]
# Ways on are taken more often than ways out.
WEIGHTS = {"enrol": 9, "begin": 12, "evaluate": 30, "settle": 4, "refund": 3, "repeat": 3, "cancel": 1, "leave": 1}
AMOUNTS = ("price", "amount", "incentive", "teacher", "platform")


class CourseTrace:
    """One course from its opening on, driven by one seed."""

    def __init__(self, market: CourseMarket, seed: int):
        self.market, self.random, self.seed = market, Random(seed), seed
        # Every sixth course is large, and so few of its students rate that it may be too few.
        large = seed % 6 == 5
        self.students = 13 if large else self.random.randint(3, 5)
        self.raters = 3 + seed // 6 % 2 if large else self.students
        self.haste = 0 if large else 0.12
        self.mood = MOODS[seed % len(MOODS)]
        self.rounds = 1 if large else self.random.choice([1, 2, 2, 3, 5])
        people = market.students[:self.students]
        self.roles = {"teacher": market.teacher, "stranger": market.stranger}
        self.roles |= {f"student {n}": who for n, who in enumerate(people)}
        self.names = {who: role for role, who in self.roles.items()}
        self.salt, self.promise = digest(f"salt {seed}"), digest(f"promise {seed}")
        self.id = market.id(market.teacher, self.salt, self.promise)
        self.steps: list[dict] = []

    def run(self) -> dict:
        """Makes random moves until the wanted rounds have ended and their money is given back."""
        travel_to(START + self.seed * DAY)
        terms = self.terms()
        self.market.open(terms, salt=self.salt, promise=self.promise)
        self.record("open", 0, "teacher", terms=terms)
        while choices := self.choices():
            if self.random.random() < 0.2:
                self.fail()
            weights = [WEIGHTS[name] for name, _, _ in choices]
            [(name, number, who)] = self.random.choices(choices, weights)
            self.make(name, number, who)
        self.market.agree()
        self.market.agree_on(self.id, list(self.names))
        return {
            "seed": self.seed, "roles": self.roles, "salt": "0x" + self.salt.hex(),
            "promise": "0x" + self.promise.hex(), "id": "0x" + self.id.hex(), "steps": self.steps,
        }

    def terms(self, currency: str | None = None) -> CourseTerms:
        """Random terms, at a bound as often as not."""
        random = self.random
        price = random.choice([
            10_000, 10_017, PRICE_MAX, random.randrange(10_000, 10**6), random.randrange(10_000, 10**20),
        ])
        start = now() + random.choice([30 * DAY if self.haste == 0 else 1, DAY, 30 * DAY, YEAR])
        return CourseTerms(
            currency=currency or random.choice(self.market.currencies), price=price,
            seats=random.choice([self.students - (self.students < 13), 10_000, 10_000]), start=start,
            end=start + random.choice([1, DAY, 28 * DAY, YEAR]),
            begin_grace=random.choice([DAY, 3 * DAY, 30 * DAY]),
            rating_window=random.choice([DAY, 14 * DAY, 60 * DAY]),
        )

    def open(self, at: int) -> list[tuple[str, int, str]]:
        """The moves that are open to the roles at a time."""
        return open_moves(self.market.model, self.id, list(self.names), at)

    def choices(self) -> list[tuple[str, int, str]]:
        """The moves to choose from: none if the course has ended; time passes if that opens some."""
        course = self.market.model.courses[self.id]
        full = len(course.rounds) == self.rounds
        for _ in range(8):
            if self.random.random() < self.haste:
                later = [t for t in times(self.market.model, self.id, now()) if t > now()]
                travel_to(self.random.choice([now() + self.random.randrange(DAY), *later]))
            unwanted = (["repeat"] if full else []) + ([] if self.haste else ["cancel", "leave"])
            unwanted += ["evaluate"] if len(course.rounds[-1].ratings) >= self.raters else []
            choices = [c for c in self.open(now()) if c[0] not in unwanted]
            eager = [c for c in choices if c[0] not in ("cancel", "leave")]
            if eager or course.rounds[-1].status in ENDED:
                return choices
            later = [t for t in times(self.market.model, self.id, now()) if t > now()]
            travel_to(self.random.choice(later[:2]) if later else now())
        return choices

    def make(self, name: str, number: int, who: str) -> None:
        """Makes a move that is open."""
        market, terms, rest = self.market, None, []
        if name == "repeat":
            terms = self.terms(market.model.courses[self.id].rounds[0].terms.currency)
            market.call("repeat", self.id, terms, sender=who)
        else:
            if name == "evaluate":
                rest = [tuple(self.random.randint(*self.mood) for _ in range(5))]
            market.move(name, self.id, *rest, number=number, sender=who)
        self.record(name, number, self.names[who], [list(points) for points in rest], terms)

    def fail(self) -> None:
        """Makes a random move that is refused, if the first one tried is."""
        random, course = self.random, self.market.model.courses[self.id]
        number = random.choice([len(course.rounds) - 1, random.randrange(len(course.rounds) + 1)])
        names = ["enrol", "leave", "begin", "cancel", "refund", "evaluate", "settle"]
        if number < len(course.rounds):
            names += 3 * IN_STATUS.get(course.rounds[number].status, [])
        name = random.choice(names)
        who = random.choice(list(self.names))
        terms = (course.rounds[number] if number < len(course.rounds) else course.rounds[0]).terms
        swapped = random.random() < 0.3
        if swapped:
            terms = replace(terms, price=terms.price % PRICE_MAX + 1)
        elif number < len(course.rounds) and (name, number, who) in self.open(now()):
            return
        points = random.choice([(100,) * 5, (0, 0, 0, 0, 101)])
        rest = [points] if name == "evaluate" else []
        try:
            self.market.move(name, self.id, *rest, number=number, sender=who, terms=terms)
        except Refused as refused:
            step = {
                "move": name, "round": number, "role": self.names[who],
                "arguments": [list(points) for points in rest], "time": now(),
                "refused": refused.text,
            }
            if swapped or number == len(course.rounds):
                step["terms"] = plain(terms.__dict__)
            self.steps.append(step)
        else:
            raise AssertionError(f"{name} was not refused")

    def record(
        self, move: str, number: int, role: str, arguments: list = [],
        terms: CourseTerms | None = None,
    ) -> None:
        """Writes down the move just made and all that can be seen after it."""
        market, contract, who = self.market, self.market.contract, self.roles[role]
        logs = [
            {
                "name": log.name, "topics": ["0x" + t.hex() for t in log.topics],
                "data": "0x" + log.data.hex(), "args": plain(log.args),
            }
            for log in contract.logs if log.address == contract.address
        ]
        step = {"move": move, "round": number, "role": role, "arguments": arguments, "time": now()}
        if terms:
            step["terms"] = plain(terms.__dict__)
        course = contract.course(self.id)
        shown = contract.round_of(self.id, number)
        flags = ["is_student", "has_rated", "has_refunded"]
        credits = {
            currency: {
                account: str(contract.credit(currency, account))
                for account in sorted({*self.names, market.platform})
                if market.model.credits.get((currency, account))
            }
            for currency in market.currencies
        }
        market.agree_on_money()
        self.steps.append(step | {
            "logs": logs, "course": plain({k: course[k] for k in ("rounds", "points", "raters")}),
            "shown": plain(shown),
            "account": [flag for flag in flags if contract.call(flag, self.id, number, who)],
            "credits": {c: of for c, of in credits.items() if of},
            "owed": {c: str(contract.owed(c)) for c in market.currencies if contract.owed(c)},
            "views": [self.view(moment) for moment in times(market.model, self.id, now())],
        })

    def view(self, moment: int) -> dict:
        """The moves of each role that has one at a time."""
        shown: dict[str, list[str]] = {}
        for name, number, who in self.open(moment):
            shown.setdefault(self.names[who], []).append(f"{name}:{number}")
        return {"time": moment, "open": {role: " ".join(moves) for role, moves in shown.items()}}


def plain(value, name: str = ""):
    """A decoded value as JSON has it."""
    if isinstance(value, dict):
        return {k: plain(v, k) for k, v in value.items()}
    if isinstance(value, bytes):
        return "0x" + value.hex()
    if isinstance(value, tuple):
        return list(value)
    return str(value) if name in AMOUNTS and isinstance(value, int) else value


def make(steps: int, seed: int) -> tuple[CourseMarket, list[dict]]:
    """Traces of so many steps together, or a few more; each depends on its own seed alone."""
    travel_to(START)
    market, traces = CourseMarket(tokens=1), []
    while sum(len(trace["steps"]) for trace in traces) < steps:
        with boa.env.anchor():
            fresh = copy.copy(market)
            fresh.model = copy.deepcopy(market.model)
            traces.append(CourseTrace(fresh, seed + len(traces)).run())
    return market, traces


def check_coverage(traces: list[dict]) -> None:
    """Says what is missing if the traces leave out a move, an ending or a part of the incentive."""
    steps = [step for trace in traces for step in trace["steps"]]
    made = [step for step in steps if "logs" in step]
    settled = [log["args"] for step in made for log in step["logs"] if log["name"] == "Settled"]
    percents = {
        round(1_000 * int(s["incentive"]) / sum(int(part) for part in s["payout"].values()))
        for s in settled if int(s["payout"]["platform"]) > 1_000
    }
    assert {step["move"] for step in made} == {*WEIGHTS, "open"}, "some move is in no trace"
    assert percents == {0, 5, 10, 15}, f"some incentive is in no trace: {percents}"
    large = [s["shown"] for s in made if s["move"] == "settle" and s["shown"]["enrolled"] > 11]
    enough = {4 * s["raters"] >= s["enrolled"] for s in large if s["raters"] >= 3}
    assert enough == {True, False}, "no trace has a quarter of many students as raters, or less"
    assert max(step["course"]["rounds"] for step in made) == 5, "no trace has five rounds"
    late = [s for s in made if s["move"] == "refund" and s["course"]["rounds"] > s["round"] + 1]
    assert late, "nobody is refunded after a repeat"
    assert len({step["refused"] for step in steps if "refused" in step}) >= 9
    assert SETTLED in {step["shown"]["status"] for step in made}


def document(steps: int, seed: int) -> str:
    """The whole file's text."""
    market, traces = make(steps, seed)
    if (steps, seed) == (STEPS, 0):
        check_coverage(traces)
    head = {
        "about": "Random courses as the contract tells them; made by Tests/ContractTests/make_course_traces.py.",
        "chain_id": boa.env.evm.patch.chain_id, "courses": market.contract.address,
        "platform": market.platform, "currencies": market.currencies[1:],
    }
    lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in head.items()]
    body = ",\n".join(line(trace) for trace in traces)
    return "{\n" + ",\n".join(lines) + ',\n"traces": [\n' + body + "\n]\n}\n"


def line(trace: dict) -> str:
    """One line for the head of a trace and one for each step."""
    head = {name: value for name, value in trace.items() if name != "steps"}
    text = json.dumps(head, separators=(",", ":"))[:-1]
    rows = ",\n".join(json.dumps(step, separators=(",", ":")) for step in trace["steps"])
    return f'{text},"steps":[\n{rows}]}}'


def main() -> None:
    usage = argparse.ArgumentParser(prog="make_course_traces", description=__doc__.split("\n\n")[0])
    usage.add_argument("--steps", type=int, default=STEPS, help="how many steps, at least")
    usage.add_argument("--seed", type=int, default=0, help="the seed of the first trace")
    usage.add_argument("--into", type=Path, default=PATH, help="the file to write")
    usage.add_argument("--check", action="store_true", help="compare with the file, write nothing")
    options = usage.parse_args()
    text = document(options.steps, options.seed)
    if options.check:
        if not options.into.exists() or options.into.read_text() != text:
            sys.exit(f"make_course_traces: {options.into} is stale; run this without --check")
    else:
        options.into.parent.mkdir(exist_ok=True)
        options.into.write_text(text)
    steps = text.count('\n{"move":')
    print(f"make_course_traces: {steps} steps, {len(text):,} bytes")


if __name__ == "__main__":
    main()
