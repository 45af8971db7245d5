"""Reading, calling and estimating; answers and refusals as geth's."""

import probe
import pytest
from devchain import limits
from devchain.errors import RPCError
from process import RPCFailure

ZERO = "0x" + "00" * 20


def refusal(chain, method, *arguments):
    with pytest.raises(RPCFailure) as caught:
        chain.rpc(method, *arguments)
    return caught.value.error


def test_web3_reads_a_transfer_of_each_type(web3, accounts, send):
    before = web3.eth.get_balance(accounts[1].address)
    access = [{"address": accounts[2].address, "storageKeys": ["0x" + "00" * 32]}]
    hashes = [send(gasPrice=10**10), send(type=1, gasPrice=10**10, accessList=access), send()]
    for kind, sent in enumerate(hashes):
        receipt, found = web3.eth.get_transaction_receipt(sent), web3.eth.get_transaction(sent)
        block = web3.eth.get_block(receipt.blockNumber, True)
        assert (receipt.status, receipt.type, found.type) == (1, kind, kind)
        assert receipt.gasUsed == (21_000 if kind != 1 else 21_000 + 2_400 + 1_900)
        assert block.transactions[0].hash == found.hash and found["from"] == accounts[0].address
        assert receipt.effectiveGasPrice == found.gasPrice
    assert web3.eth.get_balance(accounts[1].address) == before + 3


def test_chain_facts(web3, chain):
    assert web3.eth.chain_id == 31_337 == int(web3.net.version)
    assert web3.eth.syncing is False and len(web3.eth.accounts) == 10
    assert web3.client_version.startswith("devchain/")
    assert web3.eth.gas_price > web3.eth.max_priority_fee == 10**9
    assert chain.rpc("web3_sha3", "0x") == web3.keccak(b"").to_0x_hex()
    assert web3.eth.get_balance(web3.eth.accounts[3]) == 10_000 * 10**18


def test_call_storage_and_code(chain, contract, send):
    send(to=contract, value=0, data=probe.command(77))
    answer = bytes.fromhex(chain.rpc("eth_call", {"to": contract}, "latest")[2:])
    head = chain.block()
    words = [int.from_bytes(answer[i:i + 32], "big") for i in (0, 32, 64)]
    assert words == [77, int(head["number"], 16), int(head["timestamp"], 16)]
    assert chain.number("eth_getStorageAt", contract, "0x0", "latest") == 77
    assert chain.number("eth_getStorageAt", contract, "0x" + "00" * 32, "latest") == 77
    assert chain.rpc("eth_getCode", contract) == "0x" + probe.runtime().hex()
    assert chain.rpc("eth_getCode", ZERO) == "0x"


def test_pending_calls_run_in_the_next_blocks_context(chain, contract):
    chain.rpc("evm_setNextBlockTimestamp", int(chain.block()["timestamp"], 16) + 500)
    answer = chain.rpc("eth_call", {"to": contract}, "pending")
    head = chain.block()
    assert int(answer[66:130], 16) == int(head["number"], 16) + 1
    assert int(answer[130:194], 16) == int(head["timestamp"], 16) + 500


def test_state_at_a_block_hash_stays(chain, contract, send):
    send(to=contract, value=0, data=probe.command(5))
    old = chain.block()
    send(to=contract, value=0, data=probe.command(6))

    def stored(tag):
        return int(chain.rpc("eth_call", {"to": contract}, tag)[:66], 16)

    by_hash = {"blockHash": old["hash"]}
    assert [stored(by_hash), stored(old["number"]), stored("latest")] == [5, 5, 6]
    assert chain.number("eth_getStorageAt", contract, "0x0", by_hash) == 5
    chain.rpc("evm_reorg", 2, False)
    assert stored(by_hash) == 5
    strict = by_hash | {"requireCanonical": True}
    assert refusal(chain, "eth_call", {"to": contract}, strict)["message"] == \
        "hash is not currently canonical"
    unknown = {"blockHash": "0x" + "11" * 32}
    assert refusal(chain, "eth_call", {"to": contract}, unknown) == {
        "code": -32000, "message": "header for hash not found"}


@pytest.mark.parametrize(("data", "message"), [
    (probe.error_string("too late"), "execution reverted: too late"),
    (probe.panic(0x11), "execution reverted: arithmetic underflow or overflow"),
    (b"", "execution reverted"),
    (bytes.fromhex("deadbeef"), "execution reverted"),
    (bytes.fromhex("08c379a0") + b"\xff" * 64, "execution reverted"),
], ids=["error", "panic", "empty", "custom", "malformed"])
@pytest.mark.parametrize("method", ["eth_call", "eth_estimateGas"])
def test_reverts_carry_reason_and_data(chain, contract, method, data, message):
    error = refusal(chain, method, {"to": contract, "data": probe.command(0, data)})
    assert error == {"code": 3, "message": message, "data": "0x" + data.hex()}


def test_a_reverted_transaction_is_mined_with_status_0(chain, contract, send):
    sent = send(to=contract, value=0, data=probe.command(0, b"no"))
    assert chain.rpc("eth_getTransactionReceipt", sent)["status"] == "0x0"


