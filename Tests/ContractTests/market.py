"""A deployed market for the tests, with people in it and a model beside it."""

import itertools

from eth_abi import encode
from eth_utils import keccak
from machine import NATIVE, Contract, Refused, account, boa, now, travel_to
from model import DISPUTED, LISTED, PAID, TRANSFERRED, Model, Refusal, Terms

ZERO = bytes(32)
PLATFORM_BPS = 200
MAKER_BPS = 200


def digest(text: str) -> bytes:
    """A hash for promises, contents and salts."""
    return keccak(text=text)


class Market:
    """One deployment of the set. Every move goes to the contract and to the model alike."""

    def __init__(self, platform_bps: int = PLATFORM_BPS, maker_bps: int = MAKER_BPS, tokens: int = 2):
        self.deployer, self.platform = account("deployer"), account("platform")
        self.ana, self.bo, self.cleo, self.dan = map(account, ["ana", "bo", "cleo", "dan"])
        self.people = [self.ana, self.bo, self.cleo, self.dan]
        self.item = Contract("Item", maker_bps, sender=self.deployer)
        self.tokens = [
            Contract("TestToken", f"Token {n}", f"T{n}", 18, sender=self.deployer)
            for n in range(tokens)
        ]
        self.escrow = self.another_escrow(platform_bps, *self.tokens)
        self.item.seal([self.escrow.address], sender=self.deployer)
        self.currencies = [NATIVE] + [t.address for t in self.tokens]
        self.model = Model(
            self.escrow.address, self.platform, platform_bps, maker_bps, self.currencies
        )
        self.salts = itertools.count()
        for person in self.people:
            self.item.setApprovalForAll(self.escrow.address, True, sender=person)
            for token in self.tokens:
                token.mint(person, 10**45)
                token.approve(self.escrow.address, 2**256 - 1, sender=person)

    def another_escrow(self, platform_bps: int, *tokens: Contract) -> Contract:
        """An escrow of this market's tokens, not sealed."""
        addresses = [t.address for t in tokens]
        return Contract(
            "Escrow", self.item.address, self.platform, platform_bps, addresses, sender=self.deployer
        )

    def terms(self, price: int = 10**18, **changes) -> Terms:
        """The usual terms, changed."""
        return Terms.usual(now(), price, **changes)

    def move(self, name: str, *args, sender: str, **extra):
        """Makes a move on both; a refusal must be the model's, word for word, and is raised."""
        expected = None
        try:
            getattr(self.model, name)(sender, now(), *extra.values(), *args)
        except Refusal as refusal:
            expected = refusal.text
        try:
            self.escrow.call(name, *args, sender=sender, **extra)
            answer = None
        except Refused as refused:
            answer = refused.text
        assert answer == expected, f"{name}: contract says {answer!r}, the law {expected!r}"
        if answer is not None:
            raise Refused(answer)

    def id(
        self, seller: str, salt: bytes, token: int, content: bytes, promise: bytes, terms: Terms
    ) -> bytes:
        """A sale's id, computed here."""
        types = ["uint256", "address", "address", "bytes32", "uint256", "bytes32", "bytes32"]
        types += ["address"] + ["uint256"] * 4 + ["address"] + ["uint256"] * 5
        chain = boa.env.evm.patch.chain_id
        offer = [seller, salt, token, content, promise, *terms.abi()]
        return keccak(encode(types, [chain, self.escrow.address, *offer]))

    def list(
        self, terms: Terms | None = None, *, seller: str | None = None, token: int = 0,
        value: int | None = None, salt: bytes | None = None,
        content: bytes | None = None, promise: bytes = digest("promise"),
    ) -> bytes:
        """Lists on both; the value is what the terms ask unless given."""
        terms = terms or self.terms()
        seller = seller or self.ana
        salt = digest(f"salt {next(self.salts)}") if salt is None else salt
        if content is None:
            content = self.model.hashes[token] if token else digest("content")
        if value is None:
            value = terms.seller_deposit if terms.currency == NATIVE else 0
        id = self.id(seller, salt, token, content, promise, terms)
        expected = None
        try:
            self.model.list(seller, now(), value, id, terms, token, content, promise)
        except Refusal as refusal:
            expected = refusal.text
        try:
            got = self.escrow.list(
                terms.abi(), token, content, promise, salt, sender=seller, value=value
            )
            answer = None
            assert got == id
        except Refused as refused:
            answer = refused.text
        assert answer == expected, f"list: contract says {answer!r}, the law {expected!r}"
        if answer is not None:
            raise Refused(answer)
        return id

    def buy(self, id: bytes, *, buyer: str | None = None, value: int | None = None) -> None:
        """Buys on both; the value is what the terms ask unless given."""
        sale = self.model.sales.get(id)
        if value is None:
            native = sale is not None and sale.terms.currency == NATIVE
            value = sale.terms.price + sale.terms.buyer_deposit if native else 0
        self.move("buy", id, sender=buyer or self.bo, value=value)

    def reach(self, status: int, terms: Terms | None = None) -> bytes:
        """A sale by Ana, bought by Bo, in the status asked for; None is one that does not exist."""
        if status == 0:
            return digest("no such sale")
        id = self.list(terms)
        if status in (PAID, TRANSFERRED, DISPUTED):
            self.buy(id)
        if status in (TRANSFERRED, DISPUTED):
            self.move("transfer_item", id, sender=self.ana)
        if status == DISPUTED:
            self.move("dispute", id, sender=self.bo)
        assert self.sale(id)["status"] == status
        return id

    def sale(self, id: bytes) -> dict:
        """The contract's own view of a sale."""
        return self.escrow.sale(id)

    def agree(self) -> None:
        """The contract's sales, credits and debts are the model's, and it can pay them all."""
        for id, s in self.model.sales.items():
            shown = self.sale(id)
            assert shown == {
                "status": s.status, "seller": s.seller, "buyer": s.buyer, "token": s.token,
                "promise": s.promise, "since": s.since,
                "terms": dict(zip(shown["terms"], s.terms.abi())),
                "proposal": dict(zip(shown["proposal"], s.proposal)),
            }
        for (currency, who), amount in self.model.credits.items():
            assert self.escrow.credit(currency, who) == amount
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


__all__ = ["LISTED", "MAKER_BPS", "NATIVE", "PLATFORM_BPS", "ZERO", "Market", "digest", "travel_to"]
