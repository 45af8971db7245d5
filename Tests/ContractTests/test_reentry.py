"""Calls back into the contracts while they call: receivers of money and tokens, hostile tokens."""

import pytest
from machine import NATIVE, Contract, balance, now, travel_to
from model import DAY, DISPUTED, LISTED, PAID, TRANSFERRED

V = 10**18


class Stage:
    """A contract that is a party of several sales, in every role, with a credit to withdraw."""

    def __init__(self, market, attacker):
        self.market, self.me = market, attacker.address
        market.move("arbitrate", NATIVE, 0, 2**255, sender=self.me)
        market.move("abort", market.list(seller=self.me), sender=self.me)
        self.offered = market.list()
        self.mine = market.list(seller=self.me)
        self.bought = self.buy(PAID)
        self.shipped = self.buy(TRANSFERRED)
        self.sold = market.reach(PAID, seller=self.me)
        self.returned = market.reach(TRANSFERRED, seller=self.me)
        self.cases = [market.reach(DISPUTED, market.terms(arbiter=self.me)) for _ in range(2)]
        market.move("take", self.cases[1], sender=self.me)
        market.move("propose", self.shipped, 5_000, now() + DAY, sender=market.ana)
        market.move("propose", self.bought, 5_000, now() + DAY, sender=self.me)

    def buy(self, status: int) -> bytes:
        """A sale that the contract bought."""
        id = self.market.list()
        self.market.buy(id, buyer=self.me)
        if status == TRANSFERRED:
            self.market.move("transfer_item", id, sender=self.market.ana)
        return id

    def calls(self) -> dict[str, tuple]:
        """A move that would succeed for every function of the escrow, were it not called back."""
        until = now() + DAY
        return {
            "list": (self.market.offer(seller=self.me),), "abort": (self.mine,),
            "buy": (self.offered,), "decline": (self.sold,), "relist": (self.sold,), "transfer_item": (self.sold,),
            "refund": (self.returned,), "confirm": (self.bought,), "dispute": (self.shipped,),
            "claim": (self.shipped,), "take": (self.cases[0],), "rule": (self.cases[1], 0),
            "execute_default": (self.cases[1],), "propose": (self.bought, 1, until, 0),
            "withdraw_proposal": (self.bought,), "agree": (self.shipped, 5_000, 0),
            "arbitrate": (NATIVE, 1, 1), "withdraw": (NATIVE, 1, self.me),
        }

    def data(self, name: str) -> bytes:
        """The bytes of such a call, at a time when it is open."""
        if name in ("claim", "execute_default"):
            travel_to(now() + 60 * DAY)
        target, *rest = self.calls()[name]
        if isinstance(target, bytes):
            target = self.market.model.sales[target].offer
        return self.market.escrow.calldata(
            name, target.abi() if hasattr(target, "abi") else target, *rest
        )


NAMES = [
    "list", "abort", "buy", "decline", "relist", "transfer_item", "refund", "confirm", "dispute", "claim", "take",
    "rule", "execute_default", "propose", "withdraw_proposal", "agree", "arbitrate", "withdraw",
]


def test_every_function_that_writes_is_tried(market):
    writing = {
        e["name"] for e in market.escrow.abi
        if e["type"] == "function" and e["stateMutability"] in ("payable", "nonpayable")
    }
    assert writing == set(NAMES)


@pytest.mark.parametrize("move", NAMES)
def test_reentering_while_money_is_withdrawn(market, attacker, move):
    """A receiver that calls back before `withdraw` is done changes nothing, in whatever role."""
    stage = Stage(market, attacker)
    me, escrow = attacker.address, market.escrow
    attacker.arm(escrow.address, stage.data(move), False)
    had, credit, owed = balance(me), escrow.credit(NATIVE, me), escrow.owed(NATIVE)
    market.draw(me)
    assert attacker.calls() == 1 and not attacker.success()
    assert balance(me) == had + credit and escrow.owed(NATIVE) == owed - credit
    assert escrow.credit(NATIVE, me) == 0
    market.agree()


