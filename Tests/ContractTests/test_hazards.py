"""Each theft or loss known from earlier markets, tried on this one: docs section 16.

A test is named for the attack; its docstring gives the numbers of the hazards.
"""

import pytest
from machine import NATIVE, Contract, Refused, account, balance, boa, now, travel_to
from market import digest
from model import DAY, DISPUTED, LISTED, OPEN, PAID, TRANSFERRED

V = 10**18


def test_minting_in_anothers_name(market, attacker):
    """SC-02, SC-03: the counter and mint were open to all."""
    for who in [market.bo, market.deployer, market.platform, attacker.address]:
        with pytest.raises(Refused, match="item: the maker has not allowed this minter"):
            market.item.mint(market.ana, digest("c"), sender=who)
    assert market.item.totalSupply() == 0


def test_naming_oneself_maker_of_anothers_token(market):
    """SC-04, SC-10 (b), SC-18 (a): the artist registry was open, and keyed by the wrong number."""
    market.reach(TRANSFERRED)
    id = market.list(seller=market.dan, content=digest("content"))
    assert (market.item.maker(1), market.item.maker(2)) == (market.ana, market.dan)
    market.buy(id, buyer=market.cleo)
    market.move("confirm", id, sender=market.cleo)
    assert market.escrow.logs[0].args["maker"] == market.dan
    writers = [
        e["name"] for e in market.item.abi
        if e["type"] == "function" and e["stateMutability"] == "nonpayable"
        and ("maker" in e["name"] or "artist" in e["name"])
    ]
    assert writers == [] and market.item.maker(1) == market.ana


def test_changing_who_gets_the_fees(market):
    """SC-05: nothing about fees or their receiver can be written after deployment."""
    for contract in (market.escrow, market.item):
        writers = {
            e["name"] for e in contract.abi
            if e["type"] == "function" and e["stateMutability"] in ("nonpayable", "payable")
        }
        assert not any("fee" in w or "platform" in w or "owner" in w or "set_" in w for w in writers)
    assert market.escrow.PLATFORM() == market.platform


def test_listing_for_nothing(market):
    """SC-10: a deposit of nothing made a listing of price zero; an odd one was refused."""
    with pytest.raises(Refused, match="price out of bounds"):
        market.list(market.terms(0, seller_deposit=0), value=0)
    market.list(market.terms(10_003, seller_deposit=3_335))
    market.agree()


def test_reselling_anothers_token(market):
    """SC-11: only the owner lists a token, whoever the contract is approved by."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    for thief in (market.ana, market.dan):
        with pytest.raises(Refused, match="the sender does not own the token"):
            market.list(seller=thief, token=1)
    market.item.setApprovalForAll(market.dan, True, sender=market.bo)
    with pytest.raises(Refused, match="the sender does not own the token"):
        market.list(seller=market.dan, token=1)


def test_buying_ones_own_thing(market):
    """SC-13: a seller could buy from himself."""
    id = market.list()
    with pytest.raises(Refused, match="the seller cannot buy"):
        market.buy(id, buyer=market.ana)


def test_locking_a_sale_by_silence(market):
    """SC-08 to SC-16 (a), (f): a buyer who never confirmed locked everything for ever."""
    for status, move in [(PAID, "refund"), (TRANSFERRED, "claim"), (DISPUTED, "execute_default")]:
        id = market.reach(status)
        travel_to(now() + 60 * DAY)
        market.move(move, id, sender=market.dan)
        assert market.sale(id)["status"] not in OPEN
    market.agree()


@pytest.mark.parametrize("role", ["seller", "buyer", "maker", "platform", "arbiter"])
def test_blocking_an_exit_by_refusing_money(market, attacker, role):
    """SC-08 to SC-16 (b), SC-18 (d), SC-33 (d), SC-38 (d): one receiver that reverts froze a sale.

    Nobody is paid by push, so whoever refuses hurts only himself, and can still name another
    address to withdraw to.
    """
    me = attacker.address
    seller = me if role in ("seller", "maker") else market.ana
    buyer = me if role == "buyer" else market.bo
    arbiter = me if role == "arbiter" else market.cleo
    escrow = market.escrow
    if role == "platform":
        escrow = Contract("Escrow", market.item.address, me, 200, [])
        market.item.allow_minter(escrow.address, True, sender=seller)
    escrow.arbitrate(NATIVE, 0, 2**255, sender=arbiter)
    attacker.arm(NATIVE, b"", True)
    terms = market.terms(arbiter=arbiter, arbiter_fee=V // 100)
    offer = market.offer(terms, seller=seller).abi()
    escrow.list(offer, sender=seller, value=2 * V)
    escrow.buy(offer, sender=buyer, value=2 * V)
    escrow.transfer_item(offer, sender=seller)
    escrow.dispute(offer, sender=buyer)
    escrow.take(offer, sender=arbiter)
    escrow.rule(offer, 5_000, sender=arbiter)
    assert market.item.ownerOf(1) == buyer
    credit = escrow.credit(NATIVE, me)
    assert credit > 0
    with pytest.raises(Refused, match="money: the receiver refused the money"):
        escrow.withdraw(NATIVE, credit, me, sender=me)
    assert escrow.credit(NATIVE, me) == credit
    for other in {seller, buyer, arbiter} - {me}:
        escrow.withdraw(NATIVE, escrow.credit(NATIVE, other), other, sender=other)
    had = balance(market.dan)
    escrow.withdraw(NATIVE, credit, market.dan, sender=me)
    assert balance(market.dan) == had + credit


def test_selling_a_token_twice(market):
    """SC-08 to SC-16 (c), (d): the token stayed with the seller, who moved or listed it again."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    market.list(seller=market.bo, token=1)
    assert market.item.ownerOf(1) == market.escrow.address
    with pytest.raises(Refused, match="the sender does not own the token"):
        market.list(seller=market.bo, token=1)
    for way in ("transferFrom", "safeTransferFrom"):
        with pytest.raises(Refused, match="only the owner or an approved account"):
            market.item.call(way, market.escrow.address, market.bo, 1, sender=market.bo)
    with pytest.raises(Refused, match="only the owner or an operator"):
        market.item.approve(market.bo, 1, sender=market.bo)


