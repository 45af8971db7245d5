"""The third scene of the play: a digital work, what follows its owner to other nodes, and a recovered account."""

import os
import struct
import zlib

from market import Person, hold, listed, step, until


class Following:
    """Bo buys a song from Ana, and then goes on with his account on other nodes."""

    def __init__(self, play):
        self.play = play
        self.ana, self.bo = play.ana, play.bo
        self.folder = play.stoa.cluster

    def everything(self):
        self.sell_song()
        self.get_song()
        self.save_things()
        self.follow()
        self.recover()

    def sell_song(self):
        step("Ana offers a song: the file stays encrypted on her node, a picture is its preview")
        self.song = os.urandom(300_000)
        song = self.file("song.flac", self.song)
        cover = self.file("cover.png", picture(64, 48))
        text = self.ana.run(
            "listing", "create", "A song", "--price", "0.05", "--description", "Three minutes.",
            "--tag", "music", "--work", song, "--media", cover, "--yes",
        )
        self.listing = listed(text)
        until("Bo's node has the listing", lambda: self.shown() is not None)
        hold("it is a digital work", self.shown()["content"]["type"] == "digital")
        self.sale = self.shown()["anchor"]["sale"]
        self.play.all_nodes_see("listed", self.sale)

    def get_song(self):
        step("Bo buys it; before Ana hands it over, he has no file")
        self.bo.run("sale", "buy", self.sale, "--yes")
        self.play.all_nodes_see("paid", self.sale)
        out = os.path.join(self.folder, "bought.flac")
        self.bo.run("sale", "work", self.sale, "--out", out, code=10)
        step("Ana transfers it; her node sends the key, and Bo's node checks the file")
        self.ana.run("sale", "transfer", self.sale, "--yes")
        until("Bo has the file", lambda: self.bo.ask("sale", "work", self.sale, "--out", out))
        self.bo.run("sale", "work", self.sale, "--out", out, "--force")
        with open(out, "rb") as file:
            hold("it is the song, byte for byte", file.read() == self.song)
        self.bo.run("sale", "confirm", self.sale, "--yes")
        self.play.all_nodes_see("complete", self.sale)

    def save_things(self):
        step("Bo saves favourites, a cart, a search and his address")
        text = self.ana.run(
            "listing", "create", "A blue lamp", "--price", "0.2", "--category", "home", "--tag", "lamp", "--payment", "direct",
            "--identifier", "lamp 77", "--description", "It works.", "--ships-within", "50 km",
            "--around", "Berlin", "--around-point", "52.52,13.405", "--yes",
        )
        self.lamp = listed(text)
        until("Bo's node has the lamp", lambda: self.shown(self.lamp) is not None)
        self.bo.run(
            "sale", "buy", self.lamp, "--ship-to-point", "48.137,11.575", "--price", "0.2", "--yes", code=10
        )
        self.bo.run(
            "account", "address", "set", "--text", "Bo, Main Street 1", "--place", "Berlin, Berlin, DE",
            "--point", "52.5,13.4",
        )
        self.bo.run("favourite", "add", self.lamp)
        self.bo.run("cart", "add", self.lamp)
        self.bo.run("search", "save", "--name", "lamps", "lamp")

    def follow(self):
        step("Bo signs in on node 3 too; what he saved is there, and what he does there comes back")
        there = self.on(self.play.nodes[2], "bo-there")
        until("favourites, cart, search and address have followed him", lambda: self.has_all(there))
        there.run("cart", "remove", self.lamp)
        until("the cart is empty on node 2", lambda: self.bo.ask("cart", "show")["lines"] == [])
        there.run("account", "recovery")

    def recover(self):
        step("A fourth node starts empty; with nothing but the phrase, Bo's account is found")
        self.play.stoa.on_cluster("up", "--nodes", "4")
        node = self.play.stoa.report()["members"][3]
        again = self.on(node, "bo-again")
        until("his profile, sales and vault are found", lambda: self.is_found(again))
        again.run("account", "recovery")
        again.run("favourite", "list")
        hold("his name is the old one", again.ask("account", "recovery")["profile"] == "bo")

    def on(self, node, name):
        """Brings Bo's account to another node."""
        person = Person(self.play.stoa, name, node, self.play.password)
        phrase = self.file("phrase", (self.bo.phrase + "\n").encode())
        self.play.stoa.run(
            "account", "recover", name, *person.place, "--phrase-file", phrase, "--password-file",
            self.play.password,
        )
        os.remove(phrase)
        person.address = self.bo.address
        return person

    def has_all(self, person):
        favourites = person.ask("favourite", "list") or {"items": []}
        cart = person.ask("cart", "show") or {"lines": []}
        searches = person.ask("search", "list") or []
        address = person.ask("account", "address", "show") or {}
        return (
            [f["listing"] for f in favourites["items"]] == [self.lamp]
            and [l["listing"] for l in cart["lines"]] == [self.lamp]
            and [s["name"] for s in searches] == ["lamps"] and address.get("text") == "Bo, Main Street 1"
        )

    def is_found(self, person):
        report = person.ask("account", "recovery")
        return (
            report is not None and not report["isLooking"] and report["profile"] == "bo"
            and report["sales"] > 0 and report["vaultEntries"] >= 3
        )

    def shown(self, listing=None):
        return self.bo.ask("listing", "show", listing or self.listing)

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
        return path


def picture(width, height):
    """Returns a PNG picture of one colour (PNG, third edition: W3C Recommendation, section 5)."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = (b"\0" + b"\x20\x60\xa0" * width) * height
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )
