"""Each theft or loss known from earlier auctions, tried on this one: Docs/contracts.md, section 16.

A test is named for the attack; its docstring gives the numbers of the hazards.
"""

from dataclasses import replace

import pytest
from auction_model import ABORTED, BID, READY, SOLD, UNSOLD
from kinds import digest
from kinds_fixtures import actor, deployed_kinds, market  # noqa: F401
from kinds_model import DAY, NATIVE
from machine import Contract, Refused, balance, boa, now, travel_to

V = 10**18
MOODS = {"refuses": 1, "burns": 2, "pretends": 3}


def finish(market, offer, by=None) -> None:
    """Ends an auction as soon as it can be ended."""
    travel_to(market.auction.sale(offer)["ends"])
    market.auction.move("end", offer, sender=by or market.dan)


def test_the_royalty_of_a_token_that_another_sold_first(market):
    """Auction (a): the artist was registered under the sale's number instead of the token's."""
    a, token = market.auction, market.token_of(market.cleo, market.dan)
    a.list()
    offer = a.list(seller=market.dan, token=token)
    a.move("bid", offer, V, sender=market.bo)
    finish(market, offer)
    assert a.event("Ended")["maker"] == market.cleo and a.contract.credit(NATIVE, market.cleo) == V // 50
    assert market.item.maker(2) == market.ana


@pytest.mark.parametrize("way", ["transferFrom", "safeTransferFrom", "safeTransferFrom(address,address,uint256,bytes)"])
def test_forging_a_listing_by_sending_a_token(market, actor, way):
    """Auction (b), SC-20, SC-30 (c), SC-39: a token sent in opened a listing for whom the data said."""
    token, rest = market.token_of(market.bo, market.bo), [b"ana"] if "bytes" in way else []
    market.item.setApprovalForAll(actor.address, True, sender=market.bo)
    for sender in (market.bo, actor.address):
        with pytest.raises(Refused, match="a sale contract accepts no other token"):
            market.item.call(way, market.bo, market.auction.address, token, *rest, sender=sender)
    assert "onERC721Received" not in market.auction.contract.functions
    assert market.item.ownerOf(token) == market.bo


def test_listing_a_token_that_is_in_custody(market):
    """Auction (b): a second listing of a held token was aborted, and the token taken for nothing."""
    a, offer = market.auction, market.auction.list()
    a.move("bid", offer, V, sender=market.bo)
    texts = {
        a: "erc721: the sender does not own the token",
        market.direct: "erc721: only the owner or an approved account",
    }
    for kind, text in texts.items():
        for thief in (market.ana, market.dan, market.bo):
            assert kind.attempt("list", kind.offer(seller=thief, token=1), sender=thief) == text
    with pytest.raises(Refused, match="only the owner or an approved account"):
        market.item.transferFrom(a.address, market.ana, 1, sender=market.ana)
    with pytest.raises(Refused, match="only the owner or an operator"):
        market.item.approve(market.ana, 1, sender=market.ana)


def test_money_stuck_in_a_function_that_ignores_it(market):
    """Auction (c), SC-25: only `bid` takes money, and it takes exactly the bid."""
    abi = market.auction.contract.abi
    assert {e["name"] for e in abi if e.get("stateMutability") == "payable"} == {"bid"}
    offer = market.auction.list()
    for name in ("abort", "end", "list"):
        with pytest.raises(Refused):
            market.auction.contract.call(name, offer.abi(), sender=market.ana, value=1)


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("role", ["seller", "bidder", "maker", "platform"])
@pytest.mark.parametrize("exit", [SOLD, UNSOLD, ABORTED])
def test_blocking_an_exit(market, actor, mood, role, exit):
    """Auction (d), SC-38 (d): one receiver that reverts, burns all gas or poses as a sale contract."""
    a, who = market.auction, actor.address
    if role == "platform":
        market.platform = who
        a = type(a)(market, "Auction")
        market.kinds[0] = market.auction = a
        for person in market.people:
            market.admit(person, a.address)
    token = market.token_of(who if role == "maker" else market.cleo, who if role == "seller" else market.ana)
    seller, bidder = market.items.owners[token], who if role == "bidder" else market.bo
    actor.become(MOODS[mood], market.item.address)
    offer = a.list(seller=seller, token=token)
    if exit == SOLD:
        a.move("bid", offer, V, sender=bidder)
        a.move("bid", offer, 2 * V, sender=market.dan)
        a.move("bid", offer, 3 * V, sender=bidder)
    if exit == ABORTED:
        a.move("abort", offer, sender=seller)
    else:
        finish(market, offer)
    assert market.item.ownerOf(token) == (bidder if exit == SOLD else seller)
    had, credit = balance(market.cleo), a.model.credits.get((NATIVE, who), 0)
    assert (credit > 0) == (exit == SOLD)
    if credit:
        if mood != "pretends":
            with pytest.raises(Refused, match="the receiver refused the money"):
                a.contract.withdraw(NATIVE, credit, who, sender=who)
        a.withdraw(who, NATIVE, credit, market.cleo)
        assert balance(market.cleo) == had + credit
    market.agree()


