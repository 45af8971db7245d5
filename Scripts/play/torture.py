"""Trades between three nodes while their processes and the chain's are killed again and again.

torture.py --stoa PROGRAM [--kills N] [SEED…]; without a seed it chooses one and prints it. Exit code 0 if, for every
seed, nothing acknowledged is lost, nothing is done twice, and every wei is where it belongs.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
import traceback

from caller import Caller
from chaintime import ChainTime
from killer import Killer
from market import Chain, NotHeld, Stoa, hold, say, step
from trades import KINDS

ETHER = 10**18
START = 100 * ETHER
# Whole units of the test token, which has six decimals.
UNITS = 100_000
# What a step before a move calls: a token's approve(address,uint256), the item's allow_minter(address,bool).
BEFORE = {"0x095ea7b3": "approve", "0xcf227005": "allow_minter"}
# withdraw(address,uint256,address)
WITHDRAW = "0x69328dec"


class Torture:
    # Whether a seller lists several things at once, and so may let a contract mint more than once.
    at_once = False

    def __init__(self, stoa, seed, kills):
        self.stoa, self.seed, self.kills = stoa, seed, kills
        self.trades = []
        self.failures = []
        self.calm = threading.Event()

    def everything(self):
        step(f"Seed {self.seed}: a chain and three nodes")
        self.bring_up()
        step(f"Trades go on while processes are killed {self.kills} times")
        killer = Killer(self.stoa, random.Random(self.seed), self.kills)
        for person in self.people:
            person.tell = killer.heard
        self.time = ChainTime(self.chain, len(self.people))
        circle = [self.people[first:] + self.people[:first] for first in range(len(self.people))]
        threads = [threading.Thread(target=self.keep_trading, args=(people,)) for people in circle]
        for thread in [killer, *threads]:
            thread.start()
        killer.join()
        self.calm.set()
        for thread in threads:
            thread.join()
        for reason in [killer.failure, *self.failures]:
            if reason:
                traceback.print_exception(reason)
                raise NotHeld(f"seed {self.seed}: {reason}")
        step(f"All is up; {len(self.trades)} trades have ended")
        self.check()

    def bring_up(self):
        self.stoa.on_cluster("up", "--nodes", "3", "--test-token")
        report = self.stoa.report()
        self.nodes = report["members"]
        self.chain = Chain(report["endpoint"])
        self.open_accounts()
        units = self.people[0].get("wallet")["currencies"]
        self.currencies = [unit["currency"] for unit in units]
        hold("the market takes ether and a token", len(units) == 2 and units[0]["currency"] == "native", units)

    def check(self):
        self.check_money()
        self.check_nodes()
        self.check_chats()

    def open_accounts(self):
        password = os.urandom(12).hex()
        self.people = [Caller(n, node, password) for n, node in zip(["ana", "bo", "cy"], self.nodes)]
        for person, second in zip(self.people, self.nodes[1:] + self.nodes[:1]):
            person.create()
            self.stoa.on_cluster("fund", person.address, "--ether", str(START // ETHER), "--tokens", str(UNITS))
            person.sign_in()
            person.ask("POST", "homes", {"address": second["address"]})

    def keep_trading(self, people):
        """Lets the first of `people` sell until the killing ends; completes the last trade."""
        name = people[0].name
        chance = random.Random(f"{self.seed} {name}")
        number = 0
        try:
            while not self.calm.is_set() and not self.failures:
                number += 1
                currency = chance.choice(self.currencies)
                trade = chance.choice(KINDS)(people, f"thing {number} of {name}", chance, self.time, currency)
                self.trades.append(trade)
                trade.play()
                say(f"   {trade.title} by {trade.kind} {self.called(currency)}: {trade.ending}")
                self.time.rest()
        except Exception as reason:
            self.failures.append(reason)
        finally:
            self.time.leave()

    @staticmethod
    def called(currency):
        return "in ether" if currency == "native" else "in a token"

    def check_money(self):
        for person in self.people:
            person.collect()
            states = [person.get(f"operations/{o}")["state"] for o in person.operations]
            hold(f"each of {person.name}'s {len(states)} operations is done", set(states) == {"done"}, states)
        sent = self.chain.transactions()
        for person in self.people:
            self.check_person(person, sent.get(person.address.lower(), []))
        left = {}
        for trade in self.trades:
            contract = self.people[0].get(f"sales/{trade.sale}")["contract"]
            place = (contract, trade.currency)
            left[place] = left.get(place, 0) + trade.gains()[1]
        for (contract, currency), amount in left.items():
            held = self.chain.held(currency, contract)
            hold(f"contract {contract} holds the platform's {amount} {self.called(currency)} and no more",
                 held == amount, held)

    def check_person(self, person, mine):
        """Compares an account's transactions with its operations, and what it has with what it should have."""
        hold(f"none of {person.name}'s {len(mine)} transactions failed", all(sent.ok for sent in mine))
        nonce = int(self.chain.call("eth_getTransactionCount", person.address, "pending"), 16)
        hold("and none waits", nonce == len(mine), nonce)
        # A move has one transaction, beside those that allow it; a collection has one for each credit.
        moves = [sent.called for sent in mine if sent.called not in {*BEFORE, WITHDRAW}]
        wanted = len(person.operations) - person.collections
        hold(f"{wanted} of them are moves, once each", len(moves) == wanted, len(moves))
        allowed = sum(BEFORE.get(sent.called) == "allow_minter" for sent in mine)
        kinds = {t.kind for t in self.trades if t.seller is person and t.kind != "enrolment"}
        hold(f"{allowed} let a contract mint, once for each of {len(kinds)} kinds of goods",
             allowed == len(kinds) or self.at_once and allowed > len(kinds), kinds)
        drawn = sum(sent.called == WITHDRAW for sent in mine)
        hold(f"{drawn} are withdrawals of {person.collections} collections", drawn >= person.collections)
        fees = sum(sent.fee for sent in mine)
        for currency in self.currencies:
            gained = sum(t.gains()[0].get(person, 0) for t in self.trades if t.currency == currency)
            due = START - fees + gained if currency == "native" else UNITS * 10**6 + gained
            held = self.chain.held(currency, person.address)
            hold(f"{person.name} has {due} {self.called(currency)}", held == due, held)

    def check_nodes(self):
        for trade in self.trades:
            for person in self.people:
                person.wait("all reviews are here", lambda p=person, t=trade: self.reviews(p, t) == t.reviews)
            sales = [self.facts(person, trade) for person in self.people]
            hold(f"{trade.title}: all nodes see the sale {sales[0]['phase']}, and its "
                 f"{len(trade.reviews)} reviews once", sales[0] == sales[1] == sales[2], sales)
        wanted = {t.listing for t in self.trades if t.ending != "withdraw"}
        for person in self.people:
            person.wait("all listings are here", lambda p=person: self.listings(p) == wanted)
        hold(f"all nodes show the {len(wanted)} listings", True)

    @staticmethod
    def reviews(person, trade):
        found = person.get(f"reviews?sale={trade.sale}")["items"]
        assert len(found) == len({r["author"] for r in found}), found
        return {r["author"].lower(): r["text"] for r in found}

    @staticmethod
    def facts(person, trade):
        sale = person.get(f"sales/{trade.sale}")
        facts = {k: sale[k] for k in ("phase", "seller", "buyer", "item", "price", "payouts") if k in sale}
        if "course" in sale:
            facts["raters"] = [(r["phase"], r["enrolled"], r["raters"]) for r in sale["course"]["rounds"]]
        return facts

    @staticmethod
    def listings(person):
        return {item["id"] for item in person.all("listings?over=true")}

    def check_chats(self):
        count = 0
        for trade in self.trades:
            if not trade.talk:
                continue
            pairs = ((trade.buyer, trade.seller), (trade.seller, trade.buyer))
            for writer, reader in pairs:
                sent = trade.sent[writer.name]
                writer.wait(f"{writer.name}'s messages have arrived", lambda w=writer, t=trade: self.delivered(w, t))
                own = [text for is_own, text, _ in writer.texts(trade.talk) if is_own]
                got = [text for is_own, text, _ in reader.texts(trade.talk) if not is_own]
                if own != sent or sorted(got) != sorted(sent):
                    raise NotHeld(f"{trade.title}: {writer.name} wrote {sent}, has {own}; {reader.name} has {got}")
                count += len(sent)
        hold(f"{count} messages were written, and each is there once", True)

    @staticmethod
    def delivered(writer, trade):
        return all(state in ("delivered", "read") for own, _, state in writer.texts(trade.talk) if own)


def main(play=Torture, description=__doc__, amount=("--kills", 20, "how many processes to kill")):
    """Runs a play for each seed; its option says how large it is."""
    option, standard, meaning = amount
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--stoa", required=True, help="the program")
    parser.add_argument(option, dest="amount", type=int, default=standard, help=meaning)
    parser.add_argument("seeds", nargs="*", type=int, metavar="SEED")
    options = parser.parse_args()
    for seed in options.seeds or [random.SystemRandom().randrange(2**32)]:
        folder = tempfile.mkdtemp(prefix="stoa-torture-")
        stoa = Stoa(os.path.abspath(options.stoa), folder)
        try:
            play(stoa, seed, options.amount).everything()
        except NotHeld as reason:
            say(f"\nDoes not hold: {reason}\nThe seed is {seed}; the logs are in {folder}.")
            stoa.on_cluster("down")
            return 1
        stoa.on_cluster("down")
        shutil.rmtree(folder)
        say(f"\nSeed {seed}: nothing was lost, and nothing done twice.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
