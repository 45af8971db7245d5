"""Trades of every kind between three people, each from its listing to the collected money."""


class Trade:
    """One listing from its creation to its reviews, with a chat; a subclass knows its kind of sale."""

    # What the listing of this kind says besides the price and the words.
    extra = {}
    # Endings after which nobody may write a review.
    unrated = ("decline",)

    def __init__(self, people, title, chance, time, currency="native", talks=True):
        """Begins a trade of the first of `people` with the second; the third joins if the kind allows it."""
        self.seller, self.buyer, self.third = people
        self.title, self.chance, self.time = title, chance, time
        self.currency, self.talks = currency, talks
        self.price = chance.randrange(10**15, 10**16) if currency == "native" else chance.randrange(10**6, 10**8)
        self.ending = chance.choice(list(self.endings))
        self.reviews = {}
        self.sent = {self.seller.name: [], self.buyer.name: []}
        self.talk = None

    def play(self):
        listed = self.seller.do("POST", "listings", self.offer())
        self.listing = listed["subject"]
        self.sale = self.seller.get(f"listings/{self.listing}")["anchor"]["sale"]
        if self.ending == "withdraw":
            self.seller.do("DELETE", f"listings/{self.listing}")
            return
        if self.talks:
            self.chat()
        getattr(self, self.ending)()
        for person in self.parties():
            person.sees(self.sale, self.endings[self.ending])
        for person in [] if self.ending in self.unrated else self.raters():
            text = f"{person.name} traded: {self.title}"
            person.ask("POST", "reviews", {"sale": self.sale, "stars": 5, "text": text})
            self.reviews[person.address.lower()] = text
        for person in self.parties():
            person.collect()

    def chat(self):
        self.talk = self.buyer.ask(
            "POST", "conversations", {"with": self.seller.address, "listing": self.listing}
        )["id"]
        self.write(self.buyer, f"Is the {self.title} still there?")
        self.write(self.seller, f"The {self.title} is there.")

    def offer(self):
        return {
            "type": "goods", "title": self.title, "description": "As it is.", "category": "things", "tags": ["thing"],
            "price": {"amount": str(self.price), "currency": self.currency}, "payment": self.kind,
            "identifier": self.title, "delivery": "pickup", "pickupPlace": "The old bridge", "shipsTo": [],
            **self.extra,
        }

    def parties(self):
        return [self.buyer, self.seller]

    def raters(self):
        return self.parties()

    def buy(self, person, **more):
        person.sees(self.sale, self.first)
        person.do("POST", "sales", {"listing": self.listing, **more})

    def write(self, person, text):
        person.write(self.talk, text)
        self.sent[person.name].append(text)


