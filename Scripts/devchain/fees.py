"""The price of gas: eth_feeHistory and the suggestions derived from it."""

from devchain import limits
from devchain.errors import invalid_params
from devchain.values import count

TIP_WEI = 10**9


def history(node, blocks, newest, percentiles):
    """Returns base fees, gas used ratios and tips of up to `blocks` blocks ending at `newest` (number, hash)."""
    wanted = count(blocks)
    check_percentiles(percentiles)
    if wanted == 0:
        return {"oldestBlock": "0x0", "gasUsedRatio": []}
    last = newest[0]
    first = max(0, last + 1 - min(wanted, limits.FEE_HISTORY_BLOCKS_MAX))
    shapes = [node.index.block(node.index.hash_at(n)) for n in range(first, last + 1)]
    following = node.index.hash_at(last + 1)
    if following is not None and last < node.faults.visible(node.index.head_number):
        next_fee = node.index.block(following)["baseFeePerGas"]
    else:
        header = node.header_of(newest[1])
        next_fee = hex(node.chain.create_header_from_parent(
            header, timestamp=header.timestamp + 1).base_fee_per_gas)
    answer = {
        "oldestBlock": hex(first),
        "baseFeePerGas": [shape["baseFeePerGas"] for shape in shapes] + [next_fee],
        "gasUsedRatio": [int(s["gasUsed"], 16) / int(s["gasLimit"], 16) for s in shapes],
    }
    if percentiles:
        answer["reward"] = [rewards(node, shape, percentiles) for shape in shapes]
    return answer


def check_percentiles(percentiles):
    if not isinstance(percentiles, list) or len(percentiles) > limits.FEE_HISTORY_PERCENTILES_MAX:
        raise invalid_params("reward percentiles must be a list of at most "
                             f"{limits.FEE_HISTORY_PERCENTILES_MAX}")
    last = 0
    for value in percentiles:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not last <= value <= 100:
            raise invalid_params(f"invalid reward percentile: {value}; "
                                 "they must rise and lie in 0…100")
        last = value


def rewards(node, shape, percentiles):
    """Returns the tips at each percentile of the block's gas."""
    base_fee = int(shape["baseFeePerGas"], 16)
    receipts = node.index.block_column(bytes.fromhex(shape["hash"][2:]), "receipt")
    tips = sorted((int(r["effectiveGasPrice"], 16) - base_fee, int(r["gasUsed"], 16))
                  for r in receipts)
    if not tips:
        return ["0x0"] * len(percentiles)
    total = sum(gas for _, gas in tips)
    answer, position, reached = [], 0, tips[0][1]
    for percentile in percentiles:
        while reached < total * percentile / 100 and position < len(tips) - 1:
            position += 1
            reached += tips[position][1]
        answer.append(hex(tips[position][0]))
    return answer
