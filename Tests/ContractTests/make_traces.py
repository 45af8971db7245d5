"""Writes Tests/Vectors/escrow-traces.json: random lives of single sales, as the contract tells them.

Whoever folds the escrow's events can replay these and compare after every step. Each trace is one
sale; each step one move that the contract accepted, with the escrow's logs as they are on a chain
(the first traces also decoded), then the contract's own `sale(id)`, all credits, and for the
present and for either side of the next deadlines the moves that are open to each role, found by
trying them. Amounts are decimal strings, bytes hexadecimal.

    .venv/bin/python Tests/ContractTests/make_traces.py [--check]
    .venv/bin/python Tests/ContractTests/make_traces.py --steps N [--seed S] --into FILE

The second form writes a long run, which is not committed: traces from seed S on until they have N
steps together.
"""

import argparse
import json
import sys
from pathlib import Path
from random import Random

from machine import NATIVE, ROOT, boa, now, travel_to
from market import Market, digest
from model import DAY, EXITS, LISTED, NOBODY, OPEN, Offer, Terms

PATH = ROOT / "Tests" / "Vectors" / "escrow-traces.json"
TRACES = 54
DECODED = 4
START = 1_800_000_000
SHARES = [0, 1, 2_500, 4_999, 5_000, 7_777, 10_000]
MOVES = [
    "abort", "buy", "decline", "relist", "transfer_item", "refund", "confirm", "dispute", "claim", "take",
    "rule", "execute_default", "propose", "withdraw_proposal", "agree",
]
# What a trace is after: the moves that lead on, then the one that ends the sale. Chance and time may
# end it otherwise.
PLANS = [
    ("", "abort"), ("buy", "decline"), ("buy", "refund"), ("buy", "confirm"), ("buy", "agree"),
    ("buy transfer_item", "claim"), ("buy transfer_item", "refund"), ("buy transfer_item", "confirm"),
    ("buy transfer_item", "agree"), ("buy transfer_item dispute", "execute_default"),
    ("buy transfer_item dispute", "execute_default"),
    ("buy transfer_item dispute", "refund"), ("buy transfer_item dispute", "confirm"),
    ("buy transfer_item dispute", "agree"), ("buy transfer_item dispute take", "rule"),
    ("buy transfer_item dispute take", "refund"), ("buy transfer_item dispute take", "confirm"),
    ("buy transfer_item dispute take", "agree"), ("buy transfer_item dispute take", "execute_default"),
    ("buy relist buy", "agree"), ("buy relist buy relist buy transfer_item", "claim"),
]


