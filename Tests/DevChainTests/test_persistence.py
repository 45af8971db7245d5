"""The state file: kill -9 at any instant, second processes, damage."""

import json
import os
import random
import signal
import threading
import time

import pytest
from devchain import dispatch
from devchain.interval import Interval
from devchain.methods import Methods
from devchain.node import Node
from devchain.settings import parser, settled
from devchain.store import Store
from eth_utils import to_checksum_address
from process import Chain, RPCFailure, run_failing

KILLS = 12
SEED = 20_261


class Load(threading.Thread):
    """Sends transfers as fast as it can and notes what was acknowledged, until the chain dies."""

    def __init__(self, chain, account, recipient):
        super().__init__()
        self.chain, self.account, self.recipient = chain, account, recipient
        self.nonce = chain.number("eth_getTransactionCount", account.address, "pending")
        self.accepted, self.head = [], 0
        self.busy = threading.Event()

    def run(self):
        try:
            while True:
                raw = self.account.sign_transaction({
                    "chainId": 31_337, "nonce": self.nonce, "to": self.recipient, "value": 1,
                    "gas": 21_000, "maxFeePerGas": 10**11, "maxPriorityFeePerGas": 1})
                sent = self.chain.rpc("eth_sendRawTransaction", "0x" + raw.raw_transaction.hex())
                self.accepted.append(sent)
                self.nonce += 1
                self.head = self.chain.number("eth_blockNumber")
                if len(self.accepted) == 3:
                    self.busy.set()
        except (OSError, ValueError, EOFError):
            pass  # killed in the middle of a request
        except Exception as error:  # http.client's own kinds of a connection that broke
            if not type(error).__module__.startswith("http"):
                raise


def linked(chain):
    """Every block names its parent; returns the head's number."""
    head = chain.number("eth_blockNumber")
    blocks = chain.ask([{"id": n, "method": "eth_getBlockByNumber", "params": [hex(n), False]}
                        for n in range(max(0, head - 900), head + 1)])
    hashes = [answer["result"]["hash"] for answer in blocks]
    assert [a["result"]["parentHash"] for a in blocks][1:] == hashes[:-1]
    return head


