"""A deployed market for the tests, with people in it and a model beside it.

The set is deployed as a deployer does it: Item and the sale contracts through the factory. Only for
traces it is not, because an address made by the factory depends on every letter of the sources.
"""

import itertools
from dataclasses import replace

from eth_abi import encode
from eth_utils import keccak
from machine import CHAIN_ID, NATIVE, Contract, Refused, account, boa, creation_code, now, travel_to
from model import DISPUTED, LISTED, PAID, TRANSFERRED, Model, Offer, Refusal, Terms

ZERO = bytes(32)
PLATFORM_BPS = 200
MAKER_BPS = 200
TERMS = "(address,uint256,uint256,uint256,uint256,address,uint256,uint256,uint256,uint256,uint256,address)"
OFFER = f"(address,bytes32,uint256,address,bytes32,bytes32,{TERMS})"
# Moves that carry no offer.
WITHOUT_OFFER = ("withdraw", "arbitrate")


def digest(text: str) -> bytes:
    """A hash for promises, contents and salts."""
    return keccak(text=text)


def sale_id(escrow: str, offer: Offer, chain: int = CHAIN_ID) -> bytes:
    """A sale's id, computed here; `chain` is the id that the chain had at the escrow's deployment."""
    return keccak(encode(["uint256", "address", OFFER], [chain, escrow, offer.abi()]))


