"""Every move in every status, by everyone, before and after the deadline: docs section 6."""

import copy

import pytest
from machine import Refused, boa, changed_chain_id, now, travel_to
from market import Market, digest
from model import (
    ABORTED, COMPLETE, DAY, DECLINED, DISPUTED, LISTED, OPEN, PAID, REFUNDED, SETTLED, TRANSFERRED,
    Offer, Terms,
)

TAKEN = DISPUTED | 512  # a disputed sale whose case is taken; a name of the tests alone
STATUSES = [
    0, LISTED, PAID, TRANSFERRED, DISPUTED, TAKEN, ABORTED, DECLINED, REFUNDED, COMPLETE, SETTLED,
]
MOVES = {
    "abort": [()], "buy": [()], "decline": [()], "relist": [()], "transfer_item": [()], "refund": [()],
    "confirm": [()], "dispute": [()], "claim": [()], "take": [()],
    "rule": [(0,), (10_000,), (10_001,)],
    "execute_default": [()],
    "propose": [(0, 10), (0, 10, 7), (10_000, 60 * DAY), (10_001, 10), (5_000, 0), (5_000, 60 * DAY + 1)],
    "withdraw_proposal": [()],
    "agree": [(4_000,), (4_000, 7), (4_001,)],
}


def arguments(name: str) -> tuple:
    """Arguments of a move, with the arbiter's fee where one is signed for."""
    return (*MOVES[name][0], *([0] if name in ("propose", "agree") else []))


def stage(market: Market, status: int) -> tuple[bytes | Offer, Terms]:
    """A sale with an arbiter, in any status; the offer alone if there is none."""
    terms = market.arbitrated()
    if status == 0:
        return market.offer(terms), terms
    if status in (LISTED, *OPEN):
        return market.reach(status, terms), terms
    if status == TAKEN:
        return market.taken(terms), terms
    begin, move, sender = {
        ABORTED: (LISTED, "abort", market.ana), DECLINED: (PAID, "decline", market.ana),
        REFUNDED: (TRANSFERRED, "refund", market.ana), COMPLETE: (TRANSFERRED, "confirm", market.bo),
        SETTLED: (DISPUTED, "settle", market.bo),
    }[status]
    id = market.reach(begin, terms)
    if move == "settle":
        market.settle(id, 7_000)
    else:
        market.move(move, id, sender=sender)
    return id, terms


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("late", [False, True], ids=["in time", "late"])
def test_a_move_is_open_exactly_when_the_rules_open_it(market, status, name, late):
    id, terms = stage(market, status)
    alive = status in (LISTED, *OPEN, TAKEN)
    if status in (*OPEN, TAKEN):
        # Something that `agree` and `withdraw_proposal` can be about, beside the deadline.
        market.move("propose", id, 4_000, now() + 60 * DAY, sender=market.ana)
        market.move("propose", id, 4_001, now() + 60 * DAY, sender=market.bo)
    if alive and late:
        travel_to(market.model.sales[id].deadline)
    for args in MOVES[name]:
        if name == "propose":
            args = (args[0], now() + args[1], *args[2:])
        for person in market.people:
            with boa.env.anchor():
                kept, market.model = market.model, copy.deepcopy(market.model)
                try:
                    value = terms.price + terms.buyer_deposit
                    extra = {"value": value} if name == "buy" else {}
                    market.move(name, id, *args, sender=person, **extra)
                except Refused:
                    pass
                market.agree()
                market.model = kept


