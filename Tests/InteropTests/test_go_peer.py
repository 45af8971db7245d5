"""The Go peer against itself, in two processes."""

import pytest

from go_peer import WAIT_SECONDS_MAX, GoPeer


@pytest.fixture
def peers():
    """A listener and a dialer on one topic."""
    listener = GoPeer("--topic", "market/1")
    dialer = GoPeer("--topic", "market/1", "--seed", "77" * 32, "--dial",
                    listener.ready["addresses"][0])
    yield listener, dialer
    for peer in (listener, dialer):
        peer.kill()


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
        assert receiver.hear_again_and_again(sender, data)["signature"]
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
