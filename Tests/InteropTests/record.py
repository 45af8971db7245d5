"""Reads and writes Stoa's records with eth-account alone, from Docs/protocol.md, sections 4 to 6."""

from dataclasses import dataclass, replace

from eth_account import Account
from eth_account.messages import _hash_eip191_message, encode_typed_data
from web3 import Web3

TYPES = {
    "EIP712Domain": [{"name": "name", "type": "string"}, {"name": "version", "type": "string"}],
    "Record": [
        {"name": "network", "type": "string"}, {"name": "kind", "type": "uint8"},
        {"name": "author", "type": "address"}, {"name": "slot", "type": "bytes32"},
        {"name": "createdAt", "type": "uint64"}, {"name": "summary", "type": "string"},
        {"name": "payloadHash", "type": "bytes32"}],
}
LISTING = 3
GOODS = 1
COUNTRIES = 3


@dataclass(frozen=True)
class Record:
    """The envelope of everything public."""

    network: str
    kind: int
    author: str
    slot: bytes
    created_at_ms: int
    summary: str
    payload: bytes
    signature: bytes = b""

    @staticmethod
    def decode(data):
        fields = dict(read(data))
        return Record(
            fields[1].decode(), fields[2], Web3.to_checksum_address(fields[3]), fields[4],
            fields[5], fields[6].decode(), fields.get(7, b""), fields[8])

    def encode(self):
        return message(
            (1, self.network), (2, self.kind), (3, bytes.fromhex(self.author[2:])),
            (4, self.slot), (5, self.created_at_ms), (6, self.summary), (7, self.payload),
            (8, self.signature))

    def statement(self):
        """What is signed, as EIP-712 typed data."""
        return encode_typed_data(full_message={
            "types": TYPES, "primaryType": "Record", "domain": {"name": "Stoa", "version": "1"},
            "message": {
                "network": self.network, "kind": self.kind, "author": self.author,
                "slot": self.slot, "createdAt": self.created_at_ms, "summary": self.summary,
                "payloadHash": bytes(Web3.keccak(self.payload))}})

    @property
    def id(self):
        return "0x" + bytes(_hash_eip191_message(self.statement())).hex()

    @property
    def signer(self):
        return Account.recover_message(self.statement(), signature=self.signature)

    def signed(self, key):
        return replace(self, signature=bytes(key.sign_message(self.statement()).signature))

    def spoilt(self):
        """The same record with a signature of something else."""
        return replace(self, signature=bytes([self.signature[0] ^ 1]) + self.signature[1:])


def listing_of(data):
    """A record with its payload's fields, where it is a listing."""
    record = Record.decode(data)
    return (record, dict(read(record.payload))) if record.kind == LISTING else None


def promise(slot, listing):
    """The hash that the sale of a listing without media carries; from its payload's fields."""
    assert 6 not in listing
    return bytes(Web3.keccak(message(
        (1, slot), (2, listing[2]), (3, listing[3]), (5, listing[7]), (6, listing[8]),
        (7, listing[10]))))


def escrow_offer(terms):
    """`Terms` of a payload, from the terms in the contract's order; native money, no arbiter, for anybody."""
    amounts = [number.to_bytes((number.bit_length() + 7) // 8, "big") for number in terms[1:5]]
    return message((1, message(
        *zip(range(2, 6), amounts), *zip(range(8, 12), terms[7:11]))))


def goods(title, identifier, country, chain, offer, contract, sale):
    """The payload of a listing of goods that are shipped to one country."""
    return message(
        (1, GOODS), (2, title), (3, "Made elsewhere."), (4, "sports"), (5, "interop"),
        (7, identifier), (8, message((1, message((1, COUNTRIES), (2, country))))), (9, chain),
        (10, offer), (12, message((1, bytes.fromhex(contract[2:])), (2, sale))))


def message(*fields):
    """A protobuf message; numbers and texts that are empty are left out."""
    parts = bytearray()
    for number, value in fields:
        if isinstance(value, int):
            parts += varint(number << 3) + varint(value) if value else b""
        elif value:
            octets = value.encode() if isinstance(value, str) else value
            parts += varint(number << 3 | 2) + varint(len(octets)) + octets
    return bytes(parts)


def read(data):
    """The fields of a protobuf message in order: numbers, and bytes for all else."""
    position = 0
    while position < len(data):
        tag, position = read_varint(data, position)
        size, position = read_varint(data, position)
        if tag & 7 == 0:
            yield tag >> 3, size
            continue
        assert tag & 7 == 2 and position + size <= len(data), "no record"
        yield tag >> 3, data[position:position + size]
        position += size


def varint(number):
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def read_varint(data, position):
    number = shift = 0
    while data[position] > 0x7F:
        number |= (data[position] & 0x7F) << shift
        shift, position = shift + 7, position + 1
    return number | data[position] << shift, position + 1