def test_an_auction_that_nobody_ends(market):
    """Auction (e): the winner depended on others; here anyone ends it, years later too."""
    for bid in (True, False):
        offer = market.auction.list()
        if bid:
            market.auction.move("bid", offer, V, sender=market.bo)
        travel_to(now() + 3_650 * DAY)
        market.auction.move("end", offer, sender=market.bo)
        token = market.auction.sale(offer)["token"]
        assert market.item.ownerOf(token) == (market.bo if bid else market.ana)


def test_both_moves_open_at_the_boundary(market):
    """SC-27: at the very end a bid, an abort and the end were all possible."""
    a, offer = market.auction, market.auction.list()
    end = a.sale(offer)["ends"]
    for time, late in [(end - 1, False), (end, True)]:
        travel_to(time)
        assert (a.attempt("end", offer, sender=market.dan) is None) == late
        assert (a.attempt("bid", offer, V, sender=market.bo) is None) != late
        assert (a.attempt("abort", offer, sender=market.ana) is None) != late


def test_bidding_after_the_auction_was_aborted(market):
    """Individual (a): bids were taken after an abort, and the seller collected without giving the token."""
    a, offer = market.auction, market.auction.list()
    a.move("abort", offer, sender=market.ana)
    for name, args in [("bid", (V,)), ("end", ()), ("abort", ())]:
        for time in (now(), now() + 7 * DAY):
            travel_to(time)
            for sender in (market.ana, market.bo):
                assert a.attempt(name, offer, *args, sender=sender) == "auction: sale is not open"
    assert balance(a.address) == 0


def test_aborting_when_there_is_a_bid(market):
    """SC-23: a seller who does not like the bid cannot take the thing back, nor can anyone else."""
    a, offer = market.auction, market.auction.list()
    a.move("bid", offer, V, sender=market.bo)
    assert a.attempt("abort", offer, sender=market.ana) == "auction: there is a bid"
    for who in (market.bo, market.cleo, market.platform, market.deployer):
        assert a.attempt("abort", offer, sender=who) == "auction: only the seller"


