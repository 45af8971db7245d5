"""Ethereum's JSON values: strict parsing of input, formatting of output."""

import re

from eth_utils import to_checksum_address

from devchain.errors import invalid_params

HEX = re.compile(r"0x[0-9a-fA-F]*\Z")


def quantity(value, bits=256):
    """Parses `0x` without leading zeros, as geth's hexutil does."""
    if not isinstance(value, str):
        raise invalid_params("invalid argument: a quantity must be a hex string")
    if not value.startswith("0x"):
        raise invalid_params("invalid argument: hex string without 0x prefix")
    digits = value[2:]
    if not digits:
        raise invalid_params('invalid argument: hex string "0x"')
    if len(digits) > 1 and digits[0] == "0":
        raise invalid_params("invalid argument: hex number with leading zero digits")
    if not HEX.match(value):
        raise invalid_params("invalid argument: invalid hex string")
    if len(digits) * 4 > bits + 3 or (number := int(digits, 16)) >> bits:
        raise invalid_params(f"invalid argument: hex number > {bits} bits")
    return number


def count(value):
    """Parses a whole number that control methods take as a JSON number or a hex string."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise invalid_params("invalid argument: expected a whole number or a hex string")
    number = value if isinstance(value, int) else quantity(value)
    if not 0 <= number < 1 << 256:
        raise invalid_params("invalid argument: number out of range")
    return number


def octets(value, size=None):
    """Parses byte data; `size` is the exact length in bytes, if one is required."""
    if not isinstance(value, str) or not value.startswith("0x"):
        raise invalid_params("invalid argument: hex string without 0x prefix")
    if len(value) % 2:
        raise invalid_params("invalid argument: hex string of odd length")
    if not HEX.match(value):
        raise invalid_params("invalid argument: invalid hex string")
    data = bytes.fromhex(value[2:])
    if size is not None and len(data) != size:
        raise invalid_params(
            f"invalid argument: hex string has length {2 * len(data)}, want {2 * size}")
    return data


def address(value):
    return octets(value, 20)


def slot(value):
    """Parses a storage slot: up to 32 bytes, leading zeros allowed."""
    if not isinstance(value, str) or not HEX.match(value) or not 2 < len(value) <= 66:
        raise invalid_params("invalid argument: a storage slot has 1 to 32 bytes in hex")
    return int(value, 16)


def flag(value):
    if not isinstance(value, bool):
        raise invalid_params("invalid argument: expected true or false")
    return value


def as_hex(data):
    return "0x" + bytes(data).hex()


def as_word(number):
    return f"0x{number:064x}"


def as_bloom(number):
    return f"0x{number:0512x}"


def as_address(data):
    """Returns the checksummed address, or None for the empty one of a contract creation."""
    return to_checksum_address(bytes(data)) if data else None
