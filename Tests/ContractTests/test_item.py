"""The market's tokens, clause by clause of EIP-721, EIP-2981 and EIP-165: docs section 2.

What is the market's own (minting, makers, stranding) is in test_item_market.py.
"""

import functools
import operator

import pytest
from eth_utils import keccak
from hypothesis import given
from hypothesis import strategies as st
from machine import NATIVE, Contract, Refused, boa
from market import digest

SAFE = "safeTransferFrom"
SAFE_WITH_DATA = "safeTransferFrom(address,address,uint256,bytes)"
WAYS = ["transferFrom", SAFE, SAFE_WITH_DATA]
MAGIC = bytes.fromhex("150b7a02")
NO_TOKEN = "erc721: no such token"
NOT_ALLOWED = "erc721: only the owner or an approved account"


@pytest.fixture
def item(market):
    """The market's Item, in which Bo has tokens 1 and 2."""
    for _ in range(2):
        market.item.mint(market.bo, digest("content"), sender=market.bo)
    return market.item


def send(item, way: str, owner: str, to: str, token: int, sender: str, data: bytes = b""):
    """Transfers in one of the three ways."""
    item.call(way, owner, to, token, *([data] if way == SAFE_WITH_DATA else []), sender=sender)


# EIP-721, ERC721: balanceOf and ownerOf


def test_balance_of_counts_an_owners_tokens(market, item):
    assert (item.balanceOf(market.bo), item.balanceOf(market.ana)) == (2, 0)
    item.transferFrom(market.bo, market.ana, 2, sender=market.bo)
    assert (item.balanceOf(market.bo), item.balanceOf(market.ana)) == (1, 1)


def test_balance_of_throws_for_the_zero_address(item):
    with pytest.raises(Refused, match="erc721: the zero address owns nothing"):
        item.balanceOf(NATIVE)


def test_owner_of_names_the_owner(market, item):
    assert item.ownerOf(1) == item.ownerOf(2) == market.bo


@pytest.mark.parametrize("token", [0, 3, 2**256 - 1])
def test_owner_of_throws_for_a_token_that_does_not_exist(item, token):
    with pytest.raises(Refused, match=NO_TOKEN):
        item.ownerOf(token)


# EIP-721, ERC721: transfers


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_by_the_owner(market, item, way):
    send(item, way, market.bo, market.dan, 1, market.bo)
    assert item.ownerOf(1) == market.dan and item.ownerOf(2) == market.bo


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_by_an_operator(market, item, way):
    item.setApprovalForAll(market.cleo, True, sender=market.bo)
    send(item, way, market.bo, market.dan, 1, market.cleo)
    assert item.ownerOf(1) == market.dan


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_by_the_approved_account(market, item, way):
    item.approve(market.cleo, 1, sender=market.bo)
    send(item, way, market.bo, market.dan, 1, market.cleo)
    assert item.ownerOf(1) == market.dan


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_throws_for_anyone_else(market, item, way):
    item.approve(market.cleo, 2, sender=market.bo)
    item.setApprovalForAll(market.cleo, True, sender=market.ana)
    for stranger in (market.ana, market.cleo, market.dan, market.deployer, market.platform):
        with pytest.raises(Refused, match=NOT_ALLOWED):
            send(item, way, market.bo, market.dan, 1, stranger)
    assert item.ownerOf(1) == market.bo


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_throws_if_the_sender_named_is_not_the_owner(market, item, way):
    for wrong in (market.ana, NATIVE):
        with pytest.raises(Refused, match="erc721: the sender does not own the token"):
            send(item, way, wrong, market.dan, 1, market.bo)


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_throws_if_the_receiver_is_the_zero_address(market, item, way):
    with pytest.raises(Refused, match="erc721: the receiver is the zero address"):
        send(item, way, market.bo, NATIVE, 1, market.bo)


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_throws_for_a_token_that_does_not_exist(market, item, way):
    for token in (0, 3):
        with pytest.raises(Refused, match=NO_TOKEN):
            send(item, way, market.bo, market.dan, token, market.bo)


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_emits_transfer_and_nothing_else(market, item, way):
    send(item, way, market.bo, market.dan, 1, market.bo)
    [log] = item.logs
    assert log.name == "Transfer" and log.topics[0] == keccak(text="Transfer(address,address,uint256)")
    assert log.args == {"sender": market.bo, "receiver": market.dan, "token_id": 1}
    assert len(log.topics) == 4 and log.data == b""


def test_a_mint_emits_transfer_from_the_zero_address(market, item):
    item.mint(market.cleo, digest("c"), sender=market.cleo)
    [transfer] = [log for log in item.logs if log.name == "Transfer"]
    assert transfer.args == {"sender": NATIVE, "receiver": market.cleo, "token_id": 3}


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_ends_the_approval(market, item, way):
    item.approve(market.cleo, 1, sender=market.bo)
    send(item, way, market.bo, market.dan, 1, market.bo)
    assert item.getApproved(1) == NATIVE
    with pytest.raises(Refused, match=NOT_ALLOWED):
        send(item, way, market.dan, market.cleo, 1, market.cleo)


