"""Every transition, refusal, bound, payout and known hazard of a direct sale: Docs/contracts.md, section 11."""

from dataclasses import fields, replace

import pytest
from direct_model import ABORTED, READY, SOLD
from kinds import KindsMarket, digest
from kinds_fixtures import actor, deployed_kinds, market  # noqa: F401
from kinds_model import AMOUNT_MAX, DAY, NATIVE, Offer
from machine import Contract, Refused, balance, boa, now, travel_to

V = 10**18


def stage(market: KindsMarket, status: int, terms=None, **offer) -> Offer:
    """A sale by Ana, paid by Bo if it is sold."""
    made = market.direct.offer(terms, **offer)
    if status:
        market.direct.move("list", made, sender=made.seller)
    if status == SOLD:
        market.direct.move("pay", made, sender=market.bo)
    if status == ABORTED:
        market.direct.move("abort", made, sender=made.seller)
    return made


def test_events_show_a_whole_direct_sale(market):
    d, start = market.direct, now()
    offer = d.list()
    id = d.id(offer)
    assert [log.name for log in d.contract.logs] == ["Transfer", "Minted", "Listed"]
    assert d.event("Listed") == {
        "id": id, "seller": market.ana, "token": 1, "promise": digest("promise"),
        "content_hash": digest("content"), "maker": market.ana, "salt": offer.salt, "minted": True,
        "terms": {"currency": NATIVE, "price": V, "offer_until": start + 30 * DAY, "buyer": NATIVE}, "at": start,
    }
    assert d.sale(offer) == {"status": READY, "buyer": NATIVE, "token": 1, "offer_until": start + 30 * DAY}
    travel_to(start + 9)
    d.move("pay", offer, sender=market.bo)
    assert [log.name for log in d.contract.logs] == ["Ended", "Credited", "Credited", "Credited", "Transfer"]
    assert d.event("Ended") == {
        "id": id, "seller": market.ana, "buyer": market.bo, "status": SOLD, "by": market.bo,
        "token_to": market.bo, "maker": market.ana, "at": start + 9,
        "payout": {"seller": V * 96 // 100, "platform": V * 2 // 100, "maker": V * 2 // 100},
    }
    assert d.sale(offer) == {"status": SOLD, "buyer": market.bo, "token": 1, "offer_until": start + 30 * DAY}
    assert market.item.ownerOf(1) == market.bo
    market.agree()


@pytest.mark.parametrize("by_seller", [True, False])
def test_an_aborted_sale_gives_the_token_back_and_no_credit(market, by_seller):
    d, offer = market.direct, stage(market, READY)
    who = market.ana if by_seller else market.dan
    if not by_seller:
        travel_to(offer.terms.offer_until)
    d.move("abort", offer, sender=who)
    assert [log.name for log in d.contract.logs] == ["Ended", "Transfer"]
    ended = d.event("Ended")
    assert (ended["status"], ended["buyer"], ended["by"], ended["token_to"]) == (ABORTED, NATIVE, who, market.ana)
    assert set(ended["payout"].values()) == {0} and ended["maker"] == market.ana
    assert market.item.ownerOf(1) == market.ana
    market.agree()


def test_a_term_is_taken_exactly_within_its_bounds(market):
    d, usual, time = market.direct, market.direct.terms(), now()
    for change, text in [
        ({"price": 0}, "market: price out of bounds"), ({"price": 9_999}, "market: price out of bounds"), ({"price": 10_000}, None), ({"price": AMOUNT_MAX}, None),
        ({"price": AMOUNT_MAX + 1}, "market: price out of bounds"),
        ({"price": 2**256 - 1}, "market: price out of bounds"),
        ({"offer_until": 0}, "direct: the offer has ended"),
        ({"offer_until": time}, "direct: the offer has ended"), ({"offer_until": time + 1}, None),
        ({"offer_until": time + 365 * DAY}, None),
        ({"offer_until": time + 365 * DAY + 1}, "direct: offer longer than 365 days"),
        ({"offer_until": 2**256 - 1}, "direct: offer longer than 365 days"),
        ({"currency": market.tokens[1].address}, None),
        ({"currency": market.item.address}, "money: currency is not accepted"),
    ]:
        assert d.attempt("list", d.offer(replace(usual, **change)), sender=market.ana) == text


def test_every_listing_refuses_a_wrong_offer(market):
    d, own = market.direct, market.token_of(market.ana, market.ana, "own")
    foreign, usual = market.token_of(market.bo, market.bo), market.direct.offer()
    for offer, sender, text in [
        (usual, market.bo, "market: only the seller"),
        (replace(usual, promise=bytes(32)), market.ana, "market: promise is zero"),
        (replace(usual, content_hash=bytes(32)), market.ana, "item: content hash is zero"),
        (replace(usual, token=own), market.ana, "market: content hash is not the item's"),
        (replace(usual, token=99, content_hash=bytes(32)), market.ana, "market: maker is not the item's"),
        (replace(usual, token=99, maker=NATIVE, content_hash=bytes(32)), market.ana, "erc721: no such token"),
        (replace(usual, token=foreign, maker=market.bo), market.ana, "erc721: the sender does not own the token"),
        (d.offer(seller=market.platform), market.platform, "item: the maker has not allowed this minter"),
    ]:
        assert d.attempt("list", offer, sender=sender) == text
    for status in (READY, SOLD, ABORTED):
        offer = stage(market, status)
        travel_to(offer.terms.offer_until + 1)
        assert d.attempt("list", offer, sender=market.ana) == "direct: sale is listed already"


def test_the_id_commits_to_every_part_of_the_offer(market):
    d, offer = market.direct, market.direct.list()
    id = d.id(offer)
    assert d.contract.sale_id(offer.abi()) == id == d.event("Listed")["id"]
    terms = [
        replace(offer.terms, **{
            f.name: market.dan if f.name in ("currency", "buyer") else getattr(offer.terms, f.name) + 1
        })
        for f in fields(offer.terms)
    ]
    others = [replace(offer, terms=t) for t in terms] + [
        replace(offer, seller=market.bo), replace(offer, salt=digest("x")), replace(offer, token=1),
        replace(offer, maker=market.bo), replace(offer, content_hash=digest("x")), replace(offer, promise=digest("x")),
    ]
    assert len({d.contract.sale_id(o.abi()) for o in others} | {id}) == 11
    for other in others:
        for name in ("pay", "abort"):
            assert d.attempt(name, other, sender=market.cleo) == "direct: sale is not ready"
    assert Contract("DirectSale", *market.arguments()).sale_id(offer.abi()) != id


def test_terms_may_name_the_only_account_that_can_pay(market):
    d = market.direct
    offer = d.list(d.terms(buyer=market.dan))
    for other in (market.bo, market.cleo):
        assert d.attempt("pay", offer, sender=other) == "direct: only the named buyer"
    d.move("pay", offer, sender=market.dan)
    assert d.sale(offer)["buyer"] == market.dan
    market.agree()


def test_a_price_is_paid_exactly_and_in_its_currency_alone(market):
    """SC-13, SC-31: not a unit more or less."""
    d, token = market.direct, market.tokens[0]
    native, other = d.list(), d.list(d.terms(currency=token.address))
    for value in (0, V - 1, V + 1):
        assert d.attempt("pay", native, sender=market.bo, value=value) == "money: wrong amount"
    refused = d.attempt("pay", other, sender=market.bo, value=1)
    assert refused == "money: value sent to a sale in a token"
    token.approve(d.address, V - 1, sender=market.bo)
    with pytest.raises(Refused):
        d.contract.pay(other.abi(), sender=market.bo)
    assert market.item.ownerOf(2) == d.address
    d.move("pay", other, sender=market.cleo)
    market.agree()


@pytest.mark.parametrize("platform_bps, maker_bps", [(0, 0), (200, 200), (500, 1_000), (1, 1_000)])
def test_the_price_is_divided_to_the_unit(platform_bps, maker_bps):
    market = KindsMarket(platform_bps, maker_bps, tokens=0)
    for price in (10_000, 10_001, 10_049, 10_050, 19_999, V + 7, AMOUNT_MAX):
        check_division(market, price)


def check_division(market: KindsMarket, price: int) -> None:
    """Sells a token of Cleo's for an amount and draws every part of it."""
    platform_bps, maker_bps = market.platform_bps, market.item.MAKER_BPS()
    d, token = market.direct, market.token_of(market.cleo, market.ana)
    offer = d.list(d.terms(price), token=token)
    d.move("pay", offer, sender=market.bo)
    platform, maker = price * platform_bps // 10_000, price * maker_bps // 10_000
    parts = {market.ana: price - platform - maker, market.platform: platform, market.cleo: maker}
    logs = [log for log in d.contract.logs if log.name == "Credited"]
    credited = [(log.args["account"], log.args["amount"]) for log in logs]
    assert credited == [(who, part) for who, part in parts.items() if part]
    assert sum(parts.values()) == price == d.contract.owed(NATIVE)
    for who, part in parts.items():
        if part:
            d.withdraw(who, NATIVE, part)
    assert balance(d.address) == d.contract.owed(NATIVE) == 0


def test_reviving_an_aborted_sale(market):
    """SC-36 (b), SC-38 (a): an aborted sale could be paid, or aborted again after a resale."""
    d, first = market.direct, stage(market, ABORTED)
    d.move("pay", d.list(token=1), sender=market.bo)
    second = d.list(seller=market.bo, token=1)
    for sender in (market.ana, market.bo, market.cleo):
        for name in ("abort", "pay"):
            assert d.attempt(name, first, sender=sender) == "direct: sale is not ready"
    assert d.sale(second)["status"] == READY and market.item.ownerOf(1) == d.address


def test_withdrawing_a_part_of_the_price_again(market):
    """SC-33, SC-35 (a): a fee that was never zeroed drained the sales of others."""
    d = market.direct
    stage(market, SOLD)
    stage(market, SOLD)
    d.withdraw(market.platform, NATIVE, V * 4 // 100)
    with pytest.raises(Refused, match="more than the credit"):
        d.withdraw(market.platform, NATIVE, 1)
    with pytest.raises(Refused, match="nothing to withdraw"):
        d.withdraw(market.platform, NATIVE, 0)
    for to in (NATIVE, d.address):
        with pytest.raises(Refused, match="nobody can receive there"):
            d.withdraw(market.ana, NATIVE, 1, to)
    market.agree()


@pytest.mark.parametrize("mood", ["refuses", "burns", "pretends"])
@pytest.mark.parametrize("role", ["seller", "buyer", "maker"])
def test_an_end_that_a_hostile_contract_would_block(market, actor, mood, role):
    """SC-33 (d), SC-38 (d): a receiver that reverts, burns all gas or poses as a sale contract."""
    d, who = market.direct, actor.address
    token = market.token_of(who if role == "maker" else market.cleo, who if role == "seller" else market.ana)
    seller = market.items.owners[token]
    actor.become({"refuses": 1, "burns": 2, "pretends": 3}[mood], market.item.address)
    first, second = d.offer(seller=seller, token=token), d.offer(seller=seller, token=token)
    d.move("list", first, sender=seller)
    d.move("abort", first, sender=seller)
    assert market.item.ownerOf(token) == seller
    d.move("list", second, sender=seller)
    d.move("pay", second, sender=who if role == "buyer" else market.bo)
    if role == "buyer":
        assert market.item.ownerOf(token) == who
    else:
        had, credit = balance(market.dan), d.model.credits[NATIVE, who]
        if mood != "pretends":
            with pytest.raises(Refused, match="the receiver refused the money"):
                d.contract.withdraw(NATIVE, credit, who, sender=who)
        d.withdraw(who, NATIVE, credit, market.dan)
        assert credit > 0 and balance(market.dan) == had + credit
    market.agree()


def test_a_token_sent_in_opens_no_sale(market):
    """SC-20, SC-30, SC-39: a forged listing by sending a token or by calling the hook."""
    d, token = market.direct, market.token_of(market.bo, market.bo)
    for way in ("transferFrom", "safeTransferFrom"):
        with pytest.raises(Refused, match="a sale contract accepts no other token"):
            market.item.call(way, market.bo, d.address, token, sender=market.bo)
    payable = {e["name"] for e in d.contract.abi if e.get("stateMutability") == "payable"}
    assert payable == {"pay"}
    assert "onERC721Received" not in d.contract.functions


def test_a_payment_overtaken_by_a_reorganisation_finds_nothing(market):
    """The seller lists another promise or thing with the same salt and terms; its id is another."""
    d, agreed = market.direct, market.direct.offer()
    for changed in ({"promise": digest("a scooter")}, {"content_hash": digest("a scooter")}):
        d.move("list", replace(agreed, **changed), sender=market.ana)
    assert d.attempt("pay", agreed, sender=market.bo) == "direct: sale is not ready"


def test_a_call_back_while_money_is_drawn(market, actor):
    """A receiver that calls any move before `withdraw` is done finds the lock."""
    d, me = market.direct, actor.address
    d.move("pay", d.list(seller=me), sender=market.bo)
    open, mine = d.list(), d.list(seller=me)
    credit = d.model.credits[NATIVE, me]
    for name, args in [
        ("withdraw", (NATIVE, 1, me)), ("pay", (open.abi(),)), ("abort", (mine.abi(),)),
        ("list", (d.offer(seller=me).abi(),)),
    ]:
        actor.arm(d.address, d.contract.calldata(name, *args))
        d.withdraw(me, NATIVE, 10)
        assert (actor.calls(), actor.successes()) == (1, 0)
    actor.arm(d.address, d.contract.calldata("credit", NATIVE, me))
    d.withdraw(me, NATIVE, 10)
    assert actor.successes() == 1 and int.from_bytes(actor.answer(), "big") == credit - 50
    market.agree()


def test_a_token_that_calls_back_while_the_price_is_paid(market):
    """The lock holds also while a hostile currency moves; the price is taken once."""
    token = Contract("FeeToken")
    d = Contract("DirectSale", market.item.address, market.platform, 200, [token.address])
    market.item.allow_minter(d.address, True, sender=market.ana)
    for who in (market.bo, token.address):
        token.mint(who, 100 * V)
    terms = market.direct.terms(currency=token.address)
    first, second = (market.direct.offer(terms) for _ in range(2))
    for offer in (first, second):
        d.list(offer.abi(), sender=market.ana)
    token.set_hook(d.address, d.calldata("pay", second.abi()))
    d.pay(first.abi(), sender=market.bo)
    assert not token.hook_success()
    assert d.owed(token.address) == token.balanceOf(d.address) == V
    assert [market.item.ownerOf(n) for n in (1, 2)] == [market.bo, d.address]
    token.set_hook(NATIVE, b"")
    token.misbehave(1, 0, 0, True)
    with pytest.raises(Refused, match="token takes a fee"):
        d.pay(second.abi(), sender=market.bo)
    token.misbehave(0, 0, 0, False)
    with pytest.raises(Refused, match="the token refused"):
        d.pay(second.abi(), sender=market.bo)


def test_a_token_number_that_does_not_fit_is_refused(market):
    """Item counts from 1; only an item of somebody else could answer with such a number."""
    for token, text in [(2**48, "direct: token out of bounds"), (2**48 - 1, None)]:
        item = Contract("StrangeItem", token)
        d = Contract("DirectSale", item.address, market.platform, 200, [])
        offer, refused = market.direct.offer(), None
        try:
            d.list(offer.abi(), sender=market.ana)
        except Refused as refusal:
            refused = refusal.text
        assert refused == text
        if text is None:
            d.pay(offer.abi(), sender=market.bo, value=V)
            assert d.sale(d.sale_id(offer.abi())) == {
                "status": SOLD, "buyer": market.bo, "token": token, "offer_until": offer.terms.offer_until,
            }


def test_the_deployment_event_agrees_with_the_views(market):
    contract = Contract("DirectSale", *market.arguments())
    [log] = contract.logs
    assert log.name == "Deployed" and log.args == {
        "item": market.item.address, "platform": market.platform, "platform_bps": 200, "maker_bps": 200,
        "currencies": market.currencies[1:],
    }
    assert contract.ITEM() == market.item.address and contract.PLATFORM() == market.platform
    assert contract.PLATFORM_BPS() == contract.MAKER_BPS() == 200
    assert contract.currencies() == market.currencies[1:]
    assert all(contract.is_currency(c) for c in market.currencies) and not contract.is_currency(market.dan)


def test_money_forced_on_the_contract_is_nobodys(market):
    d, offer = market.direct, stage(market, READY)
    boa.env.set_balance(d.address, 777)
    d.move("pay", offer, sender=market.bo)
    for who, amount in [(market.ana, V * 98 // 100), (market.platform, V * 2 // 100)]:
        d.withdraw(who, NATIVE, amount)
    assert balance(d.address) == 777 and d.contract.owed(NATIVE) == 0


@pytest.mark.parametrize("status", [0, READY, SOLD, ABORTED])
@pytest.mark.parametrize("name", ["list", "pay", "abort"])
@pytest.mark.parametrize("late", [False, True], ids=["in time", "late"])
def test_a_move_is_open_exactly_if_the_rules_open_it(market, status, name, late):
    """Each move in each status, by everyone, on either side of the offer's end."""
    offer = stage(market, status)
    everyone, taken = {*market.people, market.platform, market.deployer}, set()
    for time in (offer.terms.offer_until, 2**39) if late else (now(), offer.terms.offer_until - 1):
        travel_to(time)
        taken |= {who for who in everyone if market.direct.attempt(name, offer, sender=who) is None}
    assert taken == {
        ("list", 0, False): {market.ana}, ("pay", READY, False): everyone - {market.ana},
        ("abort", READY, False): {market.ana}, ("abort", READY, True): everyone,
    }.get((name, status, late), set())
