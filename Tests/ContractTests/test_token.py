"""TestToken, clause by clause of EIP-20."""

import pytest
from eth_utils import keccak
from machine import NATIVE, Contract, Refused


@pytest.fixture
def token(market):
    """A token of which Ana has 100."""
    made = Contract("TestToken", "Shell", "SHL", 6, sender=market.deployer)
    made.mint(market.ana, 100, sender=market.dan)
    return made


def test_name_symbol_decimals_and_supply(market, token):
    assert (token.name(), token.symbol(), token.decimals()) == ("Shell", "SHL", 6)
    token.mint(market.bo, 11)
    assert token.totalSupply() == 111
    assert (token.balanceOf(market.ana), token.balanceOf(market.bo), token.balanceOf(NATIVE)) == (100, 11, 0)


def test_minting_emits_transfer_from_the_zero_address(market, token):
    token.mint(market.bo, 5, sender=market.cleo)
    [log] = token.logs
    assert log.topics[0] == keccak(text="Transfer(address,address,uint256)") and len(log.topics) == 3
    assert log.args == {"sender": NATIVE, "receiver": market.bo, "value": 5}
    with pytest.raises(Refused, match="token: the receiver is the zero address"):
        token.mint(NATIVE, 1)


@pytest.mark.parametrize("amount", [0, 1, 100])
def test_a_transfer_moves_the_amount_and_says_so_also_of_nothing(market, token, amount):
    assert token.transfer(market.bo, amount, sender=market.ana) is True
    [log] = token.logs
    assert log.args == {"sender": market.ana, "receiver": market.bo, "value": amount}
    assert (token.balanceOf(market.ana), token.balanceOf(market.bo)) == (100 - amount, amount)
    assert token.totalSupply() == 100


def test_a_transfer_to_oneself_changes_nothing(market, token):
    token.transfer(market.ana, 60, sender=market.ana)
    assert token.balanceOf(market.ana) == 100


def test_a_transfer_throws_beyond_the_balance(market, token):
    for who, amount in [(market.ana, 101), (market.bo, 1), (market.ana, 2**256 - 1)]:
        with pytest.raises(Refused, match="token: more than the balance"):
            token.transfer(market.cleo, amount, sender=who)
    with pytest.raises(Refused, match="token: the receiver is the zero address"):
        token.transfer(NATIVE, 1, sender=market.ana)


def test_approve_replaces_and_says_so(market, token):
    for amount in (7, 3, 0, 2**256 - 1):
        assert token.approve(market.bo, amount, sender=market.ana) is True
        [log] = token.logs
        assert log.topics[0] == keccak(text="Approval(address,address,uint256)") and len(log.topics) == 3
        assert log.args == {"owner": market.ana, "spender": market.bo, "value": amount}
        assert token.allowance(market.ana, market.bo) == amount
    assert token.allowance(market.bo, market.ana) == 0


def test_transfer_from_needs_an_allowance_and_uses_it_up(market, token):
    token.approve(market.bo, 70, sender=market.ana)
    assert token.transferFrom(market.ana, market.cleo, 60, sender=market.bo) is True
    [log] = token.logs
    assert log.args == {"sender": market.ana, "receiver": market.cleo, "value": 60}
    assert token.allowance(market.ana, market.bo) == 10
    assert (token.balanceOf(market.ana), token.balanceOf(market.cleo)) == (40, 60)
    for who, amount in [(market.bo, 11), (market.cleo, 1), (market.ana, 1)]:
        with pytest.raises(Refused, match="token: more than the allowance"):
            token.transferFrom(market.ana, market.cleo, amount, sender=who)
    token.transferFrom(market.ana, market.cleo, 10, sender=market.bo)
    assert token.allowance(market.ana, market.bo) == 0


def test_transfer_from_throws_beyond_the_balance(market, token):
    token.approve(market.bo, 200, sender=market.ana)
    with pytest.raises(Refused, match="token: more than the balance"):
        token.transferFrom(market.ana, market.cleo, 101, sender=market.bo)
    with pytest.raises(Refused, match="token: the receiver is the zero address"):
        token.transferFrom(market.ana, NATIVE, 1, sender=market.bo)
    assert token.allowance(market.ana, market.bo) == 200
