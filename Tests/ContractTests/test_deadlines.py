"""The last second before a deadline and the first after it: docs section 6.

Before deadline D a move needs `timestamp < D`, after it `>= D`, so of the moves that meet at a
deadline exactly one side is open at any time.
"""

import pytest
from machine import NATIVE, Refused, boa, now, travel_to
from model import DAY, DISPUTED, LISTED, PAID, TRANSFERRED

TAKEN = "taken"
# status, term, its shortest and longest window, the move before the deadline, the move after it
WINDOWS = [
    (PAID, "ship_window", 2 * DAY, 60 * DAY, "relist", "refund"),
    (PAID, "ship_window", 2 * DAY, 60 * DAY, "decline", "refund"),
    (TRANSFERRED, "confirm_window", 2 * DAY, 90 * DAY, "dispute", "claim"),
    (DISPUTED, "ruling_window", 3 * DAY, 60 * DAY, "take", "execute_default"),
    (TAKEN, "ruling_window", 3 * DAY, 60 * DAY, "rule", "execute_default"),
]


def name(window) -> str:
    return f"{window[4]}-{window[5]}"


def reach(market, status, terms) -> bytes:
    return market.taken(terms) if status == TAKEN else market.reach(status, terms)


def allowed(market, name, id, *args, sender, **extra) -> bool:
    """Whether a move is open now; leaves everything as it was."""
    try:
        with boa.env.anchor():
            offer = market.model.sales[id].offer.abi()
            market.escrow.call(name, offer, *args, sender=sender, **extra)
            return True
    except Refused:
        return False


@pytest.mark.parametrize("length", ["shortest", "usual", "longest"])
@pytest.mark.parametrize("window", WINDOWS, ids=name)
def test_exactly_one_move_is_open_on_either_side_of_a_deadline(market, window, length):
    status, term, shortest, longest, before, after = window
    changes = {"shortest": {term: shortest}, "usual": {}, "longest": {term: longest}}[length]
    terms = market.arbitrated(**changes)
    entered = now()
    id = reach(market, status, terms)
    deadline = entered + getattr(terms, term)
    assert deadline == market.sale(id)["deadline"] == market.model.sales[id].deadline
    who = {"dispute": market.bo, "rule": market.cleo, "take": market.cleo}.get(before, market.ana)
    arguments = [3_333] if before == "rule" else []
    for time in (entered, deadline - 1, deadline, deadline + 1, deadline + 1_000 * DAY):
        travel_to(time)
        early = allowed(market, before, id, *arguments, sender=who)
        late = allowed(market, after, id, sender=market.dan)
        assert (early, late) == (time < deadline, time >= deadline)


@pytest.mark.parametrize("window", [(PAID, "ship_window"), (TRANSFERRED, "confirm_window"), (DISPUTED, "ruling_window")])
def test_the_event_that_opens_a_window_has_its_end(market, window):
    status, term = window
    terms = market.arbitrated()
    reach(market, status, terms)
    assert market.escrow.logs[0].args["deadline"] == now() + getattr(terms, term)


def test_taking_a_case_moves_no_deadline(market):
    id = market.reach(DISPUTED, market.arbitrated())
    deadline = market.sale(id)["deadline"]
    travel_to(deadline - 1)
    market.move("take", id, sender=market.cleo)
    assert market.sale(id)["deadline"] == deadline
    market.move("rule", id, 0, sender=market.cleo)


def test_an_offer_sells_until_its_last_second_then_anyone_ends_it(market):
    terms = market.terms()
    id = market.list(terms)
    assert market.sale(id)["deadline"] == terms.offer_until
    for offset, buys in [(-1, True), (0, False), (1, False), (10_000 * DAY, False)]:
        travel_to(terms.offer_until + offset)
        value = terms.price + terms.buyer_deposit
        assert allowed(market, "buy", id, sender=market.bo, value=value) == buys
        for who in (market.bo, market.dan, market.deployer):
            assert allowed(market, "abort", id, sender=who) == (not buys)
        assert allowed(market, "abort", id, sender=market.ana)
    market.move("abort", id, sender=market.dan)
    assert market.ended()["payout"]["seller"] == terms.seller_deposit
    assert market.item.ownerOf(1) == market.ana
    market.agree()


@pytest.mark.parametrize("status", [TRANSFERRED, DISPUTED, TAKEN])
def test_conceding_has_no_deadline(market, status):
    id = reach(market, status, market.arbitrated())
    for offset in (-1, 0, 1, 10_000 * DAY):
        travel_to(market.model.sales[id].deadline + offset)
        assert allowed(market, "confirm", id, sender=market.bo)
        assert allowed(market, "refund", id, sender=market.ana)


def test_a_seller_concedes_a_paid_sale_by_declining_and_then_by_refunding(market):
    id = market.reach(PAID)
    deadline = market.sale(id)["deadline"]
    for time, decline, refund in [(deadline - 1, True, False), (deadline, False, True)]:
        travel_to(time)
        assert allowed(market, "decline", id, sender=market.ana) == decline
        assert allowed(market, "refund", id, sender=market.ana) == refund
        assert allowed(market, "confirm", id, sender=market.bo)


def test_a_seller_may_hand_over_late_as_long_as_nobody_refunded(market):
    """Late is better than never: the buyer, or anyone, ends it by refunding first."""
    id = market.reach(PAID)
    for offset in (-1, 0, 1, 10_000 * DAY):
        travel_to(market.model.sales[id].deadline + offset)
        assert allowed(market, "transfer_item", id, sender=market.ana)
        assert not allowed(market, "transfer_item", id, sender=market.bo)
    refunded = market.reach(PAID)
    travel_to(market.model.sales[refunded].deadline)
    market.move("refund", refunded, sender=market.bo)
    with pytest.raises(Refused, match="escrow: sale is not paid"):
        market.move("transfer_item", refunded, sender=market.ana)
    market.move("transfer_item", id, sender=market.ana)
    assert market.sale(id)["deadline"] == now() + 21 * DAY
    with pytest.raises(Refused, match="escrow: only the seller"):
        market.move("refund", id, sender=market.bo)
    market.agree()


def test_without_an_arbiter_nobody_takes_or_rules(market):
    id = market.reach(DISPUTED)
    for person in [*market.people, NATIVE]:
        for move, args in [("take", ()), ("rule", (5_000,))]:
            with pytest.raises(Refused, match="escrow: only the arbiter"):
                market.move(move, id, *args, sender=person)
    assert market.sale(id)["status"] == DISPUTED


def test_a_listing_has_no_other_deadline(market):
    id = market.reach(LISTED)
    travel_to(now() + 10_000 * DAY)
    market.move("abort", id, sender=market.ana)
    market.agree()
