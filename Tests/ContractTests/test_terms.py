"""Every bound of every term: docs section 3."""

from dataclasses import replace

import pytest
from machine import NATIVE, Refused, now
from market import Market
from model import DAY, PRICE_MAX

V = 10**18 + 7  # not divisible by 100, so that floors show
BOUNDS = {
    "seller_deposit": (V, 10 * V, "seller's deposit"),
    "buyer_deposit": (V, 10 * V, "buyer's deposit"),
    "late_penalty": (0, V * 5 // 100, "late penalty"),
    "arbiter_fee": (0, V * 5 // 100, "arbiter's fee"),
    "ship_window": (DAY, 60 * DAY, "ship window"),
    "confirm_window": (DAY, 90 * DAY, "confirm window"),
    "ruling_window": (3 * DAY, 60 * DAY, "ruling window"),
}
LARGEST = 2**256 - 1


@pytest.mark.parametrize("field", BOUNDS)
def test_a_term_holds_at_its_bounds_and_not_beyond(market, field):
    least, most, text = BOUNDS[field]
    for value in (least, most):
        market.list(market.terms(V, arbiter=market.cleo, **{field: value}))
    beyond = [most + 1, LARGEST] + ([least - 1] if least else [])
    for value in beyond:
        with pytest.raises(Refused, match=text):
            market.list(market.terms(V, arbiter=market.cleo, **{field: value}), value=0)
    market.agree()


@pytest.mark.parametrize("price", [1, 2, PRICE_MAX])
def test_a_price_holds_at_its_bounds(market, price):
    market.list(market.terms(price))
    market.agree()


@pytest.mark.parametrize("price", [0, PRICE_MAX + 1, 2**255, LARGEST])
def test_a_price_beyond_its_bounds_is_refused_in_words(market, price):
    terms = replace(market.terms(1), price=price)
    with pytest.raises(Refused, match="price out of bounds"):
        market.list(terms, value=0)


def test_an_offer_holds_for_a_second_to_a_year(market):
    market.list(market.terms(offer_until=now() + 1))
    market.list(market.terms(offer_until=now() + 365 * DAY))
    for until, text in [(0, "has ended"), (now(), "has ended"), (now() + 365 * DAY + 1, "365"), (LARGEST, "365")]:
        with pytest.raises(Refused, match=text):
            market.list(market.terms(offer_until=until))


def test_an_arbiter_is_neither_party_and_a_fee_needs_one(market):
    with pytest.raises(Refused, match="the seller cannot be arbiter"):
        market.list(market.terms(arbiter=market.ana))
    with pytest.raises(Refused, match="fee without an arbiter"):
        market.list(market.terms(arbiter_fee=1))
    id = market.list(market.terms(arbiter=market.cleo))
    with pytest.raises(Refused, match="the arbiter cannot buy"):
        market.buy(id, buyer=market.cleo)
    with pytest.raises(Refused, match="the seller cannot buy"):
        market.buy(id, buyer=market.ana)


def test_only_the_currencies_of_the_deployment_are_taken(market):
    for currency in (market.item.address, market.dan, market.escrow.address):
        with pytest.raises(Refused, match="currency is not taken"):
            market.list(market.terms(currency=currency))
    for currency in market.currencies:
        assert market.escrow.is_currency(currency)
        market.list(market.terms(currency=currency))
    assert market.escrow.currencies() == market.currencies[1:]


def test_a_deployment_is_bounded(market):
    other = market.another_escrow
    assert other(500).PLATFORM_BPS() == 500 and other(0).PLATFORM_BPS() == 0
    with pytest.raises(Refused, match="platform fee above 5 %"):
        other(501)
    with pytest.raises(Refused, match="currency named twice"):
        other(200, market.tokens[0], market.tokens[0])
    with pytest.raises(Refused, match="not a token contract"):
        other(200, market.item)
    tokens = Market(tokens=8).tokens
    assert other(200, *tokens).currencies() == [t.address for t in tokens]
    with pytest.raises(Refused):
        other(200, *tokens, market.tokens[0])


def test_a_deployment_names_contracts_and_a_platform(market):
    from machine import Contract

    arguments = [market.item.address, market.platform, 200, []]
    for index, value, text in [
        (0, market.dan, "item is not a contract"),
        (1, NATIVE, "platform is the zero address"),
        (3, [market.dan], "not a token contract"),
        (3, [NATIVE], "not a token contract"),
    ]:
        wrong = [value if n == index else a for n, a in enumerate(arguments)]
        with pytest.raises(Refused, match=text):
            Contract("Escrow", *wrong)
    escrow = Contract("Escrow", *arguments)
    assert escrow.ITEM() == market.item.address and escrow.PLATFORM() == market.platform
    assert escrow.MAKER_BPS() == market.item.MAKER_BPS() == 200
