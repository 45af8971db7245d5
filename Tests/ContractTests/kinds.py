"""A deployed market with auctions and direct sales for the tests, people in it, a model beside it."""

import copy
import itertools

from auction_model import Auctions
from direct_model import DirectSales
from eth_abi import encode
from eth_utils import keccak
from kinds_model import NATIVE, Items, Offer, Refusal
from machine import CHAIN_ID, Contract, Refused, account, boa, canonical, now

import auction_model
import direct_model

PLATFORM_BPS = 200
MAKER_BPS = 200
MODELS = {"Auction": (Auctions, "auction"), "DirectSale": (DirectSales, "direct")}


def digest(text: str) -> bytes:
    """A hash for promises, contents and salts."""
    return keccak(text=text)


class Kind:
    """One sale contract with its model. Every move goes to both, and both must answer alike."""

    def __init__(self, market: "KindsMarket", name: str, contract: Contract | None = None):
        self.market, self.name = market, name
        self.contract = contract or Contract(name, *market.arguments(), sender=market.deployer)
        model, prefix = MODELS[name]
        self.model = model(
            self.contract.address, market.platform, self.contract.PLATFORM_BPS(),
            self.contract.MAKER_BPS(), market.currencies, market.items, prefix,
        )
        self.offer_type = self.type_of_offers()
        self.salts = itertools.count()

    def type_of_offers(self) -> str:
        """The ABI type of the offers that `list` takes."""
        [offer] = self.contract.functions["list"]["inputs"]
        return canonical(offer)

    @property
    def address(self) -> str:
        return self.contract.address

    def terms(self, price: int = 10**18, **changes):
        """The usual terms, changed."""
        if self.name == "Auction":
            return auction_model.Terms.usual(price, **changes)
        return direct_model.Terms.usual(now(), price, **changes)

    def id(self, offer: Offer) -> bytes:
        """A sale's id, computed here."""
        types = ["uint256", "address", self.offer_type]
        return keccak(encode(types, [CHAIN_ID, self.address, offer.abi()]))

    def offer(
        self, terms=None, *, seller: str | None = None, token: int = 0, salt: bytes | None = None,
        maker: str | None = None, content: bytes | None = None, promise: bytes = digest("promise"),
    ) -> Offer:
        """An offer of Ana's, unless told otherwise; it is not listed yet."""
        if content is None:
            content = self.market.items.hashes.get(token, digest("content"))
        salt = digest(f"{self.name} {next(self.salts)}") if salt is None else salt
        seller = seller or self.market.ana
        maker = maker or self.market.items.makers.get(token, seller)
        return Offer(seller, salt, token, maker, content, promise, terms or self.terms())

    def list(self, terms=None, **offer) -> Offer:
        """Lists an offer of the seller's own on both."""
        made = self.offer(terms, **offer)
        self.move("list", made, sender=made.seller)
        return made

    def value(self, name: str, offer: Offer, *args) -> int:
        """The native money that a move needs."""
        if offer.terms.currency != NATIVE:
            return 0
        bid = lambda: max(0, args[0] - args[1])  # noqa: E731
        return {"pay": lambda: offer.terms.price, "bid": bid}.get(name, lambda: 0)()

    def move(self, name: str, offer: Offer, *args, sender: str, value: int | None = None) -> None:
        """Makes a move on both; a refusal must be the model's, word for word, and is raised.

        A bid given without its part from the bidder's credit has none.
        """
        if name == "bid" and len(args) == 1:
            args = (*args, 0)
        value = self.value(name, offer, *args) if value is None else value
        # The model is given the offer when it is listed, and then knows it by the id.
        told = (offer, *args) if name == "list" else args
        self.both(
            name, lambda: getattr(self.model, name)(sender, now(), value, self.id(offer), *told),
            lambda: self.contract.call(name, offer.abi(), *args, sender=sender, value=value),
        )

    def attempt(self, name: str, offer: Offer, *args, sender: str, value: int | None = None) -> str | None:
        """Tries a move on both, compares all that can be seen, and takes it back; why it is refused."""
        trial = self.market.fresh()
        kind = trial.kinds[self.market.kinds.index(self)]
        with boa.env.anchor():
            try:
                kind.move(name, offer, *args, sender=sender, value=value)
            except Refused as refusal:
                return refusal.text
            trial.agree()
        return None

    def withdraw(self, who: str, currency: str, amount: int, to: str | None = None) -> None:
        """Withdraws on both."""
        arguments = currency, amount, to or who
        self.both(
            "withdraw", lambda: self.model.withdraw(who, now(), 0, *arguments),
            lambda: self.contract.withdraw(*arguments, sender=who),
        )

    def both(self, name: str, in_model, in_contract) -> None:
        """Raises what both refuse; fails if they differ."""
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

    def sale(self, offer: Offer) -> dict:
        """The contract's own view of a sale."""
        return self.contract.sale(self.id(offer))

    def event(self, name: str) -> dict:
        """What the one event of a name in the last move says."""
        [log] = [log for log in self.contract.logs if log.name == name and log.address == self.address]
        return log.args

    def agree(self) -> None:
        """The contract's sales, credits and debts are the model's, and it can pay them all."""
        for id, sale in self.model.sales.items():
            assert self.contract.sale(id) == sale.shown()
            if sale.status in self.model.OPEN:
                assert self.market.item.ownerOf(sale.token) == self.address
        for (currency, who), amount in self.model.credits.items():
            assert self.contract.credit(currency, who) == amount
        for currency in self.market.currencies:
            owed = self.contract.owed(currency)
            assert owed == self.model.owed(currency)
            assert self.market.holds(currency, self.address) >= owed