def test_money_of_earlier_bids_is_not_refused_to_the_winner(market):
    """Individual (b), SC-41: a winner who was outbid before could never draw what he had bid first."""
    a, offer = market.auction, market.auction.list()
    for bidder, amount in [(market.bo, V), (market.cleo, 2 * V), (market.bo, 3 * V)]:
        a.move("bid", offer, amount, sender=bidder)
    a.withdraw(market.bo, NATIVE, V // 2)
    finish(market, offer)
    a.withdraw(market.bo, NATIVE, V // 2)
    a.withdraw(market.cleo, NATIVE, 2 * V)
    market.agree()


def test_a_bid_so_small_that_fees_vanish(market):
    """Individual (c), SC-45: a fee of zero locked the seller's money. No bid is below 10,000 units."""
    a = market.auction
    small = a.offer(a.terms(9_999))
    assert a.attempt("list", small, sender=market.ana) == "market: price out of bounds"
    offer = a.list(a.terms(10_000))
    a.move("bid", offer, 10_000, sender=market.bo)
    finish(market, offer)
    assert a.event("Ended")["payout"] == {"seller": 9_600, "platform": 200, "maker": 200}
    for who, part in [(market.ana, 9_800), (market.platform, 200)]:
        a.withdraw(who, NATIVE, part)
    assert a.contract.owed(NATIVE) == 0


def test_bidding_on_ones_own_thing(market):
    """SC-21: the seller bid against the bidders."""
    a, offer = market.auction, market.auction.list()
    assert a.attempt("bid", offer, V, sender=market.ana) == "auction: the seller cannot bid"
    a.move("bid", offer, V, sender=market.bo)
    assert a.attempt("bid", offer, 2 * V, sender=market.ana) == "auction: the seller cannot bid"


def test_a_stranger_acting_for_an_account_that_calls_him(market, actor):
    """Individual (e), SC-39: tx.origin let whoever was called act as the account that began."""
    a, offer = market.auction, market.auction.list()
    actor.arm(a.address, a.contract.calldata("abort", offer.abi()))
    actor.onERC721Received(market.ana, market.ana, 1, b"", sender=market.ana)
    assert (actor.calls(), actor.successes()) == (1, 0)
    assert a.sale(offer)["status"] == READY


def test_ending_an_auction_twice(market):
    """SC-24, SC-25: an auction ends once, and the winning bid is divided once."""
    a, offer = market.auction, market.auction.list()
    a.move("bid", offer, V, sender=market.bo)
    finish(market, offer)
    owed = a.contract.owed(NATIVE)
    for who in market.people:
        assert a.attempt("end", offer, sender=who) == "auction: sale is not open"
    assert a.contract.owed(NATIVE) == owed == V


def test_the_old_sellers_auction_after_the_token_was_sold(market):
    """SC-36 (b): the old seller used his old listing to take the new owner's token."""
    a, first = market.auction, market.auction.list()
    a.move("bid", first, V, sender=market.bo)
    finish(market, first)
    second = a.list(seller=market.bo, token=1)
    for name, args in [("abort", ()), ("bid", (2 * V,)), ("end", ())]:
        for sender in (market.ana, market.bo):
            assert a.attempt(name, first, *args, sender=sender) == "auction: sale is not open"
    assert a.sale(second)["status"] == READY and market.item.ownerOf(1) == a.address


def test_a_bid_overtaken_by_a_reorganisation_finds_nothing(market):
    """The seller lists another promise, thing or increment with the same salt; its id is another."""
    a, agreed = market.auction, market.auction.offer()
    for changed in (
        {"promise": digest("a scooter")}, {"content_hash": digest("a scooter")},
        {"terms": replace(agreed.terms, min_increment_bps=5_000)},
    ):
        a.move("list", replace(agreed, **changed), sender=market.ana)
    assert a.attempt("bid", agreed, V, sender=market.bo) == "auction: sale is not open"


def test_forced_ether_changes_nothing(market):
    """Money forced on the contract is nobody's credit and stops no move."""
    a, offer, bomb = market.auction, market.auction.list(), Contract("Bomb")
    bomb.explode(a.address, sender=market.dan, value=777)
    a.move("bid", offer, V, sender=market.bo)
    finish(market, offer)
    for who, amount in [(market.ana, V * 98 // 100), (market.platform, V // 50)]:
        a.withdraw(who, NATIVE, amount)
    assert balance(a.address) == 777 and a.contract.owed(NATIVE) == 0


@pytest.mark.parametrize("move", ["withdraw", "bid", "end", "abort", "list"])
def test_reentering_while_money_is_drawn(market, actor, move):
    """A receiver that calls back before `withdraw` is done gets nothing twice and nothing else."""
    a, me = market.auction, actor.address
    over, open = a.list(), a.list(a.terms(duration=30 * DAY))
    a.move("bid", over, V, sender=me)
    a.move("bid", over, 2 * V, sender=market.bo)
    travel_to(a.sale(over)["ends"])
    mine = a.list(seller=me)
    call = {
        "withdraw": (NATIVE, 1, me), "bid": (open.abi(), V, 0), "end": (over.abi(),), "abort": (mine.abi(),),
        "list": (a.offer(seller=me).abi(),),
    }[move]
    actor.arm(a.address, a.contract.calldata(move, *call))
    a.withdraw(me, NATIVE, V // 2)
    assert (actor.calls(), actor.successes()) == (1, 0)
    assert [a.sale(o)["status"] for o in (over, open, mine)] == [BID, READY, READY]
    market.agree()


def hostile_currency(market):
    """An auction contract in a token of many faults, which everyone has; two auctions by Ana."""
    token = Contract("FeeToken")
    contract = Contract("Auction", market.item.address, market.platform, 200, [token.address])
    market.item.allow_minter(contract.address, True, sender=market.ana)
    for who in (market.bo, market.cleo, token.address):
        token.mint(who, 100 * V)
    offers = [market.auction.offer(market.auction.terms(currency=token.address)) for _ in range(2)]
    for offer in offers:
        contract.list(offer.abi(), sender=market.ana)
    return token, contract, offers


@pytest.mark.parametrize("move", ["bid", "withdraw"])
def test_reentering_from_a_token(market, move):
    """A token that calls back while it is moved finds the contract locked."""
    token, contract, (first, second) = hostile_currency(market)
    contract.bid(first.abi(), V, 0, sender=market.bo)
    contract.bid(first.abi(), 2 * V, 0, sender=market.cleo)
    token.set_hook(contract.address, contract.calldata("bid", second.abi(), V, 0))
    if move == "bid":
        contract.bid(first.abi(), 3 * V, 0, sender=market.bo)
    else:
        contract.withdraw(token.address, V, market.bo, sender=market.bo)
    assert not token.hook_success()
    assert token.balanceOf(contract.address) == contract.owed(token.address) == (6 * V if move == "bid" else 2 * V)
    assert contract.sale(contract.sale_id(second.abi()))["status"] == READY


def test_a_token_that_turns_bad_blocks_no_end(market):
    """A currency that later keeps fees, answers false or pays too much: ends credit, they do not pay."""
    token, contract, (first, second) = hostile_currency(market)
    contract.bid(first.abi(), V, 0, sender=market.bo)
    for fault, text in [((1, 0, 0, True), "token takes a fee"), ((0, 0, 0, False), "the token refused")]:
        token.misbehave(*fault)
        with pytest.raises(Refused, match=text):
            contract.bid(first.abi(), 2 * V, 0, sender=market.cleo)
    sale = contract.sale(contract.sale_id(first.abi()))
    assert (sale["bidder"], sale["highest"]) == (market.bo, V)
    travel_to(sale["ends"])
    for offer in (first, second):
        contract.end(offer.abi(), sender=market.dan)
    assert [market.item.ownerOf(n) for n in (1, 2)] == [market.bo, market.ana]
    token.misbehave(0, 0, 1, True)
    with pytest.raises(Refused, match="token takes a fee"):
        contract.withdraw(token.address, V // 50, market.platform, sender=market.platform)
    token.misbehave(0, 0, 0, True)
    contract.withdraw(token.address, V // 50, market.platform, sender=market.platform)
    contract.withdraw(token.address, V * 98 // 100, market.ana, sender=market.ana)
    assert token.balanceOf(contract.address) == contract.owed(token.address) == 0


def test_a_token_that_answers_nothing_is_taken(market):
    """As some old tokens do."""
    token = Contract("SilentToken")
    contract = Contract("Auction", market.item.address, market.platform, 200, [token.address])
    market.item.allow_minter(contract.address, True, sender=market.ana)
    token.mint(market.bo, V)
    offer = market.auction.offer(market.auction.terms(currency=token.address))
    contract.list(offer.abi(), sender=market.ana)
    contract.bid(offer.abi(), V, 0, sender=market.bo)
    travel_to(now() + 7 * DAY)
    contract.end(offer.abi(), sender=market.dan)
    contract.withdraw(token.address, V * 98 // 100, market.ana, sender=market.ana)
    assert token.balanceOf(market.ana) == V * 98 // 100


def test_a_token_number_that_does_not_fit_is_refused(market):
    """Item counts from 1; only an item of somebody else could answer with such a number."""
    for token, text in [(2**88, "auction: token out of bounds"), (2**88 - 1, None)]:
        item = Contract("StrangeItem", token)
        contract = Contract("Auction", item.address, market.platform, 200, [])
        offer, refused = market.auction.offer(), None
        try:
            contract.list(offer.abi(), sender=market.ana)
        except Refused as refusal:
            refused = refusal.text
        assert refused == text
        if text is None:
            contract.bid(offer.abi(), V, 0, sender=market.bo, value=V)
            sale = contract.sale(contract.sale_id(offer.abi()))
            assert (sale["status"], sale["bidder"], sale["highest"], sale["token"]) == (BID, market.bo, V, token)


def test_every_power_of_a_stranger(market):
    """Whoever deployed the contract or receives the fees can do no more than anyone; nothing is set later."""
    writers = {
        e["name"] for e in market.auction.contract.abi
        if e["type"] == "function" and e["stateMutability"] in ("nonpayable", "payable")
    }
    assert writers == {"list", "abort", "bid", "end", "withdraw"}
    writers = {
        e["name"] for e in market.direct.contract.abi
        if e["type"] == "function" and e["stateMutability"] in ("nonpayable", "payable")
    }
    assert writers == {"list", "abort", "pay", "withdraw"}


def test_a_minter_that_the_maker_no_longer_allows(market):
    """A maker who takes his permission back is named maker of nothing more; his open sales go on."""
    a, offer = market.auction, market.auction.list()
    market.item.allow_minter(a.address, False, sender=market.ana)
    market.items.allow_minter(market.ana, a.address, False)
    assert a.attempt("list", a.offer(), sender=market.ana) == "item: the maker has not allowed this minter"
    a.move("bid", offer, V, sender=market.bo)
    finish(market, offer)
    market.agree()


@pytest.mark.parametrize("gas", [60_000, 90_000, 110_000, 130_000, 150_000, 180_000])
def test_an_end_with_too_little_gas_changes_nothing_or_everything(market, actor, gas):
    """Item gives `ITEM()` capped gas; no amount of gas ends an auction without moving its token."""
    a, offer = market.auction, market.auction.list()
    a.move("bid", offer, V, sender=actor.address)
    actor.become(MOODS["burns"], market.item.address)
    travel_to(a.sale(offer)["ends"])
    computation = boa.env.execute_code(
        to_address=a.address, sender=market.dan, data=a.contract.calldata("end", offer.abi()), gas=gas
    )
    ended = not computation.is_error
    assert a.sale(offer)["status"] == (SOLD if ended else BID)
    assert market.item.ownerOf(1) == (actor.address if ended else a.address)
    assert ended == (a.contract.credit(NATIVE, market.ana) > 0)
    assert ended or gas < 180_000
