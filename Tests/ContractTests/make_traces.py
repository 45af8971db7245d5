"""Writes Tests/Vectors/escrow-traces.json: random lives of single sales, as the contract tells them.

Whoever folds the escrow's events can replay these and compare after every step. Each trace is one
sale; each step one move that the contract took, with the logs of the escrow as they are on a chain
(the first traces also decoded), then the contract's own `sale(id)`, all credits, and for the
present and for either side of the next deadlines the moves that are open to each role, found by
trying them. Amounts and shares are decimal strings where they may exceed 2^53, bytes hexadecimal.

    .venv/bin/python Tests/ContractTests/make_traces.py [--check]
"""

import json
import sys
from random import Random

from eth_utils import to_checksum_address
from machine import NATIVE, ROOT, Contract, Refused, account, boa, now, travel_to
from market import Market, digest
from model import DAY, EXITS, LISTED, NOBODY, OPEN, SETTLED, Sale, Terms

PATH = ROOT / "Tests" / "Vectors" / "escrow-traces.json"
TRACES = 60
DECODED = 4
START = 1_800_000_000
SHARES = [0, 1, 2_500, 4_999, 5_000, 7_777, 10_000]
MOVES = [
    "abort", "buy", "transfer_item", "refund", "confirm", "dispute", "claim", "rule",
    "execute_default", "settle", "agree",
]
# Ways on are taken more often than ways out, and rare ways out more often than common ones.
WEIGHTS = {
    "buy": 20, "transfer_item": 20, "dispute": 12, "claim": 8, "rule": 16, "execute_default": 4,
    "agree": 4, "settle": 2,
}


