"""What Item adds for the market: who mints, who is maker, and that no token strands: docs section 2."""

import pytest
from eth_utils import keccak, to_canonical_address
from machine import NATIVE, Contract, Refused
from market import digest
from model import LISTED, TRANSFERRED

STRANDED = "item: list it, a sale contract accepts no other token"
WAYS = ["transferFrom", "safeTransferFrom"]


@pytest.fixture
def token(market):
    """A token that Bo bought from Ana, its maker."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    return 1


def test_a_maker_mints_for_himself(market):
    item = market.item
    assert item.mint(market.ana, digest("c"), sender=market.ana) == 1
    minted = next(log for log in item.logs if log.name == "Minted")
    assert minted.args == {
        "token": 1, "maker": market.ana, "minter": market.ana, "content_hash": digest("c"),
    }
    assert [len(log.topics) for log in item.logs if log.name == "Minted"] == [4]
    assert (item.ownerOf(1), item.maker(1), item.content_hash(1)) == (market.ana, market.ana, digest("c"))


def test_an_account_becomes_maker_only_by_its_own_will(market, attacker):
    item = market.item
    for who in (market.bo, market.deployer, market.platform, attacker.address):
        for maker in (market.ana, NATIVE, item.address):
            with pytest.raises(Refused, match="item: the maker has not allowed this minter"):
                item.mint(maker, digest("c"), sender=who)
    assert item.totalSupply() == 0


def test_a_maker_allows_a_minter_and_takes_it_back(market):
    item, minter = market.item, Contract("Pretender", market.item.address, 0).address
    item.allow_minter(minter, True, sender=market.ana)
    [log] = item.logs
    assert log.name == "MinterAllowed" and len(log.topics) == 3
    assert log.args == {"maker": market.ana, "minter": minter, "allowed": True}
    assert item.is_minter(market.ana, minter) and not item.is_minter(market.bo, minter)
    assert not item.is_minter(minter, market.ana)
    item.mint(market.ana, digest("c"), sender=minter)
    assert (item.ownerOf(1), item.maker(1)) == (minter, market.ana)
    with pytest.raises(Refused, match="has not allowed"):
        item.mint(market.bo, digest("c"), sender=minter)
    item.allow_minter(minter, False, sender=market.ana)
    assert item.logs[0].args["allowed"] is False and not item.is_minter(market.ana, minter)
    with pytest.raises(Refused, match="has not allowed"):
        item.mint(market.ana, digest("c"), sender=minter)


def test_a_first_listing_needs_the_makers_permission(market):
    market.item.allow_minter(market.escrow.address, False, sender=market.ana)
    market.model.makers_allowing.remove(market.ana)
    with pytest.raises(Refused, match="item: the maker has not allowed this minter"):
        market.list()
    market.item.allow_minter(market.escrow.address, True, sender=market.ana)
    market.model.makers_allowing.add(market.ana)
    market.list()
    market.agree()


def test_a_content_hash_of_zero_is_refused(market):
    with pytest.raises(Refused, match="item: content hash is zero"):
        market.item.mint(market.ana, bytes(32), sender=market.ana)


def test_tokens_are_counted_from_one_and_keep_maker_and_content(market):
    people = [market.ana, market.bo, market.ana]
    for number, seller in enumerate(people, start=1):
        market.list(seller=seller, content=digest(f"content {number}"))
        assert market.item.totalSupply() == number
    for number, seller in enumerate(people, start=1):
        assert market.item.maker(number) == seller
        assert market.item.content_hash(number) == digest(f"content {number}")
    assert market.item.balanceOf(market.escrow.address) == 3


def test_the_same_content_may_be_minted_again_by_others(market):
    for who in (market.ana, market.bo, market.ana):
        market.item.mint(who, digest("same"), sender=who)
    assert [market.item.maker(n) for n in (1, 2, 3)] == [market.ana, market.bo, market.ana]


def test_a_hash_copied_from_a_pending_listing_makes_nobody_the_older_maker(market):
    """A content hash is that of its maker and an identifier, so Ana's is of no token of Dan's."""
    def content(maker: str) -> bytes:
        return keccak(to_canonical_address(maker) + b"wtu123456")

    copied = content(market.ana)
    market.list(seller=market.dan, content=copied)
    with pytest.raises(Refused, match="market: maker is not the seller"):
        market.list(seller=market.dan, maker=market.ana, content=copied)
    with pytest.raises(Refused, match="item: the maker has not allowed this minter"):
        market.item.mint(market.ana, copied, sender=market.dan)
    # Hers comes second, and is not refused for it.
    own = market.model.sales[market.list(content=copied)].token
    item = market.item
    assert (own, item.totalSupply()) == (2, 2)
    assert item.content_hash(1) == item.content_hash(2) == copied
    assert [n for n in (1, 2) if item.content_hash(n) == content(item.maker(n))] == [own]
    market.agree()


def test_a_royalty_above_ten_percent_is_refused():
    item = Contract("Item", 1_000)
    assert item.MAKER_BPS() == 1_000 and Contract("Item", 0).MAKER_BPS() == 0
    with pytest.raises(Refused, match="item: royalty above 10 %"):
        Contract("Item", 1_001)
    [log] = item.logs
    assert log.name == "Deployed" and log.args == {"maker_bps": 1_000}


def test_no_account_owns_or_changes_it(market):
    changing = {
        e["name"] for e in market.item.abi
        if e["type"] == "function" and e["stateMutability"] not in ("view", "pure")
    }
    # There is no other function that writes, so there is no power to forget.
    assert changing == {
        "allow_minter", "mint", "approve", "setApprovalForAll", "transferFrom", "safeTransferFrom",
    }


@pytest.mark.parametrize("way", WAYS)
def test_a_person_cannot_strand_a_token_in_a_sale_contract(market, attacker, token, way):
    item, escrow = market.item, market.escrow.address
    with pytest.raises(Refused, match=STRANDED):
        item.call(way, market.bo, escrow, token, sender=market.bo)
    item.setApprovalForAll(attacker.address, True, sender=market.bo)
    item.approve(market.dan, token, sender=market.bo)
    for who in (attacker.address, market.dan):
        with pytest.raises(Refused, match=STRANDED):
            item.call(way, market.bo, escrow, token, sender=who)
    assert item.ownerOf(token) == market.bo


@pytest.mark.parametrize("way", WAYS)
def test_a_person_cannot_strand_a_token_in_item_itself(market, token, way):
    with pytest.raises(Refused, match="item: this contract cannot use a token"):
        market.item.call(way, market.bo, market.item.address, token, sender=market.bo)


@pytest.mark.parametrize("name", ["Escrow", "Auction", "DirectSale"])
def test_every_kind_of_sale_contract_is_known_by_its_item(market, token, name):
    sale_contract = Contract(name, *market.arguments())
    with pytest.raises(Refused, match=STRANDED):
        market.item.transferFrom(market.bo, sale_contract.address, token, sender=market.bo)


def test_a_sale_contract_of_another_item_is_an_account_like_others(market, token):
    other = Contract("Item", 200)
    escrow = Contract("Escrow", other.address, market.platform, 200, [])
    market.item.transferFrom(market.bo, escrow.address, token, sender=market.bo)
    assert market.item.ownerOf(token) == escrow.address


ANSWERS = [True, False, False, True, False, True, False, False]


@pytest.mark.parametrize("mood,known", list(enumerate(ANSWERS)))
def test_only_genuine_contracts_count_as_sale_contracts(market, token, mood, known):
    """Only an answer whose first 32 bytes are the Item's address, given with little gas."""
    receiver = Contract("Pretender", market.item.address, mood)
    move = lambda: market.item.transferFrom(  # noqa: E731
        market.bo, receiver.address, token, sender=market.bo
    )
    if known:
        with pytest.raises(Refused, match=STRANDED):
            move()
    else:
        move()
        assert market.item.ownerOf(token) == receiver.address
        assert market.item.computation.get_gas_used() < 120_000


