"""The rules of direct sales once more, in Python, written from Docs/contracts.md and not from the contract."""

from dataclasses import dataclass, replace

from kinds_model import DAY, NATIVE, Offer, SaleContract

READY, SOLD, ABORTED = (1 << n for n in range(3))
OPEN = (READY,)


@dataclass(frozen=True)
class Terms:
    """What is asked for a thing, in the contract's order."""

    currency: str
    price: int
    offer_until: int
    # The only account that can pay; the zero address is anyone.
    buyer: str = NATIVE

    @staticmethod
    def usual(now: int, price: int = 10**18, **changes) -> "Terms":
        """The defaults a client offers."""
        return replace(Terms(NATIVE, price, now + 30 * DAY), **changes)


@dataclass
class Sale:
    """A direct sale as the contract shows it, and the offer it came from."""

    offer: Offer
    status: int
    token: int
    buyer: str = NATIVE

    def held(self) -> int:
        """Nothing: the payment is divided in the call that makes it."""
        return 0

    def deadline(self) -> int:
        return self.offer.terms.offer_until

    def shown(self) -> dict:
        """What `sale(id)` answers."""
        return {
            "status": self.status, "buyer": self.buyer, "token": self.token,
            "offer_until": self.offer.terms.offer_until,
        }


class DirectSales(SaleContract):
    """All sales of one contract of direct sales."""

    OPEN, FINAL = OPEN, {SOLD, ABORTED}
    MOVES = ("abort", "pay")

    def list(self, sender: str, now: int, value: int, id: bytes, offer: Offer) -> None:
        t, check = offer.terms, self.refuse_unless
        check(id not in self.sales, "sale is listed already")
        self.check_listing(sender, offer, t.price)
        check(t.offer_until > now, "the offer has ended")
        check(t.offer_until <= now + 365 * DAY, "offer longer than 365 days")
        self.sales[id] = Sale(offer, READY, self.take_token(offer))

    def pay(self, sender: str, now: int, value: int, id: bytes) -> None:
        s = self.ready(id)
        t = s.offer.terms
        self.refuse_unless(sender != s.offer.seller, "the seller cannot pay")
        self.refuse_unless(t.buyer in (NATIVE, sender), "only the named buyer")
        self.refuse_unless(now < t.offer_until, "the offer has ended")
        self.check_value(t.currency, value, t.price)
        self.close(s, t.price, sender)
        s.status, s.buyer = SOLD, sender

    def abort(self, sender: str, now: int, value: int, id: bytes) -> None:
        s = self.ready(id)
        may = sender == s.offer.seller or now >= s.offer.terms.offer_until
        self.refuse_unless(may, "only the seller")
        self.close(s, 0, s.offer.seller)
        s.status = ABORTED

    def ready(self, id: bytes) -> Sale:
        """A sale that has not ended."""
        s = self.sales.get(id)
        self.refuse_unless(s is not None and s.status == READY, "sale is not ready")
        return s
