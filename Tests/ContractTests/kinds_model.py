"""What the models of the sale contracts share: the tokens of a market and one contract's money.

Written from Docs/contracts.md and not from the contracts. Amounts are integers in the smallest unit
of a currency, times in seconds, rates in basis points.
"""

from dataclasses import dataclass, field

from model import NATIVE, Offer, Refusal, require

DAY = 86_400
BPS = 10_000
PRICE_MIN = 10_000
AMOUNT_MAX = 2**128 - 1
ZERO = bytes(32)


@dataclass
class Items:
    """The tokens of one market: whose they are, who made them, of what, and who may move or mint."""

    owners: dict[int, str] = field(default_factory=dict)
    makers: dict[int, str] = field(default_factory=dict)
    hashes: dict[int, bytes] = field(default_factory=dict)
    approved: dict[int, str] = field(default_factory=dict)
    operators: set[tuple[str, str]] = field(default_factory=set)
    minters: set[tuple[str, str]] = field(default_factory=set)

    def allow_minter(self, maker: str, minter: str, allowed: bool) -> None:
        (self.minters.add if allowed else self.minters.discard)((maker, minter))

    def mint(self, caller: str, maker: str, content_hash: bytes) -> int:
        """Makes a token for the caller."""
        may = caller == maker or (maker, caller) in self.minters
        require(may, "item: the maker has not allowed this minter")
        require(content_hash != ZERO, "item: content hash is zero")
        token = len(self.owners) + 1
        self.owners[token], self.makers[token], self.hashes[token] = caller, maker, content_hash
        return token

    def move(self, caller: str, owner: str, to: str, token: int) -> None:
        """Moves a token as its owner, by approval or as the owner's operator."""
        require(token in self.owners, "erc721: no such token")
        holder = self.owners[token]
        may = caller in (holder, self.approved.get(token)) or (holder, caller) in self.operators
        require(may, "erc721: only the owner or an approved account")
        require(holder == owner, "erc721: the sender does not own the token")
        self.owners[token] = to
        self.approved.pop(token, None)


@dataclass(frozen=True)
class Payout:
    """Who gets how much of the price of a sale without deposits."""

    seller: int = 0
    platform: int = 0
    maker: int = 0


@dataclass
class SaleContract:
    """The money of one sale contract, and what every kind of sale does with tokens and money."""

    address: str
    platform: str
    platform_bps: int
    maker_bps: int
    currencies: list[str]
    items: Items
    prefix: str
    sales: dict[bytes, object] = field(default_factory=dict)
    credits: dict[tuple[str, str], int] = field(default_factory=dict)
    # Currencies that are out of order: why they cannot be paid in, and why they cannot be paid out.
    faults_in: dict[str, str] = field(default_factory=dict)
    faults_out: dict[str, str] = field(default_factory=dict)

    def owed(self, currency: str) -> int:
        """What the contract must hold at least."""
        held = sum(s.held() for s in self.sales.values() if s.offer.terms.currency == currency)
        return held + sum(n for (c, _), n in self.credits.items() if c == currency)

    def refuse_unless(self, condition: bool, text: str) -> None:
        """Refuses in the contract's name."""
        require(condition, f"{self.prefix}: {text}")

    def check_listing(self, sender: str, offer: Offer, price: int) -> None:
        """What every kind of sale refuses."""
        require(sender == offer.seller, "market: only the seller")
        require(offer.promise != ZERO, "market: promise is zero")
        require(offer.terms.currency in self.currencies, "money: currency is not accepted")
        require(PRICE_MIN <= price <= AMOUNT_MAX, "market: price out of bounds")

    def take_token(self, offer: Offer) -> int:
        """Mints the offer's token, or pulls the seller's own."""
        if offer.token == 0:
            require(offer.maker == offer.seller, "market: maker is not the seller")
            return self.items.mint(self.address, offer.seller, offer.content_hash)
        own = self.items.hashes.get(offer.token, ZERO)
        require(offer.content_hash == own, "market: content hash is not the item's")
        maker = self.items.makers.get(offer.token, NATIVE)
        require(offer.maker == maker, "market: maker is not the item's")
        self.items.move(self.address, offer.seller, self.address, offer.token)
        return offer.token

    def check_value(self, currency: str, value: int, amount: int) -> None:
        """Everyone here can pay and has approved the contract; so only the value can be wrong."""
        if currency == NATIVE:
            require(value == amount, "money: wrong amount")
        else:
            require(value == 0, "money: value sent to a sale in a token")
        require(currency not in self.faults_in, self.faults_in.get(currency, ""))

    def credit(self, currency: str, account: str, amount: int) -> None:
        key = currency, account
        self.credits[key] = self.credits.get(key, 0) + amount

    def withdraw(self, sender: str, now: int, value: int, currency: str, amount: int, to: str) -> None:
        """Draws a part or all of the caller's credit."""
        require(amount > 0, "money: nothing to withdraw")
        require(amount <= self.credits.get((currency, sender), 0), "money: more than the credit")
        require(to not in (NATIVE, self.address), "money: nobody can receive there")
        require(currency not in self.faults_out, self.faults_out.get(currency, ""))
        self.credits[currency, sender] -= amount

    def divide(self, price: int) -> Payout:
        """Both fees floored, the seller's part is what remains."""
        platform, maker = price * self.platform_bps // BPS, price * self.maker_bps // BPS
        return Payout(price - platform - maker, platform, maker)

    def close(self, sale, price: int, to: str) -> None:
        """Credits the three parts of the price and lets the token go."""
        currency, parts = sale.offer.terms.currency, self.divide(price)
        self.credit(currency, sale.offer.seller, parts.seller)
        self.credit(currency, self.platform, parts.platform)
        self.credit(currency, self.items.makers[sale.token], parts.maker)
        self.items.move(self.address, self.address, to, sale.token)


__all__ = ["AMOUNT_MAX", "BPS", "DAY", "NATIVE", "Items", "Offer", "Payout", "Refusal", "SaleContract", "require"]
