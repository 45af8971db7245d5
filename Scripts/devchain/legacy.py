"""A chain that states fees as a gas price alone, like those without EIP-1559 (option --legacy-fees)."""

from devchain.errors import refused
from devchain.values import octets

MISSING = ("eth_feeHistory", "eth_maxPriorityFeePerGas")
BLOCKS = ("eth_getBlockByNumber", "eth_getBlockByHash")


def without_base_fee(block):
    """Returns a block or a header without its base fee; anything else as it is."""
    if not isinstance(block, dict):
        return block
    return {name: value for name, value in block.items() if name != "baseFeePerGas"}


def changed(table):
    """Returns the methods as such a chain answers them."""
    def shown(function):
        return lambda which, full=False: without_base_fee(function(which, full))

    def send(raw):
        if octets(raw)[:1] == b"\x02":
            raise refused("transaction type not supported")
        return table["eth_sendRawTransaction"](raw)

    legacy = {name: function for name, function in table.items() if name not in MISSING}
    return legacy | {name: shown(table[name]) for name in BLOCKS} | {"eth_sendRawTransaction": send}
