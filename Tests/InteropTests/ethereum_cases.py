"""Random inputs of each kind, from a seeded source; the formats are in ethereum_check.py."""

import json

from eth_account import Account
from eth_account.hdaccount import Mnemonic
from eth_account.types import Language
from eth_utils import to_checksum_address

from ethereum_kinds import as_hex, components

ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
LENGTHS = (0, 1, 2, 31, 32, 33, 55, 56, 57, 63, 64, 65, 135, 136, 137, 255, 256, 300, 1_000)
LETTERS = "abcXYZ 019_-.,{}\"\\\n\t€ßéñ中文字🚲🏺\u200d"
NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")


def octets(source, length=None):
    return source.randbytes(source.choice(LENGTHS) if length is None else length)


def private_key(source):
    edge = source.random()
    number = 1 if edge < 0.02 else ORDER - 1 if edge < 0.04 else source.randrange(1, ORDER)
    return as_hex(number.to_bytes(32, "big"))


def text(source):
    return "".join(source.choice(LETTERS) for _ in range(source.choice((0, 1, 5, 31, 32, 33, 70))))


def account(source):
    zero = source.random() < 0.05
    return to_checksum_address(bytes(20) if zero else source.randbytes(20))


def whole(source, bits):
    """A number of up to `bits` bits, often at an edge."""
    top = (1 << bits) - 1
    return source.choice((0, 1, top, top >> 1, source.randrange(top + 1),
                          source.randrange(top + 1) >> source.randrange(bits)))


def quantity(source, bits):
    return hex(whole(source, bits))


def make_keccak(source):
    return {"data": as_hex(octets(source))}


def make_address(source):
    return {"privateKey": private_key(source)}


