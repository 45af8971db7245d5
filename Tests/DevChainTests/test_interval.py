"""Block times: on the second, no drift, never ahead of the clock; a slow block costs no other."""

import asyncio
import time

import pytest
from devchain.interval import Interval, next_turn
from process import Chain, RPCFailure, Socket


def test_at_most_a_block_a_second_and_never_ahead_of_the_clock():
    async def play(chain):
        async with Socket(chain) as socket:
            await socket.rpc("eth_subscribe", "newHeads")
            heads = []
            for _ in range(4):
                head = (await socket.event())["result"]
                heads.append((time.time(), int(head["timestamp"], 16)))
        return heads

    with Chain("--block-time", 1) as chain:
        heads = asyncio.run(play(chain))
    stamps = [stamp for _, stamp in heads]
    assert all(later > earlier for earlier, later in zip(stamps, stamps[1:]))
    assert all(stamp <= seen for seen, stamp in heads)


def test_transactions_wait_for_their_block(signed):
    async def play(chain):
        async with Socket(chain) as socket:
            await socket.rpc("eth_subscribe", "newHeads")
            sent = chain.rpc("eth_sendRawTransaction", signed(chain))
            while chain.rpc("eth_getTransactionReceipt", sent) is None:
                await socket.event()
            return chain.rpc("eth_getTransactionReceipt", sent)

    with Chain("--block-time", 1) as chain:
        assert asyncio.run(play(chain))["status"] == "0x1"


def test_the_interval_can_be_changed_while_it_runs(chain):
    async def play():
        async with Socket(chain) as socket:
            await socket.rpc("eth_subscribe", "newHeads")
            await socket.rpc("evm_setIntervalMining", 0.05)
            numbers = [int((await socket.event())["result"]["number"], 16) for _ in range(5)]
            assert numbers == list(range(numbers[0], numbers[0] + 5))
            await socket.rpc("evm_setIntervalMining", 0)
    asyncio.run(play())
    for wrong in (-1, 10**9, "1", None, True, 0.001):
        with pytest.raises(RPCFailure, match="interval"):
            chain.rpc("evm_setIntervalMining", wrong)


def test_turns_are_multiples_of_the_interval():
    assert next_turn(100.0, 1) == 101
    assert next_turn(100.999, 1) == 101
    assert next_turn(102.5, 5) == 105


class SlowChain:
    """Stands for a node whose clock the test sets; each block may take its time."""

    def __init__(self, monkeypatch, costs):
        self.now, self.costs, self.mined = 1_000.25, list(costs), []
        self.header = self.clock = self
        self.timestamp, self.chosen = 999, None
        self.done = asyncio.Event()
        monkeypatch.setattr("devchain.interval.time.time", lambda: self.now)

    def mine(self):
        self.timestamp = max(int(self.now), self.timestamp + 1)
        self.mined.append((self.now, self.timestamp))
        self.now += self.costs.pop(0)
        if not self.costs:
            self.done.set()


def test_slow_blocks_cause_neither_bursts_nor_drift(monkeypatch):
    async def play():
        chain = SlowChain(monkeypatch, [0.1, 2.5, 0.1, 0.95, 0.1])
        chain.clock = type("Clock", (), {"chosen": None, "now": lambda _: int(chain.now)})()
        interval = Interval(chain)

        async def passed(moment):
            chain.now = max(chain.now, moment)
            await asyncio.sleep(0)
            return True

        monkeypatch.setattr(interval, "_waited_until", passed)
        interval.set(1)
        running = asyncio.create_task(interval.run())
        await chain.done.wait()
        running.cancel()
        return chain.mined

    mined = asyncio.run(play())
    assert [moment for moment, _ in mined] == [1_001, 1_002, 1_005, 1_006, 1_007]
    assert all(stamp == int(moment) for moment, stamp in mined)
