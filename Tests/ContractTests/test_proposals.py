"""Proposals and agreements: docs section 8."""

import pytest
from machine import Refused, now, travel_to
from model import DAY, DISPUTED, OPEN, PAID, SETTLED, TRANSFERRED

NONE = {"share": 0, "until": 0}


def test_only_the_other_partys_proposal_can_be_agreed_to(market):
    id = market.reach(PAID)
    market.move("propose", id, 4_000, now() + 1_000, sender=market.ana)
    with pytest.raises(Refused, match="escrow: no such proposal"):
        market.move("agree", id, 4_000, sender=market.ana)
    for stranger in (market.cleo, market.dan, market.platform):
        with pytest.raises(Refused, match="escrow: only seller or buyer"):
            market.move("agree", id, 4_000, sender=stranger)
    market.move("agree", id, 4_000, sender=market.bo)
    assert market.sale(id)["status"] == SETTLED
    assert market.item.ownerOf(1) == market.ana  # below half, the token goes back
    market.agree()


def test_only_the_share_that_stands_can_be_agreed_to(market):
    id = market.reach(PAID)
    market.move("propose", id, 4_000, now() + 1_000, sender=market.ana)
    market.move("propose", id, 4_001, now() + 1_000, sender=market.ana)
    for wrong in (0, 3_999, 4_000, 4_002, 10_000, 2**16 + 4_001, 2**256 - 1):
        with pytest.raises(Refused, match="escrow: no such proposal"):
            market.move("agree", id, wrong, sender=market.bo)
    market.move("agree", id, 4_001, sender=market.bo)
    assert market.ended()["share"] == 4_001


def test_an_empty_slot_is_not_a_proposal_of_a_zero_share(market):
    """A share of 0 is also what an empty slot says."""
    id = market.reach(PAID)
    for who in (market.ana, market.bo):
        with pytest.raises(Refused, match="escrow: no such proposal"):
            market.move("agree", id, 0, sender=who)
    market.move("propose", id, 0, now() + 1, sender=market.ana)
    market.move("agree", id, 0, sender=market.bo)
    assert market.ended()["payout"]["seller"] == 2 * 10**18


def test_each_side_has_a_proposal_of_its_own(market):
    id = market.reach(PAID)
    market.move("propose", id, 9_000, now() + 1_000, sender=market.ana)
    market.move("propose", id, 1_000, now() + 2_000, sender=market.bo)
    shown = market.sale(id)
    assert shown["seller_proposal"] == {"share": 9_000, "until": now() + 1_000}
    assert shown["buyer_proposal"] == {"share": 1_000, "until": now() + 2_000}
    market.move("withdraw_proposal", id, sender=market.bo)
    assert market.sale(id)["buyer_proposal"] == NONE
    assert market.sale(id)["seller_proposal"]["share"] == 9_000
    with pytest.raises(Refused, match="escrow: no proposal to withdraw"):
        market.move("withdraw_proposal", id, sender=market.bo)
    with pytest.raises(Refused, match="escrow: no such proposal"):
        market.move("agree", id, 1_000, sender=market.ana)
    market.move("agree", id, 9_000, sender=market.bo)
    market.agree()


def test_equal_proposals_of_both_sides_do_not_agree(market):
    id = market.reach(PAID)
    for who in (market.ana, market.bo):
        market.move("propose", id, 5_000, now() + 1_000, sender=who)
    assert market.sale(id)["status"] == PAID


@pytest.mark.parametrize("length", [1, 1_000, 60 * DAY])
def test_a_proposal_stands_until_its_last_second(market, length):
    id = market.reach(PAID, market.terms(ship_window=60 * DAY))
    until = now() + length
    market.move("propose", id, 4_000, until, sender=market.ana)
    for time in (until, until + 1, until + 1_000 * DAY):
        travel_to(time)
        with pytest.raises(Refused, match="escrow: the proposal has ended"):
            market.move("agree", id, 4_000, sender=market.bo)
    travel_to(until - 1)
    market.move("agree", id, 4_000, sender=market.bo)
    assert market.sale(id)["status"] == SETTLED


