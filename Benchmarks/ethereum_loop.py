"""The work of the benchmark `contracts`, done by web3.py, eth-abi and eth-account with coincurve.

Takes the data of a call of Escrow.list, the contract's address and a private key. For each line of
input, `WORK ROUNDS`, it prints the processor seconds that the rounds took, and the last result.
"""

import json
import sys
import time
from pathlib import Path

from eth_abi import abi
from eth_account import Account
from eth_keys import KeyAPI
from eth_keys.backends import CoinCurveECCBackend
from web3 import Web3

ARTIFACT = Path(__file__).resolve().parents[1] / "Sources/Contracts/Artifacts/Escrow.json"


def main(data, address, secret):
    data = bytes.fromhex(data.removeprefix("0x"))
    contract = Web3().eth.contract(address, abi=json.loads(ARTIFACT.read_text())["abi"])
    function, arguments = contract.decode_function_input(data)
    offer = tuple(arguments["offer"].values())
    offer = (*offer[:-1], tuple(offer[-1].values()))
    [form] = [p for p in function.abi["inputs"]]
    types, selector, tail = [type_of(form)], data[:4], data[4:]
    account = Account.from_key(secret)
    account._key_obj.backend = CoinCurveECCBackend()
    assert isinstance(KeyAPI().backend, CoinCurveECCBackend), "eth-keys does not use coincurve"

    def sign(nonce):
        return account.sign_transaction({
            "type": 2, "chainId": 31_337, "nonce": nonce, "to": address, "value": offer[6][2],
            "data": data, "gas": 600_000, "maxPriorityFeePerGas": 10**9, "maxFeePerGas": 30 * 10**9,
        }).raw_transaction.hex()

    works = {
        "web3-encode": lambda _: contract.encode_abi("list", [offer]),
        "web3-decode": lambda _: contract.decode_function_input(data)[1]["offer"]["seller"],
        "abi-encode": lambda _: (selector + abi.encode(types, [offer])).hex(),
        "abi-decode": lambda _: abi.decode(types, tail)[0][0],
        "sign": sign,
    }
    for line in sys.stdin:
        work, rounds = line.split()
        do = works[work]
        start = time.process_time()
        for number in range(int(rounds)):
            result = do(number)
        print(time.process_time() - start, result.removeprefix("0x"), flush=True)


def type_of(form):
    """The canonical type of a parameter."""
    if not form["type"].startswith("tuple"):
        return form["type"]
    return "(" + ",".join(type_of(part) for part in form["components"]) + ")" + form["type"][5:]


if __name__ == "__main__":
    main(*sys.argv[1:])
