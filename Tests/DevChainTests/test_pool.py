"""The mempool: order, replacement, gaps, and refusals in geth's words."""

import pytest
from process import Chain, RPCFailure

GWEI = 10**9


@pytest.fixture
def manual(chain):
    """The shared chain, mining only on evm_mine."""
    chain.rpc("evm_setAutomine", False)
    return chain


def refusal(chain, raw):
    with pytest.raises(RPCFailure) as caught:
        chain.rpc("eth_sendRawTransaction", raw)
    assert caught.value.error["code"] == -32000
    return caught.value.error["message"]


def mined(chain):
    chain.rpc("evm_mine")
    return chain.block()["transactions"]


def nonce(chain, account, tag="latest"):
    return chain.number("eth_getTransactionCount", account.address, tag)


def test_best_tip_first_and_nonces_in_order(manual, signed, accounts):
    first, second = nonce(manual, accounts[0]), nonce(manual, accounts[1])
    plan = [(0, first + 1, 5), (0, first, 1), (1, second, 3), (1, second + 1, 2)]
    sent = [manual.rpc("eth_sendRawTransaction", signed(
        manual, sender=sender, nonce=at, maxPriorityFeePerGas=tip * GWEI))
        for sender, at, tip in plan]
    assert nonce(manual, accounts[0], "pending") == first + 2
    assert nonce(manual, accounts[0]) == first
    assert manual.rpc("txpool_status") == {"pending": "0x4", "queued": "0x0"}
    assert mined(manual) == [sent[2], sent[3], sent[1], sent[0]]


def test_a_gap_waits_for_its_nonce(chain, signed, accounts):
    at, head = nonce(chain, accounts[0]), chain.number("eth_blockNumber")
    later = chain.rpc("eth_sendRawTransaction", signed(chain, nonce=at + 1))
    assert chain.number("eth_blockNumber") == head
    assert chain.rpc("eth_getTransactionByHash", later)["blockHash"] is None
    assert chain.rpc("txpool_status") == {"pending": "0x0", "queued": "0x1"}
    content = chain.rpc("txpool_content")["queued"][accounts[0].address.lower()]
    assert content[str(at + 1)]["hash"] == later
    chain.rpc("eth_sendRawTransaction", signed(chain, nonce=at))
    assert int(chain.rpc("eth_getTransactionReceipt", later)["blockNumber"], 16) == head + 1


def test_replacement_needs_ten_percent_more(manual, signed, accounts):
    at = nonce(manual, accounts[0])

    def bid(cap, tip):
        return signed(manual, nonce=at, maxFeePerGas=cap * GWEI, maxPriorityFeePerGas=tip * GWEI)

    old = manual.rpc("eth_sendRawTransaction", bid(100, 10))
    for cap, tip in ((109, 11), (110, 10), (90, 9)):
        assert refusal(manual, bid(cap, tip)) == "replacement transaction underpriced"
    new = manual.rpc("eth_sendRawTransaction", bid(110, 11))
    assert manual.rpc("eth_getTransactionByHash", old) is None
    assert mined(manual) == [new]


def test_a_fee_below_the_base_fee_waits(chain, signed, accounts):
    low = signed(chain, maxFeePerGas=1, maxPriorityFeePerGas=1)
    sent = chain.rpc("eth_sendRawTransaction", low)
    assert mined(chain) == [] and chain.rpc("eth_getTransactionReceipt", sent) is None
    better = chain.rpc("eth_sendRawTransaction", signed(chain, nonce=nonce(chain, accounts[0])))
    assert chain.rpc("eth_getTransactionReceipt", better)["status"] == "0x1"


def test_a_full_block_leaves_the_rest_for_the_next(accounts, signed):
    with Chain("--no-automine", "--gas-limit", 250_000) as small:
        sent = [small.rpc("eth_sendRawTransaction", signed(small, nonce=i)) for i in range(12)]
        blocks = []
        while sum(blocks) < len(sent):
            blocks.append(len(mined(small)))
    assert blocks == [8, 4]  # a gas limit of 100,000 each, 21,000 used: eight fit


def test_refusals(chain, signed, accounts):
    at = nonce(chain, accounts[0])
    known = signed(chain, nonce=at + 3)
    chain.rpc("eth_sendRawTransaction", known)
    assert refusal(chain, known) == "already known"
    done = signed(chain, nonce=at)
    chain.rpc("eth_sendRawTransaction", done)
    assert refusal(chain, done) == f"nonce too low: next nonce {at + 1}, tx nonce {at}"
    poor = signed(chain, value=10**30)
    assert refusal(chain, poor).startswith(
        "insufficient funds for gas * price + value: balance ")
    assert refusal(chain, signed(chain, gas=20_000)) == \
        "intrinsic gas too low: gas 20000, minimum needed 21000"
    assert refusal(chain, signed(chain, gas=31_000_000)) == "exceeds block gas limit"
    assert refusal(chain, signed(chain, chainId=1)) == \
        "invalid sender: invalid chain id for signer: have 1 want 31337"
    tip = signed(chain, maxFeePerGas=2 * GWEI, maxPriorityFeePerGas=3 * GWEI)
    assert refusal(chain, tip).startswith("max priority fee per gas higher than max fee per gas")
    assert refusal(chain, signed(chain, to=None, data=b"\0" * 49_153, gas=5_000_000)) == \
        "max initcode size exceeded: code size 49153, limit 49152"


def test_malformed_transactions(chain, signed):
    good = signed(chain)
    assert refusal(chain, "0x") == "typed transaction too short"
    assert refusal(chain, "0x03" + good[4:]) == "transaction type not supported"
    assert refusal(chain, "0x7f00") == "transaction type not supported"
    for spoilt in (good[:-2], good + "00", "0x02", "0xc0", "0xf8ff00", "0x02c0"):
        assert refusal(chain, spoilt).startswith("rlp: "), spoilt
    assert refusal(chain, "0x02" + "ff" * 140_000).startswith("oversized data")


def test_high_s_and_unprotected_signatures(chain, signed, accounts):
    import rlp
    order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
    fields = rlp.decode(bytes.fromhex(signed(chain, gasPrice=GWEI * 10)[2:]))
    s = order - int.from_bytes(fields[8], "big")
    v = int.from_bytes(fields[6], "big")
    flipped = (v ^ 1 if v % 2 else v + 1) if v % 2 == 0 else v + 1
    high = fields[:6] + [flipped.to_bytes(3, "big").lstrip(b"\0"), fields[7],
                         s.to_bytes(32, "big")]
    assert refusal(chain, "0x" + rlp.encode(high).hex()).startswith(
        "invalid sender: invalid transaction v, r, s values")
    old = accounts[0].sign_transaction({"to": accounts[1].address, "value": 1, "gas": 21_000,
                                        "gasPrice": 10 * GWEI, "nonce": 0})
    assert refusal(chain, "0x" + old.raw_transaction.hex()) == \
        "only replay-protected (EIP-155) transactions allowed over RPC"
