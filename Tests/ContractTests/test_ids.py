"""What an id stands on beside the terms: the chain's id at the deployment, and the token's maker.

Source: Docs/contracts.md, sections 4 and 12.
"""

from dataclasses import replace

import pytest
from course_market import BEGUN, CANCELLED, OPEN, courses, deployed_courses  # noqa: F401
from kinds import digest
from kinds_fixtures import deployed_kinds  # noqa: F401
from machine import CHAIN_ID, NATIVE, Contract, Refused, boa, changed_chain_id, now, travel_to
from market import sale_id
from model import DISPUTED, LISTED, PAID, TRANSFERRED

V = 10**18


@pytest.fixture
def kinds(deployed_kinds):  # noqa: F811
    """The market of auctions and direct sales with nothing listed."""
    return deployed_kinds.fresh()


def test_a_contract_keeps_the_chain_id_of_its_deployment(market, kinds, courses):  # noqa: F811
    contracts = [market.escrow, kinds.auction.contract, kinds.direct.contract, courses.contract]
    arguments = {name: market.arguments() for name in ("Escrow", "Auction", "DirectSale")}
    arguments["Courses"] = market.platform, market.currencies[1:]
    with changed_chain_id():
        assert {contract.CHAIN_ID() for contract in contracts} == {CHAIN_ID}
        later = [Contract(name, *given) for name, given in arguments.items()]
    assert {contract.CHAIN_ID() for contract in later} == {CHAIN_ID + 1}
    offer = market.offer()
    assert later[0].sale_id(offer.abi()) == sale_id(later[0].address, offer, CHAIN_ID + 1)
    assert later[0].sale_id(offer.abi()) != sale_id(later[0].address, offer)


def test_an_escrow_sale_goes_on_when_the_chain_changes_its_id(market):
    listed, bought, paid, sent, disputed = map(
        market.reach, (LISTED, LISTED, PAID, TRANSFERRED, DISPUTED)
    )
    settled, late, taken = market.reach(PAID), market.reach(PAID), market.taken()
    with changed_chain_id():
        market.move("abort", listed, sender=market.ana)
        market.buy(bought)
        market.move("decline", paid, sender=market.ana)
        market.move("dispute", sent, sender=market.bo)
        market.move("refund", disputed, sender=market.ana)
        market.settle(settled, 7_000)
        market.move("rule", taken, 4_000, sender=market.cleo)
        market.move("transfer_item", bought, sender=market.ana)
        travel_to(market.model.sales[bought].deadline)
        market.move("claim", bought, sender=market.dan)
        market.move("refund", late, sender=market.dan)
        market.move("execute_default", sent, sender=market.dan)
        market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
        for who in market.people:
            if market.escrow.credit(NATIVE, who):
                market.draw(who)
    market.agree()


def test_auctions_and_direct_sales_go_on_when_the_chain_changes_its_id(kinds):
    auction, direct = kinds.auction, kinds.direct
    ready, outbid, aborted = (auction.list() for _ in range(3))
    auction.move("bid", outbid, V, sender=kinds.bo)
    paid, taken_back = direct.list(), direct.list()
    with changed_chain_id():
        auction.move("abort", aborted, sender=kinds.ana)
        auction.move("bid", outbid, 2 * V, sender=kinds.cleo)
        direct.move("pay", paid, sender=kinds.bo)
        direct.move("abort", taken_back, sender=kinds.ana)
        travel_to(now() + 8 * 86_400)
        auction.move("end", outbid, sender=kinds.dan)
        auction.move("end", ready, sender=kinds.dan)
        auction.withdraw(kinds.bo, NATIVE, V)
        auction.move("abort", auction.list(), sender=kinds.ana)
        direct.move("pay", direct.list(), sender=kinds.bo)
        kinds.agree()
    kinds.agree()


def test_a_course_keeps_its_id_when_the_chain_changes_its_own(courses):  # noqa: F811
    salt, promise = digest("salt"), digest("promise")
    cancelled, begun = courses.reach(CANCELLED), courses.reach(BEGUN)
    id = courses.open(salt=salt, promise=promise)
    with changed_chain_id():
        assert courses.contract.course_id(courses.teacher, salt, promise) == id
        with pytest.raises(Refused, match="courses: course exists already"):
            courses.open(salt=salt, promise=promise)
        courses.move("refund", cancelled, sender=courses.students[0])
        courses.move("enrol", id, sender=courses.students[0])
        travel_to(courses.model.courses[begun].rounds[-1].terms.rate_until())
        courses.move("settle", begun, sender=courses.stranger)
        assert courses.contract.round_of(courses.reach(OPEN), 0)["status"] == OPEN
    courses.agree()


