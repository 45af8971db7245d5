"""Measures what each move costs, in real transactions on a London machine, as Markdown tables.

    .venv/bin/python Tests/ContractTests/gas.py [--check]

`--check` compares with the tables in Docs/contracts.md, section 14, and with the limits below.

Each transaction pays for itself in full: signature, calldata, cold storage, refunds. The first of a
kind is measured in a fresh market, the dearer case: its listing writes counters and its exit credits
that were zero. The other kinds' moves are in gas_kinds.py and gas_courses.py.
"""

import argparse
import json
import sys

from eth.chains.base import MiningChain
from eth.db.atomic import AtomicDB
from eth.vm.forks.london import LondonVM
from eth_abi import encode
from eth_keys import keys
from eth_utils import keccak, to_canonical_address, to_checksum_address
from machine import ARTIFACTS, NATIVE, ROOT, canonical, signature
from market import digest
from model import DAY, Offer, Terms

START = 1_800_000_000
V = 10**18
NAMES = ["deployer", "platform", "ana", "bo", "cleo", "dan"]
KEYS = {name: keys.PrivateKey(keccak(text=name)) for name in NAMES}
WHO = {name: key.public_key.to_checksum_address() for name, key in KEYS.items()}
# Gas that a change may not exceed, in native money; deployed code in bytes (EIP-170).
LIMITS = {"list, minting": 230_000, "transfer_item": 45_000, "relist": 60_000, "whole sale": 580_000}
CODE_MAX = 24_576
# What the parties pay for a sale without a dispute, from the listing to the money of both.
WHOLE_SALE = ["list, minting", "buy", "transfer_item", "confirm", "withdraw", "withdraw, all"]


class London:
    """A chain of one account state, without blocks."""

    def __init__(self):
        chain = type("Chain", (MiningChain,), {"chain_id": 1, "vm_configuration": ((0, LondonVM),)})
        balances = {
            to_canonical_address(a): dict(balance=10**30, nonce=0, code=b"", storage={})
            for a in WHO.values()
        }
        genesis = dict(
            difficulty=1, gas_limit=30_000_000, timestamp=START, base_fee_per_gas=10**9,
            coinbase=b"\1" * 20, extra_data=b"",
        )
        self.chain = chain.from_genesis(AtomicDB(), genesis, balances)
        self.header = self.chain.create_header_from_parent(
            self.chain.get_canonical_head(), timestamp=START + 1
        )

    @property
    def time(self) -> int:
        return self.header.timestamp

    def send(self, name: str, data: bytes, to: str | None = None, value: int = 0):
        """One signed transaction: gas used, and what it returned or the address it made."""
        vm = self.chain.get_vm(self.header)
        sender = to_canonical_address(WHO[name])
        unsigned = vm.create_unsigned_transaction(
            nonce=vm.state.get_nonce(sender), gas_price=10**10, gas=10_000_000,
            to=to_canonical_address(to) if to else b"", value=value, data=data,
        )
        transaction = unsigned.as_signed_transaction(KEYS[name], chain_id=1)
        receipt, computation = vm.apply_transaction(self.header, transaction)
        assert computation.is_success, computation.output
        vm.state.persist()
        self.header = self.header.copy(state_root=vm.state.state_root)
        made = None if to else to_checksum_address(computation.msg.storage_address)
        return receipt.gas_used, made or computation.output

    def size(self, address: str) -> int:
        """How many bytes of code an account has."""
        return len(self.chain.get_vm(self.header).state.get_code(to_canonical_address(address)))

    def travel(self, seconds: int) -> None:
        self.header = self.header.copy(timestamp=self.header.timestamp + seconds)


