#!/usr/bin/env python3
"""Plays a trade on a chain that somebody has: deploys a market, and lists, buys, transfers, confirms and
collects on it with the real program; web3.py reads the same contracts beside it.

    any_chain.py --stoa PROGRAM --rpc URL --key FILE [--ether AMOUNT] [--confirmations N]
                 [--tip-floor-gwei TIP] [--market FILE]

FILE of `--key` has the private key that pays, in hexadecimal, and only its owner may read it. Seller and
buyer are new accounts and get AMOUNT each (0.2 by default); what they have left at the end is sent back.
If a step fails, the folder with their keys is kept and named. With `--market` the contracts of an earlier
run are used; without it they are deployed, which takes six transactions of 15 million gas in all.
"""

import argparse
import json
import shutil
import stat
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "Scripts" / "play")]

from eth_account import Account
from web3 import Web3

import market as people
from market import NotHeld, Person, Stoa, listed, say, secret_file, step, until
from sale_views import agree
from token_market import CONTRACTS, ETHER, TokenMarket

SETTINGS = """\
network: interop
listen: ["/ip4/127.0.0.1/tcp/0"]
api:
  port: 0
health:
  port: 0
chain:
  id: {chain}
  rpc: [{endpoints}]
  deployment: "{deployment}"
  confirmations: {confirmations}
  tipFloorGwei: "{tip}"
  staleSeconds: 86400
keystore:
  scryptCost: 4096
"""
# As long as a slow chain may take for a step, with its confirmations.
PATIENCE_SECONDS = 1_800
# The part of what a person gets that is the price: price and deposit are locked together.
PRICE_PARTS = 10


class ChainMarket(TokenMarket):
    """A market on a chain that is there already, and one node."""

    receipt_seconds = PATIENCE_SECONDS

    def __init__(self, options, folder):
        super().__init__(options.stoa, folder)
        self.options = options
        self.each = int(options.ether * ETHER)
        self.least_tip = int(options.tip_floor_gwei * 10**9)

    def up(self):
        path = Path(self.options.key)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise NotHeld(f"{path} can be read by others; run 'chmod 600' on it")
        self.rich = Account.from_key(path.read_text().strip())
        self.web3 = Web3(Web3.HTTPProvider(self.options.rpc[0]))
        self.chain = self.web3.eth.chain_id
        say(f"   chain {self.chain}, paid by {self.rich.address}")
        deployment = self.deployment()
        self.first_block = deployment["item"]["firstBlock"]
        self.item = self.contract("Item", deployment["item"]["address"])
        self.contracts = {
            found["kind"]: self.contract(CONTRACTS[found["kind"]], found["address"])
            for found in deployment["contracts"]}
        self.password = secret_file(str(self.folder))
        self.start_node(self.options.rpc[0])

    def deployment(self):
        path = self.folder / "deployment.json"
        if self.options.market:
            shutil.copy(self.options.market, path)
        else:
            endpoints = [part for url in self.options.rpc for part in ("--rpc", url)]
            self.stoa.run(
                "chain", "deploy", *endpoints, "--chain-id", str(self.chain), "--key-file",
                str(self.options.key), "--output", str(path), "--confirmations",
                str(self.options.confirmations), "--tip-floor-gwei", self.tip_text, "--yes")
        return json.loads(path.read_text())

    def settings(self, endpoint):
        return SETTINGS.format(
            chain=self.chain, endpoints=", ".join(f'"{url}"' for url in self.options.rpc),
            deployment=self.folder / "deployment.json", confirmations=self.options.confirmations,
            tip=self.tip_text)

    @property
    def tip_text(self):
        return f"{self.options.tip_floor_gwei:f}"

    def person(self, name):
        """A new account on the node, signed in, with its part of the money."""
        person = Person(self.stoa, name, {"data": self.data}, self.password)
        person.create()
        self.send(self.rich, None, self.each, to=person.address)
        person.sign_in()
        return person

    def logs(self, kind, event, **indexed):
        return self.contracts[kind].events[event]().get_logs(
            from_block=self.first_block, argument_filters=indexed)


def play(market):
    """One sale from its listing to the collected money."""
    price = Decimal(market.each // PRICE_PARTS) / ETHER
    step("Two people get money")
    seller, buyer = market.person("seller"), market.person("buyer")
    try:
        step("The seller lists")
        text = seller.run(
            "listing", "create", "Bicycle", "--price", f"{price:f}", "--category", "sports", "--tag", "bicycle",
            "--identifier", f"frame {seller.address}", "--description", "Steel.", "--ships-to", "DE",
            "--yes")
        listing = listed(text)
        sale = market.ask("listing", "show", listing)["anchor"]["sale"]
        agree(market, "escrow", sale, "listed")
        step("The buyer buys, the seller transfers, the buyer confirms")
        buyer.run("sale", "buy", sale, "--ship-to", "DE", "--yes")
        agree(market, "escrow", sale, "paid")
        seller.run("sale", "transfer", sale, "--yes")
        agree(market, "escrow", sale, "transferred")
        buyer.run("sale", "confirm", sale, "--yes")
        shown = agree(market, "escrow", sale, "complete")
        step("Both collect their money")
        for person in (seller, buyer):
            owed = sum(int(part["amount"]) for part in shown["payouts"]
                       if part["account"] == person.address)
            held = market.contracts["escrow"].functions.credit(
                "0x" + "00" * 20, person.address).call()
            if held != owed:
                raise NotHeld(f"{person.name} has a credit of {held} wei, not {owed}")
            person.run("wallet", "collect", "--yes")
            until(f"{person.name} has it", lambda p=person: p.credit() == 0)
    finally:
        step("What is left goes back")
        kept = [person for person in (seller, buyer) if not sent_back(market, person)]
    if kept:
        raise NotHeld(f"{kept[0].name} could not send back what is left")


def sent_back(market, person):
    try:
        person.run("wallet", "send", market.rich.address, "MAX", "--yes")
        return True
    except NotHeld as error:
        say(f"   {error}")
        return False


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="Scripts/interop ethereum", description=__doc__.split("\n\n")[0])
    add = parser.add_argument
    add("--stoa", required=True, help="the program")
    add("--rpc", required=True, action="append", help="an endpoint of the chain; can be repeated")
    add("--key", required=True, help="a file (mode 0600) with the key that pays, in hexadecimal")
    add("--ether", type=Decimal, default=Decimal("0.2"), help="what each of two people gets; default 0.2")
    add("--confirmations", type=int, default=2, help="blocks until a step is final; default 2")
    add("--tip-floor-gwei", type=Decimal, default=Decimal(0), help="the least tip, if the chain's pools want more")
    add("--market", help="the deployment file of an earlier run, instead of a new market")
    options = parser.parse_args(arguments)
    people.PATIENCE_SECONDS = PATIENCE_SECONDS
    folder = Path(tempfile.mkdtemp(prefix="stoa-interop-"))
    market = ChainMarket(options, folder)
    try:
        step("A market on the chain")
        market.up()
        play(market)
    except BaseException as error:
        say(f"\nFailed: {error}\nThe keys of the accounts, the market's file and the node's log are in {folder}")
        if not isinstance(error, (NotHeld, AssertionError, OSError, ValueError)):
            raise
        return 1
    finally:
        market.down()
    shutil.rmtree(folder)
    step("The trade is through: every step was seen by the node and by web3.py alike")
    return 0


if __name__ == "__main__":
    sys.exit(main())
