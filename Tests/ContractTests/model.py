"""The escrow's law once more, in Python, written from Docs/contracts.md and not from the contract.

`Model` keeps sales and credits and refuses what the law refuses, with the contract's words. The
tests make each move on both and compare. Amounts are integers in the smallest unit of a currency,
times in seconds, shares in basis points.
"""

from dataclasses import astuple, dataclass, field, replace

NATIVE = "0x" + "00" * 20
NOBODY = "0x000000000000000000000000000000000000dEaD"
DAY = 86_400
PRICE_MAX = 2**128 - 1

LISTED, PAID, TRANSFERRED, DISPUTED, ABORTED, REFUNDED, COMPLETE, SETTLED = (
    1 << n for n in range(8)
)
OPEN = (PAID, TRANSFERRED, DISPUTED)
EXITS = {
    name: 1 << n
    for n, name in enumerate(
        ["abort", "confirm", "claim", "refund", "settle", "rule", "execute_default"]
    )
}


class Refusal(Exception):
    """The law refuses a move; `text` is the reason the contract must give."""

    def __init__(self, text: str):
        super().__init__(text)
        self.text = text


def require(condition: bool, text: str) -> None:
    if not condition:
        raise Refusal(text)


@dataclass(frozen=True)
class Terms:
    """What the seller offers, in the contract's order."""

    currency: str
    price: int
    seller_deposit: int
    buyer_deposit: int
    late_penalty: int
    arbiter: str
    arbiter_fee: int
    ship_window: int
    confirm_window: int
    ruling_window: int
    offer_until: int

    @staticmethod
    def usual(now: int, price: int = 10**18, **changes) -> "Terms":
        """The defaults a client offers for goods."""
        usual = Terms(
            NATIVE, price, 2 * price, price, price * 2 // 100, NATIVE, 0,
            3 * DAY, 21 * DAY, 14 * DAY, now + 30 * DAY,
        )
        return replace(usual, **changes)

    def abi(self) -> tuple:
        return astuple(self)


@dataclass(frozen=True)
class Payout:
    """Who gets how much of S + v + B."""

    seller: int = 0
    buyer: int = 0
    platform: int = 0
    maker: int = 0
    arbiter: int = 0
    nobody: int = 0


def payout(exit: str, t: Terms, share: int, platform_bps: int, maker_bps: int) -> Payout:
    """The table of payouts, row by row."""
    v, S, B, L, A = t.price, t.seller_deposit, t.buyer_deposit, t.late_penalty, t.arbiter_fee
    if exit == "abort":
        return Payout(seller=S)
    if exit == "refund":
        return Payout(seller=S - L, buyer=B + v + L)
    s = {"confirm": 10_000, "claim": 10_000, "execute_default": 5_000}.get(exit, share)
    p = v * s // 10**4
    f = p * platform_bps // 10**4
    r = p * maker_bps // 10**4
    if exit in ("confirm", "claim"):
        return Payout(S + v - f - r, B, f, r)
    if exit == "settle":
        return Payout(S + p - f - r, B + v - p, f, r)
    if exit == "rule":
        late = L * (10**4 - s) // 10**4
        fee = A * (10**4 - s) // 10**4
        return Payout(S + p - f - r - late - fee, B + v - p + late - (A - fee), f, r, A)
    assert exit == "execute_default"
    F = 3 * v // 4
    return Payout(S + p - f - r - F, B + v - p - F, f, r, 0, 2 * F)


@dataclass
class Sale:
    """A sale as the contract shows it, and what it is worth."""

    status: int
    seller: str
    buyer: str
    token: int
    promise: bytes
    since: int
    terms: Terms
    proposal: tuple = (NATIVE, 0, 0)

    def deadline(self) -> int:
        """The end of the window that runs in this status."""
        t = self.terms
        return {
            LISTED: t.offer_until,
            PAID: self.since + t.ship_window,
            TRANSFERRED: self.since + t.confirm_window,
            DISPUTED: self.since + t.ruling_window,
        }[self.status]

    def held(self) -> int:
        """What the contract holds for it."""
        t = self.terms
        if self.status == LISTED:
            return t.seller_deposit
        return t.seller_deposit + t.price + t.buyer_deposit if self.status in OPEN else 0


