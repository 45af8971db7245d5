"""JSON-RPC itself: malformed input gets an error, and the chain goes on."""

import asyncio
import http.client
import json

import pytest
from process import Chain, RPCFailure, Socket, run_failing

ADDRESS = "0x" + "00" * 20


@pytest.mark.parametrize("body", [
    b"", b"{", b"\xff\xfe", b"nonsense", b"[" * 100_000, b'{"a":NaN}', b'{"id":1,"method":',
    b"\0", b'"' + b"x" * 1_000,
])
def test_bytes_that_are_not_json(shared, body):
    status, text = shared.post(body)
    answer = json.loads(text)
    assert status == 200 and answer["error"]["code"] == -32700 and answer["id"] is None


@pytest.mark.parametrize("value", [
    7, "eth_chainId", None, True, {}, {"id": 1}, {"id": 1, "method": 5}, {"id": 1, "method": None},
    {"jsonrpc": "1.0", "id": 1, "method": "eth_chainId"}, [], {"id": {}, "method": "eth_chainId"},
])
def test_json_that_is_not_a_request(shared, value):
    assert shared.ask(value)["error"]["code"] == -32600


@pytest.mark.parametrize(("method", "arguments"), [
    ("eth_getBalance", []), ("eth_getBalance", [ADDRESS, "latest", 1]),
    ("eth_getBalance", ["0x00"]),
    ("eth_getBalance", [ADDRESS, "soon"]), ("eth_getBalance", [ADDRESS, 5]),
    ("eth_getBalance", [ADDRESS, "0x01"]), ("eth_getBalance", [ADDRESS, "0x"]),
    ("eth_getBalance", [ADDRESS, "0xg"]), ("eth_getBalance", [ADDRESS, "0x" + "f" * 400]),
    ("eth_getBalance", [ADDRESS, {"blockhash": ADDRESS}]), ("eth_getBalance", [ADDRESS, []]),
    ("eth_getBalance", [{}]), ("eth_getBalance", ["0x" + "zz" * 20]),
    ("eth_getBlockByNumber", ["latest", "yes"]), ("eth_getBlockByHash", ["0x12"]),
    ("eth_getTransactionByHash", [None]), ("eth_getTransactionReceipt", ["0x" + "0" * 63]),
    ("eth_call", [5]), ("eth_call", [{"to": "0x1"}]), ("eth_call", [{"to": ADDRESS, "gas": 5}]),
    ("eth_call", [{"to": ADDRESS, "value": "0x" + "f" * 65}]),
    ("eth_sendRawTransaction", [7]), ("eth_sendRawTransaction", ["0xabc"]),
    ("eth_getStorageAt", [ADDRESS, "0x" + "0" * 65]), ("eth_getStorageAt", [ADDRESS, 0]),
    ("eth_getBlockTransactionCountByNumber", [{}, {}]), ("eth_feeHistory", ["x", "latest"]),
    ("eth_feeHistory", ["0x1", "latest", "half"]), ("eth_getFilterLogs", [None]),
    ("evm_increaseTime", [-1]), ("evm_increaseTime", [1e3]), ("evm_increaseTime", [10**30]),
    ("evm_mine", ["soon"]), ("evm_mine", [10**30]), ("evm_revert", [None]), ("evm_reorg", [0]),
    ("evm_reorg", [1, "keep"]), ("evm_reorg", [1, 1]), ("evm_setAutomine", ["on"]),
    ("evm_setBalance", [ADDRESS, -5]), ("evm_mineBlocks", [0]), ("dev_fund", [ADDRESS]),
    ("dev_fund", [ADDRESS, 2**200]), ("dev_fund", [ADDRESS, 1, "0x12"]), ("dev_fault", ["plague"]), ("dev_fault", ["delay", {"s": 1}]),
    ("dev_fault", ["delay", 5]), ("dev_fault", ["http_status", {"status": 200}]),
    ("dev_fault", [{}]),
])
def test_arguments_that_are_wrong(shared, method, arguments):
    with pytest.raises(RPCFailure) as caught:
        shared.rpc(method, *arguments)
    assert caught.value.error["code"] in (-32602, -32000)
    assert "Error:" not in caught.value.error["message"]
    assert shared.rpc("eth_chainId") == "0x7a69"