@pytest.mark.parametrize("mode", [["--block-time", "0.05"], []], ids=["interval", "automine"])
def test_nothing_acknowledged_is_lost_by_kills(tmp_path, accounts, mode):
    moments = random.Random(SEED)
    recipient = to_checksum_address("0x" + "5a" * 20)
    accepted, head = [], 0
    chain = Chain("--state", tmp_path / "chain", *mode)
    try:
        for _ in range(KILLS // 2):
            load = Load(chain, accounts[0], recipient)
            load.start()
            assert load.busy.wait(20)
            load.join(timeout=moments.uniform(0, 0.15))  # the load never ends by itself
            os.kill(chain.pid, signal.SIGKILL)
            load.join()
            accepted += load.accepted
            chain.restart()
            assert linked(chain) >= max(head, load.head)
            head = chain.number("eth_blockNumber")
            found = chain.ask([{"id": i, "method": "eth_getTransactionByHash", "params": [sent]}
                               for i, sent in enumerate(accepted[-900:])])
            assert all(answer["result"] is not None for answer in found)
        chain.rpc("evm_mine")
        mined = chain.number("eth_getBalance", recipient)
        nonce = chain.number("eth_getTransactionCount", accounts[0].address)
        # One transaction may have been kept whose answer the kill cut off, at each kill.
        assert len(accepted) <= mined == nonce <= len(accepted) + KILLS // 2
    finally:
        chain.kill()


def test_a_restart_keeps_chain_pool_clock_and_snapshots(tmp_path, accounts, signed):
    with Chain("--state", tmp_path / "chain", "--no-automine", "--chain-id", 9) as chain:
        first = chain.rpc("eth_sendRawTransaction", signed(chain))
        chain.rpc("evm_mine")
        snapshot = chain.rpc("evm_snapshot")
        chain.rpc("evm_increaseTime", 50_000)
        chain.rpc("evm_setBalance", "0x" + "6b" * 20, 77)
        waiting = chain.rpc("eth_sendRawTransaction", signed(chain))
        gap = chain.rpc("eth_sendRawTransaction", signed(chain, nonce=9))
        before = chain.block(), chain.rpc("txpool_status"), chain.rpc("eth_getLogs", {})
        chain.options[-2:] = []  # the chain id is remembered
        chain.restart()
        assert chain.ready["head"] == 2 and chain.ready["pool"] == 2
        assert (chain.block(), chain.rpc("txpool_status"), chain.rpc("eth_getLogs", {})) == before
        assert chain.rpc("eth_chainId") == "0x9"
        assert chain.number("eth_getBalance", "0x" + "6b" * 20) == 77
        assert chain.rpc("eth_getTransactionReceipt", first)["blockNumber"] == "0x1"
        assert chain.rpc("eth_getTransactionByHash", gap)["nonce"] == "0x9"
        chain.rpc("evm_mine")
        assert int(chain.block()["timestamp"], 16) >= time.time() + 49_000
        assert chain.block()["transactions"] == [waiting]
        assert chain.rpc("evm_revert", snapshot) is True
        assert chain.number("eth_blockNumber") == 1
        chain.restart()
        assert chain.number("eth_blockNumber") == 1 and chain.ready["pool"] == 0


def test_a_second_process_is_refused(tmp_path):
    with Chain("--state", tmp_path / "chain") as chain:
        code, words = run_failing("--state", tmp_path / "chain")
        assert code == 1 and "in use by another process" in words and "Traceback" not in words
        assert chain.rpc("evm_mine") == "0x1"


def test_other_options_than_the_files_are_refused(tmp_path):
    with Chain("--state", tmp_path / "chain"):
        pass
    code, words = run_failing("--state", tmp_path / "chain", "--chain-id", 5)
    assert code == 1 and "made with --chain-id 31337, not 5" in words


def grown(path, blocks):
    """A chain with some blocks, stopped in order; its log of writes is folded into the file."""
    chain = Chain("--state", path)
    for _ in range(0, blocks, 500):
        chain.rpc("evm_mineBlocks", min(blocks, 500))
    assert chain.terminate() == (0, "")


def test_chains_in_memory_begin_with_a_file_and_leave_it_as_it_is(tmp_path, signed):
    path = tmp_path / "chain"
    with Chain("--state", path, "--chain-id", 9) as chain:
        sent = chain.rpc("eth_sendRawTransaction", signed(chain))
        chain.rpc("evm_increaseTime", 50_000)
        head = chain.block()
        assert chain.terminate() == (0, "")
    whole = path.read_bytes()
    with Chain("--state", path, "--in-memory") as one, Chain("--state", path, "--in-memory") as two:
        for chain in one, two:
            assert chain.block() == head and chain.ready["chainId"] == 9
            assert chain.rpc("eth_getTransactionReceipt", sent)["blockNumber"] == "0x1"
            following = chain.rpc("eth_sendRawTransaction", signed(chain))
            assert chain.rpc("eth_getTransactionByHash", following)["nonce"] == "0x1"
            assert int(chain.block()["timestamp"], 16) >= time.time() + 49_000
            assert chain.number("eth_blockNumber") == 2
    assert path.read_bytes() == whole and os.listdir(tmp_path) == ["chain"]
    with Chain("--state", path) as chain:
        assert chain.number("eth_blockNumber") == 1
    for options in [[], ["--state", tmp_path / "nowhere"]]:
        code, words = run_failing("--in-memory", *options)
        assert code == 1 and "Name one that exists" in words
    assert not (tmp_path / "nowhere").exists()


def test_damaged_files_are_named_with_what_to_do(tmp_path):
    path = tmp_path / "chain"
    grown(path, 50)
    whole = path.read_bytes()
    damages = {
        "not a database": b"something else entirely" * 100,
        "cut in half": whole[:len(whole) // 2 // 4_096 * 4_096],
        "a page overwritten": whole[:8_192] + b"\xa5" * 4_096 + whole[12_288:],
    }
    for name, data in damages.items():
        path.write_bytes(data)
        code, words = run_failing("--state", path)
        assert code == 1 and "is damaged" in words and "delete it" in words, name
        assert "Traceback" not in words
    path.write_bytes(whole)
    with Chain("--state", path) as chain:
        assert chain.number("eth_blockNumber") == 50


def test_a_spoilt_state_entry_is_noticed_instead_of_executed(tmp_path, accounts):
    import sqlite3
    path = tmp_path / "chain"
    grown(path, 3)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE state SET value = zeroblob(length(value)) WHERE length(key) = 32")
    database.close()
    code, words = run_failing("--state", path)
    assert code == 1 and "does not match its hash" in words


def test_a_torn_tail_is_cut(tmp_path):
    path, log = tmp_path / "chain", tmp_path / "chain-wal"
    chain = Chain("--state", path)
    for _ in range(5):
        chain.rpc("evm_mine")
    chain.kill()
    written = log.read_bytes()
    log.write_bytes(written + b"\x07" * 3_000)  # garbage after the last whole entry
    chain.start()
    assert linked(chain) == 5
    chain.kill()
    chain = Chain("--state", tmp_path / "second")
    sizes = []
    for _ in range(5):
        chain.rpc("evm_mine")
        sizes.append((tmp_path / "second-wal").stat().st_size)
    chain.kill()
    log = tmp_path / "second-wal"
    written = log.read_bytes()
    log.write_bytes(written[:sizes[-1] - 100])  # the last entry is not whole
    chain.start()
    assert linked(chain) == 4
    assert chain.rpc("evm_mine") == "0x5"
    chain.kill()


def test_folders_that_cannot_be_written(tmp_path):
    code, words = run_failing("--state", tmp_path / "nowhere" / "chain")
    assert code == 1 and "cannot be opened" in words and "Traceback" not in words
    (tmp_path / "foreign").touch()
    import sqlite3
    with sqlite3.connect(tmp_path / "foreign") as database:
        database.execute("CREATE TABLE other (a)")
    database.close()
    code, words = run_failing("--state", tmp_path / "foreign")
    assert code == 1 and "another program" in words


def test_a_full_disk_is_reported_and_leaves_the_chain_as_it_was(tmp_path):
    node = Node(Store(str(tmp_path / "chain")), settled(parser().parse_args([]), None))
    methods = Methods(node, Interval(node))
    transfer = {"from": next(iter(node.keys)), "to": "0x" + "5c" * 20, "value": "0x1"}

    def ask(method, *arguments):
        return dispatch.one({"id": 1, "method": method, "params": list(arguments)},
                            lambda name, given: methods.answer(name, given))

    pages = node.store.row("PRAGMA page_count")[0]
    node.store.rows(f"PRAGMA max_page_count={pages + 20}").fetchone()
    answer, done = ask("eth_sendTransaction", transfer), 0
    while "result" in answer and done < 1_000:
        answer, done = ask("eth_sendTransaction", transfer), done + 1
    assert "full" in answer["error"]["message"] and answer["error"]["code"] == -32603
    head = node.index.head_number
    assert (head, len(node.pool)) == (done, 0)
    assert ask("eth_getBalance", "0x" + "5c" * 20)["result"] == hex(done)
    node.store.rows("PRAGMA max_page_count=1000000").fetchone()
    assert "result" in ask("eth_sendTransaction", transfer)
    assert node.index.head_number == head + 1 and node.header.block_number == head + 1


def test_two_thousand_blocks_start_quickly(tmp_path):
    grown(tmp_path / "chain", 2_000)
    start = time.monotonic()
    with Chain("--state", tmp_path / "chain") as chain:
        assert chain.ready["head"] == 2_000
        assert time.monotonic() - start < 60  # about one second on an idle machine
        assert linked(chain) == 2_000
        json.dumps(chain.block())
        with pytest.raises(RPCFailure):
            chain.rpc("evm_revert", {})