def test_a_proposal_is_of_a_second_to_sixty_days(market):
    id = market.reach(PAID)
    for until in (0, now() - 1, now()):
        with pytest.raises(Refused, match="escrow: the proposal has ended"):
            market.move("propose", id, 5_000, until, sender=market.ana)
    for until in (now() + 60 * DAY + 1, 2**240, 2**256 - 1):
        with pytest.raises(Refused, match="escrow: proposal longer than 60 days"):
            market.move("propose", id, 5_000, until, sender=market.ana)
    for until in (now() + 1, now() + 60 * DAY):
        market.move("propose", id, 5_000, until, sender=market.ana)
        assert market.sale(id)["seller_proposal"] == {"share": 5_000, "until": until}


def test_a_share_is_at_most_all(market):
    id = market.reach(PAID)
    for share in (10_001, 2**16, 2**255):
        with pytest.raises(Refused, match="escrow: share above 10,000"):
            market.move("propose", id, share, now() + 1, sender=market.ana)
    market.move("propose", id, 10_000, now() + 1, sender=market.ana)


def advance(market, id: bytes, move: str) -> None:
    """Makes the move that changes the phase of a sale."""
    sender = {"transfer_item": market.ana, "dispute": market.bo, "take": market.cleo}[move]
    market.move(move, id, sender=sender)


@pytest.mark.parametrize("status,move", [
    (PAID, "transfer_item"), (TRANSFERRED, "dispute"), (DISPUTED, "take"),
])
@pytest.mark.parametrize("side", ["seller", "buyer"])
def test_every_transition_clears_both_proposals(market, status, move, side):
    id = market.reach(status, market.arbitrated())
    for who in (market.ana, market.bo):
        market.move("propose", id, 4_000, now() + 60 * DAY, sender=who)
    advance(market, id, move)
    shown = market.sale(id)
    assert shown["seller_proposal"] == shown["buyer_proposal"] == NONE
    for who in (market.ana, market.bo):
        with pytest.raises(Refused, match="escrow: no such proposal"):
            market.move("agree", id, 4_000, sender=who)
        with pytest.raises(Refused, match="escrow: no proposal to withdraw"):
            market.move("withdraw_proposal", id, sender=who)
    by, other = (market.ana, market.bo) if side == "seller" else (market.bo, market.ana)
    market.move("propose", id, 4_000, now() + 9, sender=by)
    market.move("agree", id, 4_000, sender=other)
    market.agree()


@pytest.mark.parametrize("move", ["confirm", "refund", "agree"])
def test_an_ended_sale_shows_no_proposal_and_takes_none(market, move):
    id = market.reach(TRANSFERRED)
    for who in (market.ana, market.bo):
        market.move("propose", id, 4_000, now() + 60 * DAY, sender=who)
    sender = market.ana if move == "refund" else market.bo
    market.move(move, id, *([4_000] if move == "agree" else []), sender=sender)
    shown = market.sale(id)
    assert shown["seller_proposal"] == shown["buyer_proposal"] == NONE
    for name, args in [("propose", (1, now() + 9)), ("withdraw_proposal", ()), ("agree", (4_000,))]:
        with pytest.raises(Refused, match="escrow: sale is not open"):
            market.move(name, id, *args, sender=market.ana)
    market.agree()


def test_settling_is_open_in_every_open_status_and_after_its_deadline(market):
    for status in OPEN:
        id = market.reach(status)
        travel_to(market.model.sales[id].deadline + 100 * DAY)
        market.settle(id, 6_000)
        assert market.sale(id)["status"] == SETTLED
    market.agree()


@pytest.mark.parametrize("by", ["seller", "buyer"])
def test_agreeing_ends_the_sale_and_names_the_account(market, by):
    id = market.reach(PAID)
    proposer, other = (market.ana, market.bo) if by == "seller" else (market.bo, market.ana)
    market.settle(id, 5_000, by=proposer)
    assert market.ended()["by"] == other
    assert market.item.ownerOf(1) == market.bo  # from half on, the token stays with the buyer
