"""Native money, tokens, and tokens that misbehave: docs section 3."""

import pytest
import auction_model
import direct_model
from course_model import CourseTerms
from machine import NATIVE, Contract, Refused, balance, now
from market import Market, digest
from model import DAY, LISTED, PAID, TRANSFERRED

V = 10**18


@pytest.mark.parametrize("wrong", [0, 1, 2 * V - 1, 2 * V + 1])
def test_native_money_comes_in_the_exact_amount(market, wrong):
    with pytest.raises(Refused, match="money: wrong amount"):
        market.list(value=wrong)
    id = market.list()
    with pytest.raises(Refused, match="money: wrong amount"):
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
    offer = market.offer(market.terms(currency=coin.address)).abi()
    coin.approve(market.escrow.address, 2 * V - 1, sender=market.ana)
    with pytest.raises(Refused, match="token: more than the allowance"):
        market.escrow.list(offer, sender=market.ana)
    coin.approve(market.escrow.address, 2 * V, sender=market.ana)
    coin.transfer(market.bo, coin.balanceOf(market.ana), sender=market.ana)
    with pytest.raises(Refused, match="token: more than the balance"):
        market.escrow.list(offer, sender=market.ana)
    coin.mint(market.ana, 2 * V)
    market.escrow.list(offer, sender=market.ana)
    assert coin.allowance(market.ana, market.escrow.address) == 0
    assert market.escrow.owed(coin.address) == 2 * V