class Market:
    """One deployment of the set. Every move goes to the contract and to the model alike."""

    def __init__(
        self, platform_bps: int = PLATFORM_BPS, maker_bps: int = MAKER_BPS, tokens: int = 2,
        proven: bool = True,
    ):
        self.proven = proven
        self.deployer, self.platform = account("deployer"), account("platform")
        self.ana, self.bo, self.cleo, self.dan = map(account, ["ana", "bo", "cleo", "dan"])
        self.people = [self.ana, self.bo, self.cleo, self.dan]
        self.factory = Contract("Factory", sender=self.deployer)
        self.item = self.create("Item", maker_bps)
        self.tokens = [
            Contract("TestToken", f"Token {n}", f"T{n}", 18, sender=self.deployer)
            for n in range(tokens)
        ]
        self.currencies = [NATIVE] + [t.address for t in self.tokens]
        self.escrow = self.create("Escrow", *self.arguments(platform_bps))
        self.model = Model(
            self.escrow.address, self.platform, platform_bps, maker_bps, self.currencies
        )
        self.salts = itertools.count()
        for person in self.people:
            self.admit(person)
        for person, currency in itertools.product(self.people, self.currencies):
            self.move("arbitrate", currency, 0, 2**256 - 1, sender=person)

    def admit(self, person: str) -> None:
        """Gives somebody tokens and the approvals that every move needs."""
        self.item.allow_minter(self.escrow.address, True, sender=person)
        self.item.setApprovalForAll(self.escrow.address, True, sender=person)
        self.model.makers_allowing.add(person)
        for token in self.tokens:
            token.mint(person, 10**45)
            token.approve(self.escrow.address, 2**256 - 1, sender=person)

    def arguments(self, platform_bps: int = PLATFORM_BPS) -> list:
        """What every sale contract of this market is deployed with."""
        return [self.item.address, self.platform, platform_bps, self.currencies[1:]]

    def create(self, name: str, *args, salt: bytes = ZERO) -> Contract:
        """Deploys a contract of the set, through the factory if its address is to prove it."""
        if not self.proven:
            return Contract(name, *args, sender=self.deployer)
        address = self.factory.create(salt, creation_code(name, *args), sender=self.deployer)
        return Contract.at(name, address, self.factory)

    def another_escrow(self, platform_bps: int, *tokens) -> Contract:
        """An escrow of this market's Item with other fees and currencies, not made by the factory."""
        addresses = [t.address for t in tokens]
        return Contract(
            "Escrow", self.item.address, self.platform, platform_bps, addresses, sender=self.deployer
        )

    def terms(self, price: int = 10**18, **changes) -> Terms:
        """The usual terms, changed."""
        return Terms.usual(now(), price, **changes)

    def offer(
        self, terms: Terms | None = None, *, seller: str | None = None, token: int = 0,
        maker: str | None = None, salt: bytes | None = None, content: bytes | None = None,
        promise: bytes = digest("promise"),
    ) -> Offer:
        """An offer of Ana's, unless told otherwise; it is not listed yet."""
        if content is None:
            content = self.model.hashes.get(token, digest("content"))
        salt = digest(f"salt {next(self.salts)}") if salt is None else salt
        seller = seller or self.ana
        maker = maker or self.model.makers.get(token, seller)
        return Offer(seller, salt, token, maker, content, promise, terms or self.terms())

    def id(self, offer: Offer) -> bytes:
        """A sale's id in this market's escrow."""
        return sale_id(self.escrow.address, offer)

    def both(self, name: str, in_model, in_contract) -> None:
        """Raises what model and contract refuse alike; fails if they differ."""
        expected = answer = None
        try:
            in_model()
        except Refusal as refusal:
            expected = refusal.text
        try:
            in_contract()
        except Refused as refused:
            answer = refused.text
        assert answer == expected, f"{name}: contract says {answer!r}, the rules {expected!r}"
        if answer is not None:
            raise Refused(answer)

    def move(self, name: str, *args, sender: str, **extra) -> None:
        """Makes a move on both; of a sale, `args` begin with its id or, if not listed, its offer."""
        told = sent = args
        if name not in WITHOUT_OFFER:
            target, *rest = args
            offer = target if isinstance(target, Offer) else self.model.sales[target].offer
            rest += self.signed_for(name, self.id(offer), len(rest))
            told, sent = (self.id(offer), *rest), (offer.abi(), *rest)
        self.both(
            name, lambda: getattr(self.model, name)(sender, now(), *extra.values(), *told),
            lambda: self.escrow.call(name, *sent, sender=sender, **extra),
        )

    def signed_for(self, name: str, id: bytes, given: int) -> list[int]:
        """The fee that is due, for a proposal or an agreement that a test gives without it."""
        if given != {"propose": 2, "agree": 1}.get(name):
            return []
        sale = self.model.sales.get(id)
        return [sale.fee_due() if sale else 0]

    def list(self, terms: Terms | None = None, *, value: int | None = None,
             sender: str | None = None, **changes) -> bytes:
        """Lists on both and returns the id; the value is what the terms ask unless given."""
        return self.list_offer(self.offer(terms, **changes), value=value, sender=sender)

    def list_offer(self, offer: Offer, *, value: int | None = None, sender: str | None = None) -> bytes:
        """As `list`, of an offer that is ready."""
        sender, id = sender or offer.seller, self.id(offer)
        if value is None:
            value = offer.terms.seller_deposit if offer.terms.currency == NATIVE else 0

        def in_contract():
            assert self.escrow.list(offer.abi(), sender=sender, value=value) == id

        self.both("list", lambda: self.model.list(sender, now(), value, id, offer), in_contract)
        return id

    def buy(self, id: bytes | Offer, *, buyer: str | None = None, value: int | None = None) -> None:
        """Buys on both; the value is what the terms ask unless given."""
        terms = id.terms if isinstance(id, Offer) else self.model.sales[id].terms
        if value is None:
            value = terms.price + terms.buyer_deposit if terms.currency == NATIVE else 0
        self.move("buy", id, sender=buyer or self.bo, value=value)

    def reach(self, status: int, terms: Terms | None = None, **offer) -> bytes:
        """A sale by Ana, unless told otherwise, bought by Bo, in the status asked for."""
        id = self.list(terms, **offer)
        seller = self.model.sales[id].seller
        if status in (PAID, TRANSFERRED, DISPUTED):
            self.buy(id)
        if status in (TRANSFERRED, DISPUTED):
            self.move("transfer_item", id, sender=seller)
        if status == DISPUTED:
            self.move("dispute", id, sender=self.bo)
        assert self.sale(id)["status"] == status
        return id

    def arbitrated(self, price: int = 10**18, percent: int = 1, **changes) -> Terms:
        """Terms with Cleo as arbiter."""
        return self.terms(price, arbiter=self.cleo, arbiter_fee=price * percent // 100, **changes)

    def taken(self, terms: Terms | None = None) -> bytes:
        """A disputed sale whose case Cleo took."""
        id = self.reach(DISPUTED, terms or self.arbitrated())
        self.move("take", id, sender=self.cleo)
        return id

    def settle(self, id: bytes, share: int, *, by: str | None = None) -> None:
        """One party proposes, Bo unless told otherwise, and the other agrees."""
        sale = self.model.sales[id]
        by = by or sale.buyer
        other = sale.seller if by == sale.buyer else sale.buyer
        self.move("propose", id, share, now() + 1_000, sender=by)
        self.move("agree", id, share, sender=other)

    def draw(self, who: str, currency: str = NATIVE, to: str | None = None) -> int:
        """Withdraws somebody's whole credit."""
        amount = self.model.credits.get((currency, who), 0)
        self.move("withdraw", currency, amount, to or who, sender=who)
        return amount

    def sale(self, id: bytes) -> dict:
        """The contract's own view of a sale."""
        return self.escrow.sale(id)

    def ended(self) -> dict:
        """What the `Ended` event of the last move says."""
        [log] = [log for log in self.escrow.logs if log.name == "Ended"]
        return log.args

    def agree(self, arbiters: bool = False) -> None:
        """The contract's sales, credits and debts are the model's, and it can pay them all.

        What arbiters accept is compared only if asked for: it is much to ask and seldom changes.
        """
        for id, sale in self.model.sales.items():
            assert self.sale(id) == sale.shown()
        for (currency, who), amount in self.model.credits.items():
            assert self.escrow.credit(currency, who) == amount
        for (who, currency), accepts in self.model.arbiters.items() if arbiters else ():
            assert self.escrow.arbiter_terms(who, currency) == accepts
        for currency in self.currencies:
            assert self.escrow.owed(currency) == self.model.owed(currency)
            assert self.holds(currency) >= self.escrow.owed(currency)
        for token, owner in self.model.owners.items():
            assert self.item.ownerOf(token) == owner

    def holds(self, currency: str, who: str | None = None) -> int:
        """What an account, the escrow unless told, has of a currency."""
        who = who or self.escrow.address
        if currency == NATIVE:
            return boa.env.get_balance(who)
        return next(t for t in self.tokens if t.address == currency).balanceOf(who)

    def fresh(self) -> None:
        """Makes the model forget sales, credits and tokens, as a rolled back machine has."""
        self.model = replace(self.model, sales={}, credits={}, owners={}, makers={}, hashes={})


__all__ = ["LISTED", "MAKER_BPS", "NATIVE", "PLATFORM_BPS", "ZERO", "Market", "digest", "travel_to"]
