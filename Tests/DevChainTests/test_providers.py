"""The shapes of providers: each answers as its line of the table says."""

import asyncio
import http.client
import json
from pathlib import Path

import pytest
from devchain.providers import SHAPES
from process import RPCFailure, Socket

OPERATIONS = Path(__file__).parents[2] / "Docs" / "operations.md"


def post(chain, value, headers=None, host="127.0.0.1"):
    """Sends a JSON value to one of the chain's names; returns (status, text)."""
    connection = http.client.HTTPConnection("127.0.0.1", chain.port, timeout=30)
    named = {"Host": f"{host}:{chain.port}"} | (headers or {})
    connection.request("POST", "/", body=json.dumps(value), headers=named)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def call(method, *arguments, identifier=1):
    return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": list(arguments)}


def logs(first, last):
    return call("eth_getLogs", {"fromBlock": hex(first), "toBlock": hex(last)})


@pytest.fixture
def played(chain):
    """Mines 30 blocks and plays a shape."""
    chain.rpc("evm_mineBlocks", 30, 1)

    def play(name, **options):
        chain.rpc("dev_fault", "provider", {"shape": name, **options})
        return chain
    return play


@pytest.mark.parametrize("name", [name for name in SHAPES if name.startswith("range_")])
def test_events_of_more_than_ten_blocks_are_refused(played, name):
    chain, rule = played(name), SHAPES[name]["rules"][0]
    status, text = post(chain, logs(1, 11))
    assert status == rule.get("http", 200)
    assert rule.get("text") == text if "text" in rule else json.loads(text)["error"] == rule["error"]
    status, text = post(chain, logs(1, 10))
    assert status == 200 and json.loads(text)["result"] == []


@pytest.mark.parametrize("name", ["no_batches", "no_batches_400", "batch_list", "batch_500"])
def test_batches_above_a_length_are_refused(played, name):
    chain, rule = played(name), SHAPES[name]["rules"][0]
    most = rule["batch_over"]
    batch = [call("eth_chainId", identifier=number) for number in range(most + 1)]
    status, text = post(chain, batch)
    assert status == rule.get("http", 200)
    if "text" not in rule:
        answer = json.loads(text)
        refused = answer[0] if rule.get("list") else answer
        assert refused["error"] == rule["error"] and isinstance(answer, list) == bool(rule.get("list"))
    assert len(json.loads(post(chain, batch[:most])[1])) == most


def test_a_refusal_within_a_batch_is_that_calls_own(played):
    chain = played("range_400")
    status, text = post(chain, [logs(1, 20) | {"id": 1}, logs(1, 5) | {"id": 2}])
    assert status == 200
    refused, answered = json.loads(text)
    assert refused["error"]["code"] == -32600 and answered["result"] == []


def test_estimates_and_the_newest_block_can_be_false(played):
    for name, gas in [("huge_estimate", 31_000_000), ("no_estimate", 0), ("same_estimate", 90_000)]:
        assert int(played(name).rpc("eth_estimateGas", {}), 16) == gas
    chain = played("future_head")
    newest, same = (chain.rpc("eth_getBlockByNumber", tag, False) for tag in ("latest", hex(30)))
    assert int(newest["timestamp"], 16) == 4_102_444_800
    assert newest | {"timestamp": same["timestamp"]} == same


def test_null_stands_for_no_events(played):
    assert played("null_logs").rpc("eth_getLogs", {"fromBlock": "0x1"}) is None


def test_old_blocks_and_states_are_gone(played):
    chain = played("pruned")
    for method, arguments in (("eth_getBlockByNumber", ["0x1", False]),
                              ("eth_getLogs", [{"fromBlock": "0x1", "toBlock": "0x1"}])):
        with pytest.raises(RPCFailure, match="pruned history"):
            chain.rpc(method, *arguments)
    assert chain.block()["number"] and chain.block(hex(20))["number"] == hex(20)
    chain = played("null_blocks")
    assert chain.block("0x1") is None and chain.block(hex(20))["number"] == hex(20)
    chain = played("recent_states")
    account = chain.rpc("eth_accounts")[0]
    with pytest.raises(RPCFailure, match="missing trie node"):
        chain.rpc("eth_getBalance", account, "0x1")
    assert chain.rpc("eth_getBalance", account, "latest") is not None


def test_keys_and_payment_are_wanted(played):
    chain = played("no_key")
    assert post(chain, call("eth_chainId"))[0] == 401
    assert post(chain, call("eth_chainId"), {"x-api-key": "test-key-of-nobody"})[0] == 200
    chain = played("no_password")
    assert post(chain, call("eth_chainId"))[0] == 401
    assert post(chain, call("eth_chainId"), {"Authorization": "Basic dXNlcjpwYXNz"})[0] == 200
    for name, status in (("unpaid", 402), ("forbidden", 403)):
        assert post(played(name), call("eth_chainId"))[0] == status


def test_one_of_the_servers_names_can_answer_so_and_the_others_not(played):
    chain = played("unpaid", host="localhost")
    assert post(chain, call("eth_chainId"), host="localhost")[0] == 402
    assert post(chain, call("eth_chainId"))[0] == 200


def test_announced_blocks_have_null_and_unknown_fields(played):
    async def play():
        chain = played("null_heads")
        async with Socket(chain) as socket:
            await socket.rpc("eth_subscribe", "newHeads")
            chain.rpc("evm_mine")
            shown = (await socket.event())["result"]
            assert shown["newRoot"] is None and shown["vendorNote"] == "0x1"
    asyncio.run(play())


def test_an_unknown_shape_is_refused_by_name(chain):
    with pytest.raises(RPCFailure, match="unknown shape 'x'; one of: range_400"):
        chain.rpc("dev_fault", "provider", {"shape": "x"})


def test_the_operators_table_has_every_shape():
    rows = [line for line in OPERATIONS.read_text().splitlines() if line.startswith("| `")]
    for name, shape in SHAPES.items():
        assert any(f"`{name}`" in row and shape["about"] in row for row in rows), name
