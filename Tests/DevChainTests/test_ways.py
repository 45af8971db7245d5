"""Ways of other nodes: refusals and shapes of go-ethereum, and a mempool that keeps to itself."""

import asyncio

import pytest
from process import Chain, RPCFailure, Socket

GWEI = 10**9
ETHER = 10**18
ABSENT_BEFORE_SHANGHAI = ("withdrawalsRoot", "blobGasUsed", "excessBlobGas",
                          "parentBeaconBlockRoot", "requestsHash", "blockAccessListHash")


def refusal(chain, method, *arguments):
    with pytest.raises(RPCFailure) as caught:
        chain.rpc(method, *arguments)
    return caught.value.error


def test_a_range_beyond_the_head_is_refused(chain):
    head = chain.number("eth_blockNumber")
    query = {"fromBlock": hex(head), "toBlock": hex(head + 1)}
    assert chain.rpc("eth_getLogs", query) == []
    chain.rpc("dev_fault", "head_range")
    assert refusal(chain, "eth_getLogs", query) == {
        "code": -32602, "message": "block range extends beyond current head block: "
                                   f"requested {head + 1}, head {head}"}
    assert chain.rpc("eth_getLogs", query | {"toBlock": hex(head)}) == []
    assert chain.rpc("eth_getLogs", {"fromBlock": hex(head), "toBlock": "latest"}) == []
    chain.rpc("dev_fault", "none")
    assert chain.rpc("eth_getLogs", query) == []


def test_announced_headers_can_have_nulls():
    async def play(chain):
        async with Socket(chain) as socket:
            await socket.rpc("eth_subscribe", "newHeads")
            chain.rpc("evm_mine")
            chain.rpc("dev_fault", "null_fields")
            chain.rpc("evm_mine")
            return [(await socket.event())["result"] for _ in range(2)]
    with Chain("--fork", "paris") as chain:
        plain, with_nulls = asyncio.run(play(chain))
    assert not set(ABSENT_BEFORE_SHANGHAI) & set(plain)
    assert all(with_nulls[name] is None for name in ABSENT_BEFORE_SHANGHAI)
    assert with_nulls["baseFeePerGas"] is not None


def test_a_fee_above_the_nodes_cap_is_refused(chain, signed):
    chain.rpc("dev_fault", "fee_cap", {"wei": ETHER // 100})
    dear = signed(chain, gas=1_000_000, maxFeePerGas=20 * GWEI)
    assert refusal(chain, "eth_sendRawTransaction", dear) == {
        "code": -32000, "message": "tx fee (0.02 ether) exceeds the configured cap (0.01 ether)"}
    cheap = chain.rpc("eth_sendRawTransaction", signed(chain, gas=500_000, maxFeePerGas=20 * GWEI))
    assert chain.rpc("eth_getTransactionReceipt", cheap)["status"] == "0x1"


def test_a_tip_below_the_least_is_refused(chain, signed):
    chain.rpc("dev_fault", "least_tip", {"wei": 2 * GWEI})
    low = signed(chain, maxPriorityFeePerGas=GWEI)
    assert refusal(chain, "eth_sendRawTransaction", low)["message"] == \
        "transaction underpriced: gas tip cap 1000000000, minimum needed 2000000000"
    enough = chain.rpc("eth_sendRawTransaction", signed(chain, maxPriorityFeePerGas=2 * GWEI))
    assert chain.rpc("eth_getTransactionReceipt", enough)["status"] == "0x1"


def test_only_the_newest_states_are_there(chain, accounts):
    chain.rpc("evm_mineBlocks", 6)
    head, account = chain.number("eth_blockNumber"), accounts[0].address
    chain.rpc("dev_fault", "recent_state", {"blocks": 4})
    for ask in (("eth_getBalance", account), ("eth_getTransactionCount", account),
                ("eth_call", {"to": account})):
        assert chain.rpc(*ask, hex(head - 3)) is not None
        assert refusal(chain, *ask, hex(head - 4))["message"].endswith("is not available")
    assert chain.block(hex(head - 5))["number"] == hex(head - 5)


def test_a_missing_transaction_may_still_be_indexed(chain, send):
    sent = send()
    chain.rpc("dev_fault", "indexing")
    for method in ("eth_getTransactionReceipt", "eth_getTransactionByHash"):
        assert chain.rpc(method, sent)["blockNumber"] is not None
        assert refusal(chain, method, "0x" + "12" * 32) == {
            "code": -32000, "message": "transaction indexing is in progress"}


def test_options_of_ways_are_checked(chain):
    assert refusal(chain, "dev_fault", "fee_cap", {"wei": 0})["code"] == -32602
    assert refusal(chain, "dev_fault", "head_range", {"wei": 1})["code"] == -32602
    chain.rpc("dev_fault", "recent_state")
    assert chain.rpc("dev_status")["faults"] == ["recent_state"]


@pytest.fixture(scope="module")
def pair():
    """A chain with a second port whose mempool is its own, and a view of that port."""
    with Chain("--private-port", 0) as first:
        second = Chain.__new__(Chain)
        second.ready = first.ready | first.ready["private"]
        second.port = int(second.ready["http"].rsplit(":", 1)[1])
        second.connect()
        yield first, second
        second.connection.close()


def test_a_private_mempool_keeps_to_itself_until_it_passes_on(pair, signed, accounts):
    first, second = pair
    account = accounts[0].address
    raw = signed(first)
    sent = second.rpc("eth_sendRawTransaction", raw)
    assert refusal(second, "eth_sendRawTransaction", raw)["message"] == "already known"
    assert second.rpc("eth_getTransactionByHash", sent)["blockHash"] is None
    assert first.rpc("eth_getTransactionByHash", sent) is None
    first.rpc("evm_mine")
    assert first.block()["transactions"] == []
    assert [node.number("eth_getTransactionCount", account, "pending") for node in pair] == [0, 1]
    assert second.rpc("dev_passOn") == 1 and second.rpc("dev_passOn") == 0
    assert second.rpc("eth_getTransactionReceipt", sent)["status"] == "0x1"
    assert second.number("eth_getTransactionCount", account) == 1


def test_a_private_mempool_forgets_mined_transactions(pair, signed):
    first, second = pair
    raw = signed(first)
    for node in (second, first):
        node.rpc("eth_sendRawTransaction", raw)
    assert second.rpc("txpool_status") == {"pending": "0x0", "queued": "0x0"}
    assert second.rpc("dev_passOn") == 0
