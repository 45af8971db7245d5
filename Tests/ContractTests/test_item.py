"""The market's tokens: docs section 2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from machine import NATIVE, Contract, Refused, boa
from market import digest
from model import TRANSFERRED


@pytest.fixture
def unsealed(market):
    """An item of the market's deployer, and an escrow of it."""
    item = Contract("Item", 200, sender=market.deployer)
    return item, Contract("Escrow", item.address, market.platform, 200, [])


@pytest.fixture
def token(market):
    """A token that Bo bought from Ana, its maker."""
    market.move("confirm", market.reach(TRANSFERRED), sender=market.bo)
    return 1


def test_before_the_seal_nothing_mints(market, unsealed):
    item, escrow = unsealed
    terms = market.terms()
    arguments = (terms.abi(), 0, digest("c"), digest("p"), digest("s"))
    for who in (market.deployer, market.ana, escrow.address):
        with pytest.raises(Refused, match="only a sealed sale contract mints"):
            item.mint(market.ana, digest("c"), sender=who)
    with pytest.raises(Refused, match="only a sealed sale contract mints"):
        escrow.list(*arguments, sender=market.ana, value=terms.seller_deposit)
    item.seal([escrow.address], sender=market.deployer)
    escrow.list(*arguments, sender=market.ana, value=terms.seller_deposit)
    assert item.ownerOf(1) == escrow.address


def test_only_the_deployer_seals_and_only_once(market, unsealed):
    item, escrow = unsealed
    with pytest.raises(Refused, match="ownable: caller is not the owner"):
        item.seal([escrow.address], sender=market.ana)
    assert item.owner() == market.deployer and not item.is_sealed()
    item.seal([escrow.address], sender=market.deployer)
    names = [log.name for log in item.logs]
    assert names == ["RoleMinterChanged", "Sealed", "OwnershipTransferred"]
    assert item.logs[1].args == {"minters": [escrow.address]}
    assert item.owner() == NATIVE and item.is_sealed() and item.is_minter(escrow.address)
    for who in (market.deployer, market.ana):
        with pytest.raises(Refused, match="item: already sealed"):
            item.seal([escrow.address], sender=who)


def test_after_the_seal_nobody_can_change_anything(market):
    changing = {
        e["name"] for e in market.item.abi
        if e["type"] == "function" and e["stateMutability"] not in ("view", "pure")
    }
    # No other function writes, so there is no setter to forget: of these the first two are closed.
    assert changing == {
        "seal", "mint", "approve", "setApprovalForAll", "transferFrom", "safeTransferFrom",
    }
    assert market.item.owner() == NATIVE and not market.item.is_minter(market.deployer)


def test_the_seal_takes_only_sale_contracts_of_this_item(market, unsealed):
    item, escrow = unsealed
    other = market.escrow.address
    pretend = [Contract("Pretender", item.address, mood).address for mood in (1, 2, 3)]
    for minter in (other, market.ana, NATIVE, market.tokens[0].address, item.address, *pretend):
        with pytest.raises(Refused, match="not of this item"):
            item.seal([escrow.address, minter], sender=market.deployer)
    with pytest.raises(Refused, match="named twice"):
        item.seal([escrow.address, escrow.address], sender=market.deployer)
    with pytest.raises(Refused, match="no sale contract"):
        item.seal([], sender=market.deployer)
    many = [Contract("Pretender", item.address, 0).address for _ in range(8)]
    with pytest.raises(Refused):
        item.seal([*many, escrow.address], sender=market.deployer)
    item.seal(many, sender=market.deployer)
    assert all(item.is_minter(minter) for minter in many)


def test_tokens_are_counted_from_one_and_keep_maker_and_content(market):
    for n, seller in enumerate([market.ana, market.bo, market.ana], start=1):
        market.list(seller=seller, content=digest(f"content {n}"))
        assert market.item.maker(n) == seller
        assert market.item.content_hash(n) == digest(f"content {n}")
    assert market.item.totalSupply() == 3
    assert market.item.balanceOf(market.escrow.address) == 3


