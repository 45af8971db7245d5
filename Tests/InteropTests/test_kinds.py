"""Every contract kind, driven and read by web3.py on the chain that a node follows.

web3.py knows the contracts by the ABI of the committed artifacts alone. After each move, what it reads
is held against what the node's API shows: phase, price, parties, token, payouts and history.
"""

from datetime import datetime, timezone

import pytest
from market import listed, until
from web3 import Web3
from web3.exceptions import ContractLogicError

from sale_views import agree, credited, read, seconds
from token_market import DAY, ETHER, ZERO, TokenMarket, program

UNIT = 10**6
"""One of the token."""


@pytest.fixture(scope="module")
def market(tmp_path_factory):
    market = TokenMarket(program(), tmp_path_factory.mktemp("tokens"))
    try:
        market.up()
        yield market
    finally:
        market.down()


def word(text):
    return Web3.keccak(text=text)


def offer(market, seller, name, terms, token=0, maker=None):
    """An offer in the contracts' order; `name` makes its salt, content and promise."""
    content = market.item.functions.content_hash(token).call() if token else word(f"content {name}")
    return (seller.address, word(f"salt {name}"), token, maker or seller.address, content,
            word(f"promise {name}"), terms)


def put_up(market, kind, seller, whole, deposit=0):
    """Lists an offer, of a token or by minting one; the sale's id."""
    contract, item = market.contracts[kind], market.item.functions
    if whole[2]:
        market.send(seller, item.approve(contract.address, whole[2]))
    elif not item.is_minter(seller.address, contract.address).call():
        market.send(seller, item.allow_minter(contract.address, True))
    market.pay(seller, contract, contract.functions.list(whole), whole[6][0], deposit)
    return contract.functions.sale_id(whole).call()


def refused(call, account, reason, value=0):
    """The contract refuses the call with that reason."""
    with pytest.raises(ContractLogicError, match=reason):
        call.call({"from": account.address, "value": value})


def paid_out(market, kind, id, shown):
    """Payouts, `Credited` and the credits of new accounts are one."""
    parts = [(part["account"], part["amount"]) for part in shown["payouts"]]
    assert credited(market, kind, id)[-len(parts):] == parts


def credit(market, kind, account, currency):
    return market.contracts[kind].functions.credit(currency, account.address).call()


def test_both_show_the_token_and_move_it_both_ways(market):
    token = market.token.functions
    person, other = market.person("tess", tokens=5 * UNIT), market.stranger(tokens=3 * UNIT)
    wallet = until("the wallet shows the tokens", lambda: in_wallet(person, market, 5 * UNIT))
    [known] = [c for c in wallet["currencies"] if c["currency"] == market.token.address]
    assert (known["name"], known["symbol"], known["decimals"]) == (
        token.name().call(), token.symbol().call(), token.decimals().call())

    person.run("wallet", "send", other.address, "1.25 TST", "--yes")
    until("web3 sees it", lambda: token.balanceOf(other.address).call() == 4_250_000)
    market.send(other, token.transfer(person.address, 2 * UNIT))
    until("the wallet shows it", lambda: in_wallet(person, market, 5_750_000))
    moved = market.token.events.Transfer().get_logs(from_block=0)
    between = [(log.args.sender, log.args.value) for log in moved
               if {log.args.sender, log.args.receiver} == {person.address, other.address}]
    assert between == [(person.address, 1_250_000), (other.address, 2 * UNIT)]


def in_wallet(person, market, amount):
    wallet = person.ask("wallet", "balance")
    shown = {balance["currency"]: balance["amount"] for balance in wallet["balances"]}
    held = market.token.functions.balanceOf(person.address).call()
    return wallet if shown.get(market.token.address) == str(held) == str(amount) else None


