"""The escrow's rules once more, in Python, written from Docs/contracts.md and not from the contract.

`Model` keeps sales and credits and refuses what the rules refuse, with the contract's words. The
tests make each move on both and compare. Amounts are integers in the smallest unit of a currency,
times in seconds, shares in basis points.
"""

from dataclasses import astuple, dataclass, field, replace

NATIVE = "0x" + "00" * 20
NOBODY = "0x000000000000000000000000000000000000dEaD"
DAY = 86_400
PRICE_MIN = 10_000
PRICE_MAX = 2**128 - 1

LISTED, PAID, TRANSFERRED, DISPUTED, ABORTED, DECLINED, REFUNDED, COMPLETE, SETTLED = (
    1 << n for n in range(9)
)
OPEN = (PAID, TRANSFERRED, DISPUTED)
WORDS = {LISTED: "listed", PAID: "paid", TRANSFERRED: "transferred", DISPUTED: "disputed"}
EXIT_NAMES = [
    "abort", "decline", "confirm", "claim", "refund", "settle", "rule", "execute_default",
]
EXITS = {name: 1 << n for n, name in enumerate(EXIT_NAMES)}


class Refusal(Exception):
    """The rules refuse a move; `text` is the reason the contract must give."""

    def __init__(self, text: str):
        super().__init__(text)
        self.text = text


def require(condition: bool, text: str) -> None:
    """Refuses unless a condition holds."""
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
    # The only account that can buy; the zero address is anyone.
    buyer: str = NATIVE

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
class Offer:
    """All that a sale's id commits to, in the contract's order."""

    seller: str
    salt: bytes
    token: int
    maker: str
    content_hash: bytes
    promise: bytes
    terms: Terms

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


