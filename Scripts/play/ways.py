"""The second scene of the play: an auction, the same token resold directly, and a course with three raters."""

from datetime import datetime, timezone

from market import NotHeld, Person, hold, listed, step, until

ETHER = 10**18
DAY = 86_400


class Ways:
    """The other ways to sell, between the people of the first scene and Eve, who bids too."""

    def __init__(self, play):
        self.play = play
        self.ana, self.bo = play.ana, play.bo

    def everything(self):
        self.open_accounts()
        self.auction()
        self.resell()
        self.course()

    def open_accounts(self):
        step("Eve (node 3) and Flo (node 2) open accounts")
        play = self.play
        self.eve = Person(play.stoa, "eve", play.nodes[2], play.password)
        self.flo = Person(play.stoa, "flo", play.nodes[1], play.password)
        for person in (self.eve, self.flo):
            person.create()
            play.stoa.on_cluster("fund", person.address, "--ether", "10")
            person.sign_in()
            until(f"{person.name} has 10 ETH", lambda p=person: p.balance() == 10 * ETHER)

    def auction(self):
        step("Ana auctions a print for three days from 0.1 ETH; an own bid and a low one are refused")
        listing, self.auctioned = self.list(
            self.ana, "--payment", "auction", "--duration", "3d", "--price", "0.1", phase="ready"
        )
        self.ana.run("sale", "bid", listing, "0.2", "--yes", code=10)
        self.bo.run("sale", "bid", listing, "0.05", "--yes", code=10)
        self.bo.run("sale", "buy", listing, "--price", "0.1", "--yes", code=10)
        step("Bo bids 0.1 ETH; Eve bids 0.2, and Bo is credited his bid at once")
        self.bo.run("sale", "bid", listing, "0.1", "--yes")
        until("Eve's node shows Bo's bid", lambda: self.highest(self.eve) == ETHER // 10)
        self.eve.run("sale", "bid", listing, "0.104", "--yes", code=10)
        before = self.bo.credit()
        self.eve.run("sale", "bid", listing, "0.2", "--yes")
        until("Bo can collect 0.1 ETH", lambda: self.bo.credit() - before == ETHER // 10)
        self.bo.run("sale", "show", self.auctioned)
        self.bo.run("wallet", "collect", "--yes")
        until("Bo has collected it", lambda: self.bo.credit() == 0)
        self.ana.run("sale", "end", self.auctioned, "--yes", code=10)
        step("Three days later Ana's node ends the auction; Eve has the token, and Ana the bid less the fees")
        due = self.ana.credit()
        self.play.chain.call("evm_increaseTime", 3 * DAY)
        until("the bidding is over", lambda: not self.shown(self.bo, self.auctioned)["auction"]["isOpen"])
        self.play.all_nodes_see("sold", self.auctioned)
        sold = self.shown(self.ana, self.auctioned)
        hold("Ana's node made the move", sold["history"][-1]["by"] == self.ana.address, sold["history"])
        hold("Eve is the buyer", sold["buyer"] == self.eve.address, sold["buyer"])
        parts = [int(part["amount"]) for part in sold["payouts"]]
        hold("the payouts add up to the bid", sum(parts) == ETHER // 5, parts)
        until(
            "Ana, who made the token too, can collect all but the platform's 2 %",
            lambda: self.ana.credit() - due == ETHER // 5 * 98 // 100,
        )
        self.eve.run("review", "write", self.auctioned, "A fine print.", "--stars", "5", "--yes")

    def resell(self):
        step("Ana cannot sell the token any more; Eve offers it directly for 0.5 ETH")
        token = self.shown(self.eve, self.auctioned)["item"]
        again = ["--payment", "direct", "--item", token, "--price", "0.5"]
        self.list(self.ana, *again, code=10)
        self.list(self.eve, *again, identifier="another print", code=10)
        listing, sale = self.list(self.eve, *again, phase="ready")
        hold("it is the same token", self.shown(self.eve, sale)["item"] == token)
        step("Bo buys it; Ana, who made it, gets her royalty")
        due = self.ana.credit()
        self.bo.run("course", "enrol", listing, "--round", "0", "--price", "0.5", "--yes", code=10)
        self.bo.run("sale", "buy", sale, "--yes")
        self.play.all_nodes_see("sold", sale)
        self.bo.run("sale", "show", sale)
        parts = {part["role"]: int(part["amount"]) for part in self.shown(self.bo, sale)["payouts"]}
        hold("seller 96 %, platform and maker 2 % each", parts == {
            "seller": ETHER // 2 * 96 // 100, "platform": ETHER // 100, "maker": ETHER // 100,
        }, parts)
        until("Ana can collect the royalty", lambda: self.ana.credit() - due == ETHER // 100)
        until("Eve can collect the price", lambda: self.eve.credit() == ETHER // 2 * 96 // 100)
        self.eve.run("wallet", "collect", "--yes")
        self.bo.run("item", "show", token)
        items = self.bo.ask("item", "show", "--identifier", "Print 7 of 20")
        hold("the print's history has both sales, and Bo as its owner", [
            (item["token"], item["owner"], [sale["kind"] for sale in item["sales"]]) for item in items
        ] == [(token, self.bo.address, ["auction", "direct"])], items)

    def course(self):
        step("Ana offers a course of five seats at 0.1 ETH; Bo, Eve and Flo enrol, each once")
        now = int(self.play.chain.call("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
        text = self.ana.run(
            "course", "create", "Linocut in two days", "--price", "0.1", "--seats", "5",
            "--starts", clock(now + 2 * DAY), "--ends", clock(now + 4 * DAY), "--tag", "print",
            "--description", "Two days, ten prints.", "--yes",
        )
        listing = listed(text)
        course = self.ana.ask("listing", "show", listing)["anchor"]["sale"]
        self.play.all_nodes_see("open", course)
        for person in (self.bo, self.eve, self.flo):
            until(f"{person.name} sees the listing", lambda p=person: p.ask("listing", "show", listing))
        self.ana.run("course", "enrol", listing, "--round", "0", "--price", "0.1", "--yes", code=10)
        for person in (self.bo, self.eve, self.flo):
            person.run("course", "enrol", listing, "--round", "0", "--price", "0.1", "--yes")
        self.bo.run("course", "enrol", listing, "--round", "0", "--price", "0.1", "--yes", code=10)
        step("It begins, and all three rate it")
        self.ana.run("course", "begin", course, "--yes", code=10)
        self.play.chain.call("evm_increaseTime", 2 * DAY)
        until("nobody can enrol any more", lambda: "begin" in self.moves(self.ana, course))
        self.ana.run("course", "begin", course, "--yes")
        self.play.all_nodes_see("begun", course)
        for person, points in ((self.bo, 80), (self.eve, 90), (self.flo, 100)):
            marks = ("preparation", "content", "delivery", "communication", "overall")
            person.run("course", "evaluate", course, *sum(([f"--{m}", str(points)] for m in marks), []), "--yes")
        until("Ana sees an average of 90", lambda: self.shown(self.ana, course)["course"].get("average") == 90)
        until("it is final", lambda: (self.bo.ask("review", "list", "--sale", course) or {}).get("items") == [] and (
            self.shown(self.bo, course)["course"]["raters"] == 3))
        self.bo.run("review", "write", course, "Ten good prints.", "--stars", "5", "--yes")
        self.ana.run("course", "settle", course, "--yes", code=10)
        step("Sixteen days later Ana's node settles it: she gets 90 % and a tenth of the rest")
        due = self.ana.credit()
        self.play.chain.call("evm_increaseTime", 17 * DAY)
        self.play.all_nodes_see("settled", course)
        self.ana.run("sale", "show", course)
        until("Ana can collect 0.273 ETH", lambda: self.ana.credit() - due == 273 * ETHER // 1000)
        self.ana.run("wallet", "collect", "--yes")

    def moves(self, person, sale):
        return [action["move"] for action in self.shown(person, sale)["actions"]]

    def list(self, person, *options, identifier="print 7 of 20", phase=None, code=0):
        """Lists the print, and waits until every node shows its sale in `phase`."""
        text = person.run(
            "listing", "create", "A signed print", "--category", "art", "--tag", "print", "--identifier",
            identifier, "--description", "Linocut.", "--delivery", "pickup", "--pickup-place", "The old bridge",
            *options, "--yes", code=code,
        )
        if code:
            return None
        listing = listed(text)
        sale = person.ask("listing", "show", listing)["anchor"]["sale"]
        self.play.all_nodes_see(phase, sale)
        for node in self.play.nodes:
            until(f"node {node['number']} shows the listing", lambda n=node: self.play.stoa.ask(
                "listing", "show", listing, "--data", n["data"]))
        return listing, sale

    def shown(self, person, sale):
        found = person.ask("sale", "show", sale)
        if found is None:
            raise NotHeld(f"{person.name}'s node does not show sale {sale}")
        return found

    def highest(self, person):
        bid = self.shown(person, self.auctioned)["auction"].get("highestBid")
        return bid and int(bid["amount"])


def clock(seconds):
    """Formats a time since 1970 as the command takes it."""
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%d %H:%M")