class KindsMarket:
    """One Item with an Auction and a DirectSale, several currencies, four people and a platform."""

    def __init__(self, platform_bps: int = PLATFORM_BPS, maker_bps: int = MAKER_BPS, tokens: int = 2):
        self.deployer, self.platform = account("deployer"), account("platform")
        self.ana, self.bo, self.cleo, self.dan = map(account, ["ana", "bo", "cleo", "dan"])
        self.people = [self.ana, self.bo, self.cleo, self.dan]
        self.platform_bps = platform_bps
        self.item, self.items = Contract("Item", maker_bps, sender=self.deployer), Items()
        self.tokens = [
            Contract("TestToken", f"Token {n}", f"T{n}", 18, sender=self.deployer) for n in range(tokens)
        ]
        self.currencies = [NATIVE] + [t.address for t in self.tokens]
        self.auction, self.direct = Kind(self, "Auction"), Kind(self, "DirectSale")
        self.kinds = [self.auction, self.direct]
        for person in self.people:
            self.admit(person)

    def add(self, kind: Kind) -> None:
        """One more sale contract over the same Item; everyone lets it mint, take money and tokens."""
        self.kinds.append(kind)
        for person in self.people:
            self.admit(person, kind.address)

    def arguments(self) -> tuple:
        """What a sale contract of this market is deployed with."""
        return self.item.address, self.platform, self.platform_bps, [t.address for t in self.tokens]

    def admit(self, who: str, *contracts: str) -> None:
        """An account that has money and lets the sale contracts mint, take its money and its tokens."""
        for contract in contracts or [kind.address for kind in self.kinds]:
            self.item.allow_minter(contract, True, sender=who)
            self.item.setApprovalForAll(contract, True, sender=who)
            self.items.allow_minter(who, contract, True)
            self.items.operators.add((who, contract))
            for token in self.tokens:
                if "approve" in token.functions:
                    token.approve(contract, 2**256 - 1, sender=who)
        for token in self.tokens:
            token.mint(who, 10**45)

    def token_of(self, maker: str, owner: str, content: str = "content") -> int:
        """A token that its maker mints for himself and gives away."""
        token = self.items.mint(maker, maker, digest(content))
        assert self.item.mint(maker, digest(content), sender=maker) == token
        if owner != maker:
            self.give(token, owner)
        return token

    def give(self, token: int, to: str) -> None:
        """The owner gives a token away, outside of any sale."""
        owner = self.items.owners[token]
        self.items.move(owner, owner, to, token)
        self.item.transferFrom(owner, to, token, sender=owner)

    def holds(self, currency: str, who: str) -> int:
        """What an account has of a currency."""
        if currency == NATIVE:
            return boa.env.get_balance(who)
        return next(t for t in self.tokens if t.address == currency).balanceOf(who)

    def agree(self) -> None:
        """Every contract is as its model, and every token where the model has it."""
        for kind in self.kinds:
            kind.agree()
        for token, owner in self.items.owners.items():
            assert self.item.ownerOf(token) == owner
            assert self.item.maker(token) == self.items.makers[token]
            assert self.item.content_hash(token) == self.items.hashes[token]

    def fresh(self) -> "KindsMarket":
        """The same contracts with models of their own, for a test that the machine forgets."""
        made = copy.copy(self)
        made.items = copy.deepcopy(self.items)
        made.kinds = []
        for kind in self.kinds:
            other = copy.copy(kind)
            other.market, other.model = made, copy.copy(kind.model)
            other.model.items = made.items
            other.model.sales, other.model.credits = copy.deepcopy((kind.model.sales, kind.model.credits))
            made.kinds.append(other)
        made.auction, made.direct = made.kinds[:2]
        return made
