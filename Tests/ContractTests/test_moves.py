"""Every move in every status, by everyone, before and after the deadline: docs section 4."""

import pytest
from machine import Refused, boa, now, travel_to
from market import Market, digest
from model import (
    ABORTED, COMPLETE, DISPUTED, LISTED, OPEN, PAID, REFUNDED, SETTLED, TRANSFERRED, Terms,
)

STATUSES = [0, LISTED, PAID, TRANSFERRED, DISPUTED, ABORTED, REFUNDED, COMPLETE, SETTLED]
MOVES = {
    "abort": [()],
    "buy": [()],
    "transfer_item": [()],
    "refund": [()],
    "confirm": [()],
    "dispute": [()],
    "claim": [()],
    "rule": [(0,), (10_000,), (10_001,)],
    "execute_default": [()],
    "settle": [(0, 2**255), (10_000, 2**255), (10_001, 2**255), (5_000, 1)],
}


def stage(market: Market, status: int) -> tuple[bytes, Terms]:
    """A sale with an arbiter, in any status."""
    terms = market.terms(arbiter=market.cleo, arbiter_fee=10**16)
    final = {ABORTED: "abort", REFUNDED: "refund", COMPLETE: "confirm", SETTLED: "rule"}
    begin = {ABORTED: LISTED, REFUNDED: PAID, COMPLETE: TRANSFERRED, SETTLED: DISPUTED}
    id = market.reach(begin.get(status, status), terms)
    if status in final:
        sender = {COMPLETE: market.bo, SETTLED: market.cleo}.get(status, market.ana)
        market.move(final[status], id, *([7_000] if status == SETTLED else []), sender=sender)
    return id, terms


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("late", [False, True], ids=["in time", "late"])
def test_a_move_is_open_exactly_where_the_law_opens_it(market, status, name, late):
    id, terms = stage(market, status)
    if late and status in (LISTED, *OPEN):
        travel_to(market.model.sales[id].deadline())
    for args in MOVES[name]:
        for person in market.people:
            with boa.env.anchor():
                kept, market.model = market.model, deep(market.model)
                try:
                    value = terms.price + terms.buyer_deposit
                    extra = {"value": value} if name == "buy" else {}
                    market.move(name, id, *args, sender=person, **extra)
                except Refused:
                    pass
                market.agree()
                market.model = kept


def deep(model):
    import copy

    return copy.deepcopy(model)