def test_a_sealed_contract_that_errs_cannot_mint_for_nobody(market):
    for maker, content, text in [(NATIVE, digest("c"), "zero address"), (market.ana, bytes(32), "zero")]:
        with pytest.raises(Refused, match=text):
            market.item.mint(maker, content, sender=market.escrow.address)


def test_an_owner_and_whom_they_approve_move_a_token(market, token):
    item = market.item
    with pytest.raises(Refused, match="not token owner or approved"):
        item.transferFrom(market.bo, market.dan, token, sender=market.dan)
    item.transferFrom(market.bo, market.cleo, token, sender=market.bo)
    assert item.ownerOf(token) == market.cleo
    with pytest.raises(Refused, match="approval to current owner"):
        item.approve(market.cleo, token, sender=market.cleo)
    with pytest.raises(Refused, match="approve caller is not token owner"):
        item.approve(market.dan, token, sender=market.dan)
    item.setApprovalForAll(market.ana, True, sender=market.cleo)
    item.approve(market.dan, token, sender=market.ana)
    assert item.getApproved(token) == market.dan
    item.call(
        "safeTransferFrom(address,address,uint256,bytes)", market.cleo, market.dan, token, b"hello",
        sender=market.dan,
    )
    assert item.ownerOf(token) == market.dan and item.maker(token) == market.ana
    with pytest.raises(Refused, match="transfer from incorrect owner"):
        item.transferFrom(market.bo, market.ana, token, sender=market.dan)
    with pytest.raises(Refused, match="zero address"):
        item.transferFrom(market.dan, NATIVE, token, sender=market.dan)


def test_no_value_can_be_lost_in_an_approval(market, token):
    with pytest.raises(Refused):
        market.item.approve(market.dan, token, sender=market.bo, value=1)


@pytest.mark.parametrize("way", ["transferFrom", "safeTransferFrom", "safeTransferFrom(address,address,uint256,bytes)"])
def test_no_value_can_be_lost_in_a_transfer(market, token, way):
    rest = [b""] if "bytes" in way else []
    with pytest.raises(Refused):
        market.item.call(way, market.bo, market.dan, token, *rest, sender=market.bo, value=1)


def test_the_royalty_is_the_makers_for_ever(market, token):
    assert market.item.royaltyInfo(token, 10_049) == (market.ana, 200)
    market.item.transferFrom(market.bo, market.dan, token, sender=market.bo)
    assert market.item.royaltyInfo(token, 10**18) == (market.ana, 2 * 10**16)
    with pytest.raises(Refused, match="invalid token ID"):
        market.item.royaltyInfo(2, 1)


@given(price=st.integers(0, 2**256 - 1), bps=st.sampled_from([0, 1, 199, 1_000]))
def test_the_royalty_is_floored_for_every_price(deployed, price, bps):
    item, escrow = royalty_of(bps)
    assert item.royaltyInfo(1, price)[1] == price * bps // 10_000


def royalty_of(bps: int):
    item = Contract("Item", bps)
    minter = Contract("Pretender", item.address, 0)
    item.seal([minter.address], sender=str(boa.env.eoa))
    item.mint(minter.address, digest("c"), sender=minter.address)
    return item, minter


def test_a_royalty_above_ten_percent_is_refused():
    assert Contract("Item", 1_000).MAKER_BPS() == 1_000
    with pytest.raises(Refused, match="royalty above 10 %"):
        Contract("Item", 1_001)


def test_it_says_which_interfaces_it_has(market):
    has = ["01ffc9a7", "80ac58cd", "5b5e139f", "780e9d63", "2a55205a"]
    has_not = ["ffffffff", "00000000", "589c5ce2", "49064906"]
    answers = [market.item.supportsInterface(bytes.fromhex(i)) for i in has + has_not]
    assert answers == [True] * len(has) + [False] * len(has_not)
    assert (market.item.name(), market.item.symbol()) == ("Stoa Item", "ITEM")
    assert boa.env.get_code(market.item.address)