class Trace:
    """One sale from listing to end, driven by one seed."""

    def __init__(self, market: Market, seed: int):
        self.market, self.random, self.seed = market, Random(seed), seed
        self.escrow = market.escrow
        names = ["seller", "buyer", "stranger", "arbiter"]
        self.roles = dict(zip(names, [market.ana, market.bo, market.dan, market.cleo]))
        travel_to(START + seed % 10_000 * DAY)
        token = self.own_a_token() if seed % 3 == 1 else 0
        self.terms = self.random_terms()
        if self.terms.arbiter == NATIVE:
            del self.roles["arbiter"]
        self.offer = Offer(
            market.ana, digest(f"salt {seed}"), token, market.cleo if token else market.ana,
            digest("content"), digest(f"promise {seed}"), self.terms,
        )
        self.head = {
            "seed": seed, "roles": self.roles, "maker": self.offer.maker,
            "salt": "0x" + self.offer.salt.hex(), "promise": "0x" + self.offer.promise.hex(),
            "listed_token": token, "content_hash": "0x" + self.offer.content_hash.hex(),
            "terms": plain(self.terms.__dict__),
        }
        plan, self.end = PLANS[seed % len(PLANS)]
        self.way_on = plan.split()
        self.sent = self.offer.abi()
        self.calls: dict[tuple, bytes] = {}
        self.steps: list[dict] = []
        value = self.terms.seller_deposit if self.terms.currency == NATIVE else 0
        self.id = self.escrow.list(self.sent, sender=market.ana, value=value)
        self.head["id"] = "0x" + self.id.hex()
        self.record("list", "seller", [])

    def own_a_token(self) -> int:
        """Cleo makes a token and sells it to Ana, so that maker and seller differ."""
        m = self.market
        offer = m.offer(m.terms(10_000), seller=m.cleo).abi()
        self.escrow.list(offer, sender=m.cleo, value=20_000)
        self.escrow.buy(offer, sender=m.ana, value=20_000)
        self.escrow.confirm(offer, sender=m.ana)
        for who in (m.ana, m.cleo, m.platform):
            self.escrow.withdraw(NATIVE, self.escrow.credit(NATIVE, who), who, sender=who)
        return 1

    def random_terms(self) -> Terms:
        random = self.random
        small, large = random.randrange(10_000, 10**6), random.randrange(10_000, 10**20)
        v = random.choice([10_000, 10_001, 10_051, 2**128 - 1, small, large])
        least = -(-v // 3)
        arbiter = random.choice([NATIVE, self.market.cleo])
        if PLANS[self.seed % len(PLANS)][0].endswith("take"):
            arbiter = self.market.cleo
        return Terms(
            currency=random.choice([NATIVE, self.market.tokens[0].address]), price=v,
            seller_deposit=random.choice([least, v, 2 * v, 10 * v, random.randint(least, 10 * v)]),
            buyer_deposit=random.choice([least, v, v, 10 * v, random.randint(least, 10 * v)]),
            late_penalty=random.choice([-(-v // 100), v * 2 // 100, v * 5 // 100]), arbiter=arbiter,
            arbiter_fee=0 if arbiter == NATIVE else random.choice([0, v * 2 // 100, v * 5 // 100]),
            ship_window=random.choice([2 * DAY, 3 * DAY, 60 * DAY]),
            confirm_window=random.choice([2 * DAY, 21 * DAY, 90 * DAY]),
            ruling_window=random.choice([3 * DAY, 14 * DAY, 60 * DAY]),
            offer_until=now() + random.choice([1 * DAY, 30 * DAY, 365 * DAY]),
            buyer=random.choice([NATIVE, NATIVE, NATIVE, self.market.bo]),
        )

    def run(self) -> dict:
        """Makes random open moves until the sale has ended."""
        while self.sale()["status"] in (LISTED, *OPEN):
            possible = self.steps[-1]["views"][0]["open"]
            possible = {role: moves.split() for role, moves in possible.items()}
            if self.random.random() < (0.1 if self.way_on else 0.4):
                times = [t for t in self.times() if t > now()]
                travel_to(self.random.choice([now() + self.random.randrange(DAY), *times]))
                possible = self.open()
            choices = [(m, r) for r, moves in possible.items() for m in moves]
            [(move, role)] = self.random.choices(choices, [self.weight(m) for m, _ in choices])
            if move == "buy":
                role = "buyer"
            arguments = self.arguments(move, role)
            if move == "propose":
                arguments = [self.random.choice(SHARES), now() + self.random.randrange(1, 40 * DAY), self.fee_due()]
            self.make(move, role, arguments)
            if self.way_on[:1] == [move]:
                self.way_on.pop(0)
            self.record(move, role, arguments)
        return {**self.head, "steps": self.steps}

    def weight(self, move: str) -> int:
        """How likely a move is: what the plan wants most, then proposals, then any other."""
        if move == (self.way_on or [self.end])[0]:
            return 60
        if move == "propose":
            return 20 if not self.way_on and self.end == "agree" else 3
        return 1

    def arguments(self, move: str, role: str) -> list[int]:
        """What a move is tried with, beside the offer."""
        if move == "agree":
            other = {"seller": "buyer_proposal", "buyer": "seller_proposal"}
            return [self.sale()[other.get(role, "seller_proposal")]["share"], self.fee_due()]
        return {
            "rule": [5_000 + self.seed % 7 - 3], "propose": [1_234, now() + DAY, self.fee_due()],
        }.get(move, [])

    def fee_due(self) -> int:
        """The arbiter's fee that a proposal or an agreement must name."""
        return self.terms.arbiter_fee if self.sale()["taken"] else 0

    def value(self, move: str) -> int:
        """The native money that a move needs."""
        t = self.terms
        return t.price + t.buyer_deposit if move == "buy" and t.currency == NATIVE else 0

    def make(self, move: str, role: str, arguments: list[int]) -> None:
        """Sends a move; the price comes along if it needs it."""
        self.escrow.call(
            move, self.sent, *arguments, sender=self.roles[role], value=self.value(move)
        )

    def refusal(self, move: str, role: str) -> bytes | None:
        """Tries a move and takes it back; what the contract answered if it refused."""
        key = (move, *self.arguments(move, role))
        if key not in self.calls:
            self.calls[key] = self.escrow.calldata(move, self.sent, *key[1:])
        with boa.env.anchor():
            computation = boa.env.execute_code(
                to_address=self.escrow.address, sender=self.roles[role], value=self.value(move),
                data=self.calls[key],
            )
        return computation.output if computation.is_error else None

    def open(self) -> dict[str, list[str]]:
        """The moves each role can make now, found by trying.

        A move that the contract refuses to one because of the sale's status it refuses to all.
        """
        found: dict[str, list[str]] = {role: [] for role in self.roles}
        for move in MOVES:
            for role in self.roles:
                refusal = self.refusal(move, role)
                if refusal is None:
                    found[role].append(move)
                elif b"escrow: sale is not " in refusal:
                    break
        return found

    def times(self) -> list[int]:
        """Now and either side of what can end next."""
        shown = self.sale()
        ends = {shown["deadline"]} | {shown[f"{who}_proposal"]["until"] for who in ("seller", "buyer")}
        return [now()] + sorted({e + d for e in ends for d in (-1, 0) if e + d > now()})

    def sale(self) -> dict:
        """The contract's own view of the sale."""
        return self.escrow.sale(self.id)

    def record(self, move: str, role: str, arguments: list[int]) -> None:
        """Keeps a step: what was sent, what the contract logged, and how it stands now."""
        logs = []
        for log in self.escrow.logs:
            if log.address != self.escrow.address:
                continue
            entry = {
                "name": log.name, "topics": ["0x" + t.hex() for t in log.topics],
                "data": "0x" + log.data.hex(),
            }
            if self.seed < DECODED:
                entry["args"] = plain(log.args)
            logs.append(entry)
        t = self.terms
        people = {*self.roles.values(), self.market.platform, self.market.cleo, NOBODY}
        credits = {who: str(self.escrow.credit(t.currency, who)) for who in sorted(people)}
        time, views = now(), []
        for moment in self.times():
            with boa.env.anchor():
                travel_to(moment)
                views.append({"time": moment, "open": {r: " ".join(m) for r, m in self.open().items()}})
        assert now() == time
        self.steps.append({
            "move": move, "role": role, "arguments": arguments, "time": time, "logs": logs,
            "sale": plain(self.sale()), "credits": {w: a for w, a in credits.items() if a != "0"},
            "owed": str(self.escrow.owed(t.currency)), "views": views,
        })


def plain(value, name: str = ""):
    """A decoded value as JSON has it."""
    if isinstance(value, dict):
        return {k: plain(v, k) for k, v in value.items()}
    if isinstance(value, bytes):
        return "0x" + value.hex()
    amounts = (
        "price", "seller_deposit", "buyer_deposit", "late_penalty", "arbiter_fee", "amount",
        "seller", "buyer", "platform", "maker", "arbiter", "nobody",
    )
    return str(value) if name in amounts and isinstance(value, int) else value


def deployed() -> Market:
    """The market of all traces; at the same addresses in every process of its own."""
    travel_to(START)
    return Market(tokens=1, proven=False)


def make(count: int, market: Market | None = None, seed: int = 0, steps: int = 0) -> tuple[Market, list[dict]]:
    """Traces, `count` of them or as many as have enough steps; each depends on its seed alone."""
    market = market or deployed()
    traces = []
    while len(traces) < count or sum(len(t["steps"]) for t in traces) < steps:
        with boa.env.anchor():
            traces.append(Trace(market, seed + len(traces)).run())
    return market, traces


def check_variety(traces: list[dict]) -> None:
    """Every exit is in some trace, those that pay the arbiter both with and without one at work."""
    seen = set()
    for trace in traces:
        taken = any(step["move"] == "take" for step in trace["steps"])
        [ended] = [log for log in trace["steps"][-1]["logs"] if log["name"] == "Ended"]
        seen.add((int(ended["data"][66:130], 16), taken))
    for name, number in EXITS.items():
        ways = {"rule": [True]}.get(name, [False])
        if name in ("confirm", "refund", "settle", "execute_default"):
            ways = [False, True]
        for taken in ways:
            assert (number, taken) in seen, f"no trace ends by {name}, taken: {taken}"


def document(market: Market, traces: list[dict]) -> str:
    """A file's text."""
    head = {
        "about": "Random sales as the escrow contract tells them; made by Tests/ContractTests/make_traces.py.",
        "chain_id": boa.env.evm.patch.chain_id, "escrow": market.escrow.address,
        "item": market.item.address, "platform": market.platform,
        "platform_bps": market.escrow.PLATFORM_BPS(), "maker_bps": market.escrow.MAKER_BPS(),
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
    usage = argparse.ArgumentParser(prog="make_traces.py", description=__doc__.splitlines()[0])
    usage.add_argument("--check", action="store_true", help="compare with the committed file, write nothing")
    usage.add_argument("--steps", type=int, default=0, help="a long run: how many steps at least")
    usage.add_argument("--seed", type=int, default=0, help="a long run: the first trace's seed")
    usage.add_argument("--into", type=Path, help="a long run: the file to write")
    options = usage.parse_args()
    if bool(options.steps) != bool(options.into) or (options.check and options.into):
        usage.error("a long run needs --steps and --into, and no --check")
    market, traces = make(0 if options.into else TRACES, seed=options.seed, steps=options.steps)
    text, path = document(market, traces), options.into or PATH
    if not options.into:
        check_variety(traces)
    if options.check:
        if not PATH.exists() or PATH.read_text() != text:
            sys.exit("make_traces: Tests/Vectors/escrow-traces.json is stale; run this without --check")
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    steps = sum(len(trace["steps"]) for trace in traces)
    print(f"make_traces: {len(traces)} traces, {steps} steps, {len(text):,} bytes")


if __name__ == "__main__":
    main()