def test_unknown_methods_and_named_arguments(shared):
    for method in ("eth_nope", "", "__class__", "eth_subscribe"):
        answer = shared.ask({"id": 1, "method": method})
        assert answer["error"] == {"code": -32601, "message":
            f"the method {method} does not exist/is not available"}
    named = shared.ask({"id": "a", "method": "eth_getBalance", "params": {"address": ADDRESS}})
    assert named == {"jsonrpc": "2.0", "id": "a",
                     "error": {"code": -32602, "message": "non-array args"}}


def test_batches_and_notifications(shared):
    request = {"jsonrpc": "2.0", "method": "eth_chainId"}
    answer = shared.ask([request | {"id": 1}, request, 5, request | {"id": "b"}])
    assert [one["id"] for one in answer] == [1, None, "b"]
    assert answer[1]["error"]["code"] == -32600
    assert shared.post(json.dumps(request)) == (200, "")
    assert shared.post(json.dumps([request, request])) == (200, "")
    assert shared.ask([request] * 1_001)["error"]["message"] == "batch too large"
    assert len(shared.ask([request | {"id": i} for i in range(1_000)])) == 1_000


def test_bodies_too_large_and_other_paths(shared):
    connection = http.client.HTTPConnection("127.0.0.1", shared.port, timeout=20)
    connection.putrequest("POST", "/")
    connection.putheader("Content-Length", str(5 * 1024 * 1024))
    connection.endheaders()
    try:
        connection.send(b"x" * (5 * 1024 * 1024))
    except OSError:
        pass  # the server may hang up before it has read all
    try:
        assert connection.getresponse().status == 413
    except OSError:
        pass
    connection.close()
    for method, path, status in (("GET", "/", 200), ("POST", "/x", 404), ("PUT", "/", 405)):
        connection.request(method, path)
        response = connection.getresponse()
        response.read()
        assert response.status == status
    connection.close()
    assert shared.rpc("eth_chainId") == "0x7a69"


def test_a_websocket_answers_malformed_messages_too(shared):
    async def play():
        async with Socket(shared) as socket:
            await socket.socket.send_str("{")
            assert (await socket.socket.receive_json(timeout=20))["error"]["code"] == -32700
            await socket.socket.send_bytes(b'[{"id":1,"method":"eth_chainId"}]')
            assert (await socket.socket.receive_json(timeout=20))[0]["result"] == "0x7a69"
            for arguments in ([], ["logs", 5], [{}], ["newHeads", {}, {}]):
                with pytest.raises(RPCFailure):
                    await socket.rpc("eth_subscribe", *arguments)
            with pytest.raises((ConnectionError, AssertionError)):
                await socket.socket.send_bytes(b"x" * (5 * 1024 * 1024))
                closed = await socket.socket.receive(timeout=20)
                assert closed.type.name not in ("CLOSE", "CLOSED", "ERROR")
    asyncio.run(play())
    assert shared.rpc("eth_chainId") == "0x7a69"


def test_options_and_ports(shared):
    phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    with Chain("--chain-id", 5, "--fork", "London", "--accounts", 2, "--gas-limit", 10_000_000,
               "--genesis-time", 1_700_000_000, "--mnemonic", phrase) as other:
        assert other.rpc("eth_chainId") == "0x5" and len(other.rpc("eth_accounts")) == 2
        assert other.block()["timestamp"] == hex(1_700_000_000)
        assert other.block()["gasLimit"] == hex(10_000_000)
        assert "withdrawalsRoot" not in other.block()
        sent = other.rpc("eth_sendTransaction", {"from": other.rpc("eth_accounts")[0],
                                                 "to": ADDRESS, "value": "0x1"})
        assert other.rpc("eth_getTransactionReceipt", sent)["status"] == "0x1"
        other.rpc("evm_reorg", 1, True)
        other.rpc("evm_reorg", 2, True)
        assert other.rpc("eth_getTransactionReceipt", sent)["status"] == "0x1"
        assert other.number("eth_blockNumber") == 3
        assert other.terminate() == (0, "")
    code, words = run_failing("--port", shared.port)
    assert code == 1 and "cannot listen" in words and "Traceback" not in words
    assert run_failing("--fork", "frontier")[0] == 2
    code, words = run_failing("--mnemonic", "one two three")
    assert code == 1 and words.startswith("devchain: --mnemonic is no recovery phrase")
