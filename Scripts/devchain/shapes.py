"""Ethereum's JSON shapes of blocks, transactions, receipts and logs."""

import rlp
from eth_utils import keccak

from devchain.admission import kind_of
from devchain.values import as_address, as_bloom, as_hex, as_word

OPTIONAL_HEADER_FIELDS = (
    ("withdrawalsRoot", "withdrawals_root", as_hex),
    ("blobGasUsed", "blob_gas_used", hex),
    ("excessBlobGas", "excess_blob_gas", hex),
    ("parentBeaconBlockRoot", "parent_beacon_block_root", as_hex),
    ("requestsHash", "requests_hash", as_hex),
)


def header_shape(header):
    shape = {
        "number": hex(header.block_number),
        "hash": as_hex(header.hash),
        "parentHash": as_hex(header.parent_hash),
        "nonce": as_hex(header.nonce),
        "sha3Uncles": as_hex(header.uncles_hash),
        "logsBloom": as_bloom(header.bloom),
        "transactionsRoot": as_hex(header.transaction_root),
        "stateRoot": as_hex(header.state_root),
        "receiptsRoot": as_hex(header.receipt_root),
        "miner": as_address(header.coinbase),
        "difficulty": hex(header.difficulty),
        "extraData": as_hex(header.extra_data),
        "gasLimit": hex(header.gas_limit),
        "gasUsed": hex(header.gas_used),
        "timestamp": hex(header.timestamp),
        "baseFeePerGas": hex(header.base_fee_per_gas),
        "mixHash": as_hex(header.mix_hash),
    }
    for name, field, write in OPTIONAL_HEADER_FIELDS:
        value = getattr(header, field, None)
        if value is not None:
            shape[name] = write(value)
    return shape


def block_shape(block):
    """Returns the block with its transactions' hashes; the index keeps the transactions themselves."""
    shape = header_shape(block.header) | {
        "size": hex(len(rlp.encode(block))),
        "uncles": [],
        "transactions": [as_hex(t.hash) for t in block.transactions],
    }
    if "withdrawalsRoot" in shape:
        shape["withdrawals"] = []
    return shape


def gas_price(transaction, base_fee):
    """Returns the price paid for one unit of gas, in wei."""
    if kind_of(transaction) < 2:
        return transaction.gas_price
    return min(transaction.max_fee_per_gas, base_fee + transaction.max_priority_fee_per_gas)


def transaction_shape(transaction, base_fee, header=None, position=None):
    kind = kind_of(transaction)
    shape = {
        "hash": as_hex(transaction.hash),
        "type": hex(kind),
        "nonce": hex(transaction.nonce),
        "from": as_address(transaction.sender),
        "to": as_address(transaction.to),
        "value": hex(transaction.value),
        "gas": hex(transaction.gas),
        "input": as_hex(transaction.data),
        "gasPrice": hex(gas_price(transaction, base_fee)),
        "chainId": hex(transaction.chain_id),
        "r": hex(transaction.r),
        "s": hex(transaction.s),
        "blockHash": header and as_hex(header.hash),
        "blockNumber": header and hex(header.block_number),
        "transactionIndex": None if position is None else hex(position),
    }
    if kind == 0:
        return shape | {"v": hex(transaction.v)}
    shape |= {
        "v": hex(transaction.y_parity),
        "yParity": hex(transaction.y_parity),
        "accessList": [{"address": as_address(account), "storageKeys": [as_word(k) for k in keys]}
                       for account, keys in transaction.access_list],
    }
    if kind == 2:
        if header is None:
            shape["gasPrice"] = hex(transaction.max_fee_per_gas)
        shape |= {"maxFeePerGas": hex(transaction.max_fee_per_gas),
                  "maxPriorityFeePerGas": hex(transaction.max_priority_fee_per_gas)}
    return shape


def log_shapes(receipt, transaction, position, header, first):
    """Returns the logs of one receipt; `first` is the number of logs before it in the block."""
    return [{
        "address": as_address(log.address),
        "topics": [as_word(topic) for topic in log.topics],
        "data": as_hex(log.data),
        "blockNumber": hex(header.block_number),
        "blockHash": as_hex(header.hash),
        "blockTimestamp": hex(header.timestamp),
        "transactionHash": as_hex(transaction.hash),
        "transactionIndex": hex(position),
        "logIndex": hex(first + offset),
        "removed": False,
    } for offset, log in enumerate(receipt.logs)]


def receipt_shapes(header, results):
    """Returns the receipts of a block, each with its logs."""
    shapes, gas_before, logs_before = [], 0, 0
    for position, (transaction, receipt, computation) in enumerate(results):
        logs = log_shapes(receipt, transaction, position, header, logs_before)
        created = None
        if not transaction.to:
            created = keccak(rlp.encode([transaction.sender, transaction.nonce]))[12:]
        shapes.append({
            "type": hex(kind_of(transaction)),
            "transactionHash": as_hex(transaction.hash),
            "transactionIndex": hex(position),
            "blockHash": as_hex(header.hash),
            "blockNumber": hex(header.block_number),
            "from": as_address(transaction.sender),
            "to": as_address(transaction.to),
            "contractAddress": as_address(created),
            "gasUsed": hex(receipt.gas_used - gas_before),
            "cumulativeGasUsed": hex(receipt.gas_used),
            "effectiveGasPrice": hex(gas_price(transaction, header.base_fee_per_gas)),
            "logs": logs,
            "logsBloom": as_bloom(receipt.bloom),
            "status": "0x1" if computation.is_success else "0x0",
        })
        gas_before, logs_before = receipt.gas_used, logs_before + len(logs)
    return shapes
