"""What web3.py reads of a sale of each kind, in the form in which the node's API shows it.

Everything comes from the contracts' views and events by the ABI of the committed artifacts.
"""

from datetime import datetime

from market import until
from web3 import Web3

from token_market import ZERO

PHASES = {
    "escrow": {1: "listed", 2: "paid", 4: "transferred", 8: "disputed", 16: "aborted", 32: "declined",
               64: "refunded", 128: "complete", 256: "settled"},
    "auction": {1: "ready", 2: "bid", 4: "aborted", 8: "sold", 16: "unsold"},
    "direct": {1: "ready", 2: "sold", 4: "aborted"},
    "enrolment": {1: "open", 2: "begun", 4: "cancelled", 8: "settled"},
}
EXITS = {1: "abort", 2: "decline", 4: "confirm", 8: "claim", 16: "refund", 32: "settle", 64: "rule",
         128: "execute_default"}
NOBODY = "0x000000000000000000000000000000000000dEaD"

# The events that are moves: the move's name, or how to tell it, and whose move it is.
STEPS = {
    "escrow": {
        "Listed": ("list", "seller"), "Bought": ("buy", "buyer"), "ItemTransferred": ("transfer", "seller"),
        "Disputed": ("dispute", "buyer"), "Taken": ("take", "arbiter"), "Proposed": ("propose", "by"),
        "ProposalWithdrawn": ("withdraw_proposal", "by"), "Relisted": ("relist", "seller"),
        "Ended": (lambda args: EXITS[args.exit], "by")},
    "auction": {
        "Listed": ("list", "seller"), "BidPlaced": ("bid", "bidder"),
        "Ended": (lambda args: "abort" if args.status == 4 else "end", "by")},
    "direct": {
        "Listed": ("list", "seller"), "Ended": (lambda args: "pay" if args.status == 2 else "abort", "by")},
    "enrolment": {
        "Opened": (lambda args: "repeat" if args.round else "list", "teacher"),
        "Enrolled": ("enrol", "student"), "Left": ("leave", "student"),
        "Begun": ("begin", None), "Cancelled": ("cancel", "by"),
        "Refunded": ("refund", "student"), "Evaluated": ("evaluate", "student"), "Settled": ("settle", "by")},
}


def agree(market, kind, id, phase):
    """Holds the node's final view of a sale against what web3.py reads; returns the node's view."""
    id = Web3.to_hex(id) if isinstance(id, bytes) else id
    history = steps(market, kind, id)
    shown = until(
        f"the node shows a final {phase} after {len(history)} moves",
        lambda: final(market, id, phase, len(history)))
    found = read(market, kind, id)
    assert (shown["id"], shown["kind"], shown["chain"]) == (id, kind, market.chain)
    assert shown["contract"] == market.contracts[kind].address
    assert [(step["move"], step["by"], step["transaction"]) for step in shown["history"]] == [
        step[:3] for step in history]
    assert [seconds(step["at"]) for step in shown["history"]] == [step[3] for step in history]
    assert {name: shown.get(name) for name in found} == found
    assert found["phase"] == phase
    DETAILS[kind](market, id, shown)
    return shown


def final(market, id, phase, moves):
    shown = market.ask("sale", "show", id)
    is_final = shown and shown["confirmations"] >= shown["confirmationsNeeded"]
    return shown if is_final and shown["phase"] == phase and len(shown["history"]) == moves else None


def read(market, kind, id):
    """What all kinds of sale have in common."""
    if kind == "enrolment":
        return read_course(market, id)
    state = market.contracts[kind].functions.sale(id).call()
    listed = the_one(market, kind, "Listed", id)
    buyer = state.bidder if kind == "auction" else state.buyer
    price = listed.terms.starting_bid if kind == "auction" else listed.terms.price
    if kind == "auction" and state.highest:
        price = state.highest
    ended = market.logs(kind, "Ended", id=id)
    return {
        "phase": PHASES[kind][state.status], "seller": listed.seller,
        "buyer": None if buyer == ZERO else buyer, "item": str(state.token),
        "price": money(price, listed.terms.currency),
        "payouts": payouts(market, kind, ended[0].args) if ended else None}


def read_course(market, id):
    course = market.contracts["enrolment"].functions
    teacher = course.course(id).call().teacher
    last = course.course(id).call().rounds - 1
    terms = market.logs("enrolment", "Opened", id=id)[last].args.terms
    settled = [log.args for log in market.logs("enrolment", "Settled", id=id) if log.args.round == last]
    parts = None
    if settled:
        accounts = (teacher, course.PLATFORM().call())
        parts = shares(("teacher", "platform"), accounts, settled[0].payout.values())
    return {
        "phase": PHASES["enrolment"][course.round_of(id, last).call().status], "seller": teacher,
        "buyer": None, "item": None, "price": money(terms.price, terms.currency), "payouts": parts}


