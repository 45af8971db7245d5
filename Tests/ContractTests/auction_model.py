"""The auctions' rules once more, in Python, written from Docs/contracts.md and not from the contract."""

from dataclasses import dataclass, replace

from kinds_model import AMOUNT_MAX, BPS, DAY, NATIVE, Offer, SaleContract, require

READY, BID, ABORTED, SOLD, UNSOLD = (1 << n for n in range(5))
OPEN = (READY, BID)
MINUTE = 60


@dataclass(frozen=True)
class Terms:
    """How a thing is auctioned, in the contract's order."""

    currency: str
    duration: int
    starting_bid: int
    min_increment_bps: int
    extension: int

    @staticmethod
    def usual(starting_bid: int = 10**18, **changes) -> "Terms":
        """The defaults a client offers."""
        return replace(Terms(NATIVE, 7 * DAY, starting_bid, 500, 10 * MINUTE), **changes)


@dataclass
class Sale:
    """An auction as the contract shows it, and the offer it came from."""

    offer: Offer
    status: int
    token: int
    ends: int
    last_end: int
    bidder: str = NATIVE
    highest: int = 0

    def held(self) -> int:
        """What the contract holds for it."""
        return self.highest if self.status == BID else 0

    def minimum(self) -> int:
        """The least amount that the next bid may have."""
        if self.status == READY:
            return self.offer.terms.starting_bid
        return self.highest + max(1, self.highest * self.offer.terms.min_increment_bps // BPS)

    def deadline(self) -> int:
        return self.ends

    def shown(self) -> dict:
        """What `sale(id)` answers."""
        return {
            "status": self.status, "bidder": self.bidder, "highest": self.highest,
            "token": self.token, "ends": self.ends, "last_end": self.last_end,
        }


class Auctions(SaleContract):
    """All sales of one auction contract."""

    OPEN, FINAL = OPEN, {ABORTED, SOLD, UNSOLD}
    MOVES = ("abort", "bid", "end")

    def list(self, sender: str, now: int, value: int, id: bytes, offer: Offer) -> None:
        t, check = offer.terms, self.refuse_unless
        check(id not in self.sales, "sale is listed already")
        self.check_listing(sender, offer, t.starting_bid)
        check(100 <= t.min_increment_bps <= 5_000, "increment out of bounds")
        check(MINUTE <= t.extension <= DAY, "extension out of bounds")
        check(t.extension <= t.duration <= 30 * DAY, "duration out of bounds")
        token = self.take_token(offer)
        ends = now + t.duration
        self.sales[id] = Sale(offer, READY, token, ends, ends + 30 * DAY)

    def abort(self, sender: str, now: int, value: int, id: bytes) -> None:
        s = self.open(id)
        self.refuse_unless(sender == s.offer.seller, "only the seller")
        self.refuse_unless(s.status == READY, "there is a bid")
        self.refuse_unless(now < s.ends, "the bidding has ended")
        self.close(s, 0, s.offer.seller)
        s.status = ABORTED

    def bid(
        self, sender: str, now: int, value: int, id: bytes, amount: int, from_credit: int = 0
    ) -> None:
        s, check = self.open(id), self.refuse_unless
        check(sender != s.offer.seller, "the seller cannot bid")
        check(now < s.ends, "the bidding has ended")
        check(amount >= s.minimum(), "bid too low")
        check(amount <= AMOUNT_MAX, "bid too high")
        check(from_credit <= amount, "more credit than the bid")
        currency = s.offer.terms.currency
        # A bidder who raises the own bid may use what it becomes.
        outbid = s.highest if s.status == BID and s.bidder == sender else 0
        has = self.credits.get((currency, sender), 0) + outbid
        require(from_credit <= has, "money: more than the credit")
        if value or from_credit < amount:
            self.check_value(currency, value, amount - from_credit)
        if s.status == BID:
            self.credit(currency, s.bidder, s.highest)
        if from_credit:
            self.credit(currency, sender, -from_credit)
        s.status, s.bidder, s.highest = BID, sender, amount
        if now >= s.ends - s.offer.terms.extension:
            s.ends = min(now + s.offer.terms.extension, s.last_end)

    def end(self, sender: str, now: int, value: int, id: bytes) -> None:
        s = self.open(id)
        self.refuse_unless(now >= s.ends, "the bidding is open")
        sold = s.status == BID
        self.close(s, s.highest, s.bidder if sold else s.offer.seller)
        s.status = SOLD if sold else UNSOLD

    def open(self, id: bytes) -> Sale:
        """An auction that has not ended."""
        s = self.sales.get(id)
        self.refuse_unless(s is not None and s.status in OPEN, "sale is not open")
        return s
