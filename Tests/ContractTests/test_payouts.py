"""Every exit pays to the unit as the table says: docs section 7."""

import itertools
from dataclasses import astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from machine import boa, travel_to
from market import Market
from model import (
    DISPUTED, EXITS, LISTED, NOBODY, PAID, PRICE_MAX, PRICE_MIN, TRANSFERRED, Payout, Terms, payout,
)

PRICES = [PRICE_MIN, 10_001, 10_002, 10_019, 10_049, 10_051, 19_999, 29_999, 10**18, 10**18 + 7, PRICE_MAX - 1, PRICE_MAX]
# Prices that are divided in every share.
SHARED = [10_051, 10**18 + 7, PRICE_MAX]
SHARES = [0, 1, 4_999, 5_000, 5_001, 9_999, 10_000]
TAKEN = "taken"
# Each exit, from where; the second four with an arbiter at work.
WAYS = [
    ("abort", LISTED), ("decline", PAID), ("confirm", PAID), ("claim", TRANSFERRED), ("refund", TRANSFERRED),
    ("settle", PAID), ("execute_default", DISPUTED), ("rule", TAKEN),
    ("confirm", TAKEN), ("refund", TAKEN), ("settle", TAKEN), ("execute_default", TAKEN),
]
SENDERS = {"confirm": "bo", "rule": "cleo", "claim": "dan", "execute_default": "dan"}
# The seller's share that an exit reports; the others report the one that was agreed or ruled.
FIXED_SHARES = {"abort": 0, "decline": 0, "refund": 0, "confirm": 10_000, "claim": 10_000, "execute_default": 5_000}
ways = pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1]}")


def finish(market: Market, way: tuple, terms: Terms, share: int) -> dict:
    """Brings a sale to an exit and returns its `Ended` event; contract and model agree."""
    exit, status = way
    id = market.taken(terms) if status == TAKEN else market.reach(status, terms)
    if exit in ("claim", "execute_default"):
        travel_to(market.model.sales[id].deadline)
    if exit == "settle":
        market.settle(id, share)
    else:
        sender = getattr(market, SENDERS.get(exit, "ana"))
        market.move(exit, id, *([share] if exit == "rule" else []), sender=sender)
    return market.ended()


def check(market: Market, way: tuple, terms: Terms, share: int) -> None:
    """One exit: the event, the credits and what can be withdrawn are the table's."""
    exit, status = way
    before = dict(market.model.credits)
    ended = finish(market, way, terms, share)
    m = market.model
    parts = payout(exit, terms, share, m.platform_bps, m.maker_bps, status == TAKEN)
    assert ended["payout"] == parts.__dict__ and ended["exit"] == EXITS[exit]
    assert ended["share"] == FIXED_SHARES.get(exit, share)
    paid = terms.seller_deposit
    if exit != "abort":
        paid += terms.price + terms.buyer_deposit
    assert sum(astuple(parts)) == paid
    market.agree()
    for (currency, who), amount in m.credits.items():
        if who == NOBODY or amount == 0:
            continue
        had = market.holds(currency, who)
        market.move("withdraw", currency, amount, who, sender=who)
        assert market.holds(currency, who) == had + amount
    forfeited = before.get((terms.currency, NOBODY), 0) + parts.nobody
    assert market.escrow.owed(terms.currency) == market.holds(terms.currency) == forfeited
    market.agree()


@ways
@pytest.mark.parametrize("price", PRICES)
def test_an_exit_pays_as_the_table_says(market, way, price):
    terms = market.arbitrated(price, percent=3)
    for share in SHARES if way[0] in ("settle", "rule") and price in SHARED else [4_999]:
        with boa.env.anchor():
            market.fresh()
            check(market, way, terms, share)


