"""eth_getLogs, filters, subscriptions."""

import asyncio
from types import SimpleNamespace

import probe
import pytest
from devchain import limits
from devchain.errors import RPCError
from devchain.server import Server
from devchain.subscriptions import Connection
from process import RPCFailure, Socket


@pytest.fixture
def logged(chain, contract, send):
    """Three logs in three blocks; returns their block numbers."""
    hashes = [send(to=contract, value=0, data=probe.command(word, bytes([word])))
              for word in (21, 22, 23)]
    return [chain.rpc("eth_getTransactionReceipt", h)["blockNumber"] for h in hashes]


def words(logs):
    return [int(log["topics"][0], 16) for log in logs]


def topic(word):
    return f"0x{word:064x}"


def test_by_range_hash_address_and_topics(chain, contract, logged):
    def ask(**query):
        return chain.rpc("eth_getLogs", {"fromBlock": "earliest", "address": contract} | query)

    assert words(ask()) == [21, 22, 23]
    assert words(ask(fromBlock=logged[1], toBlock=logged[1])) == [22]
    assert words(ask(fromBlock=logged[1], toBlock="latest")) == [22, 23]
    assert words(ask(topics=[topic(23)])) == [23]
    assert words(ask(topics=[[topic(21), topic(23)]])) == [21, 23]
    assert words(ask(topics=[None])) == [21, 22, 23] == words(ask(topics=[]))
    assert ask(topics=[None, topic(1)]) == []
    assert words(ask(address=["0x" + "99" * 20, contract.lower()])) == [21, 22, 23]
    assert ask(address="0x" + "99" * 20) == []
    assert ask(fromBlock=hex(10**6)) == [] == ask(fromBlock=hex(10**6), toBlock=hex(2 * 10**6))
    block = chain.block(logged[2])
    (only,) = chain.rpc("eth_getLogs", {"blockHash": block["hash"]})
    assert only["data"] == "0x17" and only["address"] == contract
    assert (only["blockHash"], only["logIndex"]) == (block["hash"], "0x0")
    assert only["transactionHash"] == block["transactions"][0]


def test_queries_that_are_refused(chain, logged):
    def refused(query):
        with pytest.raises(RPCFailure) as caught:
            chain.rpc("eth_getLogs", query)
        return caught.value.error

    assert refused({"fromBlock": "0x5", "toBlock": "0x4"})["message"] == \
        "invalid block range params"
    assert refused({"blockHash": "0x" + "11" * 32})["message"] == "unknown block"
    both = {"blockHash": "0x" + "11" * 32, "fromBlock": "0x0"}
    assert refused(both)["code"] == -32602
    for query in ([], 7, {"topics": "x"}, {"topics": [1]}, {"address": 5}, {"addres": "0x"},
                  {"topics": [None] * 5}, {"address": ["0x" + "00" * 20] * 300}):
        assert refused(query)["code"] == -32602, query


def test_ranges_and_results_are_bounded(monkeypatch, in_process):
    node, methods = in_process
    monkeypatch.setattr(limits, "LOG_RANGE_BLOCKS_MAX", 5)
    monkeypatch.setattr(limits, "LOG_RESULTS_MAX", 2)
    account = next(iter(node.keys))
    made = methods.answer("eth_sendTransaction", [
        {"from": account, "data": "0x" + probe.creation().hex(), "gas": hex(300_000)}])
    contract = methods.answer("eth_getTransactionReceipt", [made])["contractAddress"]
    for word in (51, 52, 53):
        methods.answer("eth_sendTransaction", [
            {"from": account, "to": contract, "data": probe.command(word)}])

    def ask(first, last):
        return methods.answer("eth_getLogs", [{"fromBlock": first, "toBlock": last}])

    assert words(ask("0x0", "0x3")) == [51, 52]
    with pytest.raises(RPCError, match="more than 2 results"):
        ask("0x0", "0x4")
    for _ in range(3):
        node.mine()
    with pytest.raises(RPCError, match="max block range 5"):
        ask("earliest", "latest")
    assert ask("0x5", hex(2**63)) == []