def test_a_credit_and_its_withdrawal_are_events_with_currency_and_receiver(market):
    for currency in market.currencies:
        id = market.reach(PAID, market.terms(currency=currency))
        market.move("confirm", id, sender=market.bo)
        credited = [log.args for log in market.escrow.logs if log.name == "Credited"]
        assert {"currency": currency, "account": market.ana, "id": id, "amount": 296 * V // 100} in credited
        assert {log["currency"] for log in credited} == {currency}
        market.move("withdraw", currency, V, market.cleo, sender=market.ana)
        [withdrawn] = [log.args for log in market.escrow.logs if log.name == "Withdrawn"]
        assert withdrawn == {"currency": currency, "account": market.ana, "to": market.cleo, "amount": V}


def test_credits_of_different_currencies_are_apart(market):
    for currency in market.currencies:
        market.move("confirm", market.reach(PAID, market.terms(currency=currency)), sender=market.bo)
    before = [market.holds(c, market.ana) for c in market.currencies]
    market.draw(market.ana, market.currencies[1])
    after = [market.holds(c, market.ana) for c in market.currencies]
    assert [a - b for a, b in zip(after, before)] == [0, 298 * V // 100, 0]
    with pytest.raises(Refused, match="money: more than the credit"):
        market.move("withdraw", market.currencies[1], 1, market.ana, sender=market.ana)
    market.agree()


def test_a_credit_is_withdrawn_in_parts_and_never_beyond(market):
    market.move("confirm", market.reach(PAID), sender=market.bo)
    credit = market.escrow.credit(NATIVE, market.ana)
    market.move("withdraw", NATIVE, 1, market.ana, sender=market.ana)
    market.move("withdraw", NATIVE, credit - 2, market.dan, sender=market.ana)
    for wrong, text in [(0, "nothing to withdraw"), (2, "more than the credit"), (2**256 - 1, "more")]:
        with pytest.raises(Refused, match=text):
            market.move("withdraw", NATIVE, wrong, market.ana, sender=market.ana)
    market.move("withdraw", NATIVE, 1, market.ana, sender=market.ana)
    assert market.escrow.credit(NATIVE, market.ana) == 0
    market.agree()


def test_a_credit_goes_to_whom_its_owner_names_and_nowhere_lost(market):
    market.move("confirm", market.reach(PAID), sender=market.bo)
    for to in (NATIVE, market.escrow.address):
        with pytest.raises(Refused, match="money: nobody can receive there"):
            market.draw(market.ana, to=to)
    with pytest.raises(Refused, match="money: more than the credit"):
        market.move("withdraw", NATIVE, 1, market.dan, sender=market.dan)
    had = balance(market.dan)
    market.draw(market.ana, to=market.dan)
    assert balance(market.dan) == had + 298 * V // 100
    market.agree()


class Odd:
    """A market whose only token is one of the hostile ones, and two people with plenty of it."""

    def __init__(self, kind: str):
        self.market = Market(tokens=0)
        self.token = Contract(kind)
        self.escrow = self.market.another_escrow(200, self.token)
        for who in (self.market.ana, self.market.bo):
            self.token.mint(who, 100 * V)
            self.market.item.allow_minter(self.escrow.address, True, sender=who)
        self.offer = self.market.offer(self.market.terms(currency=self.token.address)).abi()

    def call(self, name: str, *args, sender: str):
        """A move of the one offer."""
        return self.escrow.call(name, self.offer, *args, sender=sender)

    def list(self) -> bytes:
        return self.call("list", sender=self.market.ana)

    def withdraw(self, who: str, to: str | None = None):
        """Somebody's whole credit."""
        amount = self.escrow.credit(self.token.address, who)
        self.escrow.withdraw(self.token.address, amount, to or who, sender=who)

    def solvent(self) -> bool:
        held = self.token.balanceOf(self.escrow.address)
        return held >= self.escrow.owed(self.token.address)


def test_a_token_that_answers_nothing_works():
    odd = Odd("SilentToken")
    odd.list()
    odd.call("buy", sender=odd.market.bo)
    odd.call("confirm", sender=odd.market.bo)
    odd.withdraw(odd.market.ana, odd.market.dan)
    assert odd.token.balanceOf(odd.market.dan) == 298 * V // 100
    assert odd.solvent()


def test_a_token_that_answers_false_is_refused():
    odd = Odd("FeeToken")
    odd.token.misbehave(0, 0, 0, False)
    with pytest.raises(Refused, match="money: the token refused"):
        odd.list()
    odd.token.misbehave(0, 0, 0, True)
    odd.list()
    odd.token.misbehave(0, 0, 0, False)
    with pytest.raises(Refused, match="money: the token refused"):
        odd.call("buy", sender=odd.market.bo)
    odd.token.misbehave(0, 0, 0, True)
    odd.call("abort", sender=odd.market.ana)
    odd.token.misbehave(0, 0, 0, False)
    with pytest.raises(Refused, match="money: the token refused"):
        odd.withdraw(odd.market.ana)
    assert odd.escrow.credit(odd.token.address, odd.market.ana) == 2 * V
    assert odd.solvent()


def test_a_token_that_takes_a_fee_is_refused():
    odd = Odd("FeeToken")
    odd.token.misbehave(1, 0, 0, True)
    with pytest.raises(Refused, match="money: token takes a fee"):
        odd.list()
    odd.token.misbehave(0, 0, 0, True)
    id = odd.list()
    odd.token.misbehave(1, 0, 0, True)
    with pytest.raises(Refused, match="money: token takes a fee"):
        odd.call("buy", sender=odd.market.bo)
    assert odd.escrow.sale(id)["status"] == LISTED and odd.solvent()


def test_a_token_that_gives_too_much_is_refused():
    odd = Odd("GenerousToken")
    with pytest.raises(Refused, match="money: token takes a fee"):
        odd.list()


def test_a_token_that_takes_from_others_on_the_way_out_is_refused():
    odd = Odd("FeeToken")
    odd.list()
    odd.token.mint(odd.escrow.address, 1)
    odd.call("abort", sender=odd.market.ana)
    odd.token.misbehave(0, 0, 1, True)
    with pytest.raises(Refused, match="money: token takes a fee"):
        odd.withdraw(odd.market.ana)
    odd.token.misbehave(0, 1, 0, True)  # a fee on the receiver is the receiver's own affair
    odd.withdraw(odd.market.ana)
    assert odd.solvent()


def test_a_token_that_transfers_nothing_burns_no_credit():
    """A withdrawal spends a credit only if the contract's balance fell."""
    odd = Odd("LyingToken")
    odd.token.keep(1)
    with pytest.raises(Refused, match="money: token takes a fee"):
        odd.list()
    odd.token.keep(0)
    odd.list()
    odd.call("abort", sender=odd.market.ana)
    odd.token.keep(2 * V)
    with pytest.raises(Refused, match="money: the token transferred nothing"):
        odd.withdraw(odd.market.ana)
    assert odd.escrow.credit(odd.token.address, odd.market.ana) == 2 * V
    assert odd.escrow.owed(odd.token.address) == 2 * V == odd.token.balanceOf(odd.escrow.address)
    odd.token.keep(0)
    odd.withdraw(odd.market.ana)
    assert odd.token.balanceOf(odd.market.ana) == 100 * V and odd.solvent()


@pytest.mark.parametrize("kept", [1, V, 2 * V - 1])
def test_a_token_that_pays_the_sender_something_back_locks_no_credit(kept):
    """As a token with dividends would: the surplus stays in the contract, and the credit is spent."""
    odd = Odd("LyingToken")
    odd.list()
    odd.call("abort", sender=odd.market.ana)
    odd.token.keep(kept)
    odd.withdraw(odd.market.ana)
    assert odd.escrow.credit(odd.token.address, odd.market.ana) == 0 == odd.escrow.owed(odd.token.address)
    assert odd.token.balanceOf(odd.escrow.address) == kept and odd.solvent()


def earn(market: Market, name: str, token: Contract) -> tuple[Contract, str]:
    """A contract of a kind without platform fee, and somebody with a credit of V in it."""
    ana, bo, cleo = market.ana, market.bo, market.cleo
    if name == "Courses":
        contract = Contract(name, market.platform, [token.address])
        terms = CourseTerms(token.address, V, 1, now() + DAY, now() + 2 * DAY, DAY, DAY).abi()
        id = contract.open(digest("salt"), digest("promise"), terms, sender=ana)
        contract.enrol(id, 0, terms, sender=bo)
        contract.cancel(id, 0, terms, sender=ana)
        contract.refund(id, 0, terms, sender=bo)
        return contract, bo
    contract = Contract(name, market.item.address, market.platform, 0, [token.address])
    market.item.allow_minter(contract.address, True, sender=ana)
    if name == "DirectSale":
        offer = market.offer(direct_model.Terms.usual(now(), V, currency=token.address)).abi()
        contract.list(offer, sender=ana)
        contract.pay(offer, sender=bo)
        return contract, ana
    offer = market.offer(auction_model.Terms.usual(V, currency=token.address)).abi()
    contract.list(offer, sender=ana)
    contract.bid(offer, V, 0, sender=bo)
    contract.bid(offer, 2 * V, 0, sender=cleo)
    return contract, bo


@pytest.mark.parametrize("name", ["Auction", "DirectSale", "Courses"])
def test_no_other_kind_burns_a_credit_either(name):
    """All of them withdraw by the same module: a bid that was outbid, a price, a refunded seat."""
    market, token = Market(tokens=0), Contract("LyingToken")
    for someone in market.people:
        token.mint(someone, 2 * V)
    contract, who = earn(market, name, token)
    assert contract.credit(token.address, who) == V
    token.keep(V)
    with pytest.raises(Refused, match="money: the token transferred nothing"):
        contract.withdraw(token.address, V, who, sender=who)
    assert contract.credit(token.address, who) == V <= contract.owed(token.address)
    token.keep(0)
    contract.withdraw(token.address, V, who, sender=who)
    assert contract.credit(token.address, who) == 0
    assert contract.owed(token.address) == token.balanceOf(contract.address)


def test_a_token_with_a_limit_per_transfer_cannot_lock_a_credit():
    """A credit is withdrawn by amounts, so whatever the token lets through comes out."""
    odd = Odd("LimitedToken")
    odd.token.limit(0)
    odd.list()
    odd.call("abort", sender=odd.market.ana)
    odd.token.limit(V)
    with pytest.raises(Refused, match="money: the token refused"):
        odd.withdraw(odd.market.ana)
    for _ in range(2):
        odd.escrow.withdraw(odd.token.address, V, odd.market.ana, sender=odd.market.ana)
    assert odd.token.balanceOf(odd.market.ana) == 100 * V and odd.solvent()


def test_a_gift_of_tokens_is_nobodys_credit(market):
    id = market.reach(TRANSFERRED, market.terms(currency=market.currencies[1]))
    market.tokens[0].transfer(market.escrow.address, 12_345, sender=market.dan)
    market.move("confirm", id, sender=market.bo)
    market.agree()
    assert market.holds(market.currencies[1]) == market.escrow.owed(market.currencies[1]) + 12_345


def test_a_sale_in_one_token_is_never_paid_in_another(market):
    """The currency is part of the id; a sale in a worthless token cannot be paid out in a good one."""
    id = market.list(market.terms(currency=market.currencies[2]))
    offer = market.model.sales[id].offer
    swapped = offer.__class__(**{
        **offer.__dict__, "terms": market.terms(currency=market.currencies[1]),
    })
    with pytest.raises(Refused, match="escrow: sale is not listed"):
        market.move("abort", swapped, sender=market.ana)
    market.move("abort", id, sender=market.ana)
    assert market.escrow.credit(market.currencies[1], market.ana) == 0
    market.agree()
