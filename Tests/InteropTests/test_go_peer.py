"""The Go peer against itself, in two processes."""

import json
import queue
import subprocess
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv-go" / "bin" / "python"
WAIT_SECONDS_MAX = 30


class Peer:
    """A running peer: its events, and commands to it."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [PYTHON, Path(__file__).parent / "go" / "peer.py", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.events = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.ready = self.next("ready")

    def _read(self):
        for line in self.process.stdout:
            self.events.put(json.loads(line))

    def next(self, kind):
        """The next event of `kind`; others before it are passed over, errors are not."""
        while True:
            event = self.events.get(timeout=WAIT_SECONDS_MAX)
            assert kind == "error" or event["event"] != "error", event
            if event["event"] == kind:
                return event

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        return self.process.wait(WAIT_SECONDS_MAX)


@pytest.fixture
def peers():
    """A listener and a dialer on one topic."""
    listener = Peer("--topic", "market/1")
    dialer = Peer("--topic", "market/1", "--seed", "77" * 32, "--dial",
                  listener.ready["addresses"][0])
    yield listener, dialer
    for peer in (listener, dialer):
        peer.process.kill()
        peer.process.wait()


def test_connect_identify_ping_and_gossip_both_ways(peers):
    listener, dialer = peers
    assert dialer.ready["peer"] == "16Uiu2HAmLpq62D7sSoUBUE8GxykmR6kuyZxMWymZSLfsCUxSKPN1"
    assert dialer.next("connected")["peer"] == listener.ready["peer"]
    found = dialer.next("identify")
    assert {"/meshsub/1.1.0", "/ipfs/ping/1.0.0", "/ipfs/id/1.0.0"} <= set(found["protocols"])
    assert found["agentVersion"] and found["publicKey"].startswith("08021221")
    assert dialer.next("ping")["microseconds"] > 0
    for one, other in ((listener, dialer), (dialer, listener)):
        assert one.next("topic-peers")["peers"] == [other.ready["peer"]]
    for sender, receiver, data in ((dialer, listener, "00ff"), (listener, dialer, "ab" * 5_000)):
        sender.say(data)
        assert sender.next("published")["data"] == data
        heard = receiver.next("message")
        while heard["from"] != sender.ready["peer"]:
            heard = receiver.next("message")
        assert heard["data"] == data and heard["signature"]
    listener.say(f"identify {dialer.ready['peer']}")
    assert listener.next("identify")["peer"] == dialer.ready["peer"]
    assert listener.end() == 0 and dialer.end() == 0


def test_wrong_commands_are_answered(peers):
    listener, _ = peers
    for line in ("zz", "dial nowhere", "ping nobody",
                 "dial /ip4/127.0.0.1/tcp/1/p2p/" + listener.ready["peer"][:-1] + "1"):
        listener.say(line)
        assert listener.next("error")["command"] == line
    listener.say("quit")
    assert listener.process.wait(WAIT_SECONDS_MAX) == 0
