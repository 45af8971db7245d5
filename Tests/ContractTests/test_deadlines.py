"""The last second before a deadline and the first after it: docs section 4.

Before deadline D a move needs `timestamp < D`, after it `>= D`, so of the two moves that meet at a
deadline exactly one is open at any time.
"""

import pytest
from machine import NATIVE, Refused, boa, travel_to
from model import DAY, DISPUTED, LISTED, PAID, TRANSFERRED

# status, term, its shortest and longest window, the move before the deadline, the move after it
WINDOWS = [
    (PAID, "ship_window", DAY, 60 * DAY, "transfer_item", "refund"),
    (TRANSFERRED, "confirm_window", DAY, 90 * DAY, "dispute", "claim"),
    (DISPUTED, "ruling_window", 3 * DAY, 60 * DAY, "rule", "execute_default"),
]


@pytest.mark.parametrize("length", ["shortest", "usual", "longest"])
@pytest.mark.parametrize("window", WINDOWS, ids=lambda w: w[1])
def test_exactly_one_move_is_open_on_either_side_of_a_deadline(market, window, length):
    status, term, shortest, longest, before, after = window
    changes = {"shortest": {term: shortest}, "usual": {}, "longest": {term: longest}}[length]
    terms = market.terms(arbiter=market.cleo, **changes)
    id = market.reach(status, terms)
    entered = market.sale(id)["since"]
    deadline = entered + getattr(terms, term)
    assert deadline == market.model.sales[id].deadline()
    who = {"transfer_item": market.ana, "dispute": market.bo, "rule": market.cleo}[before]
    arguments = (id, 3_333) if before == "rule" else (id,)
    for time in (entered, deadline - 1, deadline, deadline + 1, deadline + 1_000 * DAY):
        travel_to(time)
        early = allowed(market, before, *arguments, sender=who)
        late = allowed(market, after, id, sender=market.dan)
        assert (early, late) == (time < deadline, time >= deadline)


@pytest.mark.parametrize("window", WINDOWS, ids=lambda w: w[1])
def test_the_event_that_opens_a_window_tells_its_end(market, window):
    status, term, *_ = window
    terms = market.terms(arbiter=market.cleo)
    id = market.reach(status, terms)
    assert market.escrow.logs[0].args["deadline"] == market.model.sales[id].deadline()


def test_an_offer_is_open_until_its_last_second(market):
    terms = market.terms()
    id = market.list(terms)
    for time, expected in [(-1, True), (0, False), (1, False)]:
        travel_to(terms.offer_until + time)
        value = terms.price + terms.buyer_deposit
        assert allowed(market, "buy", id, sender=market.bo, value=value) == expected
        assert allowed(market, "abort", id, sender=market.ana)


@pytest.mark.parametrize("status", [PAID, TRANSFERRED, DISPUTED])
def test_conceding_has_no_deadline(market, status):
    terms = market.terms(arbiter=market.cleo)
    id = market.reach(status, terms)
    for time in (-1, 0, 1, 10_000 * DAY):
        travel_to(market.model.sales[id].deadline() + time)
        assert allowed(market, "confirm", id, sender=market.bo)
        assert allowed(market, "refund", id, sender=market.ana)


def test_without_an_arbiter_nobody_rules(market):
    id = market.reach(DISPUTED)
    for person in [*market.people, NATIVE]:
        with pytest.raises(Refused, match="only the arbiter"):
            market.move("rule", id, 5_000, sender=person)
    assert market.sale(id)["status"] == DISPUTED


def allowed(market, name, *args, sender, **extra) -> bool:
    """Whether a move is open now; leaves everything as it was."""
    try:
        with boa.env.anchor():
            market.escrow.call(name, *args, sender=sender, **extra)
            return True
    except Refused:
        return False


def test_what_is_listed_has_no_other_deadline(market):
    id = market.reach(LISTED)
    travel_to(market.sale(id)["since"] + 10_000 * DAY)
    market.move("abort", id, sender=market.ana)
    market.agree()
