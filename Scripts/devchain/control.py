"""evm_* and dev_* methods: mining, time, snapshots, reorgs, money, faults."""

from devchain import limits
from devchain.errors import invalid_params, refused
from devchain.values import address, as_address, as_hex, count, flag


def control_methods(node, interval):
    """Returns the control methods by name."""

    def mine(timestamp=None):
        if isinstance(timestamp, dict):
            timestamp = timestamp.get("timestamp")
        if timestamp is not None:
            timestamp = count(timestamp)
            check_ahead(timestamp)
        node.mine(timestamp)
        return hex(node.index.head_number)

    def mine_many(blocks=1, seconds=1):
        """Mines several blocks, each `seconds` after the one before; commits them in portions."""
        blocks, seconds = count(blocks), count(seconds)
        if not 1 <= blocks <= limits.MINE_BLOCKS_MAX or not 1 <= seconds <= 86_400:
            raise invalid_params(f"1 to {limits.MINE_BLOCKS_MAX} blocks, 1 to 86400 seconds apart")
        node.mine()
        for first in range(1, blocks, limits.MINE_PORTION_BLOCKS):
            with node.command():
                for _ in range(first, min(blocks, first + limits.MINE_PORTION_BLOCKS)):
                    node.mine(node.header.timestamp + seconds)
        return hex(node.index.head_number)

    def check_ahead(timestamp):
        if timestamp > node.clock.now() + limits.TIME_JUMP_SECONDS_MAX:
            raise invalid_params(f"at most {limits.TIME_JUMP_SECONDS_MAX} seconds ahead")

    def increase_time(seconds):
        with node.command():
            return node.clock.increase(count(seconds), node.header.timestamp)

    def choose_time(timestamp):
        with node.command():
            node.clock.choose(count(timestamp), node.header.timestamp)
        return True

    def set_automine(on):
        node.set_automine(flag(on))
        return True

    def set_interval(seconds):
        interval.set(seconds)
        return True

    def reorg(depth, keep=True):
        if keep not in (True, False, "pool") or keep in (0, 1) and not isinstance(keep, bool):
            raise invalid_params('keep must be true, false or "pool"')
        return node.reorg(count(depth), keep)

    def set_balance(account, wei):
        node.set_balance(address(account), count(wei))
        return True

    def fund(account, wei, token=None):
        amount = count(wei)
        if amount >= 1 << 128:
            raise refused("at most 2^128 - 1 at once")
        if token is None:
            return node.fund(as_address(address(account)), amount)
        return node.mint(as_address(address(token)), address(account), amount)

    def fault(kind, options=None):
        node.faults.set(kind, options or {}, node.index.head_number)
        return True

    def status():
        """Returns the status for tests: the head, the mempool's size, clock, mining mode, faults."""
        return {"head": node.index.head_number, "hash": as_hex(node.index.head_hash),
                "timestamp": node.header.timestamp, "now": node.clock.now(),
                "pool": len(node.pool), "automine": node.automine,
                "blockTime": interval.seconds, "faults": sorted(node.faults.on)}

    return {
        "evm_mine": mine,
        "evm_mineBlocks": mine_many,
        "evm_increaseTime": increase_time,
        "evm_setNextBlockTimestamp": choose_time,
        "evm_snapshot": lambda: hex(node.snapshot()),
        "evm_revert": lambda number: node.revert(count(number)),
        "evm_reorg": reorg,
        "evm_setAutomine": set_automine,
        "evm_setIntervalMining": set_interval,
        "evm_setBalance": set_balance,
        "dev_fund": fund,
        "dev_fault": fault,
        "dev_status": status,
    }