class Measured:
    """A contract deployed through a factory, or directly; its calls answer with their gas."""

    def __init__(self, london: London, name: str, *args, factory: "Measured | None" = None):
        self.london = london
        made = json.loads((ARTIFACTS / f"{name}.json").read_text())
        self.functions = {e["name"]: e for e in made["abi"] if e["type"] == "function"}
        constructor = next((e for e in made["abi"] if e["type"] == "constructor"), {"inputs": []})
        types = [canonical(e) for e in constructor["inputs"]]
        code = bytes.fromhex(made["bytecode"][2:]) + encode(types, args)
        if factory:
            self.gas, output = factory.call("deployer", "create", digest("market"), code)
            self.address = to_checksum_address(output[12:])
        else:
            self.gas, self.address = london.send("deployer", code)
        self.size = london.size(self.address)

    def call(self, who: str, name: str, *args, value: int = 0):
        entry = self.functions[name]
        data = keccak(text=signature(entry))[:4]
        data += encode([canonical(e) for e in entry["inputs"]], args)
        return self.london.send(who, data, self.address, value)


def deploy(london: London, factory: Measured | None = None) -> dict[str, Measured]:
    """Deploys a market, through a factory or directly."""
    make = lambda name, *args: Measured(london, name, *args, factory=factory)  # noqa: E731
    item = make("Item", 200)
    token = Measured(london, "TestToken", "Token", "T", 18)
    arguments = item.address, WHO["platform"], 200, [token.address]
    kinds = {name: make(name, *arguments) for name in ("Escrow", "Auction", "DirectSale")}
    courses = make("Courses", WHO["platform"], [token.address])
    return {"Item": item, **kinds, "Courses": courses, "TestToken": token}


class Round:
    """One market in one currency, in which every move is measured."""

    def __init__(self, in_token: bool):
        self.london, self.in_token = London(), in_token
        # Not through the factory: an address may not depend on the code, because each zero in it
        # makes a transaction cheaper.
        self.deployments = deploy(self.london)
        self.item, self.token = self.deployments["Item"], self.deployments["TestToken"]
        self.kinds = {name: self.deployments[name] for name in ("Escrow", "Auction", "DirectSale", "Courses")}
        self.currency = self.token.address if in_token else NATIVE
        self.salts = 0
        self.gas: dict[str, int] = {}
        self.prepare()

    def prepare(self) -> None:
        """Approvals and money for everyone, and an arbiter."""
        for name in ("ana", "bo", "dan"):
            self.token.call("deployer", "mint", WHO[name], 10**30)
            for contract in self.kinds.values():
                self.token.call(name, "approve", contract.address, 2**256 - 1)
        for name in ("Escrow", "Auction", "DirectSale"):
            self.gas["allow_minter"], _ = self.item.call(
                "ana", "allow_minter", self.kinds[name].address, True
            )
        self.act("arbitrate", "Escrow", "cleo", "arbitrate", self.currency, 0, 2**255)

    def act(self, label: str | None, kind: str, who: str, name: str, *args, pays: int = 0) -> bytes:
        """Makes a move; keeps its gas unless the label is None."""
        used, output = self.kinds[kind].call(who, name, *args, value=0 if self.in_token else pays)
        if label:
            self.gas[label] = used
        return output

    def offer(self, terms, token: int = 0, seller: str = "ana") -> tuple:
        """An offer that nobody made before."""
        self.salts += 1
        salt = digest(f"salt {self.salts}")
        maker = WHO["ana" if token else seller]
        return Offer(WHO[seller], salt, token, maker, digest("content"), digest("promise"), terms).abi()

    def reach(self, status: str, label: str | None = None, token: int = 0, parties=("ana", "bo")):
        """An escrow sale with an arbiter, in a status."""
        seller, buyer = parties
        terms = Terms.usual(
            self.london.time, V, currency=self.currency, arbiter=WHO["cleo"], arbiter_fee=V // 100
        )
        offer = self.offer(terms, token, seller)
        self.act(label, "Escrow", seller, "list", offer, pays=2 * V)
        if status != "listed":
            self.act("buy", "Escrow", buyer, "buy", offer, pays=2 * V)
        if status not in ("listed", "paid"):
            self.act("transfer_item", "Escrow", seller, "transfer_item", offer)
        if status == "disputed":
            self.act("dispute", "Escrow", buyer, "dispute", offer)
        return offer

    def escrow(self) -> None:
        escrow = lambda label, who, name, *args: self.act(label, "Escrow", who, name, *args)  # noqa: E731
        self.reach("listed", "list, minting")
        first = self.reach("transferred")
        escrow("confirm", "bo", "confirm", first)
        self.act("withdraw", "Escrow", "ana", "withdraw", self.currency, V, WHO["ana"])
        self.item.call("bo", "approve", self.kinds["Escrow"].address, 2)
        resale = self.reach("paid", "list, own token", 2, ("bo", "ana"))
        escrow("decline", "bo", "decline", resale)
        escrow("relist", "ana", "relist", self.reach("paid"))
        escrow("abort", "ana", "abort", self.reach("listed"))
        escrow("refund", "ana", "refund", self.reach("transferred"))
        settled = self.reach("paid")
        escrow("propose", "bo", "propose", settled, 5_000, self.london.time + DAY, 0)
        escrow("agree", "ana", "agree", settled, 5_000, 0)
        ruled = self.reach("disputed")
        escrow("withdraw_proposal", "bo", "withdraw_proposal", self.proposed())
        escrow("take", "cleo", "take", ruled)
        escrow("rule", "cleo", "rule", ruled, 5_000)
        claimed = self.reach("transferred")
        self.london.travel(21 * DAY)
        escrow("claim", "dan", "claim", claimed)
        defaulted = self.reach("disputed")
        self.london.travel(14 * DAY)
        escrow("execute_default", "dan", "execute_default", defaulted)
        _, credit = self.kinds["Escrow"].call("bo", "credit", self.currency, WHO["bo"])
        escrow("withdraw, all", "bo", "withdraw", self.currency, int.from_bytes(credit, "big"), WHO["bo"])
        self.gas["whole sale"] = sum(self.gas[name] for name in WHOLE_SALE)

    def proposed(self) -> tuple:
        """A sale with a standing proposal of the buyer's."""
        offer = self.reach("paid")
        self.act(None, "Escrow", "bo", "propose", offer, 1, self.london.time + DAY, 0)
        return offer