def test_estimates_suffice_and_are_close(chain, contract, send, accounts):
    plain = {"from": accounts[0].address, "to": accounts[1].address, "value": "0x1"}
    assert chain.number("eth_estimateGas", plain) == 21_000
    call = {"from": accounts[0].address, "to": contract, "data": probe.command(9, b"x" * 100)}
    estimate = chain.number("eth_estimateGas", call)
    sent = send(to=contract, value=0, data=call["data"], gas=estimate)
    receipt = chain.rpc("eth_getTransactionReceipt", sent)
    assert receipt["status"] == "0x1"
    assert int(receipt["gasUsed"], 16) <= estimate <= int(receipt["gasUsed"], 16) * 1.02


def test_data_pays_its_floor(chain, send, accounts, signed):
    data = b"\xff" * 1_000 + b"\0" * 10
    call = {"from": accounts[0].address, "to": accounts[1].address, "data": "0x" + data.hex()}
    floor = 21_000 + 10 * (4 * 1_000 + 10)
    assert chain.number("eth_estimateGas", call) == floor
    receipt = chain.rpc("eth_getTransactionReceipt", send(data=data, gas=floor))
    assert int(receipt["gasUsed"], 16) == floor
    assert refusal(chain, "eth_sendRawTransaction", signed(chain, data=data, gas=floor - 1)) == {
        "code": -32000, "message": "insufficient gas for floor data gas cost: "
                                   f"gas {floor - 1}, minimum needed {floor}"}


def test_calls_that_take_too_long_are_ended(monkeypatch, in_process):
    monkeypatch.setattr(limits, "CALL_SECONDS_MAX", 0.2)
    node, methods = in_process
    account = next(iter(node.keys))
    made = methods.answer("eth_sendTransaction", [
        {"from": account, "data": "0x" + probe.creation().hex(), "gas": hex(300_000)}])
    contract = methods.answer("eth_getTransactionReceipt", [made])["contractAddress"]
    for method in ("eth_call", "eth_estimateGas"):
        with pytest.raises(RPCError, match="execution aborted"):
            methods.answer(method, [{"to": contract, "data": probe.command(1)}])
    monkeypatch.setattr(limits, "CALL_SECONDS_MAX", 60)
    assert len(methods.answer("eth_call", [{"to": contract}])) == 2 + 3 * 64
    assert node.mine().block.number == 2


def test_calls_that_cannot_be_paid_or_end(chain, contract, accounts):
    spin = {"to": contract, "data": probe.command(1), "gas": hex(100_000)}
    assert refusal(chain, "eth_call", spin)["message"] == "out of gas"
    assert refusal(chain, "eth_estimateGas", spin)["message"] == \
        "gas required exceeds allowance (100000)"
    poor = {"from": "0x" + "77" * 20, "to": ZERO, "value": "0x5"}
    assert refusal(chain, "eth_call", poor) == {"code": -32000, "message":
        f"insufficient funds for gas * price + value: address 0x{'77' * 20} have 0 want 5"}
    cheap = {"from": accounts[0].address, "to": ZERO, "maxFeePerGas": "0x1"}
    assert refusal(chain, "eth_call", cheap)["message"].startswith(
        "max fee per gas less than block base fee")
    both = {"to": ZERO, "data": "0x01", "input": "0x02"}
    assert refusal(chain, "eth_call", both)["code"] == -32602


def test_fee_history(chain, send, web3):
    for tip in (1, 2, 3):
        send(maxPriorityFeePerGas=tip * 10**9)
    history = web3.eth.fee_history(3, "latest", [0, 50, 100])
    assert [r for r in history.reward] == [[tip * 10**9] * 3 for tip in (1, 2, 3)]
    assert len(history.baseFeePerGas) == 4 and history.oldestBlock == web3.eth.block_number - 2
    chain.rpc("evm_mine")
    assert chain.block()["baseFeePerGas"] == hex(history.baseFeePerGas[3])
    assert refusal(chain, "eth_feeHistory", "0x1", "latest", [50, 20])["code"] == -32602


def test_unknown_things_are_null(chain):
    nothing = "0x" + "22" * 32
    assert chain.rpc("eth_getBlockByHash", nothing, False) is None
    assert chain.rpc("eth_getBlockByNumber", "0xffff", False) is None
    assert chain.rpc("eth_getTransactionByHash", nothing) is None
    assert chain.rpc("eth_getTransactionReceipt", nothing) is None
    assert refusal(chain, "eth_getBalance", ZERO, "0xffff") == {
        "code": -32000, "message": "header not found"}


def test_the_faucet_and_set_balance(chain, accounts):
    stranger = "0x" + "ab" * 20
    sent = chain.rpc("dev_fund", stranger, 10**18)
    assert chain.rpc("eth_getTransactionReceipt", sent)["from"] == chain.ready["faucet"]
    assert chain.number("eth_getBalance", stranger) == 10**18
    chain.rpc("evm_setBalance", stranger, "0x7")
    assert chain.number("eth_getBalance", stranger) == 7
    chain.rpc("evm_reorg", 1, True)
    assert chain.number("eth_getBalance", stranger) == 7
    chain.rpc("evm_reorg", 1, False)
    assert chain.number("eth_getBalance", stranger) == 10**18
