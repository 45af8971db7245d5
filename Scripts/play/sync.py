"""The first sync of a node with a long history: how much of its time is the node's own.

sync.py --stoa PROGRAM [--events N] [--chain FOLDER]; makes a market on a development chain, has direct sales listed
and paid there until its contracts have logged N events, and lets a new node read them all. With --chain the history is
made in this folder, and used again from there.
"""

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from eth_abi import encode
from eth_account import Account
from eth_utils import keccak

from market import Chain, NotHeld, Stoa, hold, say, step

ROOT = Path(__file__).resolve().parents[2]
Account.enable_unaudited_hdwallet_features()
MNEMONIC = "test test test test test test test test test test test junk"
OFFER = "(address,bytes32,uint256,address,bytes32,bytes32,(address,uint256,uint256))"
NOBODY = "0x" + "00" * 20
DAY = 86_400
PRICE = 1_000_000
# One sale's listing and payment log eight events.
EVENTS_A_SALE = 8
# What the development chain's blocks of 30 million gas hold, with room to spare.
A_BLOCK = 100


def function(text):
    return keccak(text=text)[:4]


class Trader:
    """One of the development chain's accounts, which signs its own transactions."""

    def __init__(self, chain, number):
        self.chain = chain
        self.key = Account.from_mnemonic(MNEMONIC, account_path=f"m/44'/60'/0'/0/{number}")
        self.address = self.key.address
        self.nonce = int(chain.call("eth_getTransactionCount", self.address, "latest"), 16)

    def signed(self, to, data, value=0, gas=300_000):
        fields = {"type": 2, "chainId": 31_337, "nonce": self.nonce, "to": to, "value": value, "gas": gas, "data": data,
                  "maxFeePerGas": 10**12, "maxPriorityFeePerGas": 10**9}
        self.nonce += 1
        return "0x" + bytes(self.key.sign_transaction(fields).raw_transaction).hex()