def test_a_transfer_to_oneself_changes_no_balance(market, item):
    item.transferFrom(market.bo, market.bo, 1, sender=market.bo)
    assert item.balanceOf(market.bo) == 2 and item.ownerOf(1) == market.bo


@pytest.mark.parametrize("way", WAYS)
def test_a_transfer_takes_no_value_that_could_be_lost(market, item, way):
    rest = [b""] if way == SAFE_WITH_DATA else []
    with pytest.raises(Refused):
        item.call(way, market.bo, market.dan, 1, *rest, sender=market.bo, value=1)
    with pytest.raises(Refused):
        item.approve(market.dan, 1, sender=market.bo, value=1)


# EIP-721, ERC721TokenReceiver


def test_a_plain_transfer_asks_no_receiver(market, item):
    receiver = Contract("Receiver", MAGIC, True)
    item.transferFrom(market.bo, receiver.address, 1, sender=market.bo)
    assert item.ownerOf(1) == receiver.address and receiver.calls() == 0


@pytest.mark.parametrize("data", [None, b"", b"hello", bytes(1_024)])
def test_a_safe_transfer_passes_all_arguments_to_the_receiver(market, item, data):
    receiver = Contract("Receiver", MAGIC, False)
    item.setApprovalForAll(market.cleo, True, sender=market.bo)
    way = SAFE if data is None else SAFE_WITH_DATA
    send(item, way, market.bo, receiver.address, 1, market.cleo, data or b"")
    assert item.ownerOf(1) == receiver.address and receiver.calls() == 1
    assert receiver.caller() == item.address
    told = receiver.operator(), receiver.owner(), receiver.token(), receiver.data()
    assert told == (market.cleo, market.bo, 1, data or b"")


def test_a_safe_transfer_of_more_data_than_fits_is_refused(market, item):
    with pytest.raises(Refused):
        send(item, SAFE_WITH_DATA, market.bo, market.dan, 1, market.bo, bytes(1_025))


@pytest.mark.parametrize("way", [SAFE, SAFE_WITH_DATA])
@pytest.mark.parametrize("answer", [bytes(4), bytes.fromhex("f0b9e5ba"), bytes.fromhex("ffffffff")])
def test_a_safe_transfer_throws_if_the_answer_is_wrong(market, item, way, answer):
    receiver = Contract("Receiver", answer, False)
    with pytest.raises(Refused, match="erc721: the receiver does not accept tokens"):
        send(item, way, market.bo, receiver.address, 1, market.bo)
    assert item.ownerOf(1) == market.bo


@pytest.mark.parametrize("way", [SAFE, SAFE_WITH_DATA])
def test_a_safe_transfer_throws_if_the_receiver_throws(market, item, way):
    receiver = Contract("Receiver", MAGIC, True)
    with pytest.raises(Refused, match="receiver: no thanks"):
        send(item, way, market.bo, receiver.address, 1, market.bo)


@pytest.mark.parametrize("way", [SAFE, SAFE_WITH_DATA])
def test_a_safe_transfer_throws_if_the_receiver_cannot_answer(market, item, way):
    with pytest.raises(Refused):
        send(item, way, market.bo, market.tokens[0].address, 1, market.bo)
    assert item.ownerOf(1) == market.bo


def test_the_answer_asked_for_is_the_hooks_selector():
    assert keccak(text="onERC721Received(address,address,uint256,bytes)")[:4] == MAGIC


# EIP-721, ERC721: approvals


def test_approve_names_one_account_and_says_so(market, item):
    item.approve(market.cleo, 1, sender=market.bo)
    [log] = item.logs
    assert log.name == "Approval" and len(log.topics) == 4
    assert log.topics[0] == keccak(text="Approval(address,address,uint256)")
    assert log.args == {"owner": market.bo, "approved": market.cleo, "token_id": 1}
    item.approve(market.dan, 1, sender=market.bo)
    assert item.getApproved(1) == market.dan
    with pytest.raises(Refused, match=NOT_ALLOWED):
        item.transferFrom(market.bo, market.ana, 1, sender=market.cleo)


def test_approve_of_the_zero_address_revokes(market, item):
    item.approve(market.cleo, 1, sender=market.bo)
    item.approve(NATIVE, 1, sender=market.bo)
    assert item.getApproved(1) == NATIVE
    with pytest.raises(Refused, match=NOT_ALLOWED):
        item.transferFrom(market.bo, market.ana, 1, sender=market.cleo)


def test_approve_throws_unless_owner_or_operator(market, item):
    item.approve(market.cleo, 1, sender=market.bo)
    for who in (market.ana, market.cleo):  # the approved account may transfer, and no more
        with pytest.raises(Refused, match="erc721: only the owner or an operator"):
            item.approve(market.dan, 1, sender=who)
    item.setApprovalForAll(market.ana, True, sender=market.bo)
    item.approve(market.dan, 1, sender=market.ana)
    assert item.logs[0].args["owner"] == market.bo and item.getApproved(1) == market.dan