def test_a_token_is_minted_sold_directly_and_resold_with_the_royalty(market):
    maker, second, third = market.stranger(), market.stranger(), market.stranger(tokens=9 * UNIT)
    direct, item = market.contracts["direct"], market.item.functions
    first = offer(market, maker, "print", (ZERO, ETHER // 4, market.now() + DAY, ZERO))
    id = put_up(market, "direct", maker, first)
    shown = agree(market, "direct", id, "ready")
    token = int(shown["item"])
    assert (item.ownerOf(token).call(), item.maker(token).call()) == (direct.address, maker.address)
    refused(direct.functions.pay(first), maker, "the seller cannot pay", ETHER // 4)
    market.pay(second, direct, direct.functions.pay(first), ZERO, ETHER // 4)
    shown = agree(market, "direct", id, "sold")
    paid_out(market, "direct", id, shown)
    assert item.ownerOf(token).call() == second.address

    again = offer(market, second, "print again", (market.token.address, 8 * UNIT, market.now() + DAY, ZERO),
                  token, maker.address)
    resold = put_up(market, "direct", second, again)
    assert agree(market, "direct", resold, "ready")["item"] == str(token)
    market.pay(third, direct, direct.functions.pay(again), market.token.address, 8 * UNIT)
    shown = agree(market, "direct", resold, "sold")
    paid_out(market, "direct", resold, shown)
    royalty = item.royaltyInfo(token, 8 * UNIT).call()
    assert royalty == [maker.address, credit(market, "direct", maker, market.token.address)]
    assert [p["account"] for p in shown["payouts"] if p["role"] == "maker"] == [maker.address]

    [history] = until("the node has the token's history", lambda: market.ask("item", "show", str(token)))
    [minted] = market.item.events.Minted().get_logs(from_block=0, argument_filters={"token": token})
    assert (history["maker"], history["owner"]) == (minted.args.maker, item.ownerOf(token).call())
    assert history["contentHash"] == Web3.to_hex(minted.args.content_hash)
    assert history["owner"] == third.address
    assert [sale["id"] for sale in history["sales"]] == [Web3.to_hex(id), Web3.to_hex(resold)]

    due = credit(market, "direct", second, market.token.address)
    market.send(second, direct.functions.withdraw(market.token.address, due, second.address))
    assert market.token.functions.balanceOf(second.address).call() == due
    gone = offer(market, third, "print back", (ZERO, ETHER, market.now() + DAY, ZERO), token, maker.address)
    back = put_up(market, "direct", third, gone)
    agree(market, "direct", back, "ready")
    market.send(third, direct.functions.abort(gone))
    assert agree(market, "direct", back, "aborted")["payouts"] == []


def test_a_wrong_answer_of_a_node_is_found(market, monkeypatch):
    seller = market.stranger()
    whole = offer(market, seller, "poster", (ZERO, ETHER, market.now() + DAY, ZERO))
    id = put_up(market, "direct", seller, whole)
    shown = agree(market, "direct", id, "ready")
    [step] = shown["history"]
    wrong = [
        {"seller": market.rich.address}, {"buyer": seller.address}, {"item": "0"},
        {"price": {"amount": str(ETHER + 1), "currency": "native"}}, {"contract": market.item.address},
        {"price": shown["price"] | {"currency": market.token.address}}, {"kind": "auction"},
        {"history": [step | {"by": market.rich.address}]}, {"history": [step | {"move": "pay"}]},
        {"history": [step | {"transaction": "0x" + "00" * 32}]}, {"payouts": []},
        {"direct": {"terms": {"offerUntil": 1}}},
    ]
    for fields in wrong:
        monkeypatch.setattr(market, "ask", lambda *_, fields=fields: shown | fields)
        with pytest.raises(AssertionError):
            agree(market, "direct", id, "ready")


def test_an_auction_in_tokens_is_outbid_extended_and_won(market):
    seller = market.stranger()
    anna, ben = market.stranger(tokens=9 * UNIT), market.stranger(tokens=9 * UNIT)
    auction, currency = market.contracts["auction"], market.token.address
    whole = offer(market, seller, "vase", (currency, 2 * DAY, UNIT, 1_000, 3_600))
    id = put_up(market, "auction", seller, whole)
    ends = seconds(agree(market, "auction", id, "ready")["auction"]["endsAt"])

    def bid(account, amount):
        market.pay(account, auction, auction.functions.bid(whole, amount, 0), currency, amount)
        return agree(market, "auction", id, "bid")

    refused(auction.functions.bid(whole, UNIT - 1, 0), anna, "bid too low")
    assert bid(anna, UNIT)["auction"]["minimalBid"] == str(UNIT * 11 // 10)
    refused(auction.functions.bid(whole, UNIT * 11 // 10 - 1, 0), ben, "bid too low")
    market.wait_until(ends - 600)
    shown = bid(ben, 2 * UNIT)
    assert ends < seconds(shown["auction"]["endsAt"]) <= ends + 3_600
    assert credit(market, "auction", anna, currency) == UNIT
    market.send(anna, auction.functions.withdraw(currency, UNIT, anna.address))
    assert market.token.functions.balanceOf(anna.address).call() == 9 * UNIT
    refused(auction.functions.end(whole), ben, "the bidding is open")

    market.wait_until(seconds(shown["auction"]["endsAt"]))
    market.send(ben, auction.functions.end(whole))
    shown = agree(market, "auction", id, "sold")
    paid_out(market, "auction", id, shown)
    assert market.item.functions.ownerOf(int(shown["item"])).call() == ben.address
    assert sum(int(part["amount"]) for part in shown["payouts"]) == 2 * UNIT


def test_auctions_end_unsold_and_aborted(market):
    seller, auction = market.stranger(), market.contracts["auction"]
    terms = (ZERO, DAY, ETHER, 500, 600)
    kept, stopped = offer(market, seller, "kept", terms), offer(market, seller, "stopped", terms)
    ids = [put_up(market, "auction", seller, whole) for whole in (kept, stopped)]
    market.send(seller, auction.functions.abort(stopped))
    agree(market, "auction", ids[1], "aborted")
    market.wait_until(auction.functions.sale(ids[0]).call().ends)
    market.send(market.rich, auction.functions.end(kept))
    shown = agree(market, "auction", ids[0], "unsold")
    assert shown["history"][-1]["by"] == market.rich.address and not shown.get("payouts")
    for id in ids:
        token = auction.functions.sale(id).call().token
        assert market.item.functions.ownerOf(token).call() == seller.address


def test_a_course_is_rated_settled_repeated_cancelled_and_refunded(market):
    teacher, students = market.stranger(), [market.stranger(tokens=3 * UNIT) for _ in range(3)]
    courses, moves = market.contracts["enrolment"], market.contracts["enrolment"].functions
    start = market.now() + DAY
    terms = (ZERO, ETHER // 10, 3, start, start + DAY, DAY, DAY)
    market.send(teacher, moves.open(word("course"), word("lessons"), terms))
    id = moves.course_id(teacher.address, word("course"), word("lessons")).call()
    assert agree(market, "enrolment", id, "open")["seller"] == teacher.address
    for student in students:
        market.pay(student, courses, moves.enrol(id, 0, terms), ZERO, ETHER // 10)
    agree(market, "enrolment", id, "open")
    refused(moves.enrol(id, 0, terms), market.rich, "no seat is free", ETHER // 10)
    market.wait_until(start)
    market.send(teacher, moves.begin(id, 0, terms))
    agree(market, "enrolment", id, "begun")
    for student, points in zip(students, ([100] * 5, [90, 80, 70, 60, 50], [81, 83, 85, 87, 89])):
        assert moves.is_student(id, 0, student.address).call()
        market.send(student, moves.evaluate(id, 0, terms, points))
    assert agree(market, "enrolment", id, "begun")["course"]["average"] == 85
    market.wait_until(start + 2 * DAY)
    market.send(students[0], moves.settle(id, 0, terms))
    shown = agree(market, "enrolment", id, "settled")
    paid_out(market, "enrolment", id, shown)
    [settled] = market.logs("enrolment", "Settled", id=id)
    assert settled.args.average == 85 and sum(int(p["amount"]) for p in shown["payouts"]) == 3 * ETHER // 10
    assert credit(market, "enrolment", teacher, ZERO) == int(shown["payouts"][0]["amount"])

    start = market.now() + DAY
    second = (ZERO, ETHER // 5, 9, start, start + DAY, DAY, DAY)
    market.send(teacher, moves.repeat(id, second))
    assert agree(market, "enrolment", id, "open")["price"]["amount"] == str(ETHER // 5)
    for student in students[:2]:
        market.pay(student, courses, moves.enrol(id, 1, second), ZERO, ETHER // 5)
    market.send(teacher, moves.cancel(id, 1, second))
    agree(market, "enrolment", id, "cancelled")
    market.send(students[0], moves.refund(id, 1, second))
    shown = agree(market, "enrolment", id, "cancelled")
    assert [r["phase"] for r in shown["course"]["rounds"]] == ["settled", "cancelled"]
    assert [moves.has_refunded(id, 1, s.address).call() for s in students] == [True, False, False]
    assert credit(market, "enrolment", students[0], ZERO) == ETHER // 5
    assert credited(market, "enrolment", id)[-1] == (students[0].address, str(ETHER // 5))


def escrow_terms(market, currency, price, arbiter=ZERO, fee=0):
    return (currency, price, 2 * price, price, price // 50, arbiter, fee,
            3 * DAY, 21 * DAY, 14 * DAY, market.now() + 30 * DAY, ZERO)


def test_an_escrow_in_tokens_is_settled_by_a_proposal(market):
    seller, buyer = market.stranger(tokens=20 * UNIT), market.stranger(tokens=20 * UNIT)
    escrow, currency = market.contracts["escrow"], market.token.address
    whole = offer(market, seller, "cup", escrow_terms(market, currency, 5 * UNIT))
    id = put_up(market, "escrow", seller, whole, 10 * UNIT)
    agree(market, "escrow", id, "listed")
    market.pay(buyer, escrow, escrow.functions.buy(whole), currency, 10 * UNIT)
    agree(market, "escrow", id, "paid")
    market.send(seller, escrow.functions.propose(whole, 4_000, market.now() + DAY, 0))
    proposal = agree(market, "escrow", id, "paid")["escrow"]
    assert escrow.functions.sale(id).call().seller_proposal.share == 4_000
    assert "4000" in str(proposal) or "0.4" in str(proposal), proposal
    market.send(buyer, escrow.functions.agree(whole, 4_000, 0))
    shown = agree(market, "escrow", id, "settled")
    paid_out(market, "escrow", id, shown)
    assert sum(int(part["amount"]) for part in shown["payouts"]) == 20 * UNIT
    # Below a half the token goes back.
    assert market.item.functions.ownerOf(int(shown["item"])).call() == seller.address


def test_an_escrow_is_disputed_and_ruled_by_an_arbiter(market):
    seller, buyer, arbiter = (market.stranger() for _ in range(3))
    escrow = market.contracts["escrow"]
    market.send(arbiter, escrow.functions.arbitrate(ZERO, ETHER // 100, market.now() + 90 * DAY))
    terms = escrow_terms(market, ZERO, ETHER, arbiter.address, ETHER // 50)
    whole = offer(market, seller, "clock", terms)
    id = put_up(market, "escrow", seller, whole, 2 * ETHER)
    market.pay(buyer, escrow, escrow.functions.buy(whole), ZERO, 2 * ETHER)
    market.send(seller, escrow.functions.transfer_item(whole))
    agree(market, "escrow", id, "transferred")
    market.send(buyer, escrow.functions.dispute(whole))
    agree(market, "escrow", id, "disputed")
    refused(escrow.functions.rule(whole, 7_000), arbiter, "the case is not taken")
    market.send(arbiter, escrow.functions.take(whole))
    agree(market, "escrow", id, "disputed")
    market.send(arbiter, escrow.functions.rule(whole, 7_000))
    shown = agree(market, "escrow", id, "settled")
    paid_out(market, "escrow", id, shown)
    assert shown["history"][-1]["move"] == "rule"
    assert credit(market, "escrow", arbiter, ZERO) == ETHER // 50


def made_by_node(person, *options):
    """Lists through the node; the listing's id and its sale's."""
    text = person.run(*options, "--tag", "interop", "--description", "Made by a node.", "--yes")
    listing = listed(text)
    return listing, person.ask("listing", "show", listing)["anchor"]["sale"]


def goods(person, title, *options):
    return made_by_node(
        person, "listing", "create", title, "--category", "art", "--identifier", f"id {title}",
        "--delivery", "pickup", "--pickup-place", "The bridge", *options)


def test_both_bid_for_and_buy_a_listing_of_the_node(market):
    seller, bidder = market.person("uma", tokens=9 * UNIT), market.person("vic", tokens=9 * UNIT)
    rival, auction = market.stranger(tokens=9 * UNIT), market.contracts["auction"]
    listing, id = goods(seller, "Etching", "--payment", "auction", "--price", "1", "--currency",
                        market.token.address, "--duration", "3d")
    agree(market, "auction", id, "ready")
    bidder.run("sale", "bid", listing, "1.5 TST", "--yes")
    agree(market, "auction", id, "bid")
    whole = offer_of(market, "auction", id)
    assert auction.functions.sale_id(whole).call() == Web3.to_bytes(hexstr=id)
    market.pay(rival, auction, auction.functions.bid(whole, 2 * UNIT, 0), market.token.address, 2 * UNIT)
    shown = agree(market, "auction", id, "bid")
    assert shown["auction"]["highestBid"]["bidder"] == rival.address
    wallet = bidder.ask("wallet", "balance")
    owed = str(credit(market, "auction", bidder, market.token.address))
    assert wallet["credits"] == [{
        "contract": auction.address, "kind": "auction", "sales": [{"amount": owed, "sale": id}],
        "money": {"amount": owed, "currency": market.token.address}}]
    bidder.run("sale", "bid", listing, "3 TST", "--yes")
    shown = agree(market, "auction", id, "bid")
    market.wait_until(seconds(shown["auction"]["endsAt"]))
    # The node of seller and winner ends it by itself.
    shown = agree_later(market, "auction", id, "sold")
    assert shown["buyer"] == bidder.address and read(market, "auction", id)["phase"] == "sold"
    paid_out(market, "auction", id, shown)

    listing, id = goods(seller, "Lithograph", "--payment", "direct", "--price", "0.2")
    agree(market, "direct", id, "ready")
    whole, direct = offer_of(market, "direct", id), market.contracts["direct"]
    market.pay(rival, direct, direct.functions.pay(whole), ZERO, ETHER // 5)
    shown = agree(market, "direct", id, "sold")
    assert shown["buyer"] == rival.address and shown["listing"] == listing
    bought, id = goods(seller, "Woodcut", "--payment", "direct", "--price", "2", "--currency",
                       market.token.address)
    agree(market, "direct", id, "ready")
    bidder.run("sale", "buy", id, "--yes")
    shown = agree(market, "direct", id, "sold")
    assert market.item.functions.ownerOf(int(shown["item"])).call() == bidder.address


def test_a_course_of_a_node_is_joined_by_both(market):
    teacher, student = market.person("wim"), market.person("xena")
    other, moves = market.stranger(), market.contracts["enrolment"].functions
    start = market.now() + 2 * DAY
    listing, id = made_by_node(
        teacher, "course", "create", "Etching in a day", "--price", "0.1", "--seats", "4",
        "--starts", clock(start), "--ends", clock(start + DAY))
    agree(market, "enrolment", id, "open")
    [opened] = market.logs("enrolment", "Opened", id=id)
    terms = tuple(opened.args.terms.values())
    student.run("course", "enrol", listing, "--round", "0", "--price", "0.1", "--yes")
    market.pay(other, market.contracts["enrolment"], moves.enrol(id, 0, terms), ZERO, ETHER // 10)
    shown = agree(market, "enrolment", id, "open")
    assert (shown["listing"], shown["course"]["rounds"][0]["enrolled"]) == (listing, 2)
    assert moves.is_student(id, 0, student.address).call()
    teacher.run("course", "cancel", id, "--yes")
    agree(market, "enrolment", id, "cancelled")
    student.run("course", "refund", id, "--yes")
    market.send(other, moves.refund(id, 0, terms))
    agree(market, "enrolment", id, "cancelled")
    assert moves.has_refunded(id, 0, student.address).call()
    until("the wallet shows the refund", lambda: student.credit() == credit(
        market, "enrolment", student, ZERO) == ETHER // 10)


def agree_later(market, kind, id, phase):
    """As `agree`, once the node has made a move of its own."""
    until(f"the contract is {phase}", lambda: read(market, kind, id)["phase"] == phase)
    return agree(market, kind, id, phase)


def offer_of(market, kind, id):
    """The offer of a sale that somebody else listed, as its event has it."""
    [listed] = market.logs(kind, "Listed", id=id)
    args = listed.args
    return (args.seller, args.salt, 0 if args.minted else args.token, args.maker, args.content_hash,
            args.promise, tuple(args.terms.values()))


def clock(time):
    """A time since 1970 as the command takes it."""
    return datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%d %H:%M")
