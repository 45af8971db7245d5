"""Native money, tokens, and tokens that misbehave: docs section 6."""

import pytest
from machine import NATIVE, Contract, Refused, balance
from market import Market, digest
from model import LISTED, PAID, TRANSFERRED

V = 10**18


@pytest.mark.parametrize("wrong", [0, 1, 2 * V - 1, 2 * V + 1])
def test_native_money_comes_in_the_exact_amount(market, wrong):
    with pytest.raises(Refused, match="wrong amount"):
        market.list(value=wrong)
    id = market.list()
    with pytest.raises(Refused, match="wrong amount"):
        market.buy(id, value=wrong)
    assert balance(market.escrow.address) == 2 * V
    market.agree()


def test_value_with_a_token_sale_is_refused(market):
    terms = market.terms(currency=market.currencies[1])
    with pytest.raises(Refused, match="value sent to a sale in a token"):
        market.list(terms, value=1)
    id = market.list(terms)
    with pytest.raises(Refused, match="value sent to a sale in a token"):
        market.buy(id, value=1)
    market.buy(id)
    market.agree()


def test_a_token_needs_allowance_and_balance(market):
    [coin, _] = market.tokens
    terms = market.terms(currency=coin.address).abi()
    arguments = (terms, 0, digest("c"), digest("p"), digest("s"))
    coin.approve(market.escrow.address, 2 * V - 1, sender=market.ana)
    with pytest.raises(Refused, match="erc20: insufficient allowance"):
        market.escrow.list(*arguments, sender=market.ana)
    coin.approve(market.escrow.address, 2 * V, sender=market.ana)
    coin.transfer(market.bo, coin.balanceOf(market.ana), sender=market.ana)
    with pytest.raises(Refused, match="erc20: transfer amount exceeds balance"):
        market.escrow.list(*arguments, sender=market.ana)
    coin.mint(market.ana, 2 * V)
    market.escrow.list(*arguments, sender=market.ana)
    assert coin.allowance(market.ana, market.escrow.address) == 0
    assert market.escrow.owed(coin.address) == 2 * V


def test_credits_of_different_currencies_are_apart(market):
    for currency in market.currencies:
        market.move("confirm", market.reach(PAID, market.terms(currency=currency)), sender=market.bo)
    before = [market.holds(c, market.ana) for c in market.currencies]
    market.move("withdraw", market.currencies[1], market.ana, sender=market.ana)
    after = [market.holds(c, market.ana) for c in market.currencies]
    assert [a - b for a, b in zip(after, before)] == [0, 298 * V // 100, 0]
    with pytest.raises(Refused, match="nothing to withdraw"):
        market.move("withdraw", market.currencies[1], market.ana, sender=market.ana)
    market.agree()


def test_a_credit_goes_to_whom_its_owner_names_and_nowhere_lost(market):
    market.move("confirm", market.reach(PAID), sender=market.bo)
    for to in (NATIVE, market.escrow.address):
        with pytest.raises(Refused, match="nobody can receive there"):
            market.move("withdraw", NATIVE, to, sender=market.ana)
    with pytest.raises(Refused, match="nothing to withdraw"):
        market.move("withdraw", NATIVE, market.dan, sender=market.dan)
    had = balance(market.dan)
    market.move("withdraw", NATIVE, market.dan, sender=market.ana)
    assert balance(market.dan) == had + 298 * V // 100
    market.agree()


class Odd:
    """A market whose only token is one of the hostile ones, and two people with plenty of it."""

    def __init__(self, kind: str):
        self.market = Market(tokens=0)
        self.token = Contract(kind)
        self.escrow = self.market.another_escrow(200, self.token)
        self.market.item = Contract("Item", 200, sender=self.market.deployer)
        self.escrow = Contract(
            "Escrow", self.market.item.address, self.market.platform, 200, [self.token.address]
        )
        self.market.item.seal([self.escrow.address], sender=self.market.deployer)
        for who in (self.market.ana, self.market.bo):
            self.token.mint(who, 100 * V)

    def list(self) -> bytes:
        terms = self.market.terms(currency=self.token.address).abi()
        return self.escrow.list(
            terms, 0, digest("c"), digest("p"), digest("s"), sender=self.market.ana
        )

    def solvent(self) -> bool:
        held = self.token.balanceOf(self.escrow.address)
        return held >= self.escrow.owed(self.token.address)


def test_a_token_that_answers_nothing_works():
    odd = Odd("SilentToken")
    id = odd.list()
    odd.escrow.buy(id, sender=odd.market.bo)
    odd.escrow.confirm(id, sender=odd.market.bo)
    odd.escrow.withdraw(odd.token.address, odd.market.dan, sender=odd.market.ana)
    assert odd.token.balanceOf(odd.market.dan) == 298 * V // 100
    assert odd.solvent()


def test_a_token_that_answers_false_is_refused():
    odd = Odd("FeeToken")
    odd.token.misbehave(0, 0, 0, False)
    with pytest.raises(Refused, match="the token refused"):
        odd.list()
    odd.token.misbehave(0, 0, 0, True)
    id = odd.list()
    odd.token.misbehave(0, 0, 0, False)
    with pytest.raises(Refused, match="the token refused"):
        odd.escrow.buy(id, sender=odd.market.bo)
    odd.token.misbehave(0, 0, 0, True)
    odd.escrow.abort(id, sender=odd.market.ana)
    odd.token.misbehave(0, 0, 0, False)
    with pytest.raises(Refused, match="the token refused"):
        odd.escrow.withdraw(odd.token.address, odd.market.ana, sender=odd.market.ana)
    assert odd.escrow.credit(odd.token.address, odd.market.ana) == 2 * V
    assert odd.solvent()


def test_a_token_that_takes_a_fee_is_refused():
    odd = Odd("FeeToken")
    odd.token.misbehave(1, 0, 0, True)
    with pytest.raises(Refused, match="token takes a fee"):
        odd.list()
    odd.token.misbehave(0, 0, 0, True)
    id = odd.list()
    odd.token.misbehave(1, 0, 0, True)
    with pytest.raises(Refused, match="token takes a fee"):
        odd.escrow.buy(id, sender=odd.market.bo)
    assert odd.escrow.sale(id)["status"] == LISTED and odd.solvent()


def test_a_token_that_takes_from_others_on_the_way_out_is_refused():
    odd = Odd("FeeToken")
    id = odd.list()
    odd.token.mint(odd.escrow.address, 1)
    odd.escrow.abort(id, sender=odd.market.ana)
    odd.token.misbehave(0, 0, 1, True)
    with pytest.raises(Refused, match="token takes a fee"):
        odd.escrow.withdraw(odd.token.address, odd.market.ana, sender=odd.market.ana)
    odd.token.misbehave(0, 1, 0, True)  # a fee on the receiver is the receiver's own affair
    odd.escrow.withdraw(odd.token.address, odd.market.ana, sender=odd.market.ana)
    assert odd.solvent()


def test_a_gift_of_tokens_is_nobodys_credit(market):
    id = market.reach(TRANSFERRED, market.terms(currency=market.currencies[1]))
    market.tokens[0].transfer(market.escrow.address, 12_345, sender=market.dan)
    market.move("confirm", id, sender=market.bo)
    market.agree()
    assert market.holds(market.currencies[1]) == market.escrow.owed(market.currencies[1]) + 12_345