@pytest.mark.parametrize("move", ["abort", "decline", "relist", "transfer_item", "refund", "confirm", "dispute", "claim",
                                  "take", "rule", "execute_default", "propose", "withdraw_proposal", "agree", "arbitrate", "withdraw"])
def test_the_same_call_succeeds_when_it_is_not_a_call_back(market, attacker, move):
    """So the test above shows the lock, and not a call that would be refused anyway."""
    stage = Stage(market, attacker)
    attacker.arm(market.escrow.address, stage.data(move), False)
    attacker.fire()
    assert attacker.success()


@pytest.mark.parametrize("name", ["credit", "owed", "sale", "sale_id", "arbiter_terms", "ITEM", "currencies"])
def test_a_view_while_money_is_withdrawn_shows_the_end_state(market, attacker, name):
    """Credits, debts and sales can be read during a call, and are already what they will be."""
    me, escrow = attacker.address, market.escrow
    id = market.list(seller=me)
    market.move("abort", id, sender=me)
    arguments = {
        "credit": (NATIVE, me), "owed": (NATIVE,), "sale": (id,), "arbiter_terms": (me, NATIVE),
        "sale_id": (market.model.sales[id].offer.abi(),),
    }.get(name, ())
    attacker.arm(escrow.address, escrow.calldata(name, *arguments), False)
    market.draw(me)
    assert attacker.success()
    if name in ("credit", "owed"):
        assert int.from_bytes(attacker.answer(), "big") == 0


@pytest.mark.parametrize("inner", NAMES)
@pytest.mark.parametrize("outer", ["list", "buy", "withdraw"])
def test_reentering_from_a_token(market, outer, inner):
    """A token that calls back while it is being moved finds the contract locked."""
    token = Contract("FeeToken")
    escrow = market.another_escrow(200, token)
    for who in (market.ana, market.bo, token.address):
        token.mint(who, 100 * V)
        market.item.allow_minter(escrow.address, True, sender=who)
    offer = lambda who: market.offer(market.terms(currency=token.address), seller=who).abi()  # noqa: E731
    listed, aborted, own = offer(market.ana), offer(market.ana), offer(token.address)
    for made in (listed, aborted):
        escrow.list(made, sender=market.ana)
    escrow.abort(aborted, sender=market.ana)
    escrow.list(own, sender=token.address)
    escrow.arbitrate(NATIVE, 0, 1, sender=token.address)
    rest = {
        "rule": (0,), "propose": (0, now() + DAY, 0), "agree": (0, 0),
        "arbitrate": (NATIVE, 7, 7), "withdraw": (token.address, 1, token.address),
    }.get(inner, ())
    first = {"list": offer(token.address), "buy": listed, "arbitrate": None, "withdraw": None}
    target = first.get(inner, own)
    token.set_hook(escrow.address, escrow.calldata(inner, *([target] if target else []), *rest))
    state = escrow.sale(escrow.sale_id(own))
    if outer == "list":
        escrow.list(offer(market.ana), sender=market.ana)
    elif outer == "buy":
        escrow.buy(listed, sender=market.bo)
    else:
        escrow.withdraw(token.address, V, market.ana, sender=market.ana)
    assert not token.hook_success()
    assert token.balanceOf(escrow.address) == escrow.owed(token.address)
    assert escrow.sale(escrow.sale_id(own)) == state and state["status"] == LISTED
    assert escrow.arbiter_terms(token.address, NATIVE) == (0, 1)
    assert market.item.totalSupply() == (4 if outer == "list" else 3)


def test_reentering_from_a_token_receiver(market, attacker):
    """A receiver of a safe transfer that moves the token on finds it already its own, once."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    onward = market.item.calldata("transferFrom", attacker.address, market.dan, 1)
    attacker.arm(market.item.address, onward, False)
    market.item.safeTransferFrom(market.bo, attacker.address, 1, sender=market.bo)
    assert attacker.success() and market.item.ownerOf(1) == market.dan
    assert [market.item.balanceOf(a) for a in (market.bo, attacker.address, market.dan)] == [0, 0, 1]