@dataclass
class Model:
    """All sales of one escrow, its credits, and whose the tokens are."""

    address: str
    platform: str
    platform_bps: int
    maker_bps: int
    currencies: list[str]
    sales: dict[bytes, Sale] = field(default_factory=dict)
    credits: dict[tuple[str, str], int] = field(default_factory=dict)
    owners: dict[int, str] = field(default_factory=dict)
    makers: dict[int, str] = field(default_factory=dict)
    hashes: dict[int, bytes] = field(default_factory=dict)

    def owed(self, currency: str) -> int:
        """What the contract must hold at least."""
        held = sum(s.held() for s in self.sales.values() if s.terms.currency == currency)
        return held + sum(n for (c, _), n in self.credits.items() if c == currency)

    def list(self, sender, now, value, id, t: Terms, token, content_hash, promise):
        """Everyone here has approved the escrow for all of their tokens."""
        require(id not in self.sales, "escrow: sale is listed already")
        check_terms(t, sender, now, self.currencies)
        require(promise != bytes(32), "escrow: promise is zero")
        if token == 0:
            require(content_hash != bytes(32), "item: content hash is zero")
            item = len(self.owners) + 1
        else:
            require(content_hash == self.hashes.get(token, bytes(32)), "escrow: content hash is not the item's")
            require(token in self.owners, "erc721: invalid token ID")
            require(self.owners[token] == sender, "erc721: transfer from incorrect owner")
            item = token
        self.pay(t.currency, value, t.seller_deposit)
        if token == 0:
            self.makers[item] = sender
            self.hashes[item] = content_hash
        self.owners[item] = self.address
        self.sales[id] = Sale(LISTED, sender, NATIVE, item, promise, now, t)
        return id

    def buy(self, sender, now, value, id):
        s = self.at(id, LISTED)
        require(sender != s.seller, "escrow: the seller cannot buy")
        require(sender != s.terms.arbiter, "escrow: the arbiter cannot buy")
        require(now < s.terms.offer_until, "escrow: the offer has ended")
        self.pay(s.terms.currency, value, s.terms.price + s.terms.buyer_deposit)
        s.buyer = sender
        self.enter(s, PAID, now)

    def abort(self, sender, now, id):
        s = self.at(id, LISTED)
        require(sender == s.seller, "escrow: only the seller")
        self.end(s, ABORTED, now, "abort", 0)

    def transfer_item(self, sender, now, id):
        s = self.at(id, PAID)
        require(sender == s.seller, "escrow: only the seller")
        require(now < s.deadline(), "escrow: the ship window has ended")
        self.enter(s, TRANSFERRED, now)

    def refund(self, sender, now, id):
        s = self.open(id)
        if sender != s.seller:
            require(s.status == PAID, "escrow: only the seller")
            require(now >= s.deadline(), "escrow: the ship window is open")
        self.end(s, REFUNDED, now, "refund", 0)

    def confirm(self, sender, now, id):
        s = self.open(id)
        require(sender == s.buyer, "escrow: only the buyer")
        self.end(s, COMPLETE, now, "confirm", 10_000)

    def dispute(self, sender, now, id):
        s = self.at(id, TRANSFERRED)
        require(sender == s.buyer, "escrow: only the buyer")
        require(now < s.deadline(), "escrow: the confirm window has ended")
        self.enter(s, DISPUTED, now)

    def claim(self, sender, now, id):
        s = self.at(id, TRANSFERRED)
        require(now >= s.deadline(), "escrow: the confirm window is open")
        self.end(s, COMPLETE, now, "claim", 10_000)

    def rule(self, sender, now, id, share):
        s = self.at(id, DISPUTED)
        require(sender == s.terms.arbiter != NATIVE, "escrow: only the arbiter")
        require(share <= 10_000, "escrow: share above 10,000")
        require(now < s.deadline(), "escrow: the ruling window has ended")
        self.end(s, SETTLED, now, "rule", share)

    def execute_default(self, sender, now, id):
        s = self.at(id, DISPUTED)
        require(now >= s.deadline(), "escrow: the ruling window is open")
        self.end(s, SETTLED, now, "execute_default", 5_000)

    def settle(self, sender, now, id, share, settle_by):
        s = self.open(id)
        require(sender in (s.seller, s.buyer), "escrow: only seller or buyer")
        require(share <= 10_000, "escrow: share above 10,000")
        require(now < settle_by, "escrow: the time to settle has passed")
        other = s.buyer if sender == s.seller else s.seller
        if s.proposal == (other, share, settle_by):
            self.end(s, SETTLED, now, "settle", share)
        else:
            s.proposal = (sender, share, settle_by)

    def withdraw(self, sender, now, currency, to):
        amount = self.credits.get((currency, sender), 0)
        require(amount > 0, "market: nothing to withdraw")
        require(to not in (NATIVE, self.address), "market: nobody can receive there")
        self.credits[currency, sender] = 0
        return amount

    def at(self, id, status) -> Sale:
        word = {LISTED: "listed", PAID: "paid", TRANSFERRED: "transferred", DISPUTED: "disputed"}
        s = self.sales.get(id)
        require(s is not None and s.status == status, f"escrow: sale is not {word[status]}")
        return s

    def open(self, id) -> Sale:
        s = self.sales.get(id)
        require(s is not None and s.status in OPEN, "escrow: sale is not open")
        return s

    def pay(self, currency, value, amount):
        if currency == NATIVE:
            require(value == amount, "market: wrong amount")
        else:
            require(value == 0, "market: value sent to a sale in a token")

    def enter(self, s: Sale, status, now):
        s.status, s.since, s.proposal = status, now, (NATIVE, 0, 0)

    def end(self, s: Sale, status, now, exit, share):
        parts = payout(exit, s.terms, share, self.platform_bps, self.maker_bps)
        assert sum(astuple(parts)) == s.held() and min(astuple(parts)) >= 0
        accounts = (
            s.seller, s.buyer, self.platform, self.makers[s.token], s.terms.arbiter, NOBODY,
        )
        for who, amount in zip(accounts, astuple(parts)):
            key = s.terms.currency, who
            self.credits[key] = self.credits.get(key, 0) + amount
        self.owners[s.token] = s.buyer if share >= 5_000 else s.seller
        self.enter(s, status, now)