def make_phrase(source):
    words = source.choice((12, 15, 18, 21, 24))
    entropy = source.randbytes(words // 3 * 4)
    steps = [f"{source.choice((0, 1, 5, 2**31 - 1))}{source.choice(('', chr(39)))}"
             for _ in range(source.randrange(4))]
    path = "/".join(["m/44'/60'/0'/0", *steps] if source.random() < 0.8 else ["m", *steps, "0"])
    return {"mnemonic": Mnemonic(Language.ENGLISH).to_mnemonic(entropy),
            "passphrase": source.choice(("", "TREZOR", text(source))), "path": path}


def make_recover(source):
    digest = octets(source, 32)
    done = Account.unsafe_sign_hash(digest, private_key(source))
    return {"hash": as_hex(digest), "signature": as_hex(done.signature)}


def basic_type(source):
    return source.choice((
        f"uint{8 * source.randrange(1, 33)}", f"int{8 * source.randrange(1, 33)}",
        f"bytes{source.randrange(1, 33)}", "address", "bool", "string", "bytes"))


def basic_value(source, kind):
    """A value of a type that has no parts."""
    if kind.startswith("uint"):
        return str(whole(source, int(kind[4:])))
    if kind.startswith("int"):
        bits = int(kind[3:])
        return str(whole(source, bits) - (1 << (bits - 1)))
    if kind == "bytes":
        return as_hex(octets(source))
    if kind.startswith("bytes"):
        return as_hex(source.randbytes(int(kind[5:])))
    if kind == "address":
        return account(source)
    return source.random() < 0.5 if kind == "bool" else text(source)


def array_of(source, kind):
    """`kind`, or one or two dimensions of it."""
    for _ in range(source.choice((0, 0, 0, 1, 1, 2))):
        kind += source.choice(("[]", f"[{source.randrange(1, 4)}]"))
    return kind


def items(source, kind, value):
    """A list that fits the array type `kind`, its items by `value`."""
    inner, size = kind[:-1].rsplit("[", 1)
    return [value(source, inner) for _ in range(int(size) if size else source.randrange(4))]


def abi_type(source, depth=0):
    if depth < 2 and source.random() < 0.25:
        parts = [abi_type(source, depth + 1) for _ in range(source.randrange(1, 5))]
        return array_of(source, f"({','.join(parts)})")
    return array_of(source, basic_type(source))


def abi_value(source, kind):
    if kind.endswith("]"):
        return items(source, kind, abi_value)
    if kind.startswith("("):
        return [abi_value(source, part) for part in components(kind)]
    return basic_value(source, kind)


def make_abi(source):
    types = [abi_type(source) for _ in range(source.randrange(7))]
    return {"types": types, "values": [abi_value(source, kind) for kind in types]}


def make_selector(source):
    types = ",".join(abi_type(source) for _ in range(source.randrange(5)))
    return {"signature": f"{source.choice(NAMES)}({types})"}


def make_typed_data(source):
    """Structures that nest, each one used by the one before, so that the first is primary."""
    structs = ["Order", "Person", "Item"][:source.randrange(1, 4)]
    types = {}
    for position, name in enumerate(structs):
        kinds = [array_of(source, basic_type(source)) for _ in range(source.randrange(1, 5))]
        if position + 1 < len(structs):
            kinds.insert(source.randrange(len(kinds) + 1), array_of(source, structs[position + 1]))
        types[name] = [{"name": field, "type": kind} for field, kind in zip(NAMES, kinds)]
    domain = [("name", "string"), ("version", "string"), ("chainId", "uint256"),
              ("verifyingContract", "address"), ("salt", "bytes32")]
    domain = [field for field in domain if source.random() < 0.7] or domain[:1]
    types["EIP712Domain"] = [{"name": name, "type": kind} for name, kind in domain]

    def value(source, kind):
        if kind.endswith("]"):
            return items(source, kind, value)
        if kind in types:
            return {field["name"]: value(source, field["type"]) for field in types[kind]}
        return basic_value(source, kind)

    return {"privateKey": private_key(source),
            "typedData": {"types": types, "primaryType": structs[0],
                          "domain": value(source, "EIP712Domain"),
                          "message": value(source, structs[0])}}


def make_transaction(source):
    """One that a chain could take: gas above the intrinsic, the priority fee within the cap."""
    kind = source.randrange(3)
    fields = {"type": hex(kind), "chainId": hex(source.choice((1, 31_337, 8_217, 2**40))),
              "nonce": quantity(source, 63), "gas": hex(200_000 + whole(source, 62)),
              "to": None if source.random() < 0.2 else account(source),
              "value": quantity(source, 256), "data": as_hex(octets(source))}
    if kind < 2:
        fields["gasPrice"] = quantity(source, 128)
    else:
        fee, cap = sorted((whole(source, 128), whole(source, 128)))
        fields |= {"maxFeePerGas": hex(cap), "maxPriorityFeePerGas": hex(fee)}
    if kind:
        fields["accessList"] = [
            {"address": account(source),
             "storageKeys": [as_hex(octets(source, 32)) for _ in range(source.randrange(4))]}
            for _ in range(source.randrange(4))]
    return {"privateKey": private_key(source), "transaction": fields}


def rlp_item(source, depth=0):
    if depth < 4 and source.random() < 0.4:
        return [rlp_item(source, depth + 1) for _ in range(source.randrange(6))]
    return as_hex(source.choice((octets(source), source.randbytes(1))))


def make_rlp(source):
    return {"item": rlp_item(source)}


def make_keystore(source):
    """Salt and nonce come from the operating system: the one part that a seed does not fix."""
    function, cost = source.choice((("scrypt", 2**12), ("pbkdf2", 10_000)))
    password = source.choice(("", "testpassword", text(source)))
    sealed = Account.encrypt(private_key(source), password, kdf=function, iterations=cost)
    return {"keystore": json.loads(json.dumps(sealed)), "password": password}


# Each kind with its weight among a hundred cases.
MAKERS = {
    "keccak": (5, make_keccak), "address": (8, make_address), "phrase": (5, make_phrase),
    "recover": (8, make_recover), "typed-data": (22, make_typed_data),
    "transaction": (22, make_transaction), "abi": (20, make_abi), "selector": (3, make_selector),
    "rlp": (5, make_rlp), "keystore": (2, make_keystore),
}