def test_the_whole_way_of_a_sale_as_its_events_tell_it(market):
    terms = market.terms()
    id = market.list(terms)
    [minted, transfer, listed] = market.escrow.logs
    assert minted.name == "Minted" and minted.args == {
        "token": 1, "maker": market.ana, "minter": market.escrow.address,
        "content_hash": digest("content"),
    }
    assert transfer.args["receiver"] == market.escrow.address
    salt = listed.args.pop("salt")
    offer = [market.ana, salt, 0, digest("content"), digest("promise"), terms.abi()]
    assert id == market.escrow.sale_id(*offer)
    assert listed.args == {
        "id": id, "seller": market.ana, "token": 1, "promise": digest("promise"),
        "content_hash": digest("content"), "minted": True, "at": now(),
        "terms": dict(zip(listed.args["terms"], terms.abi())),
    }
    travel_to(now() + 100)
    market.buy(id)
    parties = {"id": id, "seller": market.ana, "buyer": market.bo}
    [bought] = market.escrow.logs
    assert bought.name == "Bought"
    assert bought.args == {**parties, "deadline": now() + terms.ship_window, "at": now()}
    travel_to(now() + 100)
    market.move("transfer_item", id, sender=market.ana)
    [transferred] = market.escrow.logs
    assert transferred.name == "ItemTransferred"
    assert transferred.args == {**parties, "deadline": now() + terms.confirm_window, "at": now()}
    assert market.item.ownerOf(1) == market.escrow.address
    travel_to(now() + 100)
    market.move("dispute", id, sender=market.bo)
    [disputed] = market.escrow.logs
    assert disputed.name == "Disputed" and disputed.args == {
        "id": id, "buyer": market.bo, "arbiter": terms.arbiter,
        "deadline": now() + terms.ruling_window, "at": now(),
    }
    market.move("settle", id, 6_000, now() + 5, sender=market.ana)
    [proposed] = market.escrow.logs
    assert proposed.name == "SettlementProposed" and proposed.args == {
        "id": id, "by": market.ana, "share": 6_000, "settle_by": now() + 5, "at": now(),
    }
    market.move("settle", id, 6_000, now() + 5, sender=market.bo)
    [ended, *credited, moved] = market.escrow.logs
    assert ended.name == "Ended"
    parts = ended.args.pop("payout")
    assert ended.args == {
        **parties, "status": SETTLED, "exit": 16, "by": market.bo, "share": 6_000,
        "token_to": market.bo, "maker": market.ana, "at": now(),
    }
    accounts = [market.ana, market.bo, market.platform, market.ana]
    amounts = [parts[k] for k in ("seller", "buyer", "platform", "maker")]
    assert [(c.args["account"], c.args["amount"]) for c in credited] == list(zip(accounts, amounts))
    assert all(c.name == "Credited" and c.args["id"] == id for c in credited)
    assert (moved.name, moved.args["receiver"]) == ("Transfer", market.bo)
    amount = market.escrow.credit(terms.currency, market.ana)
    market.move("withdraw", terms.currency, market.dan, sender=market.ana)
    [withdrawn] = market.escrow.logs
    assert withdrawn.name == "Withdrawn" and withdrawn.args == {
        "currency": terms.currency, "account": market.ana, "to": market.dan, "amount": amount,
    }
    market.agree()


def test_a_sale_is_listed_once_and_its_id_is_known_before(market):
    terms, salt = market.terms(), digest("once")
    offer = [market.ana, salt, 0, digest("content"), digest("promise"), terms.abi()]
    known = market.escrow.sale_id(*offer)
    assert market.list(terms, salt=salt) == known
    with pytest.raises(Refused, match="sale is listed already"):
        market.list(terms, salt=salt)
    market.move("abort", known, sender=market.ana)
    with pytest.raises(Refused, match="sale is listed already"):
        market.list(terms, salt=salt)
    assert market.list(terms, salt=salt, seller=market.bo) != known


@pytest.mark.parametrize("field", Terms.__dataclass_fields__)
def test_every_term_is_part_of_the_id(market, field):
    terms = market.terms(arbiter=market.cleo)
    other = {"currency": market.tokens[0].address, "arbiter": market.dan}
    changed = market.terms(arbiter=market.cleo, **{})
    value = other.get(field, getattr(terms, field) + 1 if field not in other else None)
    changed = Terms(**{**changed.__dict__, field: value})
    rest = [market.ana, digest("s"), 0, digest("content"), digest("promise")]
    ids = {market.escrow.sale_id(*rest, t.abi()) for t in (terms, changed)}
    assert ids == {market.id(*rest, t) for t in (terms, changed)}
    assert len(ids) == 2


def test_the_id_binds_all_that_is_offered(market):
    offer = [market.ana, digest("s"), 0, digest("content"), digest("promise"), market.terms().abi()]
    other = [market.bo, digest("t"), 1, digest("other"), digest("other")]
    ids = [market.escrow.sale_id(*offer), market.another_escrow(200).sale_id(*offer)]
    for position, value in enumerate(other):
        ids.append(market.escrow.sale_id(*offer[:position], value, *offer[position + 1:]))
    boa.env.evm.patch.chain_id += 1
    ids.append(market.escrow.sale_id(*offer))
    boa.env.evm.patch.chain_id -= 1
    assert len(set(ids)) == 8


def test_a_zero_promise_or_content_is_refused(market):
    with pytest.raises(Refused, match="promise is zero"):
        market.list(promise=bytes(32))
    with pytest.raises(Refused, match="content hash is zero"):
        market.list(content=bytes(32))