def test_an_approval_from_before_a_listing(market):
    """SC-08 to SC-16 (c): what a seller approved before listing no longer counts."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    market.item.setApprovalForAll(market.dan, True, sender=market.bo)
    market.item.approve(market.dan, 1, sender=market.bo)
    with pytest.raises(Refused, match="the sender does not own the token"):
        market.list(seller=market.dan, token=1)
    market.list(seller=market.bo, token=1)
    with pytest.raises(Refused, match="only the owner or an approved account"):
        market.item.transferFrom(market.escrow.address, market.dan, 1, sender=market.dan)


def test_a_royalty_that_goes_to_nobody(market):
    """SC-08 to SC-16 (e), SC-29, SC-32: tokens without a maker burned the royalty."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    assert market.item.maker(1) == market.ana
    assert market.escrow.credit(NATIVE, NATIVE) == 0


def test_a_price_so_small_that_fees_vanish(market):
    """SC-08 to SC-16 (g), SC-45 (c): a fee of zero locked the seller's money. No price is below 10,000."""
    with pytest.raises(Refused, match="price out of bounds"):
        market.list(market.terms(9_999))
    id = market.reach(TRANSFERRED, market.terms(10_000))
    market.move("confirm", id, sender=market.bo)
    assert market.escrow.credit(NATIVE, market.platform) == 200
    for who in (market.ana, market.bo, market.platform):
        market.draw(who)
    assert market.escrow.owed(NATIVE) == 0


