"""A small market with things on sale, for the tests of the page."""

import functools
import json
import os
import signal
import struct
import subprocess
import uuid
import zlib
from concurrent.futures import ThreadPoolExecutor

from caller import Caller
from eth_account import Account
from market import Chain, Stoa, until

BASE = {"type": "goods", "tags": ["used"], "payment": "escrow", "delivery": "shipping", "shipsTo": ["DE", "KR"]}
ETHER = 10**18
HOUR = 3600
DAY = 24 * HOUR


class Seeds:
    """A cluster of two nodes: Ana sells on the first, Bo buys there, Minsu sells on the second."""

    PASSWORD = "correct horse"

    def __init__(self, program, folder):
        self.stoa = Stoa(program, f"{folder}/market")
        self.nodes = []
        self.people = {}
        self.listings = {}
        # Sales by the titles of their listings.
        self.sales = {}
        # The chain itself, such as to let time pass on it.
        self.chain = None
        # What the nodes were told beside their own settings, and those that run as children of this process.
        self.settings = {}
        self.children = {}

    def __enter__(self):
        self.stoa.on_cluster("up", "--nodes", "2", "--test-token")
        try:
            report = self.stoa.report()
            self.nodes = report["members"]
            self.chain = Chain(report["endpoint"])
            for name, node in (("ana", 0), ("bo", 0), ("minsu", 1)):
                self.people[name] = Caller(name, self.nodes[node], self.PASSWORD)
                self.people[name].create()
            # Minsu reads the reports of both nodes.
            self.configure(STOA_REPORTS_ACCOUNT=self.people["minsu"].address)
            for person in self.people.values():
                self.funded(person)
            self.stoa.quietly("cluster", "fund", self.people["bo"].address, "--tokens", "500", "--folder", self.stoa.cluster)
            self.people["ana"].ask("PUT", "profile", {"name": "Ana Kim", "about": "I mend bicycles.", "region": "Berlin"})
            self.sell("ana", "Red bicycle", "sports", ETHER // 2, pictures=2)
            self.sell("ana", "Five novels", "books", ETHER // 80, payment="direct")
            self.sell("minsu", "원목 의자", "home", ETHER // 5, pictures=1)
            self.buy("bo", self.sell("ana", "Old radio", "electronics", ETHER // 50, pictures=1))
            with ThreadPoolExecutor() as pool:
                course = pool.submit(self.course, "ana", "Watercolour in three evenings")
                work = pool.submit(self.work, "ana", "Rain on the roof", b"plip plop")
                for bought in [pool.submit(self.buy, "bo", listing.result()) for listing in (course, work)]:
                    bought.result()
            for title in ("Five novels", "원목 의자"):
                self.people["bo"].ask("PUT", f"cart/{self.listings[title]}", {"quantity": 1})
            self.people["bo"].ask("PUT", f"favourites/{self.listings['원목 의자']}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        subprocess.run([self.stoa.path, "cluster", "down", "--folder", self.stoa.cluster], stdout=subprocess.DEVNULL)

    def configure(self, *numbers, ends=signal.SIGTERM, **settings):
        """Starts the nodes of these numbers again, or all, with more settings; those of this process's environment count too."""
        self.settings |= settings
        environment = os.environ | self.settings | {"SWIFT_BACKTRACE": "enable=no"}
        nodes = [node for node in self.nodes if not numbers or node["number"] in numbers]
        for node in nodes:
            os.kill(node["process"], ends)
        for node in nodes:
            until(f"node {node['number']} has ended", lambda node=node: self.has_ended(node["process"]))
            command = [self.stoa.path, "node", "run", "--data", node["data"]]
            with open(node["log"], "a") as log:
                child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            self.children[child.pid] = child
        self.stoa.on_cluster("up")
        self.nodes = self.stoa.report()["members"]

    def has_ended(self, process):
        child = self.children.get(process)
        return not os.path.exists(f"/proc/{process}") if child is None else child.poll() is not None

    def funded(self, person):
        """Gives an account money, and signs it in."""
        self.stoa.quietly("cluster", "fund", person.address, "--ether", "100", "--folder", self.stoa.cluster)
        person.sign_in()
        person.wait(f"{person.name} has money", lambda: any(int(b["amount"]) for b in person.get("wallet")["balances"]))
        return person

    def guest(self, name):
        """An account of the first node that only some tests need, with money."""
        if name not in self.people:
            self.people[name] = Caller(name, self.nodes[0], self.PASSWORD)
            self.people[name].create()
            self.funded(self.people[name])
        return self.people[name]

    def offer(self, who, listing, price, **more):
        """Offers another price for a listing."""
        self.people[who].ask("POST", f"listings/{listing}/offers", {"price": str(price), **more}, key=uuid.uuid4().hex)

    def sell(self, who, title, category, price, pictures=0, **more):
        """Lists something, and waits until the first node has it on sale; returns its id."""
        person = self.people[who]
        media = [{"id": self.picture(person, number)} for number in range(pictures)]
        content = BASE | {"title": title, "description": f"{title}, as new.", "category": category, "media": media,
                          "price": {"amount": str(price), "currency": "native"}, "identifier": f"serial {len(self.listings)}"} | more
        person.do("POST", "listings", content)
        ana = self.people["ana"]

        def found():
            items = ana.get("listings?limit=100")["items"]
            return next((one["id"] for one in items if one["content"]["title"] == title and one["state"] == "open"), None)

        ana.wait(f"'{title}' is on sale", found)
        self.listings[title] = found()
        return self.listings[title]

    def course(self, who, title, starts=3 * DAY, price=ETHER // 20, seats=5, **more):
        """Lists a course that starts so many seconds from now on the chain; returns its id."""
        start = self.chain_time() + starts
        sessions = [{"title": name, "content": f"{name}: an hour of practice."} for name in ("Water", "Colour", "Light")]
        return self.sell(who, title, "course", price, **{
            "type": "course", "payment": "enrolment", "delivery": "online", "shipsTo": [], "identifier": "",
            "tags": ["art", "weekend"], "curriculum": sessions,
            "course": {"seats": seats, "startsAt": start, "endsAt": start + DAY, "ratingSeconds": DAY}, **more,
        })

    def chain_time(self):
        """The time of the chain, in seconds."""
        return int(self.chain.call("eth_getBlockByNumber", "latest", False)["timestamp"], 16)

    def work(self, who, title, content, name="rain.txt", price=ETHER // 100, payment="direct", **more):
        """Adds a digital work and lists it; returns the id of the listing."""
        work = self.people[who].upload(f"works?name={name}", content)
        return self.sell(who, title, "digital", price, pictures=1, **{
            "type": "digital", "payment": payment, "delivery": "online", "shipsTo": [], "identifier": work["identifier"], **more,
        })

    def buy(self, who, listing):
        """Buys a listing, or a seat in the first round of a course; returns the id of its sale."""
        title = next(title for title, known in self.listings.items() if known == listing)
        person = self.people[who]
        content = person.get(f"listings/{listing}")["content"]
        body = {"listing": listing}
        if content["payment"] == "enrolment":
            body["round"] = 0
        if content["delivery"] == "shipping":
            body |= {"shipTo": "DE", "address": {"text": "Hauptstr. 5, 10115 Berlin"}}
        self.sales[title] = person.do("POST", "sales", body)["subject"]
        return self.sales[title]

    def picture(self, person, number):
        """Uploads a picture of one colour; returns its id."""
        colour = bytes(((40 + 90 * number) % 256, 120, (160 - 60 * number) % 256))
        return person.upload("media", png(120, 90, colour))["id"]

    def external(self, name):
        """An account with money on the first node whose key is in a wallet outside of it, and that key."""
        person, key = Caller(name, self.nodes[0], self.PASSWORD), Account.create()
        given = {"name": name, "address": key.address}
        statement = person.ask("POST", "external-accounts/statement", given)
        signature = Account.sign_typed_data(key.key, full_message=json.loads(statement["typedData"])).signature
        proof = {"password": self.PASSWORD, "validUntil": statement["validUntil"], "signature": "0x" + bytes(signature).hex()}
        person.ask("POST", "external-accounts", given | proof)
        person.address = key.address
        self.people[name] = self.funded(person)
        return person, key

    @functools.cached_property
    def waiting(self):
        """The id of a payment of Young, an external account, that waits for its wallet's signature."""
        young, _ = self.external("young")
        payment = {"to": self.people["ana"].address, "amount": str(ETHER // 1000), "currency": "native"}
        waiting = young.ask("POST", "wallet/send", payment, key=uuid.uuid4().hex)["id"]
        young.wait("the payment waits", lambda: any(one["operation"] == waiting for one in young.get("signatures")))
        return waiting

    @functools.cached_property
    def hiding_list(self):
        """The id of a list by Ana that hides what Minsu offers from its followers."""
        entries = [{"account": self.people["minsu"].address, "reason": "The chairs were not oak."}]
        return self.people["ana"].ask("POST", "curations", {"name": "Not oak", "about": "Wood that is none.", "entries": entries})["id"]

    def page(self, node=0):
        """The address of a node's page."""
        return self.nodes[node]["api"]


def png(width, height, colour, pixels=None):
    """A picture of one colour, or of the bytes that a function gives."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + (colour * width if pixels is None else pixels(3 * width)) for _ in range(height)))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