def test_a_resale_carries_the_same_token_maker_and_content(market):
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    with pytest.raises(Refused, match="content hash is not the item's"):
        market.list(seller=market.bo, token=1, content=digest("another"))
    id = market.list(seller=market.bo, token=1)
    listed = market.escrow.logs[-1].args
    assert (listed["token"], listed["minted"]) == (1, False)
    assert listed["content_hash"] == digest("content")
    market.buy(id, buyer=market.dan)
    market.move("confirm", id, sender=market.dan)
    ended = market.escrow.logs[0].args
    assert ended["maker"] == market.ana and ended["payout"]["maker"] == 10**18 * 2 // 100
    assert market.item.maker(1) == market.ana and market.item.ownerOf(1) == market.dan
    market.agree()


def test_listing_needs_the_owners_approval(market):
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    market.item.setApprovalForAll(market.escrow.address, False, sender=market.bo)
    terms = market.terms()
    arguments = (terms.abi(), 1, digest("content"), digest("promise"), digest("s"))
    with pytest.raises(Refused, match="caller is not token owner or approved"):
        market.escrow.list(*arguments, sender=market.bo, value=terms.seller_deposit)
    market.item.approve(market.escrow.address, 1, sender=market.bo)
    market.escrow.list(*arguments, sender=market.bo, value=terms.seller_deposit)
    assert market.item.ownerOf(1) == market.escrow.address
    assert market.item.getApproved(1) == "0x" + "00" * 20


def test_a_proposal_is_agreed_only_as_it_stands(market):
    id = market.reach(PAID)
    later = now() + 1_000
    market.move("settle", id, 4_000, later, sender=market.ana)
    market.move("settle", id, 4_000, later, sender=market.ana)  # one's own is no agreement
    market.move("settle", id, 4_001, later, sender=market.bo)  # a counter-offer replaces it
    market.move("settle", id, 4_001, later + 1, sender=market.ana)  # so does another time
    assert market.sale(id)["status"] == PAID
    market.agree()
    market.move("settle", id, 4_001, later + 1, sender=market.bo)
    assert market.sale(id)["status"] == SETTLED
    assert market.item.ownerOf(1) == market.ana  # below half, the token goes back
    market.agree()


def test_a_proposal_ends_with_its_time(market):
    id = market.reach(PAID)
    later = now() + 1_000
    market.move("settle", id, 4_000, later, sender=market.ana)
    travel_to(later)
    with pytest.raises(Refused, match="the time to settle has passed"):
        market.move("settle", id, 4_000, later, sender=market.bo)
    travel_to(later - 1)
    market.move("settle", id, 4_000, later, sender=market.bo)
    assert market.sale(id)["status"] == SETTLED


@pytest.mark.parametrize("move", ["transfer_item", "dispute"])
def test_a_proposal_belongs_to_the_status_it_was_made_in(market, move):
    id = market.reach(PAID if move == "transfer_item" else TRANSFERRED)
    market.move("settle", id, 0, 2**255, sender=market.ana)
    market.move(move, id, sender=market.ana if move == "transfer_item" else market.bo)
    assert market.sale(id)["proposal"]["by"] == "0x" + "00" * 20
    market.move("settle", id, 0, 2**255, sender=market.bo)  # an offer, not an agreement
    assert market.sale(id)["status"] in OPEN
    market.agree()


def test_a_proposal_is_cleared_when_the_sale_ends(market):
    id = market.reach(PAID)
    market.move("settle", id, 0, 2**255, sender=market.ana)
    market.move("confirm", id, sender=market.bo)
    assert market.sale(id)["proposal"] == {"by": "0x" + "00" * 20, "share": 0, "settle_by": 0}


def test_value_sent_with_a_move_that_takes_none_is_refused(market):
    id = market.reach(PAID)
    for name, args in [("confirm", (id,)), ("settle", (id, 0, 2**255)), ("refund", (id,))]:
        with pytest.raises(Refused):
            market.escrow.call(name, *args, sender=market.bo, value=1)
    computation = boa.env.execute_code(
        to_address=market.escrow.address, sender=market.bo, value=1, data=b""
    )
    assert computation.is_error