def test_a_sale_contract_may_transfer_into_another(market, token):
    one = Contract("Pretender", market.item.address, 0)
    market.item.approve(one.address, token, sender=market.bo)
    move = market.item.calldata("transferFrom", market.bo, market.escrow.address, token)
    one.execute(market.item.address, move, 0, sender=market.bo)
    assert market.item.ownerOf(token) == market.escrow.address


def test_a_sale_contract_has_no_power_over_foreign_tokens(market, token):
    one = Contract("Pretender", market.item.address, 0)
    for owner in (market.bo, market.ana, one.address):
        move = market.item.calldata("transferFrom", owner, one.address, token)
        with pytest.raises(Refused, match="erc721: only the owner or an approved account"):
            one.execute(market.item.address, move, 0, sender=market.bo)


def test_item_asks_while_the_sale_contract_holds_its_lock(market):
    """Every exit depends on it: `ITEM()` is not locked, though the move is."""
    id = market.reach(TRANSFERRED)
    market.move("confirm", id, sender=market.bo)
    assert market.item.ownerOf(1) == market.bo


def test_listing_ones_own_token_needs_the_approval_of_that_token_alone(market, token):
    market.item.setApprovalForAll(market.escrow.address, False, sender=market.bo)
    offer = market.offer(seller=market.bo, token=token)
    with pytest.raises(Refused, match="only the owner or an approved account"):
        market.escrow.list(offer.abi(), sender=market.bo, value=offer.terms.seller_deposit)
    market.item.approve(market.escrow.address, token, sender=market.bo)
    market.list_offer(offer)
    assert market.item.ownerOf(token) == market.escrow.address
    assert market.item.getApproved(token) == NATIVE
    market.agree()


def test_an_unsold_token_returns_with_maker_and_content(market, token):
    id = market.list(seller=market.bo, token=token)
    assert market.sale(id)["status"] == LISTED
    market.move("abort", id, sender=market.bo)
    assert market.item.ownerOf(token) == market.bo and market.item.maker(token) == market.ana
