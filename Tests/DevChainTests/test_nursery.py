"""Chains that are forked from a warm process, and what ends them."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from process import ANSWER_SECONDS_MAX, MAIN, READY, Chain, nursery, run_failing


def test_a_forked_chain_answers_like_a_started_one():
    options = ["--chain-id", "5", "--private-port", "0", "--genesis-time", "1000000000"]
    with subprocess.Popen([sys.executable, str(MAIN), "--port", "0", *options],
                          stdout=subprocess.PIPE, text=True) as started:
        line = started.stdout.readline()
        started.kill()
    with Chain(*options) as chain:
        said = json.loads(line.removeprefix(READY))
        differing = {"port", "http", "ws", "pid", "private"}
        assert said.keys() == chain.ready.keys() >= differing
        assert all(said[name] == chain.ready[name] for name in said.keys() - differing)


def test_each_chain_is_a_process_of_its_own(tmp_path):
    with Chain("--state", tmp_path / "one") as one, Chain("--chain-id", 2) as two:
        one.rpc("evm_mine")
        two.rpc("evm_mine")
        assert one.block()["mixHash"] != two.block()["mixHash"]  # a random number
        assert one.pid != two.pid and one.port != two.port
        one.restart()
        assert [one.number("eth_blockNumber"), two.number("eth_chainId")] == [1, 2]
        assert one.terminate() == (0, "")
        assert two.number("eth_blockNumber") == 1


def test_the_nursery_has_one_thread_and_outlives_its_chains():
    warm = nursery()
    assert run_failing("--fork", "frontier")[0] == 2
    with Chain() as chain:
        assert chain.end(signal.SIGKILL) == -signal.SIGKILL
    with Chain() as chain:
        assert chain.end(signal.SIGINT) == 0
    assert len(os.listdir(f"/proc/{warm.process.pid}/task")) == 1
    assert nursery() is warm and warm.process.poll() is None


def test_a_parent_that_blocks_signals_does_not_keep_a_chain_from_ending():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    try:
        started = subprocess.Popen([sys.executable, str(MAIN), "--port", "0"],
                                   stdout=subprocess.PIPE, text=True)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    try:
        assert started.stdout.readline().startswith(READY)
        started.terminate()
        assert started.wait(ANSWER_SECONDS_MAX) == 0
    finally:
        started.kill()
        started.communicate()


@pytest.fixture
def holder():
    """Starts another test process with two chains, and lets it do one thing more; yields it and
    pidfds of its nursery and its chains."""
    def start(statement="pass"):
        program = f"""if True:
            import signal
            from process import Chain, nursery
            chains, warm = [Chain(), Chain("--block-time", 0.05)], nursery().process
            {statement}
            print(warm.pid, *(chain.pid for chain in chains), flush=True)
            signal.pause()"""
        process = subprocess.Popen([sys.executable, "-c", program], cwd=Path(__file__).parent,
                                   stdout=subprocess.PIPE, text=True)
        processes.append(process)
        pidfds.extend(os.pidfd_open(int(pid)) for pid in process.stdout.readline().split())
        return process, pidfds

    processes, pidfds = [], []
    yield start
    for process in processes:
        process.kill()
        process.communicate()
    for pidfd in pidfds:
        os.close(pidfd)


def have_ended(pidfds):
    return all(select.select([pidfd], [], [], ANSWER_SECONDS_MAX)[0] for pidfd in pidfds)


WAIT = """print('{"wait": %d}' % chains[0].pid, file=warm.stdin, flush=True)"""


@pytest.mark.parametrize("statement", ["pass", WAIT], ids=["idle", "waiting"])
def test_a_killed_test_process_leaves_no_chain(holder, statement):
    process, pidfds = holder(statement)
    assert len(pidfds) == 3 and not select.select(pidfds, [], [], 0)[0]
    process.kill()
    assert have_ended(pidfds)


def test_a_killed_nursery_leaves_no_chain(holder):
    _, (warm, *chains) = holder()
    signal.pidfd_send_signal(warm, signal.SIGKILL)
    assert len(chains) == 2 and have_ended(chains)
