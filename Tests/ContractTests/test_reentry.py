"""Calls back into the contracts while they call: receivers of money and tokens, hostile tokens."""

import pytest
from machine import NATIVE, Contract, balance
from market import digest
from model import LISTED, PAID, TRANSFERRED

V = 10**18


@pytest.mark.parametrize("move", ["withdraw", "confirm", "list", "buy", "settle", "abort"])
def test_reentering_while_money_is_drawn(market, attacker, move):
    """A receiver that calls back before `withdraw` is done gets nothing twice and nothing else."""
    me, escrow = attacker.address, market.escrow
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    other = market.list()
    id = market.list(seller=me)
    open = market.list()
    market.buy(open, buyer=me)
    market.move("abort", id, sender=me)
    mine = market.list(seller=me)
    calls = {
        "withdraw": ("withdraw", NATIVE, me), "confirm": ("confirm", open), "buy": ("buy", other),
        "settle": ("settle", open, 0, 2**200), "abort": ("abort", mine),
        "list": (
            "list", market.terms().abi(), 0, digest("c"), digest("p"), digest("again")
        ),
    }
    attacker.arm(escrow.address, escrow.calldata(*calls[move]), False)
    had, credit, before = balance(me), escrow.credit(NATIVE, me), escrow.owed(NATIVE)
    escrow.withdraw(NATIVE, me, sender=me)
    assert attacker.calls() == 1 and not attacker.success()
    assert balance(me) == had + credit and escrow.owed(NATIVE) == before - credit
    assert escrow.credit(NATIVE, me) == 0
    statuses = [market.sale(i)["status"] for i in (other, open, mine)]
    assert statuses == [LISTED, PAID, LISTED]


def test_a_view_while_money_is_drawn_shows_the_end_state(market, attacker):
    """Credits, debts and sales can be read during a call, and are already what they will be."""
    me, escrow = attacker.address, market.escrow
    market.move("abort", market.list(seller=me), sender=me)
    attacker.arm(escrow.address, escrow.calldata("credit", NATIVE, me), False)
    escrow.withdraw(NATIVE, me, sender=me)
    assert attacker.success() and int.from_bytes(attacker.answer(), "big") == 0


@pytest.mark.parametrize("move", ["buy", "list", "withdraw"])
def test_reentering_from_a_token(market, move):
    """A token that calls back while it is being moved finds the door shut."""
    token = Contract("FeeToken")
    item = Contract("Item", 200, sender=market.deployer)
    escrow = Contract("Escrow", item.address, market.platform, 200, [token.address])
    item.seal([escrow.address], sender=market.deployer)
    for who in (market.ana, market.bo):
        token.mint(who, 100 * V)
    terms = market.terms(currency=token.address).abi()
    arguments = (terms, 0, digest("c"), digest("p"))
    id = escrow.list(*arguments, digest("1"), sender=market.ana)
    other = escrow.list(*arguments, digest("2"), sender=market.ana)
    escrow.abort(other, sender=market.ana)
    # The token can pay, so only the lock stands between it and a listing of its own.
    token.mint(token.address, 100 * V)
    inner = escrow.calldata("list", *arguments, digest("3"))
    token.set_hook(escrow.address, inner)
    {
        "buy": lambda: escrow.buy(id, sender=market.bo),
        "list": lambda: escrow.list(*arguments, digest("4"), sender=market.ana),
        "withdraw": lambda: escrow.withdraw(token.address, market.ana, sender=market.ana),
    }[move]()
    assert not token.hook_success()
    assert token.balanceOf(escrow.address) == escrow.owed(token.address)
    assert item.totalSupply() == (3 if move == "list" else 2)


def test_reentering_from_a_token_receiver(market, attacker):
    """A receiver of a safe transfer that moves the token on finds it already its own, once."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    onward = market.item.calldata("transferFrom", attacker.address, market.dan, 1)
    attacker.arm(market.item.address, onward, False)
    market.item.safeTransferFrom(market.bo, attacker.address, 1, sender=market.bo)
    assert attacker.success() and market.item.ownerOf(1) == market.dan
    assert [market.item.balanceOf(a) for a in (market.bo, attacker.address, market.dan)] == [0, 0, 1]
