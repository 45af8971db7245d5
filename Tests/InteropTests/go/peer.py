"""A Go libp2p peer to test against: TLS, yamux, gossipsub in StrictSign, ping, identify.

    .venv-go/bin/python peer.py --topic NAME [--port N] [--seed HEX] [--dial MULTIADDR]

It listens on 127.0.0.1 and dials where asked to. Standard output has one JSON object a line:

    {"event": "ready", "peer": ID, "addresses": [MULTIADDR/p2p/ID, …]}     dial one of these
    {"event": "connected", "peer": ID}                    after --dial or `dial`
    {"event": "identify", "peer": ID, "protocols": […], "agentVersion": …, "protocolVersion": …,
                "publicKey": HEX, "listenAddresses": [HEX, …], "observedAddress": HEX, …}
    {"event": "ping", "peer": ID, "microseconds": N}
    {"event": "topic-peers", "peers": [ID, …]}            whenever they change
    {"event": "message", "from": ID, "data": HEX, "sequence": N, "signature": HEX}
    {"event": "published", "data": HEX}
    {"event": "error", "command": …, "message": …}

Standard input takes one command a line; its end, or `quit`, ends the peer:

    HEX (or `publish HEX`) · dial MULTIADDR · identify PEER · ping PEER

Its own messages come back as `message` too. StrictSign is the library's default: what is not
signed by its author is dropped unseen. Identify is asked for by opening its stream.
"""

import argparse
import asyncio
import json
import os
import secrets
import sys

import identify
from libp2p import DisableRelay, Host, Identity, ListenAddrStrings, SecurityTls
from libp2p.crypto import PrivKey
from libp2p.peer import Peer, addr_info_from_p2p_addr
from libp2p.ping import PingService
from libp2p.pubsub import PubSub

IDENTIFY = "/ipfs/id/1.0.0"
WAIT_SECONDS_MAX = 20
TOPIC_PEERS_EVERY_SECONDS = 0.1
SECP256K1 = 2


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def key_of(seed):
    """A secp256k1 key in libp2p's protobuf: field 1 the kind, field 2 the 32 bytes."""
    return PrivKey.unmarshal(bytes([0x08, SECP256K1, 0x12, 32]) + seed)


class GoPeer:
    """One host on one topic."""

    def __init__(self, host, pubsub, topic, name):
        self.host, self.pubsub, self.topic, self.name = host, pubsub, topic, name
        self.pings = PingService(host)

    async def dial(self, address):
        info = addr_info_from_p2p_addr(address)
        await self.host.connect(info)
        say("connected", peer=info.id.string)
        await self.identify(info.id.string)
        await self.ping(info.id.string)

    async def identify(self, peer):
        stream = await self.host.new_stream(Peer.decode(peer), IDENTIFY)
        say("identify", peer=peer, **identify.parse(await stream.read_all()))

    async def ping(self, peer):
        # The wheel hands the text to Go as a binary peer id.
        async for result in self.pings.ping(Peer.decode(peer).bytes):
            if result.error:
                raise ValueError(result.error)
            say("ping", peer=peer, microseconds=result.rtt // 1_000)
            return
        raise ValueError("no answer to the ping")

    async def publish(self, data):
        await self.topic.publish(bytes.fromhex(data))
        say("published", data=data)

    async def obey(self, line):
        """Does one command; what goes wrong is said."""
        verb, _, argument = line.partition(" ")
        verbs = {"dial": self.dial, "identify": self.identify, "ping": self.ping,
                 "publish": self.publish}
        try:
            work = verbs[verb](argument.strip()) if verb in verbs else self.publish(line)
            await asyncio.wait_for(work, WAIT_SECONDS_MAX)
        except (ValueError, TimeoutError) as error:  # the wheel's errors are ValueErrors
            say("error", command=line, message=str(error) or type(error).__name__)

    async def hear(self, subscription):
        while True:
            message = await subscription.next()
            say("message", data=message.data.hex(), sequence=message.seq_no,
                signature=message.signature.hex(), **{"from": message.from_peer.string})

    async def watch(self):
        """Tells who is on the topic; the wheel gives a list, not events."""
        known = []
        while True:
            peers = sorted(await self.pubsub.list_peers(self.name))
            if peers != known:
                known = peers
                say("topic-peers", peers=peers)
            await asyncio.sleep(TOPIC_PEERS_EVERY_SECONDS)


async def commands():
    """Lines of standard input."""
    reader = asyncio.StreamReader(limit=4 * 1024 * 1024)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield line.decode().strip()


async def run(options):
    seed = bytes.fromhex(options.seed) if options.seed else secrets.token_bytes(32)
    host = Host(ListenAddrStrings(f"/ip4/127.0.0.1/tcp/{options.port}"), SecurityTls,
                Identity(key_of(seed)), DisableRelay)
    pubsub = await PubSub.new_gossip(host)
    topic = await pubsub.join(options.topic)
    peer = GoPeer(host, pubsub, topic, options.topic)
    subscription = await topic.subscription()
    say("ready", peer=host.id.string,
        addresses=[f"{address}/p2p/{host.id.string}"
                   for address in host.network.listen_addresses()])
    tasks = [asyncio.create_task(peer.hear(subscription)), asyncio.create_task(peer.watch())]
    for task in tasks:
        task.add_done_callback(stop_with_error)
    if options.dial:
        await peer.obey(f"dial {options.dial}")
    async for line in commands():
        if line == "quit":
            break
        if line:
            await peer.obey(line)
    leave(0)


def stop_with_error(task):
    if not task.cancelled() and task.exception():
        say("error", command=None, message=str(task.exception()))
        leave(1)


def leave(code):
    """Ends at once: the Go runtime's threads are in calls that would never return."""
    sys.stdout.flush()
    os._exit(code)


def main():
    parser = argparse.ArgumentParser(description="A Go libp2p peer on loopback.")
    parser.add_argument("--topic", required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seed", help="32 bytes in hex: the secp256k1 key, for a lasting peer id")
    parser.add_argument("--dial", help="…/p2p/ID")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