def test_events_show_a_whole_sale(market):
    terms = market.arbitrated()
    offer = market.offer(terms)
    id = market.list_offer(offer)
    [transfer, minted, listed] = market.escrow.logs
    assert minted.name == "Minted" and minted.args == {
        "token": 1, "maker": market.ana, "minter": market.escrow.address,
        "content_hash": digest("content"),
    }
    assert transfer.args["receiver"] == market.escrow.address
    assert listed.name == "Listed" and listed.args == {
        "id": id, "seller": market.ana, "token": 1, "promise": digest("promise"),
        "content_hash": digest("content"), "maker": market.ana, "salt": offer.salt,
        "minted": True, "at": now(),
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


def test_events_show_a_whole_dispute(market):
    terms = market.arbitrated()
    id = market.reach(TRANSFERRED, terms)
    parties = {"id": id, "seller": market.ana, "buyer": market.bo}
    travel_to(now() + 100)
    market.move("dispute", id, sender=market.bo)
    [disputed] = market.escrow.logs
    assert disputed.name == "Disputed" and disputed.args == {
        "id": id, "buyer": market.bo, "arbiter": market.cleo,
        "deadline": now() + terms.ruling_window, "at": now(),
    }
    travel_to(now() + 100)
    market.move("take", id, sender=market.cleo)
    [taken] = market.escrow.logs
    assert taken.name == "Taken"
    assert taken.args == {"id": id, "arbiter": market.cleo, "at": now()}
    assert market.sale(id)["deadline"] == disputed.args["deadline"]
    market.move("propose", id, 6_000, now() + 5, sender=market.ana)
    [proposed] = market.escrow.logs
    assert proposed.name == "Proposed" and proposed.args == {
        "id": id, "by": market.ana, "share": 6_000, "until": now() + 5, "at": now(),
    }
    market.move("withdraw_proposal", id, sender=market.ana)
    [withdrawn] = market.escrow.logs
    assert withdrawn.name == "ProposalWithdrawn"
    assert withdrawn.args == {"id": id, "by": market.ana, "at": now()}
    market.move("rule", id, 6_000, sender=market.cleo)
    [ended, *credited, moved] = market.escrow.logs
    assert ended.name == "Ended"
    parts = ended.args.pop("payout")
    assert ended.args == {
        **parties, "status": SETTLED, "exit": 64, "by": market.cleo, "share": 6_000,
        "token_to": market.bo, "maker": market.ana, "at": now(),
    }
    accounts = [market.ana, market.bo, market.platform, market.ana, market.cleo]
    amounts = [parts[k] for k in ("seller", "buyer", "platform", "maker", "arbiter")]
    assert [(c.args["account"], c.args["amount"]) for c in credited] == list(zip(accounts, amounts))
    assert all(c.name == "Credited" and c.args["id"] == id for c in credited)
    assert (moved.name, moved.args["receiver"]) == ("Transfer", market.bo)
    amount = market.draw(market.ana, to=market.dan)
    [withdrawn] = market.escrow.logs
    assert withdrawn.name == "Withdrawn" and withdrawn.args == {
        "currency": terms.currency, "account": market.ana, "to": market.dan, "amount": amount,
    }
    market.agree()


def test_a_sale_that_was_listed_again_goes_on_with_another_buyer(market):
    """The buyer is credited in full; token, deposit and offer stay, and the id is the same."""
    terms = market.arbitrated(currency=market.currencies[1])
    id = market.reach(PAID, terms)
    market.move("relist", id, sender=market.ana)
    [relisted, credited] = market.escrow.logs
    assert relisted.name == "Relisted" and len(relisted.topics) == 4
    assert relisted.args == {"id": id, "seller": market.ana, "buyer": market.bo, "at": now()}
    assert credited.name == "Credited" and credited.args == {
        "currency": terms.currency, "account": market.bo, "id": id,
        "amount": terms.price + terms.buyer_deposit,
    }
    assert market.sale(id) == {
        "status": LISTED, "buyer": market.model.sales[id].buyer, "token": 1, "taken": False,
        "deadline": terms.offer_until, "seller_proposal": {"share": 0, "until": 0},
        "buyer_proposal": {"share": 0, "until": 0},
    }
    market.agree()
    for move in ("decline", "relist", "transfer_item"):
        with pytest.raises(Refused, match="escrow: sale is not paid"):
            market.move(move, id, sender=market.ana)
    with pytest.raises(Refused, match="escrow: sale is not open"):
        market.move("confirm", id, sender=market.bo)
    for buyer in (market.dan, market.bo, market.dan):
        market.buy(id, buyer=buyer)
        market.move("relist", id, sender=market.ana)
    market.buy(id, buyer=market.dan)
    market.move("transfer_item", id, sender=market.ana)
    with pytest.raises(Refused, match="escrow: only the buyer"):
        market.move("dispute", id, sender=market.bo)
    market.move("confirm", id, sender=market.dan)
    assert market.item.ownerOf(1) == market.dan
    for who in (market.ana, market.bo, market.dan, market.platform):
        market.draw(who, terms.currency)
    assert market.escrow.owed(terms.currency) == market.holds(terms.currency) == 0
    market.agree()


def test_anyone_ends_a_relisted_sale_after_its_offer(market):
    terms = market.terms(ship_window=60 * DAY)
    id = market.reach(PAID, terms)
    travel_to(terms.offer_until)
    market.move("relist", id, sender=market.ana)
    with pytest.raises(Refused, match="escrow: the offer has ended"):
        market.buy(id, buyer=market.dan)
    market.move("abort", id, sender=market.dan)
    assert market.ended()["buyer"] == "0x" + "00" * 20 and market.item.ownerOf(1) == market.ana
    market.agree()


def test_a_sale_is_listed_once_and_its_id_is_known_before(market):
    offer = market.offer(salt=digest("once"))
    known = market.escrow.sale_id(offer.abi())
    assert known == market.id(offer) == market.list_offer(offer)
    with pytest.raises(Refused, match="escrow: sale is listed already"):
        market.list_offer(offer)
    market.move("abort", known, sender=market.ana)
    with pytest.raises(Refused, match="escrow: sale is listed already"):
        market.list_offer(offer)
    assert market.list(offer.terms, salt=offer.salt, seller=market.bo) != known


@pytest.mark.parametrize("field", Terms.__dataclass_fields__)
def test_every_term_is_part_of_the_id(market, field):
    offer = market.offer(market.arbitrated())
    other = {"currency": market.tokens[0].address, "arbiter": market.dan, "buyer": market.dan}
    value = other[field] if field in other else getattr(offer.terms, field) + 1
    terms = Terms(**{**offer.terms.__dict__, field: value})
    changed = Offer(**{**offer.__dict__, "terms": terms})
    ids = {market.escrow.sale_id(o.abi()) for o in (offer, changed)}
    assert ids == {market.id(o) for o in (offer, changed)}
    assert len(ids) == 2


def test_the_id_binds_all_that_is_offered(market):
    offer = market.offer(salt=digest("s"))
    other = {
        "seller": market.bo, "salt": digest("t"), "token": 1, "maker": market.bo,
        "content_hash": digest("other"), "promise": digest("other"),
    }
    ids = [market.escrow.sale_id(offer.abi()), market.another_escrow(200).sale_id(offer.abi())]
    for name, value in other.items():
        changed = Offer(**{**offer.__dict__, name: value})
        ids.append(market.escrow.sale_id(changed.abi()))
    assert len(set(ids)) == 8
    with changed_chain_id():
        assert market.escrow.sale_id(offer.abi()) == ids[0] == market.id(offer)


@pytest.mark.parametrize("name", MOVES)
def test_a_move_with_another_offer_finds_no_sale(market, name):
    """Each move recomputes the id, so a changed term, promise or party is another sale."""
    id = market.taken()
    offer = market.model.sales[id].offer
    changes = [
        {"seller": market.dan}, {"salt": digest("other")}, {"token": 7}, {"promise": digest("other")},
        {"content_hash": digest("other")}, {"maker": market.dan},
        {"terms": Terms(**{**offer.terms.__dict__, "arbiter": market.dan})},
        {"terms": Terms(**{**offer.terms.__dict__, "price": 1})},
    ]
    for change in changes:
        changed = Offer(**{**offer.__dict__, **change})
        for person in market.people:
            with pytest.raises(Refused, match="escrow: sale is not "):
                market.escrow.call(name, changed.abi(), *arguments(name), sender=person)
    market.agree()


def test_only_the_seller_named_by_the_offer_lists_it(market):
    for who in (market.bo, market.deployer, market.platform):
        with pytest.raises(Refused, match="market: only the seller"):
            market.list(sender=who)


def test_a_zero_promise_or_content_is_refused(market):
    with pytest.raises(Refused, match="promise is zero"):
        market.list(promise=bytes(32))
    with pytest.raises(Refused, match="content hash is zero"):
        market.list(content=bytes(32))


def test_a_resale_carries_the_same_token_maker_and_content(market):
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    with pytest.raises(Refused, match="market: content hash is not the item's"):
        market.list(seller=market.bo, token=1, content=digest("another"))
    id = market.list(seller=market.bo, token=1)
    listed = market.escrow.logs[-1].args
    assert (listed["token"], listed["minted"]) == (1, False)
    assert listed["content_hash"] == digest("content")
    market.buy(id, buyer=market.dan)
    market.move("confirm", id, sender=market.dan)
    ended = market.ended()
    assert ended["maker"] == market.ana and ended["payout"]["maker"] == 10**18 * 2 // 100
    assert market.item.maker(1) == market.ana and market.item.ownerOf(1) == market.dan
    market.agree()


def test_a_token_number_that_does_not_fit_its_word_is_refused(market):
    """Only a false Item could answer one; the sale's word keeps its parts apart even then."""
    from machine import Contract

    item = Contract("FalseItem", 2**128 - 1)
    escrow = Contract("Escrow", item.address, market.platform, 200, [])
    first, second = (market.offer() for _ in range(2))
    escrow.list(first.abi(), sender=market.ana, value=first.terms.seller_deposit)
    shown = escrow.sale(escrow.sale_id(first.abi()))
    assert (shown["token"], shown["status"]) == (2**128 - 1, LISTED)
    assert shown["deadline"] == first.terms.offer_until
    with pytest.raises(Refused, match="escrow: token out of bounds"):
        escrow.list(second.abi(), sender=market.ana, value=second.terms.seller_deposit)


def test_value_sent_with_a_move_that_takes_none_is_refused(market):
    id = market.reach(PAID)
    offer = market.model.sales[id].offer.abi()
    for name, rest in [("confirm", ()), ("propose", (0, now() + 9, 0)), ("decline", ())]:
        for who in (market.ana, market.bo):
            with pytest.raises(Refused):
                market.escrow.call(name, offer, *rest, sender=who, value=1)
    computation = boa.env.execute_code(
        to_address=market.escrow.address, sender=market.bo, value=1, data=b""
    )
    assert computation.is_error
    payable = {
        e["name"] for e in market.escrow.abi if e.get("stateMutability") == "payable" and "name" in e
    }
    assert payable == {"list", "buy"}
