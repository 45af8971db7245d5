"""A chain without EIP-1559 (--legacy-fees)."""

import pytest
from process import Chain, RPCFailure

GWEI = 10**9


@pytest.fixture
def legacy():
    with Chain("--legacy-fees") as chain:
        yield chain


def test_blocks_have_no_base_fee_and_no_fee_history(legacy):
    head = legacy.rpc("eth_getBlockByNumber", "latest", False)
    assert "baseFeePerGas" not in head
    assert "baseFeePerGas" not in legacy.rpc("eth_getBlockByHash", head["hash"], True)
    assert legacy.rpc("eth_getBlockByNumber", "0xffff", False) is None
    for method, arguments in (("eth_feeHistory", ("0x1", "latest", [])),
                              ("eth_maxPriorityFeePerGas", ())):
        with pytest.raises(RPCFailure) as caught:
            legacy.rpc(method, *arguments)
        assert caught.value.error["code"] == -32601


def test_only_a_gas_price_is_taken(legacy, signed):
    with pytest.raises(RPCFailure) as caught:
        legacy.rpc("eth_sendRawTransaction", signed(legacy, nonce=0))
    assert caught.value.error["message"] == "transaction type not supported"
    price = int(legacy.rpc("eth_gasPrice"), 16)
    sent = legacy.rpc("eth_sendRawTransaction", signed(legacy, nonce=0, gasPrice=price))
    receipt = legacy.rpc("eth_getTransactionReceipt", sent)
    assert receipt["status"] == "0x1" and receipt["type"] == "0x0"
    assert int(receipt["effectiveGasPrice"], 16) == price