def payouts(market, kind, ended):
    """The parts of an end, which are what the contract credits in the same transaction."""
    names = tuple(ended.payout.keys()) if hasattr(ended.payout, "keys") else ended.payout._fields
    contract = market.contracts[kind].functions
    accounts = {"seller": ended.seller, "buyer": ended.buyer, "platform": contract.PLATFORM().call(),
                "maker": ended.maker, "nobody": NOBODY}
    if kind == "escrow":
        accounts["arbiter"] = the_one(market, kind, "Listed", ended.id).terms.arbiter
    parts = shares(names, [accounts[name] for name in names], ended.payout.values())
    return parts


def shares(roles, accounts, amounts):
    return [{"role": role, "account": account, "amount": str(amount)}
            for role, account, amount in zip(roles, accounts, amounts, strict=True) if amount]


def steps(market, kind, id):
    """The moves of a sale in their order: name, account, transaction and time."""
    found = []
    for event, (move, who) in STEPS[kind].items():
        for log in market.logs(kind, event, id=id):
            by = log.args[who] if who else read_course(market, id)["seller"]
            name = move(log.args) if callable(move) else move
            found.append((log.blockNumber, log.logIndex, name, by, Web3.to_hex(log.transactionHash),
                          log.args.at))
    return [step[2:] for step in sorted(found)]


def credited(market, kind, id):
    """What the contract credited for a sale: account and amount, in order."""
    return [(log.args.account, str(log.args.amount)) for log in market.logs(kind, "Credited", id=id)]


def the_one(market, kind, event, id):
    """What the only event of its kind of a sale says."""
    [log] = market.logs(kind, event, id=id)
    assert log.args.at == market.web3.eth.get_block(log.blockNumber).timestamp
    return log.args


def money(amount, currency):
    return {"amount": str(amount), "currency": "native" if currency == ZERO else currency}


def seconds(text):
    return int(datetime.fromisoformat(text).timestamp())


# What only one kind has

def escrow_details(market, id, shown):
    terms, own = the_one(market, "escrow", "Listed", id).terms, shown["escrow"]["terms"]
    assert (own["sellerDeposit"], own["buyerDeposit"]) == (
        str(terms.seller_deposit), str(terms.buyer_deposit))
    assert (own.get("arbiter", ZERO), own.get("buyer", ZERO)) == (terms.arbiter, terms.buyer)


def auction_details(market, id, shown):
    state, own = market.contracts["auction"].functions.sale(id).call(), shown["auction"]
    terms = the_one(market, "auction", "Listed", id).terms
    bids = [log.args for log in market.logs("auction", "BidPlaced", id=id)]
    assert own["startingBid"] == str(terms.starting_bid)
    assert (seconds(own["endsAt"]), seconds(own["endsAtMost"])) == (state.ends, state.last_end)
    assert own["bidders"] == len({bid.bidder for bid in bids})
    highest = own.get("highestBid")
    assert highest == ({"bidder": state.bidder, "amount": str(state.highest)} if bids else None)
    assert own["terms"] == {
        "durationSeconds": terms.duration, "minIncrement": terms.min_increment_bps,
        "extensionSeconds": terms.extension}
    outbid = [(log.args.bidder, log.args.amount) for log in market.logs("auction", "Outbid", id=id)]
    assert outbid == [(bid.bidder, bid.amount) for bid in bids[:-1]]


def direct_details(market, id, shown):
    state = market.contracts["direct"].functions.sale(id).call()
    assert shown["direct"]["terms"]["offerUntil"] == state.offer_until


def course_details(market, id, shown):
    functions, own = market.contracts["enrolment"].functions, shown["course"]
    course = functions.course(id).call()
    opened = [log.args for log in market.logs("enrolment", "Opened", id=id)]
    assert course.rounds == len(opened) == len(own["rounds"])
    for event, shown_round in zip(opened, own["rounds"]):
        state = functions.round_of(id, event.round).call()
        terms = event.terms
        assert shown_round["number"] == event.round
        assert shown_round["phase"] == PHASES["enrolment"][state.status]
        assert (shown_round["enrolled"], shown_round["raters"]) == (state.enrolled, state.raters)
        assert shown_round["price"] == money(terms.price, terms.currency)
        assert shown_round["terms"] == {
            "seats": terms.seats, "startsAt": terms.start, "endsAt": terms.end,
            "beginSeconds": terms.begin_grace, "ratingSeconds": terms.rating_window}
    assert own["raters"] == course.raters
    if course.raters:
        rounds = [functions.round_of(id, number).call() for number in range(course.rounds)]
        weight = sum(found.price * found.raters for found in rounds)
        assert own["average"] == sum(found.price * found.points for found in rounds) // (5 * weight)
        # Only one round is rated here, so that each rating weighs the same.
        criteria = ("preparation", "content", "delivery", "communication", "overall")
        assert [own["criteria"][name] for name in criteria] == [
            points // course.raters for points in course.points]


DETAILS = {"escrow": escrow_details, "auction": auction_details, "direct": direct_details,
           "enrolment": course_details}