@ways
@pytest.mark.parametrize("corner", list(itertools.product([1, 30], [1, 5], [0, 5])))
def test_an_exit_pays_at_every_corner_of_the_bounds(market, way, corner):
    thirds, late, fee = corner
    v = 10**9 + 19
    deposit = lambda thirds: -(-v * thirds // 3)  # noqa: E731
    terms = market.arbitrated(
        v, fee, seller_deposit=deposit(thirds), buyer_deposit=deposit(31 - thirds),
        late_penalty=v * late // 100 + (late == 1),
    )
    check(market, way, terms, 3_333)
    terms = replace(terms, buyer_deposit=deposit(thirds))
    check(market, way, replace(terms, offer_until=terms.offer_until + 1), 6_667)


@ways
def test_an_exit_pays_in_a_token(market, way):
    check(market, way, market.arbitrated(12_345, currency=market.currencies[1]), 777)


@pytest.mark.parametrize("fees", [(0, 0), (500, 1_000), (500, 0), (0, 1_000), (1, 1)])
def test_an_exit_pays_the_fees_of_its_deployment(fees):
    market = Market(*fees)
    for v, way in itertools.product((PRICE_MIN, 10**4 + 7, 10**18 + 1), WAYS[2:8]):
        with boa.env.anchor():
            market.fresh()
            check(market, way, market.arbitrated(v), 6_001)


@given(st.data())
def test_an_exit_pays_whatever_the_terms(deployed, data):
    draw = data.draw
    v = draw(st.one_of(st.integers(PRICE_MIN, 10**6), st.integers(PRICE_MIN, PRICE_MAX)))
    bounded = lambda low, high: draw(st.integers(low, high))  # noqa: E731
    market, kept = deployed, deployed.model
    market.fresh()
    terms = market.terms(
        v, seller_deposit=bounded(-(-v // 3), 10 * v), buyer_deposit=bounded(-(-v // 3), 10 * v),
        late_penalty=bounded(-(-v // 100), v * 5 // 100), arbiter=market.cleo,
        arbiter_fee=bounded(0, v * 5 // 100), currency=draw(st.sampled_from(market.currencies)),
    )
    try:
        with boa.env.anchor():
            check(market, draw(st.sampled_from(WAYS)), terms, bounded(0, 10_000))
    finally:
        market.model = kept


def test_the_usual_sale_of_one_ether_completes_as_solirey_paid(market):
    v = 10**18
    parts = finish(market, ("confirm", PAID), market.terms(v), 0)["payout"]
    fee = v * 2 // 100
    # A pot of four times the price: 3 v less both fees to the seller, v back to the buyer.
    assert parts == Payout(3 * v - 2 * fee, v, fee, fee).__dict__


def test_the_arbiters_fee_of_an_odd_unit_is_shared_to_the_unit(market):
    terms = market.terms(10_000, arbiter=market.cleo, arbiter_fee=49)
    parts = finish(market, ("settle", TAKEN), terms, 5_000)["payout"]
    assert parts == Payout(20_000 + 5_000 - 100 - 100 - 24, 10_000 + 5_000 - 25, 100, 100, 49).__dict__


def test_an_arbiter_with_the_case_is_paid_in_every_exit_except_default(market):
    terms = market.arbitrated(10**18, 5)
    for exit, paid in [("confirm", 5), ("refund", 5), ("settle", 5), ("rule", 5), ("execute_default", 0)]:
        with boa.env.anchor():
            market.fresh()
            assert finish(market, (exit, TAKEN), terms, 2_500)["payout"]["arbiter"] == paid * 10**16
    for exit in ("confirm", "refund", "settle", "execute_default"):
        with boa.env.anchor():
            market.fresh()
            assert finish(market, (exit, DISPUTED), terms, 2_500)["payout"]["arbiter"] == 0


def test_a_default_is_worse_for_both_than_any_settlement(market):
    for v, s, fees in itertools.product([10_000, 10_001, 10_002, 10**18], [1, 6, 30], [(0, 0), (500, 1_000)]):
        deposit = -(-v * s // 3)
        terms = market.arbitrated(v, 5, seller_deposit=deposit, buyer_deposit=deposit)
        fallen = payout("execute_default", terms, 0, *fees)
        assert min(fallen.seller, fallen.buyer) >= 0
        for share, taken in itertools.product(range(0, 10_001, 250), (False, True)):
            agreed = payout("settle", terms, share, *fees, taken)
            assert agreed.seller > fallen.seller and agreed.buyer > fallen.buyer


def test_the_token_goes_to_the_buyer_from_half_of_the_price_on(market):
    for share, way in itertools.product(SHARES, ("rule", "settle")):
        ended = finish(market, (way, TAKEN), market.arbitrated(), share)
        receiver = market.bo if share >= 5_000 else market.ana
        assert ended["token_to"] == receiver
    market.agree()


def test_maker_platform_and_arbiter_are_credited_on_a_resale(market):
    """All six accounts of a payout differ, and each gets its own part."""
    market.move("confirm", market.reach(TRANSFERRED, seller=market.dan), sender=market.bo)
    terms = market.arbitrated(10**6, 5, currency=market.currencies[1])
    id = market.list(terms, seller=market.bo, token=1)
    market.buy(id, buyer=market.ana)
    market.move("transfer_item", id, sender=market.bo)
    market.move("dispute", id, sender=market.ana)
    market.move("take", id, sender=market.cleo)
    market.move("rule", id, 6_000, sender=market.cleo)
    credited = [log.args for log in market.escrow.logs if log.name == "Credited"]
    accounts = [market.bo, market.ana, market.platform, market.dan, market.cleo]
    assert [entry["account"] for entry in credited] == accounts
    parts = market.ended()["payout"]
    assert [entry["amount"] for entry in credited] == list(parts.values())[:5]
    market.agree()