def test_filters(chain, contract, send):
    blocks = chain.rpc("eth_newBlockFilter")
    pending = chain.rpc("eth_newPendingTransactionFilter")
    logs = chain.rpc("eth_newFilter",
                     {"fromBlock": "0x0", "address": contract, "topics": [topic(31)]})
    sent = [send(to=contract, value=0, data=probe.command(word)) for word in (31, 32)]
    assert words(chain.rpc("eth_getFilterChanges", logs)) == [31]
    assert words(chain.rpc("eth_getFilterLogs", logs)) == [31]
    assert chain.rpc("eth_getFilterChanges", pending) == sent
    assert chain.rpc("eth_getFilterChanges", blocks)[-1] == chain.block()["hash"]
    assert chain.rpc("eth_uninstallFilter", logs) is True
    assert chain.rpc("eth_uninstallFilter", logs) is False
    with pytest.raises(RPCFailure, match="filter not found"):
        chain.rpc("eth_getFilterChanges", logs)


def test_filters_are_bounded(chain):
    first = chain.rpc("eth_newBlockFilter")
    for _ in range(256):
        chain.rpc("eth_newBlockFilter")
    with pytest.raises(RPCFailure, match="filter not found"):
        chain.rpc("eth_getFilterChanges", first)


def test_web3_finds_events(web3, contract, logged):
    found = web3.eth.get_logs({"address": contract, "fromBlock": 0, "topics": [topic(22)]})
    assert [hex(log.blockNumber) for log in found] == [logged[1]]


def test_subscriptions(chain, contract, send):
    async def play():
        async with Socket(chain) as socket:
            heads = await socket.rpc("eth_subscribe", "newHeads")
            logs = await socket.rpc("eth_subscribe", "logs",
                                    {"address": contract, "topics": [[topic(41), topic(42)]]})
            waiting = await socket.rpc("eth_subscribe", "newPendingTransactions")
            sent = send(to=contract, value=0, data=probe.command(42))
            kinds = [await socket.event() for _ in range(3)]
            assert [e["subscription"] for e in kinds] == [waiting, heads, logs]
            assert kinds[0]["result"] == sent == kinds[2]["result"]["transactionHash"]
            assert kinds[1]["result"]["hash"] == chain.block()["hash"]
            assert await socket.rpc("eth_unsubscribe", logs) is True
            assert await socket.rpc("eth_unsubscribe", waiting) is True
            send(to=contract, value=0, data=probe.command(41))
            assert (await socket.event())["subscription"] == heads
            with pytest.raises(RPCFailure, match="subscription not found"):
                await socket.rpc("eth_unsubscribe", logs)
            with pytest.raises(RPCFailure, match='no "syncing" subscription'):
                await socket.rpc("eth_subscribe", "syncing")
            for _ in range(127):
                await socket.rpc("eth_subscribe", "newHeads")
            with pytest.raises(RPCFailure, match="too many subscriptions"):
                await socket.rpc("eth_subscribe", "newHeads")
    asyncio.run(play())


def test_a_reader_too_slow_is_cut_off(monkeypatch, in_process):
    async def play():
        monkeypatch.setattr(limits, "OUTBOX_MESSAGES_MAX", 3)
        connection = Connection(in_process[1])
        connection.ask("eth_subscribe", ["newHeads"])
        for _ in range(3):
            connection.heard("newHeads", {})
        assert not connection.overrun.is_set()
        connection.heard("newHeads", {})
        assert connection.overrun.is_set() and connection.outbox.qsize() == 3

        server, closed = Server(in_process[1]), asyncio.Event()
        await server._drop(SimpleNamespace(abort=closed.set), connection)
        assert closed.is_set()
    asyncio.run(play())