def payout(
    exit: str, t: Terms, share: int, platform_bps: int, maker_bps: int, taken: bool = False
) -> Payout:
    """The table of payouts, row by row; `taken` tells whether the arbiter took the case."""
    v, S, B, L = t.price, t.seller_deposit, t.buyer_deposit, t.late_penalty
    A = t.arbiter_fee if taken else 0
    if exit == "abort":
        return Payout(seller=S)
    if exit == "decline":
        return Payout(seller=S, buyer=B + v)
    if exit == "refund":
        return Payout(seller=S - L - A, buyer=B + v + L, arbiter=A)
    s = {"confirm": 10_000, "claim": 10_000, "execute_default": 5_000}.get(exit, share)
    p = v * s // 10**4
    f = p * platform_bps // 10**4
    r = p * maker_bps // 10**4
    if exit in ("confirm", "claim"):
        return Payout(S + v - f - r, B - A, f, r, A)
    if exit == "settle":
        return Payout(S + p - f - r - A // 2, B + v - p - (A - A // 2), f, r, A)
    if exit == "rule":
        late = L * (10**4 - s) // 10**4
        fee = A * (10**4 - s) // 10**4
        return Payout(S + p - f - r - late - fee, B + v - p + late - (A - fee), f, r, A)
    assert exit == "execute_default"
    F = 3 * v // 4
    return Payout(S + p - f - r - F, B + v - p - F, f, r, 0, 2 * F)


@dataclass
class Sale:
    """A sale as the contract shows it, and its offer."""

    status: int
    offer: Offer
    token: int
    deadline: int
    buyer: str = NATIVE
    taken: bool = False
    # Party → the share and time it proposes, in this phase of the sale.
    proposals: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def terms(self) -> Terms:
        return self.offer.terms

    @property
    def seller(self) -> str:
        return self.offer.seller

    def held(self) -> int:
        """What the contract holds for it."""
        t = self.terms
        if self.status == LISTED:
            return t.seller_deposit
        return t.seller_deposit + t.price + t.buyer_deposit if self.status in OPEN else 0

    def fee_due(self) -> int:
        """The arbiter's fee in every exit but ruling and default."""
        return self.terms.arbiter_fee if self.taken else 0

    def shown(self) -> dict:
        """What the contract's `sale` answers."""
        seller, buyer = (
            dict(zip(("share", "until"), self.proposals.get(who, (0, 0))))
            for who in (self.seller, self.buyer)
        )
        return {
            "status": self.status, "buyer": self.buyer, "token": self.token,
            "deadline": self.deadline, "taken": self.taken,
            "seller_proposal": seller, "buyer_proposal": buyer,
        }


@dataclass
class Model:
    """All sales of one escrow, its credits, its arbiters, and whose the tokens are."""

    address: str
    platform: str
    platform_bps: int
    maker_bps: int
    currencies: list[str]
    sales: dict[bytes, Sale] = field(default_factory=dict)
    credits: dict[tuple[str, str], int] = field(default_factory=dict)
    arbiters: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    # Who lets the escrow mint for him.
    makers_allowing: set[str] = field(default_factory=set)
    owners: dict[int, str] = field(default_factory=dict)
    makers: dict[int, str] = field(default_factory=dict)
    hashes: dict[int, bytes] = field(default_factory=dict)

    def owed(self, currency: str) -> int:
        """What the contract must hold at least."""
        held = sum(s.held() for s in self.sales.values() if s.terms.currency == currency)
        return held + sum(n for (c, _), n in self.credits.items() if c == currency)

    def list(self, sender, now, value, id, offer: Offer):
        """Everyone here has approved the escrow for all of their tokens."""
        t = offer.terms
        require(id not in self.sales, "escrow: sale is listed already")
        require(sender == offer.seller, "market: only the seller")
        require(offer.promise != bytes(32), "market: promise is zero")
        require(t.currency in self.currencies, "money: currency is not accepted")
        require(PRICE_MIN <= t.price <= PRICE_MAX, "market: price out of bounds")
        check_terms(t, sender, now)
        if t.arbiter != NATIVE:
            fee, until = self.arbiters.get((t.arbiter, t.currency), (0, 0))
            last = t.offer_until + t.ship_window + t.confirm_window + t.ruling_window
            require(until >= last, "escrow: the arbiter is not registered for so long")
            require(fee <= t.arbiter_fee, "escrow: the arbiter asks a higher fee")
        token, content = offer.token, offer.content_hash
        if token == 0:
            require(offer.maker == sender, "market: maker is not the seller")
            require(sender in self.makers_allowing, "item: the maker has not allowed this minter")
            require(content != bytes(32), "item: content hash is zero")
            token = len(self.owners) + 1
        else:
            own = self.hashes.get(token, bytes(32))
            require(content == own, "market: content hash is not the item's")
            maker = self.makers.get(token, NATIVE)
            require(offer.maker == maker, "market: maker is not the item's")
            require(token in self.owners, "erc721: no such token")
            require(self.owners[token] == sender, "erc721: the sender does not own the token")
        self.pay(t.currency, value, t.seller_deposit)
        if offer.token == 0:
            self.makers[token], self.hashes[token] = sender, content
        self.owners[token] = self.address
        self.sales[id] = Sale(LISTED, offer, token, t.offer_until)

    def buy(self, sender, now, value, id):
        s = self.at(id, LISTED)
        require(sender != s.seller, "escrow: the seller cannot buy")
        require(sender != s.terms.arbiter, "escrow: the arbiter cannot buy")
        require(s.terms.buyer in (NATIVE, sender), "escrow: only the named buyer")
        require(now < s.deadline, "escrow: the offer has ended")
        self.pay(s.terms.currency, value, s.terms.price + s.terms.buyer_deposit)
        s.buyer = sender
        self.enter(s, PAID, now + s.terms.ship_window)

    def abort(self, sender, now, id):
        s = self.at(id, LISTED)
        require(sender == s.seller or now >= s.deadline, "escrow: only the seller")
        self.end(s, ABORTED, "abort", 0)

    def decline(self, sender, now, id):
        self.end(self.paid_in_time(sender, now, id), DECLINED, "decline", 0)

    def relist(self, sender, now, id):
        s = self.paid_in_time(sender, now, id)
        key = s.terms.currency, s.buyer
        self.credits[key] = self.credits.get(key, 0) + s.terms.price + s.terms.buyer_deposit
        s.buyer = NATIVE
        self.enter(s, LISTED, s.terms.offer_until)

    def transfer_item(self, sender, now, id):
        s = self.paid(sender, id)
        self.enter(s, TRANSFERRED, now + s.terms.confirm_window)

    def refund(self, sender, now, id):
        s = self.open(id)
        if s.status == PAID:
            require(now >= s.deadline, "escrow: the ship window is open")
        else:
            require(sender == s.seller, "escrow: only the seller")
        self.end(s, REFUNDED, "refund", 0)

    def confirm(self, sender, now, id):
        s = self.open(id)
        require(sender == s.buyer, "escrow: only the buyer")
        self.end(s, COMPLETE, "confirm", 10_000)

    def dispute(self, sender, now, id):
        s = self.at(id, TRANSFERRED)
        require(sender == s.buyer, "escrow: only the buyer")
        require(now < s.deadline, "escrow: the confirm window has ended")
        self.enter(s, DISPUTED, now + s.terms.ruling_window)

    def claim(self, sender, now, id):
        s = self.at(id, TRANSFERRED)
        require(now >= s.deadline, "escrow: the confirm window is open")
        self.end(s, COMPLETE, "claim", 10_000)

    def take(self, sender, now, id):
        s = self.disputed_in_time(sender, now, id)
        require(not s.taken, "escrow: the case is taken already")
        self.enter(s, DISPUTED, s.deadline)
        s.taken = True

    def rule(self, sender, now, id, share):
        s = self.disputed_in_time(sender, now, id)
        require(s.taken, "escrow: the case is not taken")
        require(share <= 10_000, "escrow: share above 10,000")
        self.end(s, SETTLED, "rule", share)

    def execute_default(self, sender, now, id):
        s = self.at(id, DISPUTED)
        require(now >= s.deadline, "escrow: the ruling window is open")
        self.end(s, SETTLED, "execute_default", 5_000)

    def propose(self, sender, now, id, share, until, fee_due):
        s = self.open(id)
        require(fee_due == s.fee_due(), "escrow: another arbiter's fee is due")
        require(sender in (s.seller, s.buyer), "escrow: only seller or buyer")
        require(share <= 10_000, "escrow: share above 10,000")
        require(until > now, "escrow: the proposal has ended")
        require(until <= now + 60 * DAY, "escrow: proposal longer than 60 days")
        s.proposals[sender] = (share, until)

    def withdraw_proposal(self, sender, now, id):
        s = self.open(id)
        require(sender in (s.seller, s.buyer), "escrow: only seller or buyer")
        require(sender in s.proposals, "escrow: no proposal to withdraw")
        del s.proposals[sender]

    def agree(self, sender, now, id, share, fee_due):
        s = self.open(id)
        require(sender in (s.seller, s.buyer), "escrow: only seller or buyer")
        proposed, until = s.proposals.get(s.buyer if sender == s.seller else s.seller, (None, 0))
        require(proposed == share, "escrow: no such proposal")
        require(now < until, "escrow: the proposal has ended")
        require(fee_due == s.fee_due(), "escrow: another arbiter's fee is due")
        self.end(s, SETTLED, "settle", share)

    def arbitrate(self, sender, now, currency, min_fee, until):
        require(currency in self.currencies, "money: currency is not accepted")
        self.arbiters[sender, currency] = (min_fee, until)

    def withdraw(self, sender, now, currency, amount, to):
        credit = self.credits.get((currency, sender), 0)
        require(amount > 0, "money: nothing to withdraw")
        require(amount <= credit, "money: more than the credit")
        require(to not in (NATIVE, self.address), "money: nobody can receive there")
        self.credits[currency, sender] = credit - amount

    def at(self, id, status) -> Sale:
        s = self.sales.get(id)
        require(s is not None and s.status == status, f"escrow: sale is not {WORDS[status]}")
        return s

    def open(self, id) -> Sale:
        s = self.sales.get(id)
        require(s is not None and s.status in OPEN, "escrow: sale is not open")
        return s

    def paid(self, sender, id) -> Sale:
        s = self.at(id, PAID)
        require(sender == s.seller, "escrow: only the seller")
        return s

    def paid_in_time(self, sender, now, id) -> Sale:
        s = self.paid(sender, id)
        require(now < s.deadline, "escrow: the ship window has ended")
        return s

    def disputed_in_time(self, sender, now, id) -> Sale:
        s = self.at(id, DISPUTED)
        require(sender == s.terms.arbiter != NATIVE, "escrow: only the arbiter")
        require(now < s.deadline, "escrow: the ruling window has ended")
        return s

    def pay(self, currency, value, amount):
        if currency == NATIVE:
            require(value == amount, "money: wrong amount")
        else:
            require(value == 0, "money: value sent to a sale in a token")

    def enter(self, s: Sale, status, deadline):
        s.status, s.deadline, s.proposals = status, deadline, {}

    def end(self, s: Sale, status, exit, share):
        parts = payout(exit, s.terms, share, self.platform_bps, self.maker_bps, s.taken)
        assert sum(astuple(parts)) == s.held() and min(astuple(parts)) >= 0
        accounts = (
            s.seller, s.buyer, self.platform, self.makers[s.token], s.terms.arbiter, NOBODY,
        )
        for who, amount in zip(accounts, astuple(parts)):
            key = s.terms.currency, who
            self.credits[key] = self.credits.get(key, 0) + amount
        self.owners[s.token] = s.buyer if share >= 5_000 else s.seller
        self.enter(s, status, 0)
        s.taken = False


def check_terms(t: Terms, seller: str, now: int) -> None:
    """Every bound of every term."""
    v = t.price
    least = -(-v // 3)
    require(least <= t.seller_deposit <= 10 * v, "escrow: seller's deposit out of bounds")
    require(least <= t.buyer_deposit <= 10 * v, "escrow: buyer's deposit out of bounds")
    require(t.late_penalty <= v * 5 // 100, "escrow: late penalty above 5 %")
    require(100 * t.late_penalty >= v, "escrow: late penalty below 1 %")
    require(t.arbiter != seller, "escrow: the seller cannot be arbiter")
    require(t.arbiter_fee <= v * 5 // 100, "escrow: arbiter's fee above 5 %")
    require(t.arbiter != NATIVE or t.arbiter_fee == 0, "escrow: fee without an arbiter")
    require(2 * DAY <= t.ship_window <= 60 * DAY, "escrow: ship window out of bounds")
    require(2 * DAY <= t.confirm_window <= 90 * DAY, "escrow: confirm window out of bounds")
    require(3 * DAY <= t.ruling_window <= 60 * DAY, "escrow: ruling window out of bounds")
    require(t.offer_until > now, "escrow: the offer has ended")
    require(t.offer_until <= now + 365 * DAY, "escrow: offer longer than 365 days")