class Trace:
    """One sale from listing to end, driven by one seed."""

    def __init__(self, market: Market, seed: int):
        self.market, self.random, self.seed = market, Random(seed), seed
        self.escrow = market.escrow
        names = ["seller", "buyer", "stranger", "arbiter"]
        self.roles = dict(zip(names, [market.ana, market.bo, market.dan, market.cleo]))
        travel_to(START + seed * DAY)
        token = self.own_a_token() if seed % 3 == 1 else 0
        self.terms = self.random_terms()
        if self.terms.arbiter == NATIVE:
            del self.roles["arbiter"]
        self.head = {
            "seed": seed, "roles": self.roles, "maker": market.cleo if token else market.ana,
            "salt": "0x" + digest(f"salt {seed}").hex(),
            "promise": "0x" + digest(f"promise {seed}").hex(), "listed_token": token,
            "content_hash": "0x" + digest("content").hex(), "terms": plain(self.terms.__dict__),
        }
        self.steps: list[dict] = []
        value = self.terms.seller_deposit if self.terms.currency == NATIVE else 0
        self.id = self.escrow.list(
            self.terms.abi(), token, digest("content"), digest(f"promise {seed}"),
            digest(f"salt {seed}"), sender=market.ana, value=value,
        )
        self.head["id"] = "0x" + self.id.hex()
        self.record("list", "seller", [])

    def own_a_token(self) -> int:
        """Cleo makes a token and sells it to Ana, so that maker and seller differ."""
        m, terms = self.market, self.market.terms(1)
        id = self.escrow.list(
            terms.abi(), 0, digest("content"), digest("p"), digest("s"), sender=m.cleo, value=2
        )
        self.escrow.buy(id, sender=m.ana, value=2)
        self.escrow.confirm(id, sender=m.ana)
        for who in (m.ana, m.cleo):
            self.escrow.withdraw(NATIVE, who, sender=who)
        return 1

    def random_terms(self) -> Terms:
        random = self.random
        v = random.choice([1, 2, 3, 51, 2**128 - 1, random.randrange(1, 10**6), random.randrange(1, 10**20)])
        arbiter = random.choice([NATIVE, self.market.cleo, self.market.cleo])
        return Terms(
            currency=random.choice([NATIVE, self.market.tokens[0].address]), price=v,
            seller_deposit=random.choice([v, 2 * v, 10 * v, random.randint(v, 10 * v)]),
            buyer_deposit=random.choice([v, v, 10 * v, random.randint(v, 10 * v)]),
            late_penalty=random.choice([0, v * 2 // 100, v * 5 // 100]), arbiter=arbiter,
            arbiter_fee=0 if arbiter == NATIVE else random.choice([0, v * 5 // 100]),
            ship_window=random.choice([DAY, 3 * DAY, 60 * DAY]),
            confirm_window=random.choice([DAY, 21 * DAY, 90 * DAY]),
            ruling_window=random.choice([3 * DAY, 14 * DAY, 60 * DAY]),
            offer_until=now() + random.choice([1 * DAY, 30 * DAY, 365 * DAY]),
        )

    def run(self) -> dict:
        """Makes random open moves until the sale has ended."""
        while self.sale()["status"] in (LISTED, *OPEN):
            possible = self.steps[-1]["views"][0]["open"]
            possible = {role: moves.split() for role, moves in possible.items()}
            if self.random.random() < 0.35:
                times = [t for t in self.times() if t > now()]
                travel_to(self.random.choice([now() + self.random.randrange(DAY), *times]))
                possible = self.open()
            choices = [(m, r) for r, moves in possible.items() for m in moves]
            weights = [WEIGHTS.get(m, 1) for m, _ in choices]
            [(move, role)] = self.random.choices(choices, weights)
            if move == "buy":
                role = "buyer"
            arguments = self.arguments(move)
            if move == "settle" and self.random.random() < 0.8:
                arguments = [self.random.choice(SHARES), now() + self.random.randrange(1, 40 * DAY)]
            self.make(move, role, arguments)
            self.record("settle" if move == "agree" else move, role, arguments)
        return {**self.head, "steps": self.steps}

    def arguments(self, move: str) -> list[int]:
        """What a move is tried with, beside the id."""
        proposal = self.sale()["proposal"]
        if move == "agree":
            return [proposal["share"], proposal["settle_by"]]
        return {"rule": [5_000 + self.seed % 7 - 3], "settle": [1_234, 2**40]}.get(move, [])

    def make(self, move: str, role: str, arguments: list[int]) -> None:
        """Sends a move; the price comes along where it is needed."""
        t = self.terms
        value = t.price + t.buyer_deposit if move == "buy" and t.currency == NATIVE else 0
        name = "settle" if move == "agree" else move
        self.escrow.call(name, self.id, *arguments, sender=self.roles[role], value=value)

    def possible(self, move: str, role: str) -> bool:
        """Tries a move and takes it back. `agree` must end the sale, `settle` must not."""
        if move == "agree" and self.sale()["proposal"]["settle_by"] == 0:
            return False
        try:
            with boa.env.anchor():
                self.make(move, role, self.arguments(move))
                return move != "agree" or self.sale()["status"] == SETTLED
        except Refused:
            return False

    def open(self) -> dict[str, list[str]]:
        """The moves each role can make now."""
        return {role: [m for m in MOVES if self.possible(m, role)] for role in self.roles}

    def times(self) -> list[int]:
        """Now and either side of what can end next."""
        shown = self.sale()
        if shown["status"] not in (LISTED, *OPEN):
            return [now()]
        sale = Sale(shown["status"], "", "", 0, b"", shown["since"], self.terms)
        ends = [sale.deadline()]
        if 0 < shown["proposal"]["settle_by"] < 2**40:
            ends.append(shown["proposal"]["settle_by"])
        return [now()] + sorted({e + d for e in ends for d in (-1, 0) if e + d > now()})

    def sale(self) -> dict:
        return self.escrow.sale(self.id)

    def record(self, move: str, role: str, arguments: list[int]) -> None:
        """Writes down the move just made and all that can be seen after it."""
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
        shown = self.sale()
        terms = plain(shown.pop("terms"))
        assert terms == self.head["terms"] and shown.pop("seller") == self.roles["seller"]
        shown.pop("promise")
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
            "sale": plain(shown), "credits": {w: a for w, a in credits.items() if a != "0"},
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


def make(count: int) -> tuple[Market, list[dict]]:
    """The first traces; each depends on its seed alone."""
    travel_to(START)
    market = Market(tokens=1)
    traces = []
    for seed in range(count):
        with boa.env.anchor():
            traces.append(Trace(market, seed).run())
    return market, traces


def document() -> str:
    """The whole file's text."""
    market, traces = make(TRACES)
    ended = {int(log["data"][66:130], 16) for t in traces for log in t["steps"][-1]["logs"] if log["name"] == "Ended"}
    assert ended == set(EXITS.values()), f"some exit is in no trace: {ended}"
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
    steps = trace.pop("steps")
    text = json.dumps(trace, separators=(",", ":"))[:-1]
    rows = ",\n".join(json.dumps(step, separators=(",", ":")) for step in steps)
    return f'{text},"steps":[\n{rows}]}}'


def main() -> None:
    text = document()
    if sys.argv[1:] == ["--check"]:
        if not PATH.exists() or PATH.read_text() != text:
            sys.exit("make_traces: Tests/Vectors/escrow-traces.json is stale; run this without --check")
    elif sys.argv[1:]:
        sys.exit("usage: make_traces.py [--check]")
    else:
        PATH.parent.mkdir(exist_ok=True)
        PATH.write_text(text)
    print(f"make_traces: {TRACES} traces, {len(text):,} bytes")


if __name__ == "__main__":
    main()
