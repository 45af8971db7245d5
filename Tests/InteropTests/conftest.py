"""A market of two nodes and a chain, run by the program as its users run it."""

import json
import os
import sys
import urllib.request
from pathlib import Path

import pytest
from web3 import Web3

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts" / "play"))

from go_peer import GoPeer
from market import Person, Stoa, secret_file

PROGRAM = Path(os.environ.get("STOA_PROGRAM", ROOT / ".build" / "debug" / "stoa"))
ARTIFACTS = ROOT / "Sources" / "Contracts" / "Artifacts"

# The escrow's events that are moves, with the move's name and the argument that has its account.
STEPS = [
    ("Listed", "list", "seller"), ("Bought", "buy", "buyer"), ("ItemTransferred", "transfer", "seller"),
    ("Disputed", "dispute", "buyer"), ("Taken", "take", "arbiter"), ("Proposed", "propose", "by"),
    ("ProposalWithdrawn", "withdraw_proposal", "by"), ("Relisted", "relist", "seller"),
    ("Ended", None, "by"),
]
EXITS = {1: "abort", 2: "decline", 4: "confirm", 8: "claim", 16: "refund", 32: "settle", 64: "rule",
         128: "execute_default"}


class Market:
    """Two nodes that sign their messages, people on them, and the chain as web3.py shows it."""

    def __init__(self, stoa):
        self.stoa = stoa
        report = stoa.report()
        self.nodes = report["members"]
        self.chain = report["chain"]
        self.web3 = Web3(Web3.HTTPProvider(report["endpoint"]))
        self.topic = f"/stoa/local/{self.chain}"
        deployment = json.loads(Path(stoa.cluster, "deployment.json").read_text())
        [escrow] = [c for c in deployment["contracts"] if c["kind"] == "escrow"]
        self.escrow = self.contract("Escrow", escrow["address"])
        self.item = self.contract("Item", deployment["item"]["address"])
        self.password = secret_file(stoa.cluster)

    def contract(self, name, address):
        abi = json.loads((ARTIFACTS / f"{name}.json").read_text())["abi"]
        return self.web3.eth.contract(
            Web3.to_checksum_address(address), abi=abi, decode_tuples=True)

    def person(self, name, node):
        """Somebody with 10 ETH and an account on a node, signed in."""
        person = Person(self.stoa, name, self.nodes[node], self.password)
        person.create()
        self.fund(person.address)
        person.sign_in()
        return person

    def fund(self, address):
        self.stoa.on_cluster("fund", address, "--ether", "10")

    def ask(self, node, *arguments):
        """What a node's API says to anyone; None where it says no."""
        return self.stoa.ask(*arguments, "--data", self.nodes[node]["data"])

    def judged(self, node, verdict):
        """How many messages a node has judged so, as its metrics say."""
        plan = json.loads(Path(self.stoa.cluster, "cluster.json").read_text())
        port = plan["members"][node]["healthPort"]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            lines = answer.read().decode().splitlines()
        name = f'stoa_gossip_messages{{verdict="{verdict}"}}'
        return sum(float(line.split()[-1]) for line in lines if line.startswith(name))

    def logs(self, event, **indexed):
        """The escrow's events of one kind, from the first block on."""
        return self.escrow.events[event]().get_logs(from_block=0, argument_filters=indexed)

    def steps(self, sale):
        """The moves of a sale in their order: name, account and transaction."""
        found = [
            (log.blockNumber, log.logIndex, move or EXITS[log.args.exit], log.args[who],
             Web3.to_hex(log.transactionHash))
            for event, move, who in STEPS for log in self.logs(event, id=sale)]
        return [tuple(step[2:]) for step in sorted(found)]


@pytest.fixture(scope="session")
def market(tmp_path_factory):
    assert PROGRAM.exists(), f"{PROGRAM} is missing; Scripts/interop builds it"
    folder = tmp_path_factory.mktemp("market")
    stoa = Stoa(str(PROGRAM), str(folder / "cluster"))
    chain = f"{sys.executable} {ROOT}/Scripts/devchain/main.py --block-time 1"
    try:
        stoa.on_cluster("up", "--nodes", "2", "--chain-command", chain)
        for number in (1, 2):
            stoa.on_cluster("stop", str(number))
        for member in stoa.report()["members"]:
            with open(Path(member["data"], "stoa.yaml"), "a") as file:
                file.write("gossip:\n  policy: strict-sign\n")
        for number in (1, 2):
            stoa.on_cluster("start", str(number))
        yield Market(stoa)
    finally:
        stoa.on_cluster("down")


@pytest.fixture
def go(market):
    """A Go peer on the market's topic, linked to node 1."""
    peer = GoPeer("--topic", market.topic, "--dial", market.nodes[0]["address"])
    yield peer
    peer.kill()
