"""A trade between three nodes, played through the command `stoa` as its users would.

main.py --stoa PROGRAM --hostile-peer PROGRAM [--once]; without --once the market keeps running. Exit code 0 if every step succeeded.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time

from following import Following
from market import Chain, NotHeld, Person, Stoa, hold, listed, say, secret_file, step, until
from ways import Ways

ETHER = 10**18


class Play:
    def __init__(self, stoa, hostile_peer):
        self.stoa = stoa
        self.hostile_peer = hostile_peer

    def everything(self):
        self.bring_up()
        self.open_accounts()
        self.list_bicycle()
        self.talk()
        self.trade()
        self.collect()
        self.review()
        self.dispute()
        self.decline()
        Ways(self).everything()
        Following(self).everything()

    def bring_up(self):
        step("A chain and three nodes that find each other from one bootstrap address")
        self.stoa.on_cluster("up", "--nodes", "3")
        report = self.stoa.report()
        self.nodes = report["members"]
        self.chain = Chain(report["endpoint"])
        self.password = secret_file(self.stoa.cluster)

    def open_accounts(self):
        step("Ana (node 1) and Bo (node 2) make accounts; the chain's faucet funds them")
        self.ana = Person(self.stoa, "ana", self.nodes[0], self.password)
        self.bo = Person(self.stoa, "bo", self.nodes[1], self.password)
        for person in (self.ana, self.bo):
            person.create()
            self.stoa.on_cluster("fund", person.address, "--ether", "10")
            person.sign_in()
            until(f"{person.name} has 10 ETH", lambda p=person: p.balance() == 10 * ETHER)
        step("Ana makes node 3 her second home, so that mail waits for her there")
        self.ana.run("home", "add", self.nodes[2]["address"], "--yes")
        hold("Ana has two homes", len(self.ana.ask("home", "list")) == 2)

    def list_bicycle(self):
        step("Ana lists a bicycle for 0.5 ETH")
        text = self.ana.run(
            "listing", "create", "A red bicycle", "--price", "0.5", "--category", "sports", "--tag", "bicycle",
            "--identifier", "frame number WSB 4471", "--description",
            "Steel frame, 21 gears, new tyres.", "--ships-to", "DE",
            "--ships-to", "FR", "--yes",
        )
        self.listing = listed(text)
        step("It reaches nodes 2 and 3 through gossip and is found there")
        for node in self.nodes[1:]:
            until(
                f"node {node['number']} finds it by 'bicycle'",
                lambda n=node: self.listing in [l["id"] for l in self.found(n)],
            )
            self.stoa.run("listing", "search", "bicycle", "--data", node["data"])
        self.sale = self.seen_listing(self.nodes[1])["anchor"]["sale"]
        self.all_nodes_see("listed")
        for node in self.nodes:
            until(
                f"node {node['number']}: the chain carries this very promise",
                lambda n=node: (self.seen_listing(n) or {}).get("isAsPromised") is True,
            )

    def found(self, node):
        page = self.stoa.ask("listing", "search", "bicycle", "--data", node["data"])
        return page["items"] if page else []

    def seen_listing(self, node):
        return self.stoa.ask("listing", "show", self.listing, "--data", node["data"])

    def seen_sale(self, node, sale=None):
        return self.stoa.ask("sale", "show", sale or self.sale, "--data", node["data"])

    def all_nodes_see(self, phase, sale=None):
        """Waits until every node shows the sale in this phase, read through its own RPC connection."""
        for node in self.nodes:
            until(
                f"node {node['number']} sees the sale {phase}, final",
                lambda n=node: self.is_final(self.seen_sale(n, sale), phase),
            )

    def is_final(self, sale, phase):
        return (
            sale is not None and sale["phase"] == phase
            and sale["confirmations"] >= sale["confirmationsNeeded"]
        )

    def talk(self):
        step("Ana's node is stopped; Bo asks a question, which waits at her second home")
        text = self.bo.run("chat", "open", self.ana.address, "--listing", self.listing)
        self.bo_talk = text.split()[1]
        self.stoa.on_cluster("stop", "1")
        self.bo.run("chat", "send", self.bo_talk, "Does it have lights?")
        until("Bo sees: sent, held by 1 home", lambda: self.is_held_once())
        self.bo.run("chat", "show", self.bo_talk)

        step("Bo's node is stopped, Ana's starts; she reads it from her second home")
        self.stoa.on_cluster("stop", "2")
        self.stoa.on_cluster("start", "1")
        self.ana.sign_in()
        until("Ana has the question", lambda: self.ana_reads("Does it have lights?"))
        self.ana.run("chat", "show", self.ana_talk)

        step("Both are up again; she answers, and both see delivered and read")
        self.stoa.on_cluster("start", "2")
        self.bo.sign_in()
        self.ana.run("chat", "send", self.ana_talk, "Yes, front and rear.")
        until("Bo has the answer", lambda: self.message(self.bo, self.bo_talk, "Yes,"))
        until(
            "Ana sees her answer delivered",
            lambda: self.state(self.ana, self.ana_talk, "Yes,") in ("delivered", "read"),
        )
        self.bo.run("chat", "show", self.bo_talk)
        until("Bo sees his question read", lambda: self.is_read(self.bo, self.bo_talk, "Does it"))
        until("Ana sees her answer read", lambda: self.is_read(self.ana, self.ana_talk, "Yes,"))

    def message(self, person, conversation, beginning):
        messages = person.ask("chat", "show", conversation, "--keep-unread") or []
        return next((m for m in messages if m["text"].startswith(beginning)), None)

    def state(self, person, conversation, beginning):
        message = self.message(person, conversation, beginning)
        return message and message["state"]

    def is_read(self, person, conversation, beginning):
        return self.state(person, conversation, beginning) == "read"

    def is_held_once(self):
        message = self.message(self.bo, self.bo_talk, "Does it")
        return message is not None and (message["state"], message["heldBy"]) == ("sent", 1)

    def ana_reads(self, text):
        for box in ("list", "requests"):
            for conversation in (self.ana.ask("chat", box) or {"items": []})["items"]:
                if conversation["with"] == self.bo.address:
                    self.ana_talk = conversation["id"]
                    return self.message(self.ana, self.ana_talk, text) is not None
        return False

    def trade(self):
        step("Bo asks for shipping to a place that Ana does not ship to, and is refused")
        self.bo.run("sale", "buy", self.listing, "--ship-to", "US", "--price", "0.5", "--yes", code=10)
        step("Bo buys; price and deposit go into the escrow")
        self.bo.run("sale", "buy", self.listing, "--ship-to", "DE", "--price", "0.5", "--yes", code=2)
        self.bo.run("sale", "buy", self.sale, "--ship-to", "DE", "--yes")
        self.all_nodes_see("paid")
        step("Ana transfers the item")
        self.ana.run("sale", "transfer", self.sale, "--yes")
        self.all_nodes_see("transferred")
        step("Bo confirms")
        self.bo.run("sale", "confirm", self.sale, "--yes")
        self.all_nodes_see("complete")
        step("All three nodes see the same end, each from its own RPC connection")
        sales = [self.seen_sale(node) for node in self.nodes]
        for node in self.nodes:
            self.stoa.run("sale", "show", self.sale, "--data", node["data"])
        payouts = [sale["payouts"] for sale in sales]
        hold("the payouts are the same on every node", payouts[0] == payouts[1] == payouts[2])
        self.final = sales[0]
        paid_in = sum(paid_into(self.final))
        paid_out = sum(int(p["amount"]) for p in payouts[0])
        hold(f"they add up to price and deposits, {paid_in} wei", paid_in == paid_out, paid_out)

    def collect(self):
        step("Ana and Bo collect their credits from the contract")
        for person in (self.ana, self.bo):
            due = sum(
                int(p["amount"]) for p in self.final["payouts"] if p["account"] == person.address
            )
            until(f"{person.name}'s wallet shows {due} wei ready", lambda p=person: p.credit() == due)
            person.run("wallet", "collect", "--yes")
            person.run("wallet", "balance")
        price, seller, buyer = paid_into(self.final)
        for person, locked in ((self.ana, seller), (self.bo, price + buyer)):
            due = sum(
                int(p["amount"]) for p in self.final["payouts"] if p["account"] == person.address
            )
            wanted = 10 * ETHER - locked + due - self.chain.gas_paid(person.address)
            until(f"{person.name} has {wanted} wei", lambda p=person: p.balance() == wanted)
            on_chain = self.chain.balance(person.address)
            hold("so says the chain", on_chain == wanted, on_chain)
        left = sum(
            int(p["amount"]) for p in self.final["payouts"]
            if p["account"] not in (self.ana.address, self.bo.address)
        )
        held = self.chain.balance(self.final["contract"])
        hold(f"the contract holds {left} wei, the platform's part, and no more", held == left, held)

    def review(self):
        step("Bo reviews Ana; it appears on node 3")
        self.bo.run("review", "write", self.sale, "Just as described.", "--stars", "5", "--yes")
        until("node 3 shows it", lambda: self.reviews(self.nodes[2]) == ["Just as described."])
        self.stoa.run("review", "list", "--sale", self.sale, "--data", self.nodes[2]["data"])
        step("A stranger's review of the same sale is refused by the stranger's own node")
        cy = Person(self.stoa, "cy", self.nodes[2], self.password)
        cy.create()
        cy.sign_in()
        cy.run("review", "write", self.sale, "Never seen it.", "--stars", "1", "--yes", code=10)
        step("A hostile peer publishes such a review to all three, and then a good profile")
        before = self.settled_records()
        self.stoa.run_other(
            self.hostile_peer, "--network", "local", "--chain", str(self.final["chain"]),
            "--contract", self.final["contract"], "--sale", self.sale,
            "--price", self.final["price"]["amount"], *(n["address"] for n in self.nodes),
        )
        for node in self.nodes:
            number = node["number"]
            until(
                f"node {number} has taken the profile and nothing else",
                lambda n=node, k=number: self.records(n) == before[k] + 1,
            )
            reviews = self.reviews(node)
            hold(f"node {number} shows Bo's review alone", reviews == ["Just as described."])

    def dispute(self):
        step("Dee (node 3) registers as an arbiter; a listing that names somebody who has not is refused")
        dee = Person(self.stoa, "dee", self.nodes[2], self.password)
        dee.create()
        self.stoa.on_cluster("fund", dee.address, "--ether", "10")
        dee.sign_in()
        until("dee has 10 ETH", lambda: dee.balance() == 10 * ETHER)
        self.list_lamp("A lamp", dee.address, code=10)
        dee.run("arbiter", "register", "--fee", "0.01", "--yes")
        dee.run("arbiter", "show")
        listing, sale = self.list_lamp("A lamp", dee.address)
        step("Bo buys it, disputes it, and Dee decides for Ana by a quarter")
        self.buy_and_see(listing, sale)
        self.ana.run("sale", "transfer", sale, "--yes")
        self.all_nodes_see("transferred", sale)
        self.bo.run("sale", "dispute", sale, "--yes")
        self.all_nodes_see("disputed", sale)
        self.ana.run("sale", "propose", sale, "--share", "50%", "--for", "7d", "--yes")
        until("dee sees the proposal, final", lambda: self.has_proposal(sale))
        dee.run("sale", "rule", sale, "--share", "25%", "--yes", code=10)
        dee.run("sale", "take", sale, "--yes")
        dee.run("sale", "show", sale)
        dee.run("sale", "rule", sale, "--share", "25%", "--yes")
        self.all_nodes_see("settled", sale)
        parts = {part["role"]: int(part["amount"]) for part in self.seen_sale(self.nodes[0], sale)["payouts"]}
        hold("Dee gets 0.01 ETH", parts["arbiter"] == ETHER // 100, parts)
        until("Dee's wallet shows it", lambda: dee.credit() == ETHER // 100)
        dee.run("wallet", "collect", "--currency", "native", "--amount", "0.01", "--to", self.bo.address, "--yes")
        until("nothing is left to collect", lambda: dee.credit() == 0)

    def decline(self):
        step("Bo buys a second lamp, and Ana declines: both get everything back")
        listing, sale = self.list_lamp("Another lamp")
        self.buy_and_see(listing, sale)
        self.ana.run("sale", "decline", sale, "--yes")
        self.all_nodes_see("declined", sale)
        parts = [int(part["amount"]) for part in self.seen_sale(self.nodes[0], sale)["payouts"]]
        hold("0.5 ETH each", parts == [ETHER // 2, ETHER // 2], parts)

    def list_lamp(self, title, arbiter=None, code=0):
        terms = ["--arbiter", arbiter, "--arbiter-fee", "0.01"] if arbiter else []
        text = self.ana.run(
            "listing", "create", title, "--price", "0.25", "--category", "home", "--tag", "lamp", "--identifier",
            title, "--description", "It shines.", "--ships-to", "DE", *terms, "--yes", code=code,
        )
        if code:
            return None
        listing = listed(text)
        shown = until("node 2 shows it", lambda: self.stoa.ask(
            "listing", "show", listing, "--data", self.nodes[1]["data"]))
        self.all_nodes_see("listed", shown["anchor"]["sale"])
        return listing, shown["anchor"]["sale"]

    def buy_and_see(self, listing, sale):
        self.bo.run("sale", "buy", sale, "--ship-to", "DE", "--yes")
        self.all_nodes_see("paid", sale)

    def has_proposal(self, sale):
        shown = self.seen_sale(self.nodes[2], sale)
        return len(shown["escrow"]["proposals"]) == 1 and self.is_final(shown, "disputed")

    def settled_records(self):
        """Returns how many records each node has, once no more arrive: those of a new account are stamped first."""
        counts = None
        while True:
            now = {node["number"]: self.records(node) for node in self.nodes}
            if now == counts:
                return now
            counts = now
            time.sleep(4)

    def records(self, node):
        return self.stoa.ask("node", "status", "--data", node["data"])["records"]

    def reviews(self, node):
        found = self.stoa.ask("review", "list", "--sale", self.sale, "--data", node["data"])
        return [r["text"] for r in found["items"]] if found else []

    def farewell(self):
        report = self.stoa.report()
        step("The market stays up")
        say(f"   chain   {report['endpoint']}")
        for node in report["members"]:
            say(f"   node {node['number']}  {node['api']}  {node['address']}")
        stoa, data = self.stoa.path, self.nodes[0]["data"]
        say("\n   Try:")
        say(f"   {stoa} cluster status --folder {self.stoa.cluster}")
        say(f"   {stoa} listing search --all bicycle --data {data}")
        say(f"   {stoa} account create you --data {data}")
        say(f"   {stoa} node status --watch --data {data}")
        say(f"   {stoa} cluster down --folder {self.stoa.cluster}")


def paid_into(sale):
    """Returns what is paid into a sale by escrow, in wei: the price, the seller's deposit and the buyer's."""
    terms = sale["escrow"]["terms"]
    return [int(n) for n in (sale["price"]["amount"], terms["sellerDeposit"], terms["buyerDeposit"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stoa", required=True, help="the program")
    parser.add_argument("--hostile-peer", required=True, help="the hostile test peer")
    parser.add_argument("--once", action="store_true", help="stop the market at the end")
    options = parser.parse_args()
    if options.once:
        folder = tempfile.mkdtemp(prefix="stoa-play-")
    else:
        folder = os.path.abspath(".cluster")
        throw_away(Stoa(options.stoa, folder))
        os.makedirs(folder, mode=0o700)
    play = Play(Stoa(os.path.abspath(options.stoa), folder), options.hostile_peer)
    try:
        play.everything()
    except NotHeld as reason:
        say(f"\nDoes not hold: {reason}\nThe nodes' logs are in {folder}.")
        if options.once:
            play.stoa.on_cluster("down")
        return 1
    if options.once:
        play.stoa.on_cluster("down")
        shutil.rmtree(folder)
        say("\nEvery step held.")
    else:
        play.farewell()
    return 0


def throw_away(stoa):
    """Stops and deletes the market of an earlier run; its money is play money."""
    if not os.path.exists(stoa.cluster):
        return
    step(f"The market of the previous run, in {stoa.cluster}, is deleted")
    if os.path.exists(os.path.join(stoa.cluster, "cluster.json")):
        stoa.on_cluster("down")
    shutil.rmtree(stoa.cluster)


if __name__ == "__main__":
    sys.exit(main())
