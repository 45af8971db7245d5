"""Signs as a wallet does: one JSON object on standard input, one on standard output.

{privateKey, typedData, transaction} → {typedData, transaction}: the signature of the typed data as
r ‖ s ‖ v, and the signed transaction, both in hexadecimal digits.
"""

import json
import sys

from eth_account import Account


def main():
    given = json.load(sys.stdin)
    key = given["privateKey"]
    record = Account.sign_typed_data(key, full_message=given["typedData"])
    sent = Account.sign_transaction(given["transaction"], key)
    json.dump({"typedData": "0x" + bytes(record.signature).hex(),
               "transaction": "0x" + bytes(sent.raw_transaction).hex()}, sys.stdout)


if __name__ == "__main__":
    main()
