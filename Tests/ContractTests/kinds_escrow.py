"""The escrow as one more kind of sale beside auctions and direct sales, over the same tokens."""

import itertools
from dataclasses import dataclass, field

from kinds import Kind
from kinds_model import NATIVE, Offer, Refusal, require
from machine import Contract, now
from model import LISTED, OPEN, Model, Terms


@dataclass
class SharedModel(Model):
    """The escrow's model over tokens that other contracts sell too, with currencies out of order."""

    faults_in: dict[str, str] = field(default_factory=dict)
    faults_out: dict[str, str] = field(default_factory=dict)

    OPEN = (LISTED, *OPEN)

    def list(self, sender: str, now: int, value: int, id: bytes, offer: Offer) -> None:
        try:
            super().list(sender, now, value, id, offer)
        except Refusal as refusal:
            # A token in another contract's custody: its holder has not approved the escrow.
            holder = self.owners.get(offer.token)
            foreign = holder not in {*self.makers_allowing, self.address}
            if foreign and refusal.text == "erc721: the sender does not own the token":
                raise Refusal("erc721: only the owner or an approved account") from None
            raise

    def pay(self, currency: str, value: int, amount: int) -> None:
        super().pay(currency, value, amount)
        require(currency not in self.faults_in, self.faults_in.get(currency, ""))

    def withdraw(self, sender: str, now: int, value: int, currency: str, amount: int, to: str) -> None:
        credits = dict(self.credits)
        super().withdraw(sender, now, currency, amount, to)
        if currency in self.faults_out:
            self.credits = credits
            require(False, self.faults_out[currency])


class EscrowKind(Kind):
    """An escrow contract with its model; makes the moves that the other kinds make alike."""

    def __init__(self, market):
        self.market, self.name = market, "Escrow"
        self.contract = Contract("Escrow", *market.arguments(), sender=market.deployer)
        items = market.items
        self.model = SharedModel(
            self.contract.address, market.platform, self.contract.PLATFORM_BPS(),
            self.contract.MAKER_BPS(), market.currencies, owners=items.owners, makers=items.makers,
            hashes=items.hashes, makers_allowing=set(market.people),
        )
        self.salts = itertools.count()
        self.offer_type = self.type_of_offers()

    def terms(self, price: int = 10**18, **changes) -> Terms:
        """The usual terms, changed."""
        return Terms.usual(now(), price, **changes)

    def value(self, name: str, offer: Offer, *args) -> int:
        """The native money that a move needs."""
        t = offer.terms
        if t.currency != NATIVE:
            return 0
        return {"list": t.seller_deposit, "buy": t.price + t.buyer_deposit}.get(name, 0)

    def move(self, name: str, offer: Offer, *args, sender: str, value: int | None = None) -> None:
        """Makes a move on both; a refusal must be the model's, word for word, and is raised."""
        value, id = self.value(name, offer, *args) if value is None else value, self.id(offer)
        if name in ("propose", "agree"):
            sale = self.model.sales.get(id)
            args = (*args, sale.fee_due() if sale else 0)
        told = [now(), *([value] if name in ("list", "buy") else []), id, *([offer] if name == "list" else args)]
        self.both(
            name, lambda: getattr(self.model, name)(sender, *told),
            lambda: self.contract.call(name, offer.abi(), *args, sender=sender, value=value),
        )

    def arbitrate(self, who: str) -> None:
        """Lets an account be named as arbiter in every currency."""
        for currency in self.market.currencies:
            self.model.arbitrate(who, now(), currency, 0, 2**256 - 1)
            self.contract.arbitrate(currency, 0, 2**256 - 1, sender=who)