class EscrowTrade(Trade):
    """A trade by escrow, to any end that needs no other people and no time."""

    kind = "escrow"
    # The phase of a sale that nobody has bought.
    first = "listed"
    # What the buyer and the seller do in the end, and the phase after it.
    endings = {"confirm": "complete", "decline": "declined", "refund": "refunded", "settle": "settled",
               "withdraw": "aborted"}

    def confirm(self):
        self.pay()
        self.seller.move(self.sale, "transfer")
        self.buyer.sees(self.sale, "transferred")
        self.buyer.move(self.sale, "confirm")

    def decline(self):
        self.pay()
        self.seller.move(self.sale, "decline")

    def refund(self):
        self.pay()
        self.seller.move(self.sale, "transfer")
        self.seller.sees(self.sale, "transferred")
        self.seller.move(self.sale, "refund")

    def settle(self):
        self.pay()
        self.share = self.chance.randrange(10_001)
        self.seller.move(self.sale, "propose", share=self.share)
        self.buyer.wait("the proposal is seen", lambda: self.offered())
        self.buyer.move(self.sale, "agree", share=self.share)

    def pay(self):
        self.buy(self.buyer)
        self.seller.sees(self.sale, "paid")

    def offered(self):
        """Returns whether the buyer can agree to the seller's proposal, which is final."""
        shown = self.buyer.get(f"sales/{self.sale}")
        final = shown["confirmations"] >= shown["confirmationsNeeded"]
        return final and any(a["move"] == "agree" and a["share"] == self.share for a in shown["actions"])

    def gains(self):
        """Returns the gains of each person and the platform's, in wei. Source: Docs/contracts.md, section 5."""
        if self.ending in ("withdraw", "decline"):
            return {}, 0
        if self.ending == "refund":
            late = self.price * 2 // 100
            return {self.seller: -late, self.buyer: late}, 0
        share = self.share if self.ending == "settle" else 10_000
        return paid(self.seller, self.buyer, self.price * share // 10_000)


class DirectTrade(Trade):
    """A trade in which one transaction pays the seller and gives the buyer the token."""

    kind = "direct"
    first = "ready"
    endings = {"pay": "sold", "withdraw": "aborted"}

    def pay(self):
        self.buy(self.buyer)

    def gains(self):
        """As in an escrow, without deposits. Source: Docs/contracts.md, section 11."""
        return ({}, 0) if self.ending == "withdraw" else paid(self.seller, self.buyer, self.price)


class AuctionTrade(Trade):
    """An auction of an hour, with no bid, one, or the third person's over the buyer's."""

    kind = "auction"
    first = "ready"
    endings = {"win": "sold", "outbid": "sold", "unsold": "unsold", "withdraw": "aborted"}
    extra = {"auction": {"durationSeconds": 3600}}
    unrated = ("unsold",)

    def win(self):
        self.buy(self.buyer, bid=str(self.price))
        self.winner, self.paid = self.buyer, self.price
        self.end()

    def outbid(self):
        self.buy(self.buyer, bid=str(self.price))
        self.third.wait("the bid is seen", lambda: "highestBid" in self.third.get(f"sales/{self.sale}")["auction"])
        self.winner, self.paid = self.third, self.price * 2
        self.third.do("POST", "sales", {"listing": self.listing, "bid": str(self.paid)})
        self.end()

    def unsold(self):
        self.seller.sees(self.sale, "ready")
        self.end()

    def end(self):
        self.time.pass_until(self.time.now() + 3600)
        self.seller.made(self.sale, "end")

    def parties(self):
        return [self.buyer, self.seller] + ([self.third] if self.ending == "outbid" else [])

    def raters(self):
        return [self.winner, self.seller]

    def gains(self):
        """Returns the gains of each person and the platform's, in wei. Source: Docs/contracts.md, section 10."""
        return ({}, 0) if self.ending in ("withdraw", "unsold") else paid(self.seller, self.winner, self.paid)


class CourseTrade(Trade):
    """A course with two students, which is given and rated, or cancelled and refunded."""

    kind = "enrolment"
    first = "open"
    endings = {"give": "settled", "cancel": "cancelled"}
    unrated = ("cancel",)

    def offer(self):
        self.starts = self.time.now() + 3600
        self.ends = self.starts + 3600
        terms = {"seats": 2, "startsAt": self.starts, "endsAt": self.ends, "ratingSeconds": 86_400}
        offer = super().offer()
        del offer["pickupPlace"]
        return {**offer, "type": "course", "category": "course", "identifier": "", "delivery": "online",
                "course": terms}

    def enrol(self):
        for student in self.students:
            self.buy(student, round=0)

    def cancel(self):
        self.enrol()
        self.seller.can(self.sale, "cancel")
        self.seller.move(self.sale, "cancel")
        for student in self.students:
            student.made(self.sale, "refund")

    def give(self):
        self.enrol()
        self.time.pass_until(self.starts)
        self.seller.can(self.sale, "begin")
        self.seller.move(self.sale, "begin")
        for student in self.students:
            student.can(self.sale, "evaluate")
            points = [self.chance.randrange(101) for _ in range(5)]
            student.move(self.sale, "evaluate", points=points, round=0)
        self.time.pass_until(self.ends + 86_400)
        self.seller.made(self.sale, "settle")

    @property
    def students(self):
        return [self.buyer, self.third]

    def parties(self):
        return [self.seller, *self.students]

    def raters(self):
        return self.students

    def gains(self):
        """Two ratings are too few for the teacher's part of the pool. Source: Docs/contracts.md, section 12."""
        if self.ending == "cancel":
            return {}, 0
        pool = 2 * self.price // 10
        return {self.seller: 2 * self.price - pool, self.buyer: -self.price, self.third: -self.price}, pool


KINDS = [EscrowTrade, DirectTrade, AuctionTrade, CourseTrade]


def paid(seller, buyer, price):
    """Returns the gains after a payment of which the platform gets 2 %; the seller is the maker too."""
    fee = price * 200 // 10_000
    return {seller: price - fee, buyer: -price}, fee