def test_approve_throws_for_a_token_that_does_not_exist(market, item):
    with pytest.raises(Refused, match=NO_TOKEN):
        item.approve(market.dan, 3, sender=market.bo)


def test_get_approved_throws_for_a_token_that_does_not_exist(item):
    with pytest.raises(Refused, match=NO_TOKEN):
        item.getApproved(3)
    assert item.getApproved(1) == NATIVE


def test_an_owner_may_have_several_operators(market, item):
    item.setApprovalForAll(market.ana, True, sender=market.bo)
    [log] = item.logs
    assert log.name == "ApprovalForAll" and len(log.topics) == 3
    assert log.topics[0] == keccak(text="ApprovalForAll(address,address,bool)")
    assert log.args == {"owner": market.bo, "operator": market.ana, "approved": True}
    item.setApprovalForAll(market.cleo, True, sender=market.bo)
    assert item.isApprovedForAll(market.bo, market.ana) and item.isApprovedForAll(market.bo, market.cleo)
    item.setApprovalForAll(market.ana, False, sender=market.bo)
    assert item.logs[0].args["approved"] is False
    assert not item.isApprovedForAll(market.bo, market.ana)
    assert item.isApprovedForAll(market.bo, market.cleo)
    assert not item.isApprovedForAll(market.cleo, market.bo)


# EIP-721, ERC721Metadata


def test_the_metadata(item):
    assert (item.name(), item.symbol()) == ("Stoa Item", "ITEM")
    assert item.tokenURI(1) == item.tokenURI(2) == ""


def test_a_token_uri_throws_for_a_token_that_does_not_exist(item):
    with pytest.raises(Refused, match=NO_TOKEN):
        item.tokenURI(3)


# EIP-165


def test_interface_ids_follow_from_the_functions():
    def interface_id(*signatures: str) -> str:
        selectors = (int.from_bytes(keccak(text=s)[:4], "big") for s in signatures)
        return functools.reduce(operator.xor, selectors).to_bytes(4, "big").hex()

    market_item = Contract("Item", 200).functions
    erc721 = [
        "balanceOf(address)", "ownerOf(uint256)", SAFE_WITH_DATA,
        "safeTransferFrom(address,address,uint256)", "transferFrom(address,address,uint256)",
        "approve(address,uint256)", "setApprovalForAll(address,bool)", "getApproved(uint256)",
        "isApprovedForAll(address,address)",
    ]
    ids = {
        "80ac58cd": erc721, "5b5e139f": ["name()", "symbol()", "tokenURI(uint256)"],
        "2a55205a": ["royaltyInfo(uint256,uint256)"], "01ffc9a7": ["supportsInterface(bytes4)"],
    }
    for wanted, signatures in ids.items():
        assert interface_id(*signatures) == wanted
        assert all(s in market_item for s in signatures)


def test_it_supports_only_interfaces_that_it_implements(item):
    has = ["01ffc9a7", "80ac58cd", "5b5e139f", "2a55205a"]
    has_not = ["ffffffff", "00000000", "780e9d63", "150b7a02", "49064906", "01ffc9a8"]
    answers = [item.supportsInterface(bytes.fromhex(i)) for i in has + has_not]
    assert answers == [True] * len(has) + [False] * len(has_not)


def test_supports_interface_uses_less_than_30_000_gas(item):
    for interface in ("01ffc9a7", "ffffffff"):
        computation = boa.env.execute_code(
            to_address=item.address, gas=30_000,
            data=item.calldata("supportsInterface", bytes.fromhex(interface)),
        )
        assert not computation.is_error


# EIP-2981


def test_the_royalty_is_the_makers_for_ever(market, item):
    assert item.royaltyInfo(1, 10_049) == (market.bo, 200)
    item.transferFrom(market.bo, market.dan, 1, sender=market.bo)
    assert item.royaltyInfo(1, 10**18) == (market.bo, 2 * 10**16)
    assert item.royaltyInfo(1, 0) == (market.bo, 0)


def test_a_royalty_of_a_token_that_does_not_exist_is_refused(item):
    with pytest.raises(Refused, match=NO_TOKEN):
        item.royaltyInfo(3, 1)


@given(price=st.integers(0, 2**256 - 1), bps=st.sampled_from([0, 1, 199, 1_000]))
def test_the_royalty_is_a_floored_part_of_every_price(price, bps):
    item = Contract("Item", bps)
    item.mint(str(boa.env.eoa), digest("c"), sender=str(boa.env.eoa))
    assert item.royaltyInfo(1, price)[1] == price * bps // 10_000


@pytest.mark.parametrize("price", [2**256 - 1, 2**255, 2**256 // 1_000, 9_999, 10_000, 10_001])
def test_the_royalty_of_a_large_price_does_not_overflow(market, price):
    item = Contract("Item", 1_000)
    item.mint(market.ana, digest("c"), sender=market.ana)
    assert item.royaltyInfo(1, price) == (market.ana, price // 10)
