"""What the libraries answer to a case's input; the formats are in ethereum_check.py."""

import eth_abi
import rlp
from eth_account import Account
from eth_account.messages import _hash_eip191_message, encode_typed_data
from eth_keys import keys
from web3 import Web3

Account.enable_unaudited_hdwallet_features()


def octets(text):
    if not isinstance(text, str) or not text.startswith("0x"):
        raise ValueError(f"not bytes: {text!r}")
    return bytes.fromhex(text[2:])


def as_hex(data):
    return "0x" + bytes(data).hex()


def keccak(given):
    return {"hash": as_hex(Web3.keccak(octets(given["data"])))}


def address(given):
    key = keys.PrivateKey(octets(given["privateKey"]))
    return {"publicKey": "0x04" + key.public_key.to_bytes().hex(),
            "address": Account.from_key(octets(given["privateKey"])).address}


def phrase(given):
    account = Account.from_mnemonic(
        given["mnemonic"], passphrase=given["passphrase"], account_path=given["path"])
    return {"privateKey": as_hex(account.key), "address": account.address}


def recover(given):
    signer = Account._recover_hash(octets(given["hash"]), signature=octets(given["signature"]))
    return {"address": signer}


def typed_data(given):
    data = given["typedData"]
    types = data["types"]
    read = {name: typed_value(types, name, data[part])
            for name, part in ((data["primaryType"], "message"), ("EIP712Domain", "domain"))}
    full = {"types": types, "primaryType": data["primaryType"],
            "domain": read["EIP712Domain"], "message": read[data["primaryType"]]}
    message = encode_typed_data(full_message=full)
    done = Account.sign_message(message, octets(given["privateKey"]))
    return {"hash": as_hex(_hash_eip191_message(message)), "signature": as_hex(done.signature)}


def typed_value(types, kind, value):
    """Turns a JSON value into what eth-account takes for `kind`."""
    if kind.endswith("]"):
        inner = kind[:kind.rindex("[")]
        return [typed_value(types, inner, item) for item in value]
    if kind in types:
        return {field["name"]: typed_value(types, field["type"], value[field["name"]])
                for field in types[kind]}
    if kind.startswith(("uint", "int")):
        return decimal(value)
    return octets(value) if kind.startswith("bytes") else value


def decimal(text):
    if not isinstance(text, str):
        raise ValueError(f"an integer must be a decimal string, not {text!r}")
    return int(text, 10)


def transaction(given):
    fields = {name: value for name, value in given["transaction"].items() if value is not None}
    if fields["type"] == "0x0":
        del fields["type"]
    done = Account.sign_transaction(fields, octets(given["privateKey"]))
    return {"raw": as_hex(done.raw_transaction), "hash": as_hex(done.hash)}


def abi_value(kind, value):
    """Turns a JSON value into what eth-abi takes for the canonical type `kind`."""
    if kind.endswith("]"):
        inner = kind[:kind.rindex("[")]
        return [abi_value(inner, item) for item in value]
    if kind.startswith("("):
        parts = components(kind)
        if len(parts) != len(value):
            raise ValueError(f"{kind} with {len(value)} values")
        return tuple(abi_value(part, item) for part, item in zip(parts, value))
    if kind.startswith(("uint", "int")):
        return decimal(value)
    return octets(value) if kind.startswith("bytes") else value


def components(kind):
    """The member types of "(…)", split at the commas of its own level."""
    parts, depth, start = [], 0, 1
    for position, mark in enumerate(kind):
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if depth == 1 and mark == "," or depth == 0 and mark == ")":
            parts.append(kind[start:position])
            start = position + 1
    return [part for part in parts if part]


def abi(given):
    values = [abi_value(*pair) for pair in zip(given["types"], given["values"], strict=True)]
    encoded = eth_abi.encode(given["types"], values)
    if eth_abi.encode(given["types"], eth_abi.decode(given["types"], encoded)) != encoded:
        raise ValueError("eth-abi does not decode what it encoded")
    return {"encoded": as_hex(encoded)}


def selector(given):
    topic = Web3.keccak(text=given["signature"])
    return {"selector": as_hex(topic[:4]), "topic": as_hex(topic)}


def rlp_item(item):
    return [rlp_item(inner) for inner in item] if isinstance(item, list) else octets(item)


def rlp_encoded(given):
    return {"encoded": as_hex(rlp.encode(rlp_item(given["item"])))}


def keystore(given):
    key = Account.decrypt(given["keystore"], given["password"])
    found = Account.from_key(key).address
    named = given["keystore"].get("address")
    if named is not None and named.lower().removeprefix("0x") != found[2:].lower():
        raise ValueError(f"the keystore names {named}, its key has {found}")
    return {"privateKey": as_hex(key), "address": found}


KINDS = {
    "keccak": keccak, "address": address, "phrase": phrase, "recover": recover,
    "typed-data": typed_data, "transaction": transaction, "abi": abi, "selector": selector,
    "rlp": rlp_encoded, "keystore": keystore,
}