def check_terms(t: Terms, seller: str, now: int, currencies: list[str]) -> None:
    """Every bound of every term."""
    v = t.price
    require(t.currency in currencies, "escrow: currency is not taken")
    require(1 <= v <= PRICE_MAX, "escrow: price out of bounds")
    require(v <= t.seller_deposit <= 10 * v, "escrow: seller's deposit out of bounds")
    require(v <= t.buyer_deposit <= 10 * v, "escrow: buyer's deposit out of bounds")
    require(t.late_penalty <= v * 5 // 100, "escrow: late penalty above 5 %")
    require(t.arbiter != seller, "escrow: the seller cannot be arbiter")
    require(t.arbiter_fee <= v * 5 // 100, "escrow: arbiter's fee above 5 %")
    require(t.arbiter != NATIVE or t.arbiter_fee == 0, "escrow: fee without an arbiter")
    require(DAY <= t.ship_window <= 60 * DAY, "escrow: ship window out of bounds")
    require(DAY <= t.confirm_window <= 90 * DAY, "escrow: confirm window out of bounds")
    require(3 * DAY <= t.ruling_window <= 60 * DAY, "escrow: ruling window out of bounds")
    require(t.offer_until > now, "escrow: the offer has ended")
    require(t.offer_until <= now + 365 * DAY, "escrow: offer longer than 365 days")
