"""Runs compiled contracts in titanoboa's machine, by their ABI and bytecode alone.

The tests drive the committed artifacts, the same bytes that `stoa chain deploy` sends. Set
STOA_ARTIFACTS to another folder of artifacts to test those instead (the mutants do).
"""

import contextlib
import functools
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

import boa
from eth_abi import decode, encode
from eth_utils import keccak, to_checksum_address
from vyper.compiler import compile_code

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ARTIFACTS = Path(os.environ.get("STOA_ARTIFACTS", ROOT / "Sources" / "Contracts" / "Artifacts"))
NATIVE = "0x" + "00" * 20
# The id that the chain has while the tests deploy.
CHAIN_ID = boa.env.evm.patch.chain_id
ERROR = keccak(text="Error(string)")[:4]


class Refused(Exception):
    """A call reverted; `text` is the contract's reason, empty where it gave none."""

    def __init__(self, text: str):
        super().__init__(text)
        self.text = text


@dataclass(frozen=True)
class Log:
    """One event, decoded, with the topics and data it was decoded from."""

    address: str
    name: str
    args: dict = field(hash=False)
    topics: tuple
    data: bytes


def canonical(entry: dict) -> str:
    """The ABI type of a parameter, tuples spelled out."""
    if not entry["type"].startswith("tuple"):
        return entry["type"]
    inner = ",".join(canonical(part) for part in entry["components"])
    return f"({inner}){entry['type'][5:]}"


def signature(entry: dict) -> str:
    """The canonical signature of a function or event."""
    return f"{entry['name']}({','.join(canonical(part) for part in entry['inputs'])})"


def named(entry: dict, value):
    """Gives a decoded value the names its ABI entry has: tuples become dictionaries."""
    if entry["type"] == "tuple":
        return {c["name"]: named(c, v) for c, v in zip(entry["components"], value)}
    if entry["type"] == "address":
        return to_checksum_address(value)
    if entry["type"] == "address[]":
        return [to_checksum_address(a) for a in value]
    return value


@functools.cache
def artifact(name: str) -> dict:
    """A committed artifact, or a hostile contract of the tests, compiled."""
    path = ARTIFACTS / f"{name}.json"
    if path.exists():
        return json.loads(path.read_text())
    source = (HERE / "hostile" / f"{name}.vy").read_text()
    return compile_code(source, output_formats=["abi", "bytecode"])


def creation_code(name: str, *args) -> bytes:
    """A contract's creation code with its constructor's arguments."""
    abi = artifact(name)["abi"]
    constructor = next((e for e in abi if e["type"] == "constructor"), {"inputs": []})
    code = bytes.fromhex(artifact(name)["bytecode"][2:])
    return code + encode([canonical(e) for e in constructor["inputs"]], args)


class Contract:
    """A deployed contract: its functions are methods that take `sender` and `value`."""

    def __init__(self, name: str, *args, sender: str | None = None):
        self._read(name)
        address, computation = boa.env.deploy(sender=sender, bytecode=creation_code(name, *args))
        refuse(computation)
        self._settle(str(address))
        self.logs = decode_logs(computation)

    @classmethod
    def at(cls, name: str, address: str, maker: "Contract | None" = None) -> "Contract":
        """A contract that is there already, with the logs of the last call to its maker."""
        contract = cls.__new__(cls)
        contract._read(name)
        contract._settle(address)
        contract.logs = decode_logs(maker.computation) if maker else []
        return contract

    def _settle(self, address: str) -> None:
        """Takes an address, and is known by it to whoever decodes logs."""
        self.address = to_checksum_address(address)
        known[self.address] = self

    def _read(self, name: str) -> None:
        """Takes functions and events from the ABI."""
        self.abi = artifact(name)["abi"]
        self.logs: list[Log] = []
        self.computation = None
        self.functions: dict[str, dict] = {}
        for entry in self.abi:
            if entry["type"] == "function":
                # Of overloads the shortest is first in Vyper's ABI; the others by their signature.
                self.functions.setdefault(entry["name"], entry)
                self.functions[signature(entry)] = entry
        self.events = {
            keccak(text=signature(e)): e for e in self.abi if e["type"] == "event"
        }

    def calldata(self, name: str, *args) -> bytes:
        """The bytes of a call."""
        entry = self.functions[name]
        types = [canonical(e) for e in entry["inputs"]]
        return keccak(text=signature(entry))[:4] + encode(types, args)

    def call(self, name: str, *args, sender: str | None = None, value: int = 0):
        """Calls, keeps the logs of all contracts in `logs`, and returns what came back."""
        computation = boa.env.execute_code(
            to_address=self.address,
            sender=sender,
            value=value,
            data=self.calldata(name, *args),
            is_modifying=self.functions[name]["stateMutability"] not in ("view", "pure"),
        )
        refuse(computation)
        if self.functions[name]["stateMutability"] not in ("view", "pure"):
            self.logs, self.computation = decode_logs(computation), computation
        outputs = self.functions[name]["outputs"]
        values = decode([canonical(e) for e in outputs], computation.output)
        answer = tuple(named(e, v) for e, v in zip(outputs, values))
        return answer[0] if len(answer) == 1 else answer or None

    def __getattr__(self, name: str):
        if name.startswith("_") or name not in self.__dict__.get("functions", {}):
            raise AttributeError(name)
        return functools.partial(self.call, name)


known: dict[str, Contract] = {}


def refuse(computation) -> None:
    """Raises where the machine reverted."""
    if not computation.is_error:
        return
    if computation.error.__class__.__name__ != "Revert":
        raise Refused(f"<{computation.error!r}>")
    output = computation.output
    raise Refused(decode(["string"], output[4:])[0] if output[:4] == ERROR else output.hex())


def decode_logs(computation) -> list[Log]:
    """The events of a call, in order; of contracts no test knows they are left out."""
    logs = []
    for address, topics, data in computation.get_log_entries():
        contract = known.get(to_checksum_address(address))
        topics = tuple(t.to_bytes(32, "big") for t in topics)
        entry = contract and contract.events.get(topics[0])
        if not entry:
            continue
        rest = iter(topics[1:])
        plain = [e for e in entry["inputs"] if not e["indexed"]]
        body = iter(decode([canonical(e) for e in plain], data))
        args = {
            e["name"]: named(e, decode([canonical(e)], next(rest))[0] if e["indexed"] else next(body))
            for e in entry["inputs"]
        }
        logs.append(Log(contract.address, entry["name"], args, topics, data))
    return logs


def account(name: str, ether: int = 10**45) -> str:
    """An account that is not a contract, named for messages, with money."""
    address = to_checksum_address(keccak(text=name)[-20:])
    boa.env.set_balance(address, ether)
    return address


def balance(address: str) -> int:
    """An account's money on the chain itself."""
    return boa.env.get_balance(address)


@contextlib.contextmanager
def changed_chain_id():
    """Gives the chain another id, as after a split, and back its own."""
    boa.env.evm.patch.chain_id = CHAIN_ID + 1
    try:
        yield
    finally:
        boa.env.evm.patch.chain_id = CHAIN_ID


def now() -> int:
    """The block's time in seconds."""
    return boa.env.timestamp


def travel_to(time: int) -> None:
    """Sets the block's time; the next call sees exactly this."""
    boa.env.timestamp = time