class History:
    """Direct sales on a market's contracts, made without any node."""

    def __init__(self, chain, deployment):
        self.chain = chain
        contracts = {part["kind"]: part["address"] for part in deployment["contracts"]}
        self.item, self.direct = deployment["item"]["address"], contracts["direct"]
        self.addresses = [self.item, *contracts.values()]
        self.traders = [Trader(chain, number) for number in range(8)]

    def make(self, events):
        """Makes as many sales as log so many events."""
        allow = function("allow_minter(address,bool)") + encode(["address", "bool"], [self.direct, True])
        self.send([trader.signed(self.item, allow) for trader in self.traders])
        self.until = int(self.chain.call("eth_getBlockByNumber", "latest", False)["timestamp"], 16) + 300 * DAY
        sales = -(-events // EVENTS_A_SALE)
        for first in range(0, sales, A_BLOCK):
            offers = [self.offer(number) for number in range(first, min(sales, first + A_BLOCK))]
            self.send([self.seller(n).signed(self.direct, function(f"list({OFFER})") + offer, gas=400_000)
                       for n, offer in enumerate(offers)])
            self.send([self.buyer(n).signed(self.direct, function(f"pay({OFFER})") + offer, PRICE)
                       for n, offer in enumerate(offers)])
            if first % (20 * A_BLOCK) == 0:
                say(f"   {first + len(offers)} of {sales} sales")

    def seller(self, number):
        return self.traders[number % len(self.traders)]

    def buyer(self, number):
        return self.traders[(number + 1) % len(self.traders)]

    def offer(self, number):
        seller = self.seller(number % A_BLOCK).address
        return encode([OFFER], [(seller, secrets.token_bytes(32), 0, seller, secrets.token_bytes(32),
                                 secrets.token_bytes(32), (NOBODY, PRICE, self.until))])

    def send(self, transactions):
        """Sends transactions, and mines them in blocks of their own."""
        for raw in transactions:
            self.chain.call("eth_sendRawTransaction", raw)
        self.chain.call("evm_mine")

    def count(self):
        """Returns how many events the market's contracts have logged, and in how many blocks."""
        head, found = int(self.chain.call("eth_blockNumber"), 16), 0
        for number in range(head + 1):
            block = hex(number)
            found += len(self.chain.call("eth_getLogs", {
                "fromBlock": block, "toBlock": block, "address": self.addresses}))
        return found, head


def processor_seconds(process):
    """Returns the processor time that a process has used, in seconds."""
    words = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def process_of(mark):
    """Returns the id of the process with this word in its command line."""
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0") if entry.name.isdigit() else []
        except OSError:
            continue
        if mark in words and "cluster" not in words:
            return int(entry.name)
    raise NotHeld(f"no process has {mark} in its command line")


def make_market(stoa, events):
    step(f"A market whose contracts have logged {events} events")
    stoa.on_cluster("up", "--nodes", "1")
    stoa.on_cluster("stop", "1")
    chain = Chain(stoa.report()["endpoint"])
    # Blocks come when this script asks for them.
    chain.call("evm_setIntervalMining", 0)
    begun = time.monotonic()
    history = History(chain, json.loads(Path(stoa.cluster, "deployment.json").read_text()))
    history.make(events)
    found, blocks = history.count()
    say(f"   {found} events in {blocks} blocks, made in {time.monotonic() - begun:.0f} seconds")
    hold(f"there are at least {events}", found >= events, found)
    chain.call("evm_setIntervalMining", 1)


def measure(stoa, folder):
    """Starts a new node, and measures until it has read all events."""
    step("A new node reads them")
    chain = Chain(stoa.report()["endpoint"])
    data = os.path.join(folder, "new")
    shutil.rmtree(data, ignore_errors=True)
    stoa.quietly("init", "--market", os.path.join(stoa.cluster, "market.yaml"), "--data", data)
    server = process_of(os.path.join(stoa.cluster, "chain.sqlite"))
    before, begun = processor_seconds(server), time.monotonic()
    with open(os.path.join(folder, "new.log"), "w", encoding="utf-8") as log:
        node = subprocess.Popen([stoa.path, "node", "run", "--data", data], stdout=log, stderr=log)
    try:
        while True:
            status = stoa.ask("node", "status", "--data", data)
            if status and status["chains"] and status["chains"][0]["health"] == "ready":
                break
            if node.poll() is not None or time.monotonic() - begun > 3_600:
                raise NotHeld(f"the node is not ready; its log is {log.name}")
            time.sleep(0.1)
        took, own, served = time.monotonic() - begun, processor_seconds(node.pid), processor_seconds(server) - before
        head = int(chain.call("eth_blockNumber"), 16)
        say(f"   ready after {took:.2f} s at block {head}: processor time of the node {own:.2f} s, of the chain {served:.2f} s")
        say(f"   the node's share: {own / took:.2f} of the time, {own / (own + served):.2f} of the processor time")
    finally:
        node.terminate()
        node.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stoa", required=True, help="the program")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--chain", help="a folder that keeps the history")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    folder = os.path.abspath(options.chain) if options.chain else tempfile.mkdtemp(prefix="stoa-sync-")
    stoa = Stoa(os.path.abspath(options.stoa), os.path.join(folder, "market"))
    try:
        if os.path.exists(os.path.join(folder, "made")):
            stoa.on_cluster("up", "--nodes", "1")
            stoa.on_cluster("stop", "1")
        else:
            make_market(stoa, options.events)
            Path(folder, "made").touch()
        for _ in range(options.turns):
            measure(stoa, folder)
    except NotHeld as reason:
        say(f"\nDoes not hold: {reason}\nEverything is in {folder}.")
        return 1
    finally:
        if os.path.exists(os.path.join(stoa.cluster, "cluster.json")):
            stoa.on_cluster("down")
    if not options.chain:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
