"""Every transition, refusal, bound and payout of an auction: Docs/contracts.md, section 10."""

from dataclasses import fields, replace

import pytest
from auction_model import ABORTED, BID, READY, SOLD, UNSOLD
from kinds import KindsMarket, digest
from kinds_fixtures import actor, deployed_kinds, market  # noqa: F401
from kinds_model import AMOUNT_MAX, DAY, NATIVE, Offer
from machine import Contract, Refused, boa, now, travel_to

V = 10**18
LAST = 30 * DAY


def stage(market: KindsMarket, status: int, terms=None, **offer) -> Offer:
    """An auction of Ana's with, in all but the first and the last two statuses, a bid of Bo's."""
    made = market.auction.offer(terms, **offer)
    if status == 0:
        return made
    market.auction.move("list", made, sender=made.seller)
    if status in (BID, SOLD):
        market.auction.move("bid", made, made.terms.starting_bid, sender=market.bo)
    if status == ABORTED:
        market.auction.move("abort", made, sender=made.seller)
    if status in (SOLD, UNSOLD):
        travel_to(market.auction.sale(made)["ends"])
        market.auction.move("end", made, sender=market.dan)
    return made


def test_events_show_a_whole_auction(market):
    start = now()
    offer = market.auction.list()
    id, ends = market.auction.id(offer), start + 7 * DAY
    assert [log.name for log in market.auction.contract.logs] == ["Transfer", "Minted", "Listed"]
    assert market.auction.event("Listed") == {
        "id": id, "seller": market.ana, "token": 1, "promise": digest("promise"),
        "content_hash": digest("content"), "maker": market.ana, "salt": offer.salt, "minted": True,
        "terms": {f.name: getattr(offer.terms, f.name) for f in fields(offer.terms)},
        "ends": ends, "at": start,
    }
    travel_to(start + 5)
    market.auction.move("bid", offer, V, sender=market.bo)
    assert [log.name for log in market.auction.contract.logs] == ["BidPlaced"]
    assert market.auction.event("BidPlaced") == {
        "id": id, "bidder": market.bo, "amount": V, "ends": ends, "at": start + 5,
    }
    travel_to(ends - 1)
    market.auction.move("bid", offer, 2 * V, sender=market.cleo)
    assert [log.name for log in market.auction.contract.logs] == ["Outbid", "Credited", "BidPlaced"]
    assert market.auction.event("Outbid") == {"id": id, "bidder": market.bo, "amount": V, "at": ends - 1}
    assert market.auction.event("Credited") == {
        "currency": NATIVE, "account": market.bo, "id": id, "amount": V,
    }
    assert market.auction.event("BidPlaced") == {
        "id": id, "bidder": market.cleo, "amount": 2 * V, "ends": ends + 599, "at": ends - 1,
    }
    travel_to(ends + 599)
    market.auction.move("end", offer, sender=market.dan)
    names = [log.name for log in market.auction.contract.logs]
    assert names == ["Ended", "Credited", "Credited", "Credited", "Transfer"]
    assert market.auction.event("Ended") == {
        "id": id, "seller": market.ana, "buyer": market.cleo, "status": SOLD, "by": market.dan,
        "token_to": market.cleo, "maker": market.ana, "at": ends + 599,
        "payout": {"seller": 192 * V // 100, "platform": V * 4 // 100, "maker": V * 4 // 100},
    }
    assert market.auction.sale(offer) == {
        "status": SOLD, "bidder": market.cleo, "highest": 2 * V, "token": 1, "ends": ends + 599,
        "last_end": ends + LAST,
    }
    market.agree()


@pytest.mark.parametrize("status", [ABORTED, UNSOLD])
def test_an_end_without_a_bid_gives_the_token_back_and_no_credit(market, status):
    offer = stage(market, status)
    names = [log.name for log in market.auction.contract.logs]
    assert names == ["Ended", "Transfer"]
    ended = market.auction.event("Ended")
    assert (ended["status"], ended["buyer"], ended["token_to"]) == (status, NATIVE, market.ana)
    assert set(ended["payout"].values()) == {0} and ended["maker"] == market.ana
    assert ended["by"] == (market.ana if status == ABORTED else market.dan)
    assert market.item.ownerOf(market.auction.sale(offer)["token"]) == market.ana
    market.agree()


@pytest.mark.parametrize("name, least, most, text", [
    ("starting_bid", 10_000, AMOUNT_MAX, "market: price out of bounds"),
    ("min_increment_bps", 100, 5_000, "auction: increment out of bounds"),
    ("extension", 60, DAY, "auction: extension out of bounds"),
    ("duration", 600, 30 * DAY, "auction: duration out of bounds"),
])
def test_a_term_is_taken_exactly_within_its_bounds(market, name, least, most, text):
    usual = market.auction.terms()
    for value in (least, most):
        offer = market.auction.offer(replace(usual, **{name: value}))
        assert market.auction.attempt("list", offer, sender=market.ana) is None
    for value in (0, least - 1, most + 1, 2**256 - 1):
        offer = market.auction.offer(replace(usual, **{name: value}))
        assert market.auction.attempt("list", offer, sender=market.ana) == text


def test_the_bidding_lasts_at_least_as_long_as_one_extension(market):
    for extension in (60, 600, DAY):
        for duration, text in [(extension - 1, "auction: duration out of bounds"), (extension, None)]:
            terms = market.auction.terms(extension=extension, duration=duration)
            assert market.auction.attempt("list", market.auction.offer(terms), sender=market.ana) == text


def test_every_listing_refuses_a_wrong_offer(market):
    a, own = market.auction, market.token_of(market.ana, market.ana, "own")
    foreign = market.token_of(market.bo, market.bo)
    usual = a.offer()
    for offer, sender, text in [
        (usual, market.bo, "market: only the seller"),
        (replace(usual, promise=bytes(32)), market.ana, "market: promise is zero"),
        (replace(usual, content_hash=bytes(32)), market.ana, "item: content hash is zero"),
        (replace(usual, terms=a.terms(currency=market.dan)), market.ana, "money: currency is not accepted"),
        (replace(usual, token=own), market.ana, "market: content hash is not the item's"),
        (replace(usual, token=99), market.ana, "market: content hash is not the item's"),
        (replace(usual, token=99, content_hash=bytes(32)), market.ana, "market: maker is not the item's"),
        (replace(usual, token=99, maker=NATIVE, content_hash=bytes(32)), market.ana, "erc721: no such token"),
        (replace(usual, token=foreign, maker=market.bo), market.ana, "erc721: the sender does not own the token"),
        (a.offer(seller=market.platform), market.platform, "item: the maker has not allowed this minter"),
    ]:
        assert market.auction.attempt("list", offer, sender=sender) == text
    assert market.item.totalSupply() == 2


def test_an_approval_of_the_one_token_lists_it(market):
    a, token = market.auction, market.token_of(market.cleo, market.platform)
    offer = a.offer(seller=market.platform, token=token)
    text = "erc721: only the owner or an approved account"
    assert market.auction.attempt("list", offer, sender=market.platform) == text
    market.item.approve(a.address, token, sender=market.platform)
    market.items.approved[token] = a.address
    a.move("list", offer, sender=market.platform)
    assert not a.event("Listed")["minted"] and a.event("Listed")["token"] == token
    assert market.item.getApproved(token) == NATIVE
    a.move("bid", offer, V, sender=market.bo)
    travel_to(a.sale(offer)["ends"])
    a.move("end", offer, sender=market.bo)
    assert a.event("Ended")["maker"] == market.cleo
    assert a.contract.credit(NATIVE, market.cleo) == V * 2 // 100
    market.agree()


def test_the_same_offer_is_listed_once_for_ever(market):
    for status in (READY, BID, ABORTED, SOLD, UNSOLD):
        offer = stage(market, status)
        assert market.auction.attempt("list", offer, sender=market.ana) == "auction: sale is listed already"


def test_the_id_commits_to_every_part_of_the_offer(market):
    a, offer = market.auction, market.auction.list()
    id = a.id(offer)
    assert a.contract.sale_id(offer.abi()) == id == a.event("Listed")["id"]
    terms = [
        replace(offer.terms, **{f.name: market.dan if f.name == "currency" else getattr(offer.terms, f.name) + 1})
        for f in fields(offer.terms)
    ]
    others = [replace(offer, terms=t) for t in terms] + [
        replace(offer, seller=market.bo), replace(offer, salt=digest("x")), replace(offer, token=1),
        replace(offer, maker=market.bo), replace(offer, content_hash=digest("x")), replace(offer, promise=digest("x")),
    ]
    assert len({a.contract.sale_id(o.abi()) for o in others} | {id}) == 12
    for other in others:
        for name, args in [("abort", ()), ("bid", (V,)), ("end", ())]:
            refused = market.auction.attempt(name, other, *args, sender=market.ana)
            assert refused == "auction: sale is not open"
    elsewhere = Contract("Auction", *market.arguments())
    assert elsewhere.sale_id(offer.abi()) != id


@pytest.mark.parametrize("highest, bps, least", [
    (10_000, 100, 10_100), (10_000, 5_000, 15_000), (10_003, 5_000, 15_004), (10_099, 100, 10_199),
    (10_100, 100, 10_201), (V, 500, V + V // 20), (V + 19, 500, V + V // 20 + 19),
    (V + 20, 500, V + V // 20 + 21),
])
def test_a_later_bid_is_higher_by_the_increment(market, highest, bps, least):
    offer = market.auction.list(market.auction.terms(highest, min_increment_bps=bps))
    assert market.auction.attempt("bid", offer, highest - 1, sender=market.bo) == "auction: bid too low"
    market.auction.move("bid", offer, highest, sender=market.bo)
    assert market.auction.attempt("bid", offer, least - 1, sender=market.cleo) == "auction: bid too low"
    assert market.auction.attempt("bid", offer, least, sender=market.cleo) is None


def test_a_bid_has_at_most_128_bits(market):
    offer = market.auction.list(market.auction.terms(AMOUNT_MAX - 1, currency=market.tokens[0].address))
    assert market.auction.attempt("bid", offer, AMOUNT_MAX + 1, sender=market.bo) == "auction: bid too high"
    assert market.auction.attempt("bid", offer, 2**256 - 1, sender=market.bo) == "auction: bid too high"
    market.auction.move("bid", offer, AMOUNT_MAX - 1, sender=market.bo)
    # The next bid would have to be above the limit; so this is the last one, and the auction ends.
    assert market.auction.attempt("bid", offer, AMOUNT_MAX, sender=market.cleo) == "auction: bid too low"
    travel_to(market.auction.sale(offer)["ends"])
    market.auction.move("end", offer, sender=market.dan)
    market.agree()


@pytest.mark.parametrize("extension", [60, 600, DAY])
def test_a_late_bid_extends_the_bidding_from_its_own_time(market, extension):
    a = market.auction
    offer = a.list(a.terms(V, extension=extension))
    end = a.sale(offer)["ends"]
    travel_to(end - extension - 1)
    a.move("bid", offer, V, sender=market.bo)
    assert a.sale(offer)["ends"] == end
    travel_to(end - extension)
    a.move("bid", offer, 2 * V, sender=market.cleo)
    assert a.sale(offer)["ends"] == end
    travel_to(end - extension + 1)
    a.move("bid", offer, 3 * V, sender=market.bo)
    assert a.sale(offer)["ends"] == end + 1
    travel_to(end)
    a.move("bid", offer, 4 * V, sender=market.cleo)
    assert a.sale(offer)["ends"] == a.event("BidPlaced")["ends"] == end + extension
    assert market.auction.attempt("end", offer, sender=market.dan) == "auction: the bidding is open"
    travel_to(end + extension)
    assert market.auction.attempt("bid", offer, 9 * V, sender=market.bo) == "auction: the bidding has ended"
    a.move("end", offer, sender=market.dan)
    market.agree()


def test_late_bids_move_the_end_by_at_most_thirty_days(market):
    a = market.auction
    offer = a.list(a.terms(V, extension=DAY, duration=DAY, min_increment_bps=100))
    first = a.sale(offer)["ends"]
    assert a.sale(offer)["last_end"] == first + LAST
    amount, bidders = V, [market.bo, market.cleo]
    for day in range(31):
        travel_to(a.sale(offer)["ends"] - 1)
        a.move("bid", offer, amount, sender=bidders[day % 2])
        assert a.sale(offer)["ends"] == min(now() + DAY, first + LAST)
        amount = a.model.sales[a.id(offer)].minimum()
    assert a.sale(offer)["ends"] == first + LAST
    travel_to(first + LAST - 1)
    a.move("bid", offer, amount, sender=market.dan)
    assert a.sale(offer)["ends"] == first + LAST
    travel_to(first + LAST)
    assert market.auction.attempt("bid", offer, 10 * amount, sender=market.bo) == "auction: the bidding has ended"
    a.move("end", offer, sender=market.bo)
    market.agree()


@pytest.mark.parametrize("platform_bps, maker_bps", [(0, 0), (200, 200), (500, 1_000), (1, 1_000)])
def test_the_winning_bid_is_divided_to_the_unit(platform_bps, maker_bps):
    market = KindsMarket(platform_bps, maker_bps, tokens=0)
    for amount in (10_000, 10_001, 10_049, 10_050, 19_999, V + 7, AMOUNT_MAX):
        check_division(market, amount)


def check_division(market: KindsMarket, amount: int) -> None:
    """Sells a token of Cleo's for an amount and draws every part of it."""
    platform_bps, maker_bps = market.platform_bps, market.item.MAKER_BPS()
    a, token = market.auction, market.token_of(market.cleo, market.ana)
    offer = a.list(a.terms(amount), token=token)
    a.move("bid", offer, amount, sender=market.bo)
    travel_to(a.sale(offer)["ends"])
    a.move("end", offer, sender=market.dan)
    platform, maker = amount * platform_bps // 10_000, amount * maker_bps // 10_000
    parts = {market.platform: platform, market.cleo: maker, market.ana: amount - platform - maker}
    assert a.event("Ended")["payout"] == {
        "seller": parts[market.ana], "platform": platform, "maker": maker,
    }
    logs = [log for log in a.contract.logs if log.name == "Credited"]
    credited = [(log.args["account"], log.args["amount"]) for log in logs]
    order = [market.ana, market.platform, market.cleo]
    assert credited == [(who, parts[who]) for who in order if parts[who]]
    assert sum(parts.values()) == amount == a.contract.owed(NATIVE)
    for who, part in parts.items():
        if part:
            a.withdraw(who, NATIVE, part)
    assert boa.env.get_balance(a.address) == a.contract.owed(NATIVE) == 0


@pytest.mark.parametrize("currency", range(3))
def test_an_outbid_amount_is_drawn_while_the_auction_goes_on(market, currency):
    a, c = market.auction, market.currencies[currency]
    offer = a.list(a.terms(10_000, currency=c))
    had = {who: market.holds(c, who) for who in (market.bo, market.cleo)}
    a.move("bid", offer, 10_000, sender=market.bo)
    a.move("bid", offer, 11_000, sender=market.cleo)
    a.move("bid", offer, 20_000, sender=market.bo)
    assert a.contract.credit(c, market.bo) == 10_000 and a.contract.credit(c, market.cleo) == 11_000
    a.withdraw(market.bo, c, 6_000)
    a.withdraw(market.bo, c, 4_000)
    with pytest.raises(Refused, match="more than the credit"):
        a.withdraw(market.bo, c, 1)
    a.withdraw(market.cleo, c, 11_000)
    assert a.contract.owed(c) == market.holds(c, a.address) == 20_000
    assert market.holds(c, market.cleo) == had[market.cleo]
    assert market.holds(c, market.bo) == had[market.bo] - 20_000
    market.agree()


def test_a_bid_is_paid_in_full_and_in_its_currency_alone(market):
    a = market.auction
    native, token = a.list(), a.list(a.terms(currency=market.tokens[1].address))
    for value in (0, V - 1, V + 1):
        assert market.auction.attempt("bid", native, V, sender=market.bo, value=value) == "money: wrong amount"
    refused = market.auction.attempt("bid", token, V, sender=market.bo, value=1)
    assert refused == "money: value sent to a sale in a token"
    with pytest.raises(Refused):
        a.contract.bid(token.abi(), V, 0, sender=market.platform)
    market.agree()


def test_a_bidder_may_raise_his_own_bid(market):
    a, offer = market.auction, market.auction.list()
    a.move("bid", offer, V, sender=market.bo)
    assert market.auction.attempt("bid", offer, V + 1, sender=market.bo) == "auction: bid too low"
    a.move("bid", offer, 2 * V, sender=market.bo)
    assert a.event("Outbid")["bidder"] == a.event("BidPlaced")["bidder"] == market.bo
    assert a.contract.credit(NATIVE, market.bo) == V
    market.agree()


@pytest.mark.parametrize("currency", range(2))
def test_a_bid_may_use_the_bidders_credit(market, currency):
    """What was outbid pays the next bid, in any part; nobody else's credit and no other currency's does."""
    a, c = market.auction, market.currencies[currency]
    offer, other = a.list(a.terms(currency=c)), a.list(a.terms(currency=market.currencies[1 - currency]))
    a.move("bid", offer, V, sender=market.bo)
    a.move("bid", offer, 2 * V, sender=market.cleo)
    had = market.holds(c, market.bo)
    for amount, part, text in [
        (3 * V, V + 1, "money: more than the credit"), (3 * V, 3 * V + 1, "auction: more credit than the bid"),
        (3 * V, 2**256 - 1, "auction: more credit than the bid"),
    ]:
        assert a.attempt("bid", offer, amount, part, sender=market.bo) == text
    assert a.attempt("bid", offer, 3 * V, 1, sender=market.dan) == "money: more than the credit"
    assert a.attempt("bid", other, V, 1, sender=market.bo) == "money: more than the credit"
    if c == NATIVE:
        for value in (0, 2 * V - 1, 2 * V + 1, 3 * V):
            refused = a.attempt("bid", offer, 3 * V, V, sender=market.bo, value=value)
            assert refused == "money: wrong amount"
    a.move("bid", offer, 3 * V, V, sender=market.bo)
    assert [log.name for log in a.contract.logs if log.address == a.address] == [
        "Outbid", "Credited", "BidPlaced", "CreditUsed",
    ]
    assert a.event("CreditUsed") == {"currency": c, "account": market.bo, "id": a.id(offer), "amount": V}
    assert market.holds(c, market.bo) == had - 2 * V and a.contract.credit(c, market.bo) == 0
    assert a.contract.owed(c) == market.holds(c, a.address) == 5 * V
    market.agree()


@pytest.mark.parametrize("currency", range(2))
def test_a_bidder_raises_the_own_bid_for_the_difference(market, currency):
    """The own bid becomes a credit before the new one is paid, and may pay all but the rest of it."""
    a, c = market.auction, market.currencies[currency]
    offer = a.list(a.terms(currency=c))
    a.move("bid", offer, V, sender=market.bo)
    had = market.holds(c, market.bo)
    a.move("bid", offer, 2 * V, V, sender=market.bo)
    assert market.holds(c, market.bo) == had - V and a.contract.credit(c, market.bo) == 0
    market.agree()


def test_a_bid_by_credit_alone_calls_no_token_and_takes_no_value(market):
    a, c = market.auction, market.currencies[1]
    first, second, third = a.list(a.terms(currency=c)), a.list(a.terms(currency=c)), a.list()
    a.move("bid", first, V, sender=market.bo)
    a.move("bid", first, 2 * V, sender=market.cleo)
    market.tokens[0].approve(a.address, 0, sender=market.bo)
    assert a.attempt("bid", second, V, V, sender=market.bo, value=1) == "money: value sent to a sale in a token"
    a.move("bid", second, V, V, sender=market.bo)
    assert [log.name for log in a.contract.logs] == ["BidPlaced", "CreditUsed"]
    a.move("bid", third, V, sender=market.bo)
    a.move("bid", third, 2 * V, sender=market.cleo)
    again = a.list()
    assert a.attempt("bid", again, V, V, sender=market.bo, value=1) == "money: wrong amount"
    a.move("bid", again, V, V, sender=market.bo)
    market.agree()


def test_many_auctions_do_not_touch_each_other(market):
    statuses = (UNSOLD, SOLD, ABORTED, READY, BID, BID, BID)
    offers = [stage(market, s, market.auction.terms(V + s)) for s in statuses]
    market.auction.move("bid", offers[4], 3 * V, sender=market.dan)
    market.agree()
    tokens = [market.auction.sale(offer)["token"] for offer in offers]
    assert tokens == list(range(1, 8))


def test_the_deployment_event_agrees_with_the_views(market):
    contract = Contract("Auction", *market.arguments())
    [log] = contract.logs
    assert log.name == "Deployed" and log.args == {
        "item": market.item.address, "platform": market.platform, "platform_bps": 200, "maker_bps": 200,
        "currencies": market.currencies[1:],
    }
    assert contract.ITEM() == market.item.address and contract.PLATFORM() == market.platform
    assert contract.PLATFORM_BPS() == contract.MAKER_BPS() == 200
    assert contract.currencies() == market.currencies[1:]
    assert all(contract.is_currency(c) for c in market.currencies)
    assert not contract.is_currency(market.dan)


@pytest.mark.parametrize("status", [0, READY, BID, ABORTED, SOLD, UNSOLD])
@pytest.mark.parametrize("name", ["list", "abort", "bid", "end"])
def test_a_move_is_open_exactly_if_the_rules_open_it(market, status, name):
    """Each move in each status, by everyone, on either side of every time that counts."""
    offer = stage(market, status)
    assert status == 0 or market.auction.sale(offer)["status"] == status
    end = now() + 7 * DAY if status in (0, ABORTED, SOLD, UNSOLD) else market.auction.sale(offer)["ends"]
    amounts = [(n,) for n in (0, V - 1, V, V * 105 // 100 - 1, V * 105 // 100, AMOUNT_MAX + 1)]
    taken = {
        who for who in [*market.people, market.platform, market.deployer]
        for time in (now(), end - 600, end - 1, end, end + LAST)
        for args in (amounts if name == "bid" else [()])
        if not travel_to(time) and market.auction.attempt(name, offer, *args, sender=who) is None
    }
    everyone = {*market.people, market.platform, market.deployer}
    assert taken == {
        ("list", 0): {market.ana}, ("abort", READY): {market.ana},
        ("bid", READY): everyone - {market.ana}, ("bid", BID): everyone - {market.ana},
        ("end", READY): everyone, ("end", BID): everyone,
    }.get((name, status), set())
