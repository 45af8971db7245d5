"""Every bound of every term, and of a deployment: docs sections 1 and 5."""

import pytest
from machine import NATIVE, Contract, Refused, now
from market import Market
from model import DAY, PRICE_MAX, PRICE_MIN

V = 10**18 + 7  # not divisible by 100, so that floors show
BOUNDS = {
    "seller_deposit": (-(-V // 3), 10 * V, "seller's deposit"),
    "buyer_deposit": (-(-V // 3), 10 * V, "buyer's deposit"),
    "late_penalty": (V // 100 + 1, V * 5 // 100, "late penalty"),
    "arbiter_fee": (0, V * 5 // 100, "arbiter's fee"),
    "ship_window": (2 * DAY, 60 * DAY, "ship window"),
    "confirm_window": (2 * DAY, 90 * DAY, "confirm window"),
    "ruling_window": (3 * DAY, 60 * DAY, "ruling window"),
}
LARGEST = 2**256 - 1


@pytest.mark.parametrize("field", BOUNDS)
def test_a_term_holds_at_its_bounds_and_not_beyond(market, field):
    least, most, text = BOUNDS[field]
    for value in (least, most):
        market.list(market.terms(V, arbiter=market.cleo, **{field: value}))
    beyond = [most + 1, LARGEST] + ([least - 1, 0] if least else [])
    for value in beyond:
        with pytest.raises(Refused, match=text):
            market.list(market.terms(V, arbiter=market.cleo, **{field: value}), value=0)
    market.agree()


@pytest.mark.parametrize("price", [PRICE_MIN, PRICE_MIN + 1, PRICE_MAX])
def test_a_price_holds_at_its_bounds(market, price):
    market.list(market.terms(price))
    market.agree()


@pytest.mark.parametrize("price", [0, 1, PRICE_MIN - 1, PRICE_MAX + 1, 2**255, LARGEST])
def test_a_price_beyond_its_bounds_is_refused_in_words(market, price):
    terms = market.terms(1).__class__(**{**market.terms(1).__dict__, "price": price})
    with pytest.raises(Refused, match="market: price out of bounds"):
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


def test_an_arbiter_says_from_what_fee_and_until_when(market):
    until = now() + 40 * DAY
    market.move("arbitrate", NATIVE, 10**16, until, sender=market.cleo)
    [log] = market.escrow.logs
    assert log.name == "ArbiterRegistered" and len(log.topics) == 3 and log.args == {
        "arbiter": market.cleo, "currency": NATIVE, "min_fee": 10**16, "until": until, "at": now(),
    }
    # The last moment at which a ruling can be due must be within it.
    named = lambda fee, end, **more: market.terms(  # noqa: E731
        arbiter=market.cleo, arbiter_fee=fee, offer_until=end - 38 * DAY, **more
    )
    shorter = {"ship_window": 2 * DAY, "confirm_window": 20 * DAY, "ruling_window": 13 * DAY}
    market.list(named(10**16, until))
    for window, length in shorter.items():
        market.list(named(10**16, until + DAY, **{window: length}))
        with pytest.raises(Refused, match="escrow: the arbiter is not registered for so long"):
            market.list(named(10**16, until + DAY + 1, **{window: length}))
    with pytest.raises(Refused, match="escrow: the arbiter asks a higher fee"):
        market.list(named(10**16 - 1, until))
    with pytest.raises(Refused, match="escrow: the arbiter is not registered for so long"):
        market.list(named(10**16, until + 1))
    market.list(named(0, until + 1, currency=market.currencies[1]))  # each currency for itself
    market.agree(arbiters=True)


def test_an_arbiter_ends_his_registration_and_listed_sales_keep_theirs(market):
    terms = market.arbitrated()
    id = market.reach(8, terms)
    market.move("arbitrate", NATIVE, LARGEST, 0, sender=market.cleo)
    assert market.escrow.arbiter_terms(market.cleo, NATIVE) == (LARGEST, 0)
    with pytest.raises(Refused, match="not registered for so long"):
        market.list(terms)
    market.move("take", id, sender=market.cleo)
    market.move("rule", id, 5_000, sender=market.cleo)
    assert market.ended()["payout"]["arbiter"] == terms.arbiter_fee


def test_an_arbiter_registers_for_currencies_of_the_deployment(market):
    for currency in (market.item.address, market.dan, market.escrow.address):
        with pytest.raises(Refused, match="money: currency is not accepted"):
            market.move("arbitrate", currency, 0, 2**255, sender=market.cleo)
    assert market.escrow.arbiter_terms(market.platform, NATIVE) == (0, 0)


def test_terms_may_name_the_only_account_that_can_buy(market):
    id = market.list(market.terms(buyer=market.dan))
    for other in (market.bo, market.cleo):
        with pytest.raises(Refused, match="escrow: only the named buyer"):
            market.buy(id, buyer=other)
    market.buy(id, buyer=market.dan)
    assert market.sale(id)["buyer"] == market.dan
    market.agree()


def test_only_the_currencies_of_the_deployment_are_accepted(market):
    for currency in (market.item.address, market.dan, market.escrow.address):
        with pytest.raises(Refused, match="money: currency is not accepted"):
            market.list(market.terms(currency=currency))
        assert not market.escrow.is_currency(currency)
    for currency in market.currencies:
        assert market.escrow.is_currency(currency)
        market.list(market.terms(currency=currency))
    assert market.escrow.currencies() == market.currencies[1:]


def test_a_deployment_is_bounded(market):
    other = market.another_escrow
    assert other(500).PLATFORM_BPS() == 500 and other(0).PLATFORM_BPS() == 0
    with pytest.raises(Refused, match="market: platform fee above 5 %"):
        other(501)
    with pytest.raises(Refused, match="money: currency named twice"):
        other(200, market.tokens[0], market.tokens[0])
    with pytest.raises(Refused, match="market: the item is no currency"):
        other(200, market.item)
    tokens = Market(tokens=8).tokens
    assert other(200, *tokens).currencies() == [t.address for t in tokens]
    with pytest.raises(Refused):
        other(200, *tokens, market.tokens[0])


def test_a_deployment_names_contracts_and_a_platform(market):
    arguments = market.arguments()
    for index, value, text in [
        (0, market.dan, "market: item is not a contract"),
        (1, NATIVE, "market: platform is the zero address"),
        (3, [market.dan], "money: currency is not a contract"),
        (3, [NATIVE], "money: currency is not a contract"),
    ]:
        wrong = [value if n == index else a for n, a in enumerate(arguments)]
        with pytest.raises(Refused, match=text):
            Contract("Escrow", *wrong)
    escrow = Contract("Escrow", *arguments)
    assert escrow.ITEM() == market.item.address and escrow.PLATFORM() == market.platform
    assert escrow.MAKER_BPS() == market.item.MAKER_BPS() == 200


@pytest.mark.parametrize("kind", ["Escrow", "Auction", "DirectSale"])
def test_a_sale_contract_does_not_trust_an_items_royalty(market, kind):
    false = Contract("FalseItem", 1)
    for bps, refused in [(1_000, False), (1_001, True), (2**256 - 1, True)]:
        false.set_royalty(bps)
        arguments = [false.address, *market.arguments()[1:]]
        if refused:
            with pytest.raises(Refused, match="market: royalty above 10 %"):
                Contract(kind, *arguments)
        else:
            assert Contract(kind, *arguments).MAKER_BPS() == 1_000


@pytest.mark.parametrize("kind", ["Escrow", "Auction", "DirectSale"])
def test_a_deployment_shows_its_arguments(market, kind):
    made = Contract(kind, *market.arguments(150))
    [log] = made.logs
    assert log.name == "Deployed" and len(log.topics) == 3 and log.args == {
        "item": market.item.address, "platform": market.platform, "platform_bps": 150,
        "maker_bps": 200, "currencies": market.currencies[1:],
    }
