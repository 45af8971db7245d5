"""Ways of other nodes that this chain takes on if it is told to: refusals and shapes of go-ethereum.

All are off until `dev_fault(kind, options)` turns one on, beside the faults of faults.py:
`head_range` (eth_getLogs refuses a range that ends above the head) · `null_fields` (announced headers
name fields that the fork does not have, with null) · `fee_cap` (`wei`: the most that gas times price of
a transaction may be) · `least_tip` (`wei`: the least tip that the mempool takes) · `gas_cap` (`gas`: the most that a transaction may
have) · `recent_state`
(`blocks`: the states of no more blocks than that) · `indexing` (transactions and receipts that are not
found are said to be still indexed).
"""

from devchain.errors import invalid_params, refused
from devchain.values import as_hex, count

WAYS = {
    "head_range": set(), "null_fields": set(), "fee_cap": {"wei"}, "least_tip": {"wei"}, "gas_cap": {"gas"},
    "recent_state": {"blocks"}, "indexing": set(),
}
STANDARD = {"wei": {"fee_cap": 10**18, "least_tip": 10**9}, "blocks": {"recent_state": 128}, "gas": {"gas_cap": 2**24}}
ETHER = 10**18

# What go-ethereum's header has in every fork; the last one is of a fork that is to come.
NULLABLE_FIELDS = ("baseFeePerGas", "withdrawalsRoot", "blobGasUsed", "excessBlobGas",
                   "parentBeaconBlockRoot", "requestsHash", "blockAccessListHash")


def checked(kind, options):
    """Returns the options of a way with defaults filled in."""
    result = {}
    for name in WAYS[kind]:
        result[name] = count(options.get(name, STANDARD[name][kind]))
        if not 0 < result[name] < 1 << 128:
            raise invalid_params(f"{name} must be 1 to 2^128 - 1")
    return result


def check_fee(on, transaction):
    """Refuses a transaction that costs too much, offers too little, or has too much gas, for the node."""
    if (cap := on.get("gas_cap")) and transaction.gas > cap["gas"]:
        raise refused(f"transaction gas limit too high (cap: {cap['gas']}, tx: {transaction.gas})")
    fee = transaction.gas * transaction.max_fee_per_gas
    if (cap := on.get("fee_cap")) and fee > cap["wei"]:
        raise refused(f"tx fee ({fee / ETHER:.2f} ether) exceeds the configured cap "
                      f"({cap['wei'] / ETHER:.2f} ether)")
    tip = transaction.max_priority_fee_per_gas
    if (least := on.get("least_tip")) and tip < least["wei"]:
        raise refused(f"transaction underpriced: gas tip cap {tip}, "
                      f"minimum needed {least['wei']}")


def check_range(on, last, head):
    """Refuses logs of a range that ends above the head."""
    if "head_range" in on and last > head:
        raise invalid_params("block range extends beyond current head block: "
                             f"requested {last}, head {head}")


def check_state(on, header, head):
    """Refuses the state after a block that is too far below the head."""
    kept = on.get("recent_state")
    if kept and head - header.block_number >= kept["blocks"]:
        raise refused(f"historical state {as_hex(header.state_root)} is not available")


def found(on, answer):
    """Returns what was found; if nothing was, a node that indexes does not know."""
    if answer is None and "indexing" in on:
        raise refused("transaction indexing is in progress")
    return answer


def announced(on, shape):
    """Returns a header as it is announced."""
    if "null_fields" not in on:
        return shape
    return dict.fromkeys(NULLABLE_FIELDS) | shape