@pytest.mark.parametrize("way", ["transferFrom", "safeTransferFrom", "safeTransferFrom(address,address,uint256,bytes)"])
def test_forging_a_listing_by_sending_a_token(market, attacker, way):
    """SC-18 (b), SC-20, SC-30 (c), SC-39: a token sent in opened a listing, for whom the data said."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    rest = [market.ana.encode()] if "bytes" in way else []
    with pytest.raises(Refused, match="a sale contract accepts no other token"):
        market.item.call(way, market.bo, market.escrow.address, 1, *rest, sender=market.bo)
    market.item.setApprovalForAll(attacker.address, True, sender=market.bo)
    with pytest.raises(Refused, match="a sale contract accepts no other token"):
        market.item.call(
            way, market.bo, market.escrow.address, 1, *rest, sender=attacker.address
        )
    assert market.item.ownerOf(1) == market.bo


def test_calling_the_receiver_hook_by_hand(market):
    """SC-18 (b), SC-30 (c): the hook did not ask who called it; here there is none."""
    names = {e["name"] for e in market.escrow.abi if e["type"] == "function"}
    assert "onERC721Received" not in names
    market.list()
    data = bytes.fromhex("150b7a02") + bytes(12) + bytes.fromhex(market.dan[2:]) + bytes(128)
    assert boa.env.execute_code(
        to_address=market.escrow.address, sender=market.dan, data=data
    ).is_error


def test_a_minter_that_is_not_the_receiver(market):
    """SC-30: a listing is made by the seller's call alone; a token pushed in by another contract
    that answers `ITEM()` is that contract's loss, opens no sale, and stops none."""
    other = Contract("Pretender", market.item.address, 0).address
    market.item.allow_minter(other, True, sender=market.ana)
    market.item.mint(market.ana, digest("c"), sender=other)
    market.item.transferFrom(other, market.escrow.address, 1, sender=other)
    assert [log.name for log in market.item.logs] == ["Transfer"]
    for who in (market.ana, other):
        with pytest.raises(Refused, match="the sender does not own the token"):
            market.item.transferFrom(who, who, 1, sender=market.escrow.address)
        with pytest.raises(Refused, match="only the owner or an approved account"):
            market.item.transferFrom(market.escrow.address, who, 1, sender=who)
    offer = market.offer(seller=market.bo, token=1, maker=market.ana, content=digest("c"))
    with pytest.raises(Refused, match="the sender does not own the token"):
        market.escrow.list(offer.abi(), sender=market.bo, value=2 * V)


def test_money_stuck_in_a_function_that_ignores_it(market):
    """SC-25 (c): value sent with a move that takes none was kept."""
    payable = {
        e["name"] for c in (market.escrow, market.item) for e in c.abi
        if e["type"] in ("function", "constructor", "fallback", "receive")
        and e.get("stateMutability") == "payable" and e.get("name")
    }
    assert payable == {"list", "buy"}


def test_reviving_an_aborted_sale(market):
    """SC-36 (b), SC-38 (a): an aborted listing could be bought or aborted again."""
    id = market.list()
    market.move("abort", id, sender=market.ana)
    assert market.item.ownerOf(1) == market.ana
    second = market.list(seller=market.ana, token=1)
    for sender, move in [(market.ana, "abort"), (market.bo, "buy")]:
        extra = {"value": 2 * V} if move == "buy" else {}
        with pytest.raises(Refused, match="sale is not listed"):
            market.move(move, id, sender=sender, **extra)
    assert market.sale(second)["status"] == LISTED
    assert market.item.ownerOf(1) == market.escrow.address
    market.agree()


def test_the_old_sellers_listing_after_the_token_was_sold(market):
    """SC-36 (b): the old seller aborted his old listing and took the new owner's token."""
    first = market.reach(TRANSFERRED)
    market.move("confirm", first, sender=market.bo)
    market.list(seller=market.bo, token=1)
    for move in ("abort", "refund", "confirm", "claim"):
        for sender in (market.ana, market.bo):
            with pytest.raises(Refused):
                market.move(move, first, sender=sender)
    assert market.item.ownerOf(1) == market.escrow.address


