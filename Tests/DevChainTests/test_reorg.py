"""Snapshots, reorgs with removed logs, time travel."""

import asyncio

import probe
import pytest
from process import RPCFailure, Socket


def test_snapshot_and_revert_restore_everything(chain, contract, send, accounts):
    send(to=contract, value=0, data=probe.command(1 << 200, b"a"))
    before = chain.block(), chain.number("eth_getBalance", accounts[0].address)
    snapshot = chain.rpc("evm_snapshot")
    sent = send(to=contract, value=0, data=probe.command(1 << 201, b"b"))
    chain.rpc("evm_setAutomine", False)
    waiting = send()
    chain.rpc("evm_increaseTime", 86_400)
    later = chain.rpc("evm_snapshot")
    assert chain.rpc("evm_revert", snapshot) is True
    assert (chain.block(), chain.number("eth_getBalance", accounts[0].address)) == before
    assert chain.number("eth_getStorageAt", contract, "0x0") == 1 << 200
    assert chain.rpc("eth_getTransactionReceipt", sent) is None
    assert chain.rpc("eth_getTransactionByHash", waiting) is None
    assert chain.rpc("dev_status")["now"] < int(before[0]["timestamp"], 16) + 86_400
    assert chain.rpc("evm_revert", later) is False
    assert chain.rpc("evm_revert", snapshot) is False


def test_a_reorg_moves_transactions_and_removes_logs(chain, contract, send):
    send(to=contract, value=0, data=probe.command(7, b"stays"))
    sent = send(to=contract, value=0, data=probe.command(8, b"moves"))
    old = chain.rpc("eth_getTransactionReceipt", sent)
    head = chain.number("eth_blockNumber")
    chain.rpc("evm_reorg", 1, True)
    new = chain.rpc("eth_getTransactionReceipt", sent)
    assert chain.number("eth_blockNumber") == head + 1 == int(new["blockNumber"], 16)
    assert new["blockHash"] != old["blockHash"] and new["status"] == "0x1"
    orphan = chain.rpc("eth_getBlockByHash", old["blockHash"], False)
    assert orphan["number"] == hex(head)
    assert chain.block(hex(head))["hash"] != old["blockHash"]
    logs = chain.rpc("eth_getLogs", {"address": contract, "fromBlock": "earliest"})
    assert [log["topics"][0][-1] for log in logs] == ["7", "8"]
    assert logs[1]["blockHash"] == new["blockHash"]
    of_orphan = chain.rpc("eth_getLogs", {"blockHash": old["blockHash"]})
    assert [log["blockHash"] for log in of_orphan] == [old["blockHash"]]


def test_a_reorg_can_drop_or_hold_back_transactions(chain, send):
    sent = send()
    chain.rpc("evm_reorg", 1, "pool")
    assert chain.rpc("eth_getTransactionByHash", sent)["blockHash"] is None
    chain.rpc("evm_mine")
    assert chain.rpc("eth_getTransactionReceipt", sent) is not None
    chain.rpc("evm_reorg", 1, False)
    assert chain.rpc("eth_getTransactionByHash", sent) is None
    with pytest.raises(RPCFailure, match="depth must be"):
        chain.rpc("evm_reorg", 100_000)


def test_subscribers_hear_removed_logs_then_the_new_ones(chain, contract, send):
    async def play():
        async with Socket(chain) as socket:
            send(to=contract, value=0, data=probe.command(10, b"x"))
            heads = await socket.rpc("eth_subscribe", "newHeads")
            logs = await socket.rpc("eth_subscribe", "logs", {"address": contract})
            old = chain.block()["hash"]
            chain.rpc("evm_reorg", 1, True)
            heard = [await socket.event() for _ in range(4)]
            assert [e["subscription"] for e in heard] == [logs, heads, heads, logs]
            assert heard[0]["result"]["removed"] is True
            assert heard[0]["result"]["blockHash"] == old
            assert heard[3]["result"]["removed"] is False
            assert heard[3]["result"]["blockHash"] == heard[2]["result"]["hash"]
            assert heard[2]["result"]["parentHash"] == heard[1]["result"]["hash"]
    asyncio.run(play())


def test_polled_filters_hear_removed_logs_too(chain, contract, send):
    identifier = chain.rpc("eth_newFilter", {"address": contract})
    send(to=contract, value=0, data=probe.command(11))
    chain.rpc("evm_reorg", 1, True)
    changes = chain.rpc("eth_getFilterChanges", identifier)
    assert [log["removed"] for log in changes] == [False, True, False]
    assert chain.rpc("eth_getFilterChanges", identifier) == []


def test_time_moves_as_requested(chain):
    chain.rpc("evm_mine")
    start = int(chain.block()["timestamp"], 16)
    chain.rpc("evm_increaseTime", 7_200)
    chain.rpc("evm_mine")
    travelled = int(chain.block()["timestamp"], 16)
    assert 7_200 <= travelled - start <= 7_260
    chain.rpc("evm_setNextBlockTimestamp", travelled + 1_000)
    chain.rpc("evm_mine")
    assert int(chain.block()["timestamp"], 16) == travelled + 1_000
    chain.rpc("evm_mine", travelled + 5_000)
    assert int(chain.block()["timestamp"], 16) == travelled + 5_000
    chain.rpc("evm_mine")
    assert travelled + 5_001 <= int(chain.block()["timestamp"], 16) <= travelled + 5_060
    for method in ("evm_setNextBlockTimestamp", "evm_mine"):
        with pytest.raises(RPCFailure, match="must be greater"):
            chain.rpc(method, travelled)


def test_many_blocks_at_once(chain):
    head = chain.number("eth_blockNumber")
    assert int(chain.rpc("evm_mineBlocks", 20, 60), 16) == head + 20
    first, last = chain.block(hex(head + 1)), chain.block()
    assert int(last["timestamp"], 16) - int(first["timestamp"], 16) == 19 * 60
