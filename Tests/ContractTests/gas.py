"""Measures what each move costs, in real transactions on a London machine, as a Markdown table.

    .venv/bin/python Tests/ContractTests/gas.py [--check]

`--check` compares with the tables in Docs/contracts.md instead.

Each transaction pays for itself in full: signature, calldata, cold storage, refunds. Accounts have
held the currency before, and credits are the first their owners have, which is the dearer case.
"""

import json
import sys

from eth.chains.base import MiningChain
from eth.db.atomic import AtomicDB
from eth.vm.forks.london import LondonVM
from eth_abi import decode, encode
from eth_keys import keys
from eth_utils import keccak, to_canonical_address, to_checksum_address
from machine import ARTIFACTS, NATIVE, ROOT, canonical, signature
from market import digest
from model import DAY, Terms

START = 1_800_000_000
NAMES = ["deployer", "platform", "ana", "bo", "cleo", "dan"]
KEYS = {name: keys.PrivateKey(keccak(text=name)) for name in NAMES}
WHO = {name: key.public_key.to_checksum_address() for name, key in KEYS.items()}


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

    def travel(self, seconds: int) -> None:
        self.header = self.header.copy(timestamp=self.header.timestamp + seconds)


class Measured:
    """A deployed contract whose calls answer with their gas."""

    def __init__(self, london: London, name: str, *args):
        self.london = london
        made = json.loads((ARTIFACTS / f"{name}.json").read_text())
        self.functions = {e["name"]: e for e in made["abi"] if e["type"] == "function"}
        [constructor] = [e for e in made["abi"] if e["type"] == "constructor"]
        types = [canonical(e) for e in constructor["inputs"]]
        code = bytes.fromhex(made["bytecode"][2:]) + encode(types, args)
        self.size = len(made["runtime_bytecode"]) // 2 - 1
        self.gas, self.address = london.send("deployer", code)

    def call(self, who: str, name: str, *args, value: int = 0):
        entry = self.functions[name]
        data = keccak(text=signature(entry))[:4]
        data += encode([canonical(e) for e in entry["inputs"]], args)
        return self.london.send(who, data, self.address, value)


def moves(currency_is_token: bool) -> tuple[dict[str, int], list[tuple[str, Measured, int]]]:
    """Gas of every move in one currency, and the deployments."""
    london = London()
    item = Measured(london, "Item", 200)
    token = Measured(london, "TestToken", "Token", "T", 18)
    escrow = Measured(london, "Escrow", item.address, WHO["platform"], 200, [token.address])
    sealing, _ = item.call("deployer", "seal", [escrow.address])
    currency = token.address if currency_is_token else NATIVE
    for name in ("ana", "bo"):
        token.call("deployer", "mint", WHO[name], 10**30)
        token.call(name, "approve", escrow.address, 2**256 - 1)
        item.call(name, "setApprovalForAll", escrow.address, True)
    gas: dict[str, int] = {"seal": sealing}
    count = 0

    def act(label: str, who: str, name: str, *args, pays: int = 0):
        value = 0 if currency_is_token else pays
        used, output = escrow.call(who, name, *args, value=value)
        if label:
            gas[label] = used
        return output

    def to(status: str, token_id: int = 0, seller: str = "ana", buyer: str = "bo", label: str = "") -> bytes:
        nonlocal count
        count += 1
        v = 10**18
        terms = Terms.usual(
            london.header.timestamp, v, currency=currency, arbiter=WHO["cleo"], arbiter_fee=v // 100
        )
        output = act(
            label or "", seller, "list", terms.abi(), token_id, digest("content"), digest("promise"),
            digest(f"salt {count}"), pays=2 * v,
        )
        [id] = decode(["bytes32"], output)
        if status in ("paid", "transferred", "disputed"):
            act("buy", buyer, "buy", id, pays=2 * v)
        if status in ("transferred", "disputed"):
            act("transfer_item", seller, "transfer_item", id)
        if status == "disputed":
            act("dispute", buyer, "dispute", id)
        return id

    act("abort", "ana", "abort", to("listed", label="list, minting"))
    first = to("transferred")
    act("confirm", "bo", "confirm", first)
    act("withdraw", "ana", "withdraw", currency, WHO["ana"])
    resale = to("paid", 2, "bo", "ana", label="list, own token")
    act("refund", "bo", "refund", resale)
    id = to("paid")
    act("settle, proposing", "bo", "settle", id, 5_000, 2**40)
    act("settle, agreeing", "ana", "settle", id, 5_000, 2**40)
    act("rule", "cleo", "rule", to("disputed"), 5_000)
    id = to("transferred")
    london.travel(21 * DAY)
    act("claim", "dan", "claim", id)
    id = to("disputed")
    london.travel(14 * DAY)
    act("execute_default", "dan", "execute_default", id)
    deployments = [("Item", item, item.gas), ("Escrow", escrow, escrow.gas), ("TestToken", token, token.gas)]
    return gas, deployments


def tables() -> str:
    native, deployments = moves(False)
    token, _ = moves(True)
    lines = ["| deployment | bytes | gas |", "|---|---|---|"]
    lines += [f"| {name} | {contract.size:,} | {gas:,} |" for name, contract, gas in deployments]
    lines += [f"| Item.seal of one | | {native.pop('seal'):,} |", ""]
    lines += ["| move | native | token |", "|---|---|---|"]
    return "\n".join(lines + [f"| {m} | {native[m]:,} | {token[m]:,} |" for m in native])


def main() -> None:
    measured = tables()
    if "--check" not in sys.argv[1:]:
        print(measured)
    elif measured not in (ROOT / "Docs" / "contracts.md").read_text():
        sys.exit(f"gas: Docs/contracts.md, section 11, says otherwise. Measured:\n{measured}")
    else:
        print("gas: as Docs/contracts.md says")


if __name__ == "__main__":
    main()