def test_withdrawing_a_fee_again_and_again(market):
    """SC-33, SC-35 (a): a fee that was never zeroed drained the others."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    market.reach(PAID)
    held = balance(market.escrow.address)
    fee = market.draw(market.platform)
    for who in (market.platform, market.deployer):
        for amount, text in [(fee, "more than the credit"), (0, "nothing to withdraw")]:
            with pytest.raises(Refused, match=text):
                market.move("withdraw", NATIVE, amount, who, sender=who)
    assert balance(market.escrow.address) == held - 2 * 10**16
    market.agree()


def test_paying_the_wrong_price(market):
    """SC-13, SC-31: not a unit more or less."""
    id = market.list()
    for value in (0, 2 * V - 1, 2 * V + 1):
        with pytest.raises(Refused, match="wrong amount"):
            market.buy(id, value=value)


def test_taking_the_money_without_giving_the_token(market):
    """SC-17, SC-37, SC-38 (a): money and token moved in separate acts."""
    id = market.reach(TRANSFERRED)
    assert market.item.ownerOf(1) == market.escrow.address
    market.move("confirm", id, sender=market.bo)
    assert market.item.ownerOf(1) == market.bo
    assert market.escrow.credit(NATIVE, market.ana) > 0


def test_money_of_earlier_sales_is_not_refused(market):
    """SC-41 (b): a winner could never draw what he was owed from before."""
    market.move("decline", market.reach(PAID), sender=market.ana)
    market.reach(PAID)
    assert market.draw(market.bo) == 2 * V
    market.agree()


def test_a_buyer_that_cannot_receive_tokens_safely(market, attacker):
    """SC-38 (d): a safe transfer to such a winner blocked the end for ever."""
    attacker.arm(NATIVE, b"", True)
    id = market.list()
    market.buy(id, buyer=attacker.address)
    market.move("confirm", id, sender=attacker.address)
    assert market.item.ownerOf(1) == attacker.address


def test_a_stranger_acting_for_an_account_that_calls_him(market, attacker):
    """SC-39, SC-45 (e): tx.origin let whoever was called act as the account that began."""
    id = market.reach(TRANSFERRED)
    attacker.arm(market.escrow.address, calldata(market, "confirm", id), False)
    attacker.fire(sender=market.bo)
    assert not attacker.success()
    assert market.sale(id)["status"] == TRANSFERRED


def test_a_payment_before_there_is_a_token(market):
    """SC-38, SC-45 (f): sales began before their token arrived."""
    with pytest.raises(Refused, match="sale is not listed"):
        market.buy(market.offer())


def test_both_moves_open_at_the_boundary(market):
    """SC-27: at the very end both sides' moves were open."""
    id = market.reach(TRANSFERRED)
    travel_to(market.model.sales[id].deadline)
    with pytest.raises(Refused, match="the confirm window has ended"):
        market.move("dispute", id, sender=market.bo)
    market.move("claim", id, sender=market.dan)


def test_forced_ether_changes_nothing(market):
    """Money forced on the contract is nobody's credit and stops no move."""
    bomb = Contract("Bomb")
    id = market.reach(TRANSFERRED)
    bomb.explode(market.escrow.address, sender=market.dan, value=777)
    assert balance(market.escrow.address) == 4 * V + 777
    market.agree()
    market.move("confirm", id, sender=market.bo)
    for who in (market.ana, market.bo, market.platform):
        market.draw(who)
    assert balance(market.escrow.address) == 777 and market.escrow.owed(NATIVE) == 0


def test_a_stranger_closing_another_sale(market):
    """Before its deadline no stranger ends a sale, and the deployer is a stranger."""
    moves = {move: () for move in (
        "confirm", "refund", "claim", "execute_default", "dispute", "transfer_item", "decline", "relist",
        "take", "withdraw_proposal",
    )}
    moves |= {"rule": (0,), "propose": (0, now() + DAY), "agree": (5_000,)}
    for status in OPEN:
        id = market.reach(status, market.arbitrated())
        for who in (market.ana, market.bo):
            market.move("propose", id, 5_000, now() + DAY, sender=who)
        for who in (market.dan, market.deployer, market.platform, account("nobody")):
            for move, args in moves.items():
                with pytest.raises(Refused):
                    market.move(move, id, *args, sender=who)
    market.agree()


def test_an_arbiter_ruling_before_there_is_a_dispute(market):
    """An arbiter has no power over a sale nobody disputes."""
    for status in (LISTED, PAID, TRANSFERRED):
        id = market.reach(status, market.arbitrated())
        for move, args in [("take", ()), ("rule", (0,))]:
            with pytest.raises(Refused, match="sale is not disputed"):
                market.move(move, id, *args, sender=market.cleo)


def test_a_seller_agreeing_with_himself(market):
    """One party alone cannot settle, whatever it proposes and however often."""
    id = market.reach(PAID)
    for _ in range(3):
        market.move("propose", id, 10_000, now() + DAY, sender=market.ana)
        with pytest.raises(Refused, match="no such proposal"):
            market.move("agree", id, 10_000, sender=market.ana)
    assert market.sale(id)["status"] == PAID


def test_withdrawing_the_forfeit_of_a_default(market):
    """The forfeit of a default is out of everybody's reach."""
    id = market.reach(DISPUTED)
    travel_to(market.model.sales[id].deadline)
    market.move("execute_default", id, sender=market.dan)
    for who in (market.ana, market.bo, market.dan, market.deployer, market.platform):
        if market.escrow.credit(NATIVE, who):
            market.draw(who)
    assert balance(market.escrow.address) == market.escrow.owed(NATIVE) == 2 * (3 * V // 4)


def calldata(market, name: str, id: bytes) -> bytes:
    """The bytes of a move that takes only the offer."""
    return market.escrow.calldata(name, market.model.sales[id].offer.abi())
