"""Writes random auctions or direct sales, step by step, as the contracts tell them.

A program that folds the contracts' events can replay these and compare after every step. Each trace
is one sale; each step one move with the contract's logs, raw and decoded, then the contract's own
`sale(id)`, all credits and what it owes. A few moves are refused: they have the text
in `refused`, no logs, and change nothing. `views` has, for the time of the step and for either side
of the next deadline, the moves open to each role; of auctions also the least amount of the next bid.
Amounts are decimal strings, bytes hexadecimal. Moves are drawn from the model, the contract answers.

    .venv/bin/python Tests/ContractTests/make_kind_traces.py --kind auction [--check]
        [--steps N] [--seed S] [--into FILE]
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from random import Random

import auction_model
import direct_model
from kinds import Kind, KindsMarket, digest
from kinds_model import AMOUNT_MAX, DAY, NATIVE, Refusal
from machine import ROOT, Refused, boa, now, travel_to

VECTORS = ROOT / "Tests" / "Vectors"
START = 1_800_000_000
STEPS = {"auction": 220, "direct": 150}
REFUSED = 0.15
# How many of the moves of a view are tried on the contract; the other tests try them all.
ASKED = 3
AMOUNTS = {"price", "starting_bid", "amount", "highest", "seller", "platform", "maker"}


class Trace:
    """One sale from listing to end, driven by one seed. Cleo bids too, and made the tokens resold."""

    ROLES = ("seller", "buyer", "rival", "stranger")

    def __init__(self, market: KindsMarket, kind: Kind, seed: int, number: int):
        self.market, self.kind, self.model, self.number = market, kind, kind.model, number
        self.random = Random(f"{kind.name} {seed} {number}")
        self.roles = dict(zip(self.ROLES, market.people))
        travel_to(START + number * DAY)
        token = 0
        if number % 3 == 1:
            token = market.token_of(market.cleo, market.ana, f"content {number}")
        self.offer = kind.offer(
            self.random_terms(), token=token, salt=digest(f"salt {seed} {number}"),
            content=digest(f"content {number}"), promise=digest(f"promise {number}"),
        )
        self.id = kind.id(self.offer)
        self.steps: list[dict] = []
        self.make("list", "seller", [])

    def random_terms(self):
        """Terms at and between their bounds."""
        random, currency = self.random, self.random.choice(self.market.currencies)
        small, large = random.randrange(10_000, 10**6), random.randrange(10_000, 10**20)
        price = random.choice([10_000, 10_001, 10_051, AMOUNT_MAX, small, large])
        if self.kind.name == "DirectSale":
            until = now() + random.choice([1, DAY, 30 * DAY, 365 * DAY])
            buyer = random.choice([NATIVE, NATIVE, self.roles["buyer"]])
            return direct_model.Terms(currency, price, until, buyer)
        if price == AMOUNT_MAX:
            price = random.choice([AMOUNT_MAX, AMOUNT_MAX * 2 // 3, AMOUNT_MAX // 2])
        extension = random.choice([60, 600, DAY])
        return auction_model.Terms(
            currency, random.choice([extension, extension + 1, 7 * DAY, 30 * DAY]), price,
            random.choice([100, 500, 5_000]), extension,
        )

    def run(self) -> dict:
        """Makes random moves until the sale has ended."""
        while self.model.sales[self.id].status in self.model.OPEN:
            if self.random.random() < 0.5:
                self.travel()
            moves = [(move, role) for move in self.model.MOVES for role in self.roles]
            legal = [m for m in moves if self.refusal(*m, now()) is None]
            illegal = [m for m in moves if m not in legal]
            if not legal or (illegal and self.random.random() < REFUSED):
                move, role = self.random.choice(illegal)
            else:
                # Most sales are paid before they end.
                weights = [1 if m == "abort" else 2 for m, _ in legal]
                [(move, role)] = self.random.choices(legal, weights)
            self.make(move, role, self.arguments(move, role))
        return {**self.head(), "steps": self.steps}

    def travel(self) -> None:
        """A little, or to just before or at what comes next."""
        sale = self.model.sales[self.id]
        marks = [sale.deadline()]
        if self.kind.name == "Auction":
            marks.append(sale.ends - self.offer.terms.extension)
        times = [t + d for t in marks for d in (-1, 0) if t + d > now()]
        travel_to(self.random.choice([now() + self.random.randrange(1, 3_600), *times]))

    def head(self) -> dict:
        """What the trace is about: the offer and who takes part."""
        return {
            "seed": self.number, "roles": self.roles, "maker": self.offer.maker,
            "salt": text(self.offer.salt), "promise": text(self.offer.promise),
            "listed_token": self.offer.token, "content_hash": text(self.offer.content_hash),
            "terms": plain(asdict(self.offer.terms)), "id": text(self.id),
        }

    def token(self) -> int:
        return self.model.sales[self.id].token

    def arguments(self, move: str, role: str) -> list[int]:
        """A bid: mostly the least or a little more, rarely far too much or too little; and what of it
        the bidder's credit pays: none, all, a part or, rarely, more than there is."""
        if move != "bid":
            return []
        minimum = self.model.sales[self.id].minimum()
        more = [minimum, minimum, minimum + self.random.randrange(1 + minimum // 2)]
        amount = self.random.choice([*more, *more, *more, minimum - 1, AMOUNT_MAX, AMOUNT_MAX + 1])
        sale, who = self.model.sales[self.id], self.roles[role]
        own = self.model.credits.get((self.offer.terms.currency, who), 0)
        own = min(amount, own + (sale.highest if sale.bidder == who else 0))
        return [amount, self.random.choice([0, 0, 0, own, own, self.random.randint(0, own), own + 1])]

    def refusal(self, move: str, role: str, at: int) -> str | None:
        """What the model says to a move, with the least bid; the model stays as it is."""
        sale, credits = self.model.sales[self.id], dict(self.model.credits)
        kept, owners = dict(vars(sale)), dict(self.model.items.owners)
        arguments = [sale.minimum(), 0] if move == "bid" else []
        value = self.kind.value(move, self.offer, *arguments)
        try:
            getattr(self.model, move)(self.roles[role], at, value, self.id, *arguments)
            return None
        except Refusal as refusal:
            return refusal.text
        finally:
            vars(sale).update(kept)
            self.model.credits, self.model.items.owners = credits, owners

    def make(self, move: str, role: str, arguments: list[int]) -> None:
        """Sends a move to contract and model, and writes down all that can be seen after it."""
        refused = None
        try:
            self.kind.move(move, self.offer, *arguments, sender=self.roles[role])
        except Refused as refusal:
            refused = refusal.text
        step = {"move": move, "role": role, "arguments": [str(a) for a in arguments], "time": now()}
        if refused is not None:
            step["refused"] = refused
        step["logs"] = [] if refused else self.logs()
        self.steps.append({**step, **self.seen()})

    def logs(self) -> list[dict]:
        """The sale contract's logs of the last move, as on a chain and decoded."""
        logs = [log for log in self.kind.contract.logs if log.address == self.kind.address]
        return [
            {
                "name": log.name, "topics": [text(t) for t in log.topics], "data": text(log.data),
                "args": plain(log.args),
            }
            for log in logs
        ]

    def seen(self) -> dict:
        """The contract's view of the sale, the credits, the debt, and the open moves."""
        currency, contract = self.offer.terms.currency, self.kind.contract
        people = sorted({*self.roles.values(), self.market.platform})
        credits = {who: str(contract.credit(currency, who)) for who in people}
        sale = self.model.sales[self.id]
        times = [now()]
        if sale.status in self.model.OPEN:
            times += sorted({sale.deadline() + d for d in (-1, 0) if sale.deadline() + d > now()})
        views = [{"time": time, "open": self.open(time)} for time in times]
        answer = {
            "sale": plain(contract.sale(self.id)), "credits": {w: a for w, a in credits.items() if a != "0"},
            "owed": str(contract.owed(currency)), "views": views,
        }
        if self.kind.name == "Auction" and sale.status in self.model.OPEN:
            answer["minimum_bid"] = str(sale.minimum())
        return answer

    def open(self, time: int) -> dict[str, str]:
        """The moves that each role can make at a time; of a few the contract is asked too."""
        answer = {
            role: [m for m in self.model.MOVES if self.refusal(m, role, time) is None] for role in self.roles
        }
        moves = [(move, role) for move in self.model.MOVES for role in self.roles]
        for move, role in Random(f"{self.number} {time}").sample(moves, ASKED):
            assert self.tried(move, role, time) == (move in answer[role]), f"{move} by {role} at {time}"
        return {role: " ".join(moves) for role, moves in answer.items()}

    def tried(self, move: str, role: str, time: int) -> bool:
        """Whether the contract takes a move; it is taken back."""
        arguments = [self.model.sales[self.id].minimum(), 0] if move == "bid" else []
        value = self.kind.value(move, self.offer, *arguments)
        try:
            with boa.env.anchor():
                travel_to(time)
                self.kind.contract.call(
                    move, self.offer.abi(), *arguments, sender=self.roles[role], value=value
                )
                return True
        except Refused:
            return False


def text(value: bytes) -> str:
    return "0x" + value.hex()


def plain(value, name: str = ""):
    """A decoded value as JSON has it."""
    if isinstance(value, dict):
        return {k: plain(v, k) for k, v in value.items()}
    if isinstance(value, bytes):
        return text(value)
    return str(value) if name in AMOUNTS and isinstance(value, int) else value


def make(kind_name: str, steps: int, seed: int, traces: int | None = None) -> tuple[KindsMarket, list[dict]]:
    """Traces until they have that many steps, or the first few; each depends on seed and number alone."""
    travel_to(START)
    market = KindsMarket(tokens=1)
    made: list[dict] = []
    while sum(len(trace["steps"]) for trace in made) < steps and len(made) != traces:
        with boa.env.anchor():
            fresh = market.fresh()
            kind = {"auction": fresh.auction, "direct": fresh.direct}[kind_name]
            made.append(Trace(fresh, kind, seed, len(made)).run())
    return market, made


def document(kind_name: str, steps: int, seed: int) -> str:
    """The whole file's text."""
    market, traces = make(kind_name, steps, seed)
    kind = {"auction": market.auction, "direct": market.direct}[kind_name]
    contract = kind.contract
    steps = [step for trace in traces for step in trace["steps"]]
    assert {step["move"] for step in steps} == {"list", *kind.model.MOVES}
    missing = kind.model.FINAL - {trace["steps"][-1]["sale"]["status"] for trace in traces}
    assert not missing, f"no trace ends in {missing}; make more steps"
    head = {
        "about": f"Random sales as the {kind_name} contract tells them; "
        "made by Tests/ContractTests/make_kind_traces.py.",
        "chain_id": boa.env.evm.patch.chain_id, kind_name: contract.address,
        "item": market.item.address, "platform": market.platform,
        "platform_bps": contract.PLATFORM_BPS(), "maker_bps": contract.MAKER_BPS(),
    }
    lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in head.items()]
    body = ",\n".join(line(trace) for trace in traces)
    return "{\n" + ",\n".join(lines) + ',\n"traces": [\n' + body + "\n]\n}\n"


def line(trace: dict) -> str:
    """One line for the head of a trace and one for each step."""
    head = json.dumps({k: v for k, v in trace.items() if k != "steps"}, separators=(",", ":"))[:-1]
    rows = ",\n".join(json.dumps(step, separators=(",", ":")) for step in trace["steps"])
    return f'{head},"steps":[\n{rows}]}}'


def main() -> None:
    usage = argparse.ArgumentParser(prog="make_kind_traces")
    usage.add_argument("--kind", choices=sorted(STEPS), required=True)
    usage.add_argument("--steps", type=int, help="stop after the trace that reaches this many steps")
    usage.add_argument("--seed", type=int, default=0)
    usage.add_argument("--into", type=Path, help="default: Tests/Vectors/KIND-traces.json")
    usage.add_argument("--check", action="store_true", help="compare, write nothing")
    options = usage.parse_args()
    path = options.into or VECTORS / f"{options.kind}-traces.json"
    made = document(options.kind, options.steps or STEPS[options.kind], options.seed)
    if options.check and (not path.exists() or path.read_text() != made):
        sys.exit(f"make_kind_traces: {path.name} is stale; run this without --check")
    if not options.check:
        path.write_text(made)
    print(f"make_kind_traces: {made.count('listed_token')} traces, {len(made):,} bytes")


if __name__ == "__main__":
    main()
