"""The attacks that the second law answers, each tried on this market: docs section 17.

What an audit of the first law found, and the audit's own attempts on this one. The thefts known
from earlier markets are in test_hazards.py.
"""

import copy

import pytest
from eth_utils import keccak
from machine import NATIVE, Contract, Refused, balance, boa, creation_code, now, travel_to
from market import ZERO, Market, digest, sale_id
from model import DAY, DISPUTED, LISTED, OPEN, PAID, TRANSFERRED

V = 10**18
TAKEN = "taken"
# Every exit and from where, the exits after `take` apart.
EXITS = [
    ("abort", LISTED), ("decline", PAID), ("refund", PAID), ("confirm", PAID), ("settle", PAID),
    ("claim", TRANSFERRED), ("refund", TRANSFERRED), ("execute_default", DISPUTED),
    ("rule", TAKEN), ("refund", TAKEN), ("settle", TAKEN), ("execute_default", TAKEN),
]


def sale(market, status, seller: str, buyer: str, arbiter: str) -> bytes:
    """A sale of three parties in a status."""
    id = market.list(market.terms(arbiter=arbiter, arbiter_fee=V // 50), seller=seller)
    if status != LISTED:
        market.buy(id, buyer=buyer)
    if status not in (LISTED, PAID):
        market.move("transfer_item", id, sender=seller)
    if status in (DISPUTED, TAKEN):
        market.move("dispute", id, sender=buyer)
    if status == TAKEN:
        market.move("take", id, sender=arbiter)
    return id


def leave(market, exit: str, id: bytes, share: int) -> None:
    """Ends a sale by an exit, whoever must make the move."""
    sold = market.model.sales[id]
    if exit == "settle":
        market.settle(id, share)
        return
    if exit in ("claim", "execute_default") or (exit == "refund" and sold.status == PAID):
        travel_to(sold.deadline)
    sender = {"confirm": sold.buyer, "rule": sold.terms.arbiter}.get(exit, sold.seller)
    market.move(exit, id, *([share] if exit == "rule" else []), sender=sender)


@pytest.mark.parametrize("mood", [0, 1, 4, 5], ids=["answers ITEM", "refuses", "burns gas", "floods"])
@pytest.mark.parametrize("role", ["seller", "buyer", "arbiter"])
def test_no_exit_can_be_refused_whoever_a_party_is(market, role, mood):
    """A party is a contract that answers `ITEM()` as a sale contract does, refuses everything,
    burns all gas it is given, or answers more than anyone reads. Every exit still ends the sale."""
    party = Contract("Pretender", market.item.address, mood).address
    boa.env.set_balance(party, 10**30)
    market.admit(party)
    market.move("arbitrate", NATIVE, 0, 2**255, sender=party)
    people = {"seller": market.ana, "buyer": market.bo, "arbiter": market.cleo, role: party}
    for exit, status in EXITS:
        for share in (0, 10_000) if exit in ("settle", "rule") else (0,):
            with boa.env.anchor():
                market.fresh()
                id = sale(market, status, **people)
                leave(market, exit, id, share)
                ended = market.ended()
                assert market.item.ownerOf(1) == ended["token_to"]
                assert market.escrow.computation.get_gas_used() < 400_000
                market.agree()


@pytest.mark.parametrize("mood", [1, 4])
def test_refusing_money_hurts_only_the_refuser(market, mood):
    """A receiver that refuses or burns its money's gas stops its own withdrawal and no one else's."""
    party = Contract("Pretender", market.item.address, mood).address
    boa.env.set_balance(party, 10**30)
    market.admit(party)
    id = sale(market, TRANSFERRED, party, market.bo, market.cleo)
    market.move("confirm", id, sender=market.bo)
    credit = market.escrow.credit(NATIVE, party)
    with pytest.raises(Refused):
        market.escrow.withdraw(NATIVE, credit, party, sender=party)
    assert market.escrow.credit(NATIVE, party) == credit
    for who in (market.bo, market.platform):
        market.draw(who)
    had = balance(market.dan)
    market.draw(party, to=market.dan)
    assert balance(market.dan) == had + credit


def test_storage_written_at_birth(market):
    """A false escrow has a genuine one's runtime code, byte for byte, and a credit for its author.

    The theft works, so equal code proves nothing; the address does not lie.
    """
    thief, amount = market.dan, 2 * V
    genuine = boa.env.get_code(market.escrow.address)
    forged = forge(market, thief, amount, genuine)
    assert boa.env.get_code(forged.address) == genuine
    assert forged.ITEM() == market.item.address and forged.credit(NATIVE, thief) == amount
    market.item.allow_minter(forged.address, True, sender=market.ana)
    offer = market.offer()
    forged.list(offer.abi(), sender=market.ana, value=amount)
    had = balance(thief)
    forged.withdraw(NATIVE, amount, thief, sender=thief)
    assert balance(thief) == had + amount and balance(forged.address) == 0
    code = creation_code("Escrow", *market.arguments())
    preimage = b"\xff" + bytes.fromhex(market.factory.address[2:]) + ZERO + keccak(code)
    proved = "0x" + keccak(preimage)[-20:].hex()
    assert proved == market.escrow.address.lower() != forged.address.lower()


def forge(market: Market, thief: str, amount: int, runtime: bytes) -> Contract:
    """Deploys code whose creation first writes `credit` and `owed` wherever they may lie."""
    word = lambda n: n.to_bytes(32, "big")  # noqa: E731
    key = lambda slot, who: keccak(slot + bytes(12) + bytes.fromhex(who[2:]))  # noqa: E731
    writes = b""
    for slot in map(word, range(1, 12)):
        for place in (key(slot, NATIVE), key(key(slot, NATIVE), thief)):
            writes += b"\x7f" + word(amount) + b"\x7f" + place + b"\x55"
    size, start = len(runtime).to_bytes(2, "big"), (len(writes) + 15).to_bytes(2, "big")
    copy = b"\x61" + size + b"\x61" + start + bytes.fromhex("600039") + b"\x61" + size
    code = writes + copy + bytes.fromhex("6000f3") + runtime
    address = market.factory.create(ZERO, code, sender=thief)
    return Contract.at("Escrow", address)


def test_an_agreement_that_comes_late(market):
    """A proposal made before the thing was shipped must not stand after it was."""
    id = market.reach(PAID)
    market.move("propose", id, 1_000, now() + 60 * DAY, sender=market.ana)
    market.move("transfer_item", id, sender=market.ana)
    with pytest.raises(Refused, match="escrow: no such proposal"):
        market.move("agree", id, 1_000, sender=market.bo)
    market.move("propose", id, 9_000, now() + 100, sender=market.ana)
    travel_to(now() + 100)
    with pytest.raises(Refused, match="escrow: the proposal has ended"):
        market.move("agree", id, 9_000, sender=market.bo)
    assert market.sale(id)["status"] == TRANSFERRED


def test_a_proposal_replaced_while_the_agreement_is_on_its_way(market):
    """Whoever agrees names the share, so a proposal changed under way is not agreed to."""
    id = market.reach(TRANSFERRED)
    market.move("propose", id, 2_000, now() + DAY, sender=market.ana)
    market.move("propose", id, 9_999, now() + DAY, sender=market.ana)
    with pytest.raises(Refused, match="escrow: no such proposal"):
        market.move("agree", id, 2_000, sender=market.bo)


@pytest.mark.parametrize("name", ["propose", "agree"])
def test_a_case_taken_in_front_of_a_settlement(market, name):
    """The arbiter took the case in front of a settlement, and half the fee was the victim's. Whoever
    proposes or agrees says which fee is due, and is refused if it is another."""
    terms = market.arbitrated(percent=5)
    id = market.reach(DISPUTED, terms)
    args = (4_000, now() + DAY) if name == "propose" else (4_000,)
    market.move("take", id, sender=market.cleo)
    if name == "agree":
        market.move("propose", id, 4_000, now() + DAY, sender=market.ana)
    for fee in (0, terms.arbiter_fee - 1, terms.arbiter_fee + 1, 2**256 - 1):
        with pytest.raises(Refused, match="escrow: another arbiter's fee is due"):
            market.move(name, id, *args, fee, sender=market.bo)
    market.move(name, id, *args, terms.arbiter_fee, sender=market.bo)
    untaken = market.reach(DISPUTED, terms)
    if name == "agree":
        market.move("propose", untaken, 4_000, now() + DAY, sender=market.ana)
    with pytest.raises(Refused, match="escrow: another arbiter's fee is due"):
        market.move(name, untaken, *args, terms.arbiter_fee, sender=market.bo)
    market.move(name, untaken, *args, 0, sender=market.bo)
    market.agree()


def test_a_proposal_to_the_first_buyer_of_a_sale_that_was_listed_again(market):
    """A proposal of the first round, by either side, stands against nobody in the second."""
    id = market.reach(PAID, market.terms(ship_window=60 * DAY))
    for who in (market.ana, market.bo):
        market.move("propose", id, 9_999, now() + 60 * DAY, sender=who)
    market.move("relist", id, sender=market.ana)
    market.buy(id, buyer=market.dan)
    shown = market.sale(id)
    assert shown["seller_proposal"] == shown["buyer_proposal"] == {"share": 0, "until": 0}
    for who in (market.ana, market.dan):
        with pytest.raises(Refused, match="escrow: no such proposal"):
            market.move("agree", id, 9_999, sender=who)
    with pytest.raises(Refused, match="escrow: only seller or buyer"):
        market.move("agree", id, 9_999, sender=market.bo)
    market.agree()


def test_a_false_sent_costs_the_seller_at_least_one_percent(market):
    """A penalty of zero let a seller mark as sent, send nothing and keep what silent buyers pay."""
    for v in (10_000, 10_001, 10**18 + 7):
        least = -(-v // 100)
        with pytest.raises(Refused, match="escrow: late penalty below 1 %"):
            market.list(market.terms(v, late_penalty=least - 1))
        id = market.reach(TRANSFERRED, market.terms(v, late_penalty=least))
        market.move("refund", id, sender=market.ana)
        assert market.ended()["payout"]["seller"] == 2 * v - least
    market.agree()


@pytest.mark.parametrize("exit", ["confirm", "refund", "settle"])
def test_conceding_after_take_without_paying_the_arbiter(market, exit):
    """The loser conceded ahead of every ruling, and the arbiter worked for nothing."""
    id = market.taken()
    fee = market.model.sales[id].terms.arbiter_fee
    leave(market, exit, id, 5_000)
    assert market.escrow.credit(NATIVE, market.cleo) == fee > 0
    assert market.draw(market.cleo) == fee


def test_an_arbiter_paid_for_doing_nothing(market):
    """One who never took the case, or took it and did not rule, gets nothing."""
    for id in (market.reach(DISPUTED, market.arbitrated()), market.taken()):
        travel_to(market.model.sales[id].deadline)
        market.move("execute_default", id, sender=market.dan)
    id = market.reach(DISPUTED, market.arbitrated())
    market.move("confirm", id, sender=market.bo)
    assert market.escrow.credit(NATIVE, market.cleo) == 0


def test_an_arbiter_who_rules_a_case_he_did_not_take(market):
    """The parties see that he is at work before he decides, and until then the fee is theirs."""
    id = market.reach(DISPUTED, market.arbitrated())
    with pytest.raises(Refused, match="escrow: the case is not taken"):
        market.move("rule", id, 0, sender=market.cleo)
    market.move("take", id, sender=market.cleo)
    with pytest.raises(Refused, match="escrow: the case is taken already"):
        market.move("take", id, sender=market.cleo)


def test_an_arbiter_who_never_consented(market, attacker):
    """A known name put as arbiter without asking burnt both deposits in the default."""
    for stranger in (market.platform, market.deployer, market.escrow.address, attacker.address):
        with pytest.raises(Refused, match="escrow: the arbiter is not registered for so long"):
            market.list(market.terms(arbiter=stranger))
    terms = market.arbitrated()
    market.move("arbitrate", NATIVE, terms.arbiter_fee + 1, 2**255, sender=market.cleo)
    with pytest.raises(Refused, match="escrow: the arbiter asks a higher fee"):
        market.list(terms)


def test_registering_somebody_else_as_arbiter(market, attacker):
    """Only the caller is registered, also if he is called by the one he wants to register."""
    call = market.escrow.calldata("arbitrate", NATIVE, 0, 2**255)
    attacker.arm(market.escrow.address, call, False)
    attacker.fire(sender=market.platform)
    assert attacker.success()
    assert market.escrow.arbiter_terms(market.platform, NATIVE) == (0, 0)
    assert market.escrow.arbiter_terms(attacker.address, NATIVE) == (0, 2**255)


def test_penalty_farming_by_buyers(market):
    """Buying from where nobody can ship was a business: the penalty was the buyer's profit.

    Now the seller declines, and the buyer has back what he paid and not a unit more.
    """
    before = market.holds(NATIVE, market.bo)
    ids = [market.list() for _ in range(3)]
    for id in ids:
        market.buy(id)
        market.move("decline", id, sender=market.ana)
        assert market.ended()["payout"] == {
            "seller": 2 * V, "buyer": 2 * V, "platform": 0, "maker": 0, "arbiter": 0, "nobody": 0,
        }
    market.draw(market.bo)
    assert market.holds(NATIVE, market.bo) == before
    market.agree()


def test_declining_a_shipped_or_late_sale(market):
    """A decline costs nothing, so it must not replace a refund with the penalty."""
    id = market.reach(PAID)
    travel_to(market.model.sales[id].deadline)
    with pytest.raises(Refused, match="escrow: the ship window has ended"):
        market.move("decline", id, sender=market.ana)
    shipped = market.reach(TRANSFERRED)
    with pytest.raises(Refused, match="escrow: sale is not paid"):
        market.move("decline", shipped, sender=market.ana)
    for who in (market.bo, market.dan, market.platform):
        with pytest.raises(Refused, match="escrow: only the seller"):
            market.move("decline", market.reach(PAID), sender=who)


def test_a_refund_by_the_seller_ahead_of_the_ship_window(market):
    """Before it ends he declines; refunding early would hand the penalty to a buyer who farms it."""
    id = market.reach(PAID)
    with pytest.raises(Refused, match="escrow: the ship window is open"):
        market.move("refund", id, sender=market.ana)


def test_a_token_that_turns_hostile_blocks_no_exit(market):
    """Exits call no currency; only the withdrawals of that token fail."""
    token = Contract("FeeToken")
    escrow = market.another_escrow(200, token)
    for who in (market.ana, market.bo):
        token.mint(who, 100 * V)
        market.item.allow_minter(escrow.address, True, sender=who)
    for exit in ("confirm", "decline"):
        offer = market.offer(market.terms(currency=token.address)).abi()
        token.misbehave(0, 0, 0, True)
        escrow.list(offer, sender=market.ana)
        escrow.buy(offer, sender=market.bo)
        token.misbehave(0, 0, 10**40, False)
        escrow.call(exit, offer, sender=market.bo if exit == "confirm" else market.ana)
    with pytest.raises(Refused):
        escrow.withdraw(token.address, 1, market.ana, sender=market.ana)
    token.misbehave(0, 0, 0, True)
    escrow.withdraw(token.address, 1, market.ana, sender=market.ana)


def test_a_hostile_token_takes_nothing_from_sales_in_others(market):
    """Its author owns all of it and can forge its balances; what is owed in others stays covered."""
    token = Contract("FeeToken")
    escrow = market.another_escrow(200, token)
    market.item.allow_minter(escrow.address, True, sender=market.ana)
    native = market.offer().abi()
    escrow.list(native, sender=market.ana, value=2 * V)
    token.mint(market.dan, 2**200)
    market.item.allow_minter(escrow.address, True, sender=market.dan)
    terms = market.terms(2**127, currency=token.address)
    offer = market.offer(terms, seller=market.dan).abi()
    escrow.list(offer, sender=market.dan)
    escrow.abort(offer, sender=market.dan)
    for currency in (NATIVE, market.tokens[0].address):
        with pytest.raises(Refused, match="money: more than the credit"):
            escrow.withdraw(currency, 1, market.dan, sender=market.dan)
    escrow.abort(native, sender=market.ana)
    escrow.withdraw(NATIVE, 2 * V, market.ana, sender=market.ana)


def test_an_exit_with_too_little_gas_does_all_or_nothing(market):
    """Item's question costs little, so no amount of gas makes it fail while the exit succeeds."""
    id = market.reach(TRANSFERRED)
    travel_to(market.model.sales[id].deadline)
    data = market.escrow.calldata("claim", market.model.sales[id].offer.abi())
    outcomes = set()
    for gas in range(15_000, 260_000, 3_500):
        with boa.env.anchor():
            computation = boa.env.execute_code(
                to_address=market.escrow.address, sender=market.dan, data=data, gas=gas
            )
            done = not computation.is_error
            outcomes.add(done)
            owner = market.item.ownerOf(1)
            assert owner == (market.bo if done else market.escrow.address)
            assert market.sale(id)["status"] == (128 if done else TRANSFERRED)
            assert (market.escrow.credit(NATIVE, market.ana) > 0) == done
    assert outcomes == {True, False}


def test_a_transfer_with_too_little_gas_strands_nothing(market):
    """Item's question to the receiver cannot be starved so that the transfer goes through."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    data = market.item.calldata("transferFrom", market.bo, market.escrow.address, 1)
    for gas in range(500, 60_000, 700):
        computation = boa.env.execute_code(
            to_address=market.item.address, sender=market.bo, data=data, gas=gas
        )
        assert computation.is_error
    assert market.item.ownerOf(1) == market.bo


def test_a_sale_of_one_contract_moved_in_another(market):
    """An offer listed in one escrow is nothing in another of the same market."""
    other = market.another_escrow(200)
    id = market.reach(TRANSFERRED)
    offer = market.model.sales[id].offer
    assert sale_id(other.address, offer) != id
    for move in ("confirm", "refund", "claim", "abort"):
        with pytest.raises(Refused, match="escrow: sale is not"):
            other.call(move, offer.abi(), sender=market.bo)


def test_every_open_status_is_left_by_one_honest_party_and_time(market):
    """Whatever the other does or fails to do, each party alone brings the sale to an end."""
    for status in (*OPEN, TAKEN):
        for who in ("seller", "buyer"):
            with boa.env.anchor():
                market.fresh()
                id = sale(market, status, market.ana, market.bo, market.cleo)
                honest = market.ana if who == "seller" else market.bo
                while market.model.sales[id].status in OPEN:
                    s = market.model.sales[id]
                    travel_to(s.deadline)
                    move = {PAID: "refund", TRANSFERRED: "claim", DISPUTED: "execute_default"}[s.status]
                    market.move(move, id, sender=honest)
                market.agree()


def test_names_of_proposals_cannot_collide_with_another_sale(market):
    """The proposals of two sales of the same people in the same status are apart."""
    one, two = market.reach(PAID), market.reach(PAID)
    market.move("propose", one, 0, now() + DAY, sender=market.ana)
    with pytest.raises(Refused, match="escrow: no such proposal"):
        market.move("agree", two, 0, sender=market.bo)
    assert market.sale(two)["seller_proposal"]["until"] == 0


def test_changing_the_offer_under_the_buyers_eyes(market):
    """A buyer names the id, which is the hash of the terms; another offer has another id."""
    salt, cheap, dear = digest("s"), market.terms(V), market.terms(5 * V)
    id = market.list(cheap, salt=salt)
    market.move("abort", id, sender=market.ana)
    assert market.list(dear, salt=salt) != id
    with pytest.raises(Refused, match="sale is not listed"):
        market.buy(id)


def test_promising_something_else_in_a_reorganised_chain(market):
    """A buyer's payment was on its way when the listing fell off the chain; the seller lists anew
    with the same salt and terms, and another promise or another thing. The payment finds nothing."""
    agreed = market.offer(salt=digest("s"))
    with boa.env.anchor():
        kept = copy.deepcopy(market.model)
        id = market.list_offer(agreed)
    market.model = kept
    for changed in ({"promise": digest("a scooter")}, {"content": digest("a scooter")}):
        assert market.list(agreed.terms, salt=agreed.salt, **changed) != id
    with pytest.raises(Refused, match="sale is not listed"):
        market.buy(agreed)
    market.agree()
