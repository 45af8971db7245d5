"""A market of one node with many things on sale, and an account that has bought many; it is kept in a folder."""

import json
import shutil
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from caller import Caller
from market import Stoa, say

ROOT = Path(__file__).resolve().parents[1]
SELLERS = 25
# Operations that an account begins before it waits for the first of them.
OPEN_MAX = 48
COLOURS = ["red", "blue", "green", "oak", "linen", "copper", "striped", "tall"]
THINGS = ["bicycle", "chair", "lamp", "kettle", "guitar", "atlas", "jacket", "radio", "mirror", "drum"]
CATEGORIES = ["sports", "home", "electronics", "books"]


class FilledMarket:
    """A cluster of one node with things on sale, and Ana, who has bought many."""

    PASSWORD = "correct horse"

    def __init__(self, program, folder, listings, sales):
        self.folder = Path(folder)
        self.stoa = Stoa(program, str(self.folder / "market"))
        self.made = self.folder / "made.json"
        self.counts = [listings, sales]

    def __enter__(self):
        known = json.loads(self.made.read_text()) if self.made.exists() else None
        if known is not None and known["counts"] != self.counts:
            sys.exit(f"page: {self.folder} has a market with {known['counts']} listings and sales; name another folder, or remove it")
        if known is None:
            # Left by a run that did not end.
            shutil.rmtree(self.stoa.cluster, ignore_errors=True)
        self.stoa.on_cluster("up", "--nodes", "1")
        try:
            self.node = self.stoa.report()["members"][0]
            self.sellers = [Caller(f"seller{number}", self.node, self.PASSWORD) for number in range(SELLERS)]
            self.ana = Caller("ana", self.node, self.PASSWORD)
            if known is None:
                self.make()
                known = {"counts": self.counts, "listings": self.listings, "pictures": self.pictures}
                self.made.write_text(json.dumps(known))
            self.listings, self.pictures = known["listings"], known["pictures"]
            for person in [*self.sellers, self.ana]:
                person.sign_in()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        subprocess.run([self.stoa.path, "cluster", "down", "--folder", self.stoa.cluster], stdout=subprocess.DEVNULL)

    def page(self, _=0):
        return self.node["api"]

    def make(self):
        """Makes the accounts, lists everything, and buys what Ana has bought."""
        begun = time.monotonic()
        for person in [*self.sellers, self.ana]:
            person.create()
            self.stoa.quietly("cluster", "fund", person.address, "--ether", "100", "--folder", self.stoa.cluster)
            person.sign_in()
        photo = (ROOT / "Web/page.jpg").read_bytes()
        # A comment makes each another file.
        self.pictures = [
            self.sellers[number % SELLERS].upload("media", photo[:2] + b"\xff\xfe\x00\x03" + bytes([number]) + photo[2:])["id"]
            for number in range(2 * SELLERS)]
        listings, sales = self.counts
        with ThreadPoolExecutor(SELLERS) as pool:
            parts = list(pool.map(self.sell, range(SELLERS), [listings + sales] * SELLERS))
        ids = {number: listing for part in parts for number, listing in part.items()}
        say(f"   {len(ids)} listings after {time.monotonic() - begun:.0f} seconds")
        self.performed(self.ana, ({"listing": ids[number]} for number in range(listings, listings + sales)), "sales")
        self.listings = [ids[number] for number in range(listings)]
        say(f"   and {sales} sales after {time.monotonic() - begun:.0f} seconds")

    def sell(self, seller, count):
        """Lists what a seller has of so many things; returns the ids by their numbers."""
        numbers = range(seller, count, SELLERS)
        return dict(zip(numbers, self.performed(self.sellers[seller], map(self.content, numbers), "listings"), strict=True))

    @staticmethod
    def performed(person, bodies, path):
        """Begins operations, so many at a time as an account may have, and waits for all; returns their subjects."""
        waiting, subjects = [], []
        for body in bodies:
            if len(waiting) >= OPEN_MAX:
                subjects.append(person.done(waiting.pop(0))["subject"])
            waiting.append(person.ask("POST", path, body, key=uuid.uuid4().hex))
        return subjects + [person.done(one)["subject"] for one in waiting]

    def content(self, number, mark=""):
        """What is offered: half with escrow, half paid directly."""
        title = f"{COLOURS[number % 8]} {THINGS[number // 8 % 10]} {number}{mark}"
        return {
            "type": "goods", "title": title.capitalize(),
            "description": " ".join([f"A {title}.", *["It was used with care, and all of it works."] * 6]),
            "category": CATEGORIES[number // 3 % 4], "tags": ["used", THINGS[number // 8 % 10]],
            "price": {"amount": str(10**14 * (10 + number % 990)), "currency": "native"}, "identifier": f"serial {number}",
            "payment": "escrow" if number // SELLERS % 2 else "direct", "delivery": "pickup", "pickupPlace": "Berlin", "shipsTo": [],
            "media": [{"id": self.pictures[number % (2 * SELLERS)]}],
        }

    def edit(self, number, mark):
        """Changes the title of a listing; the node tells every page."""
        seller = self.sellers[number % SELLERS]
        seller.ask("PUT", f"listings/{self.listings[number]}", self.content(number, mark), key=uuid.uuid4().hex)

    def kilobytes(self):
        """The node's anonymous memory."""
        lines = Path(f"/proc/{self.node['process']}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("RssAnon:")).split()[1])