def test_a_minted_token_is_made_by_its_seller(market, kinds):
    """Nobody is named maker of what another mints, and the offer says who it is."""
    text = "market: maker is not the seller"
    for maker in (market.bo, NATIVE, market.escrow.address):
        with pytest.raises(Refused, match=text):
            market.list_offer(replace(market.offer(), maker=maker))
    for kind in kinds.kinds:
        for maker in (kinds.bo, NATIVE):
            offer = replace(kind.offer(), maker=maker)
            assert kind.attempt("list", offer, sender=kinds.ana) == text
    assert market.escrow.call("list", market.offer().abi(), sender=market.ana, value=2 * V)
    listed = market.escrow.logs[-1].args
    assert (listed["maker"], listed["minted"]) == (market.ana, True)


def test_a_resale_names_the_tokens_maker(market, kinds):
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    for maker in (market.bo, market.dan):
        with pytest.raises(Refused, match="market: maker is not the item's"):
            market.list(seller=market.bo, token=1, maker=maker)
    with pytest.raises(Refused, match="market: maker is not the item's"):
        market.list_offer(market.offer(seller=market.bo, token=9, content=bytes(32)))
    with pytest.raises(Refused, match="erc721: no such token"):
        market.list_offer(market.offer(seller=market.bo, token=9, maker=NATIVE, content=bytes(32)))
    market.list(seller=market.bo, token=1)
    listed = market.escrow.logs[-1].args
    assert (listed["maker"], listed["seller"], listed["minted"]) == (market.ana, market.bo, False)
    token = kinds.token_of(kinds.cleo, kinds.ana)
    for kind in kinds.kinds:
        for maker in (kinds.ana, NATIVE):
            offer = replace(kind.offer(token=token), maker=maker)
            refused = kind.attempt("list", offer, sender=kinds.ana)
            assert refused == "market: maker is not the item's"
        listed = kind.list(token=token)
        assert kind.event("Listed")["maker"] == kinds.cleo
        kind.move("abort", listed, sender=kinds.ana)


def test_a_reorganised_chain_puts_no_other_makers_token_under_an_id(market, kinds):
    """The chain forgets the maker's mint; the seller mints the same content and gets the same number.

    Under the old listing's id he cannot list it, so a buyer who pays for that id gets the true maker's
    token or nothing.
    """
    content = digest("content")
    with boa.env.anchor():
        assert market.item.mint(market.cleo, content, sender=market.cleo) == 1
        market.item.transferFrom(market.cleo, market.ana, 1, sender=market.cleo)
        offer = market.offer(token=1, maker=market.cleo, content=content)
        assert market.escrow.list(offer.abi(), sender=market.ana, value=2 * V) == market.id(offer)
    assert market.item.mint(market.ana, content, sender=market.ana) == 1
    with pytest.raises(Refused, match="market: maker is not the item's"):
        market.escrow.list(offer.abi(), sender=market.ana, value=2 * V)
    with pytest.raises(Refused, match="escrow: sale is not listed"):
        market.escrow.buy(offer.abi(), sender=market.bo, value=2 * V)
    own = replace(offer, maker=market.ana)
    assert market.escrow.list(own.abi(), sender=market.ana, value=2 * V) != market.id(offer)
    for kind in kinds.kinds:
        with boa.env.anchor():
            token = kinds.item.mint(kinds.cleo, content, sender=kinds.cleo)
            kinds.item.transferFrom(kinds.cleo, kinds.ana, token, sender=kinds.cleo)
            offer = kind.offer(token=token, maker=kinds.cleo, content=content)
            kind.contract.list(offer.abi(), sender=kinds.ana)
        with boa.env.anchor():
            assert kinds.item.mint(kinds.ana, content, sender=kinds.ana) == token
            with pytest.raises(Refused, match="market: maker is not the item's"):
                kind.contract.list(offer.abi(), sender=kinds.ana)


def test_every_exit_pays_the_maker_of_the_offer(market):
    """The royalty goes to the maker that the id names, who is the token's."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    had = market.escrow.credit(NATIVE, market.ana)
    id = market.list(seller=market.bo, token=1)
    market.buy(id, buyer=market.dan)
    market.move("confirm", id, sender=market.dan)
    offer = market.model.sales[id].offer
    assert offer.maker == market.item.maker(1) == market.ended()["maker"] == market.ana
    assert market.escrow.credit(NATIVE, market.ana) == had + V * 2 // 100
    market.agree()
