"""Every exit pays to the unit as the table says: docs section 5."""

import itertools
from dataclasses import astuple, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from machine import boa
from market import Market
from model import (
    DISPUTED, EXITS, LISTED, NOBODY, PAID, PRICE_MAX, TRANSFERRED, Payout, Terms, payout,
)

PRICES = [1, 2, 3, 19, 49, 50, 51, 99, 101, 9_999, 10**18, 10**18 + 7, PRICE_MAX - 1, PRICE_MAX]
SHARES = [0, 1, 4_999, 5_000, 5_001, 9_999, 10_000]
FROM = {
    "abort": LISTED, "confirm": PAID, "claim": TRANSFERRED, "refund": TRANSFERRED,
    "settle": PAID, "rule": DISPUTED, "execute_default": DISPUTED,
}


def finish(market: Market, exit: str, terms: Terms, share: int) -> dict:
    """Brings a sale to an exit and returns its `Ended` event; contract and model agree."""
    id = market.reach(FROM[exit], terms)
    sender = {"confirm": market.bo, "rule": market.cleo}.get(exit, market.ana)
    if exit in ("claim", "execute_default"):
        boa.env.timestamp = market.model.sales[id].deadline()
        sender = market.dan
    if exit == "settle":
        market.move("settle", id, share, 2**200, sender=market.bo)
        market.move("settle", id, share, 2**200, sender=market.ana)
    else:
        market.move(exit, id, *([share] if exit == "rule" else []), sender=sender)
    return market.escrow.logs[0].args


def check(market: Market, exit: str, terms: Terms, share: int) -> None:
    """One exit: the event, the credits and what can be drawn are the table's."""
    before = dict(market.model.credits)
    ended = finish(market, exit, terms, share)
    m = market.model
    parts = payout(exit, terms, share, m.platform_bps, m.maker_bps)
    assert ended["payout"] == parts.__dict__ and ended["exit"] == EXITS[exit]
    paid = terms.seller_deposit
    if exit != "abort":
        paid += terms.price + terms.buyer_deposit
    assert sum(astuple(parts)) == paid
    market.agree()
    for (currency, who), amount in m.credits.items():
        if who == NOBODY or amount == 0:
            continue
        had = market.holds(currency, who)
        market.move("withdraw", currency, who, sender=who)
        assert market.holds(currency, who) == had + amount
    forfeited = before.get((terms.currency, NOBODY), 0) + parts.nobody
    assert market.escrow.owed(terms.currency) == market.holds(terms.currency) == forfeited
    market.agree()


@pytest.mark.parametrize("exit", FROM)
@pytest.mark.parametrize("price", PRICES)
def test_an_exit_pays_as_the_table_says(market, exit, price):
    terms = market.terms(price, arbiter=market.cleo, arbiter_fee=price * 3 // 100)
    for share in SHARES if exit in ("settle", "rule") else [0]:
        with boa.env.anchor():
            kept = market.model
            market.model = replace(kept, sales={}, credits={}, owners=dict(kept.owners))
            check(market, exit, terms, share)
            market.model = kept


@pytest.mark.parametrize("exit", FROM)
@pytest.mark.parametrize("corner", list(itertools.product([1, 10], [1, 10], [0, 5], [0, 5])))
def test_an_exit_pays_at_every_corner_of_the_bounds(market, exit, corner):
    s, b, late, fee = corner
    v = 10**9 + 19
    terms = market.terms(
        v, seller_deposit=s * v, buyer_deposit=b * v, late_penalty=v * late // 100,
        arbiter=market.cleo, arbiter_fee=v * fee // 100,
    )
    check(market, exit, terms, 3_333)


@pytest.mark.parametrize("exit", FROM)
def test_an_exit_pays_in_a_token(market, exit):
    check(market, exit, market.terms(12_345, currency=market.currencies[1], arbiter=market.cleo), 777)


@pytest.mark.parametrize("fees", [(0, 0), (500, 1_000), (500, 0), (0, 1_000), (1, 1)])
@pytest.mark.parametrize("exit", ["confirm", "rule", "settle", "execute_default"])
def test_an_exit_pays_the_fees_of_its_deployment(fees, exit):
    market = Market(*fees)
    for v in (1, 10**4 - 1, 10**18 + 1):
        with boa.env.anchor():
            market.model.sales, market.model.credits, market.model.owners = {}, {}, {}
            check(market, exit, market.terms(v, arbiter=market.cleo), 6_001)


@settings(max_examples=60)
@given(st.data())
def test_an_exit_pays_whatever_the_terms(deployed, data):
    draw = data.draw
    v = draw(st.one_of(st.integers(1, 10_000), st.integers(1, PRICE_MAX)))
    bounded = lambda low, high: draw(st.integers(low, high))  # noqa: E731
    market = deployed
    kept = market.model
    market.model = replace(kept, sales={}, credits={}, owners={})
    terms = market.terms(
        v, seller_deposit=bounded(v, 10 * v), buyer_deposit=bounded(v, 10 * v),
        late_penalty=bounded(0, v * 5 // 100), arbiter=market.cleo,
        arbiter_fee=bounded(0, v * 5 // 100), currency=draw(st.sampled_from(market.currencies)),
    )
    try:
        check(market, draw(st.sampled_from(sorted(FROM))), terms, bounded(0, 10_000))
    finally:
        market.model = kept


def test_the_usual_sale_of_one_ether_completes_as_solirey_paid(market):
    v = 10**18
    parts = finish(market, "confirm", market.terms(v), 0)["payout"]
    fee = v * 2 // 100
    # A pot of four times the price: 3 v less both fees to the seller, v back to the buyer.
    assert parts == Payout(3 * v - 2 * fee, v, fee, fee).__dict__


def test_a_default_is_worse_for_both_than_any_settlement(market):
    # From six units on; below, the forfeit is floored to little or nothing.
    for v, s, fees in itertools.product([6, 7, 8, 9, 10**18], [1, 2, 10], [(0, 0), (500, 1_000)]):
        terms = market.terms(v, seller_deposit=s * v, buyer_deposit=s * v)
        fallen = payout("execute_default", terms, 0, *fees)
        for share in range(0, 10_001, 250):
            agreed = payout("settle", terms, share, *fees)
            assert agreed.seller > fallen.seller and agreed.buyer > fallen.buyer


def test_the_token_goes_to_the_buyer_from_half_of_the_price_on(market):
    for share in SHARES:
        ended = finish(market, "rule", market.terms(arbiter=market.cleo), share)
        receiver = market.bo if share >= 5_000 else market.ana
        assert ended["token_to"] == receiver
    market.agree()
