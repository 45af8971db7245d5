"""Faults that can be turned on, and that each ends."""

import asyncio
import http.client
import json
import time

import probe
import pytest
from process import RPCFailure, Socket


def test_a_stale_head(chain, contract, send):
    async def play():
        async with Socket(chain) as socket:
            await socket.rpc("eth_subscribe", "newHeads")
            frozen = chain.block()
            chain.rpc("dev_fault", "stale_head")
            sent = send(to=contract, value=0, data=probe.command(61))
            assert chain.block() == frozen and chain.rpc("eth_blockNumber") == frozen["number"]
            assert chain.rpc("eth_getTransactionReceipt", sent) is None
            assert chain.rpc("eth_getLogs", {"fromBlock": "0x0", "address": contract}) == []
            after = hex(int(frozen["number"], 16) + 1)
            assert chain.rpc("eth_getBlockByNumber", after, False) is None
            chain.rpc("dev_fault", "none")
            assert chain.rpc("eth_getTransactionReceipt", sent)["blockNumber"] == after
            chain.rpc("evm_mine")
            shown = (await socket.event())["result"]["number"]
            assert int(shown, 16) == int(after, 16) + 1  # the hidden block was never told
    asyncio.run(play())


def test_another_chain_id_and_dropped_logs(chain, contract, send):
    chain.rpc("dev_fault", "chain_id", {"id": 5})
    assert chain.rpc("eth_chainId") == "0x5" and chain.rpc("net_version") == "5"
    sent = send(to=contract, value=0, data=probe.command(62))
    chain.rpc("dev_fault", "drop_logs", {"address": contract})
    query = {"fromBlock": "0x0", "address": contract}
    assert chain.rpc("eth_getLogs", query) == []
    assert len(chain.rpc("eth_getTransactionReceipt", sent)["logs"]) == 1
    assert sorted(chain.rpc("dev_status")["faults"]) == ["chain_id", "drop_logs"]
    chain.rpc("dev_fault", "none")
    assert len(chain.rpc("eth_getLogs", query)) == 1 and chain.rpc("eth_chainId") == "0x7a69"


@pytest.mark.parametrize("times", [1, None])
def test_logs_of_one_block_are_left_out_once_or_always(chain, contract, send, times):
    sent = [send(to=contract, value=0, data=probe.command(63)) for _ in range(2)]
    receipts = [chain.rpc("eth_getTransactionReceipt", one) for one in sent]
    number = receipts[0]["blockNumber"]
    options = {"number": int(number, 16)} | ({"times": times} if times else {})
    chain.rpc("dev_fault", "empty_logs", options)
    other = {"blockHash": receipts[1]["blockHash"]}
    assert len(chain.rpc("eth_getLogs", other)) == 1  # of another block: as ever, and not counted
    left = chain.rpc("eth_getLogs", {"fromBlock": number, "address": contract})
    assert [log["transactionHash"] for log in left] == [sent[1]]
    again = chain.rpc("eth_getLogs", {"blockHash": receipts[0]["blockHash"]})
    assert len(again) == (1 if times else 0)
    assert int(chain.rpc("eth_getBlockByNumber", number, False)["logsBloom"], 16) != 0
    assert len(chain.rpc("eth_getTransactionReceipt", sent[0])["logs"]) == 1
    assert chain.rpc("dev_status")["faults"] == ([] if times else ["empty_logs"])
    with pytest.raises(RPCFailure, match="needs the number"):
        chain.rpc("dev_fault", "empty_logs", {})


def test_broken_answers_over_http(chain):
    request = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "eth_chainId"})
    chain.rpc("dev_fault", "http_status", {"status": 502, "times": 1})
    assert chain.post(request)[0] == 502
    assert chain.post(request)[0] == 200
    chain.rpc("dev_fault", "garbage", {"times": 1})
    with pytest.raises(ValueError):
        json.loads(chain.post(request)[1])
    chain.rpc("dev_fault", "wrong_id", {"times": 1})
    assert json.loads(chain.post(request)[1])["id"] != 7
    chain.rpc("dev_fault", "error", {"code": -32005, "message": "slow down", "times": 1})
    assert json.loads(chain.post(request)[1])["error"] == {"code": -32005, "message": "slow down"}
    chain.rpc("dev_fault", "cut", {"times": 1})
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        chain.post(request)
    chain.connection.close()
    chain.rpc("dev_fault", "delay", {"ms": 300, "times": 1})
    start = time.monotonic()
    assert json.loads(chain.post(request)[1])["result"] == "0x7a69"
    assert time.monotonic() - start >= 0.3


def test_a_fault_can_be_limited_to_methods(chain):
    chain.rpc("dev_fault", "error", {"methods": ["eth_getLogs"]})
    assert chain.rpc("eth_chainId") == "0x7a69"
    for _ in range(2):
        with pytest.raises(RPCFailure, match="limit exceeded"):
            chain.rpc("eth_getLogs", {})


def test_answers_that_hang_until_the_fault_is_cleared(chain):
    async def play():
        async with Socket(chain) as socket:
            chain.rpc("dev_fault", "hang", {"methods": ["eth_chainId"]})
            waiting = asyncio.create_task(socket.rpc("eth_chainId"))
            assert chain.rpc("eth_blockNumber") is not None
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.shield(waiting), 0.3)
            chain.rpc("dev_fault", "none")
            assert await asyncio.wait_for(waiting, 10) == "0x7a69"
    asyncio.run(play())


def test_a_websocket_closes_if_http_would_break(chain):
    async def play():
        async with Socket(chain) as socket:
            chain.rpc("dev_fault", "garbage", {"times": 1})
            await socket.socket.send_json({"id": 1, "method": "eth_chainId"})
            assert (await socket.socket.receive(timeout=20)).type.name == "CLOSE"
    asyncio.run(play())