def measure(in_token: bool) -> tuple[dict[str, int], dict[str, Measured]]:
    """Gas of every move of an escrow in one currency, and all deployed contracts."""
    round = Round(in_token)
    round.escrow()
    return round.gas, round.deployments


def tables() -> str:
    """All tables of the document; exits with an error if something is beyond its limit."""
    import gas_courses
    import gas_kinds

    gas, in_token = measure(False)[0], measure(True)[0]
    london = London()
    factory = Measured(london, "Factory")
    deployments = {"Factory": factory, **deploy(london, factory)}
    for kinds in (gas_kinds, gas_courses):
        gas |= kinds.measure(False)[0]
        in_token |= kinds.measure(True)[0]
    limits = LIMITS | gas_kinds.LIMITS | gas_courses.LIMITS
    over = [f"{n}: {gas[n]:,} gas of {most:,}" for n, most in limits.items() if gas[n] > most]
    over += [f"{n}: {c.size:,} bytes" for n, c in deployments.items() if c.size >= CODE_MAX]
    if over:
        sys.exit("gas: beyond the limits: " + "; ".join(over))
    lines = ["| deployment | bytes of code | gas |", "|---|---|---|"]
    # To a thousand, because the hash of the sources that the code ends with costs more or less.
    lines += [f"| {n} | {c.size:,} | {round(c.gas, -3):,} |" for n, c in deployments.items()]
    lines += ["", "| move | native | token |", "|---|---|---|"]
    return "\n".join(lines + [f"| {n} | {used:,} | {in_token[n]:,} |" for n, used in gas.items()])


def main() -> None:
    usage = argparse.ArgumentParser(prog="gas.py", description=__doc__.splitlines()[0])
    usage.add_argument("--check", action="store_true", help="compare with Docs/contracts.md")
    options, measured = usage.parse_args(), tables()
    if not options.check:
        print(measured)
    elif measured not in (ROOT / "Docs" / "contracts.md").read_text():
        sys.exit(f"gas: Docs/contracts.md, section 14, says otherwise. Measured:\n{measured}")
    else:
        print("gas: as Docs/contracts.md says, and within the limits")


if __name__ == "__main__":
    main()
