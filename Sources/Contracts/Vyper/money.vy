# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title money
@custom:contract-name money
@notice The currencies and credits of a contract that holds money for others.
@dev A module, not a contract of its own. It takes money in exact amounts, keeps account of what the
     contract owes, and pays an account only its own credit, only when that account asks.
     Always: balance of a currency >= `owed` of it = money in open sales + credits not yet withdrawn.
     Source: Docs/contracts.md, section 3.
"""
from ethereum.ercs import IERC20


# An account received a credit; one event for each part of a payout that is not zero. `id` is the
# sale or course that paid it.
event Credited:
    currency: indexed(address)
    account: indexed(address)
    id: indexed(bytes32)
    amount: uint256


# An account paid with a part of its credit for the sale `id`.
event CreditUsed:
    currency: indexed(address)
    account: indexed(address)
    id: indexed(bytes32)
    amount: uint256


# An account withdrew a part of its credit.
event Withdrawn:
    currency: indexed(address)
    account: indexed(address)
    to: indexed(address)
    amount: uint256


CURRENCIES_MAX: constant(uint256) = 8
# The least price or bid. Below it, rounding could give away a part that matters.
PRICE_MIN: constant(uint256) = 10_000
# The largest price or bid; products of it with a factor or with basis points cannot overflow.
AMOUNT_MAX: constant(uint256) = 2**128 - 1

# Currency → its number: 1 for the chain's own money, which is always accepted, then the tokens' in the
# order of the deployment; 0 is no currency.
numbers: HashMap[address, uint256]
# Currency → what the contract owes to open sales and to accounts together.
owed: public(HashMap[address, uint256])
# Currency → account → what the account can withdraw.
credit: public(HashMap[address, HashMap[address, uint256]])
tokens: DynArray[address, CURRENCIES_MAX]


@deploy
def __init__(tokens: DynArray[address, CURRENCIES_MAX]):
    """
    @notice Fixes the currencies for ever.
    @param tokens The ERC-20 tokens accepted beside the chain's own money; none that rebases.
    """
    number: uint256 = 1
    self.numbers[empty(address)] = number
    for token: address in tokens:
        assert token.is_contract, "money: currency is not a contract"
        assert not self._is_currency(token), "money: currency named twice"
        number += 1
        self.numbers[token] = number
    self.tokens = tokens


@external
@nonreentrant
def withdraw(currency: address, amount: uint256, to: address):
    """
    @notice Pays a part of the caller's credit, or all of it. The contract's balance of a token must
            fall, by no more than the amount, so that no credit is spent without a transfer. It may
            fall by less: a token that pays something back to the sender locks no credit.
    @param currency The currency of the credit; the zero address is the chain's own money.
    @param amount How much, at least 1 and at most the caller's credit.
    @param to Who receives it; neither the zero address nor this contract.
    """
    credit: uint256 = self.credit[currency][msg.sender]
    assert amount > 0, "money: nothing to withdraw"
    assert amount <= credit, "money: more than the credit"
    assert to != empty(address) and to != self, "money: nobody can receive there"
    self.credit[currency][msg.sender] = credit - amount
    self.owed[currency] -= amount
    log Withdrawn(currency=currency, account=msg.sender, to=to, amount=amount)
    if currency == empty(address):
        success: bool = raw_call(to, b"", value=amount, revert_on_failure=False)
        assert success, "money: the receiver refused the money"
    else:
        before: uint256 = staticcall IERC20(currency).balanceOf(self)
        success: bool = extcall IERC20(currency).transfer(to, amount, default_return_value=True)
        assert success, "money: the token refused"
        after: uint256 = staticcall IERC20(currency).balanceOf(self)
        assert after + amount >= before, "money: token takes a fee"
        assert after < before, "money: the token transferred nothing"


@external
@view
def is_currency(currency: address) -> bool:
    """
    @notice Whether a currency is accepted.
    @param currency A token; the zero address is the chain's own money, which always is.
    @return bool True if the deployment names it.
    """
    return self._is_currency(currency)


@external
@view
def currencies() -> DynArray[address, CURRENCIES_MAX]:
    """
    @notice The tokens accepted beside the chain's own money.
    @return DynArray The tokens' addresses, in the order of the deployment.
    """
    return self.tokens


@internal
@view
def _is_currency(currency: address) -> bool:
    """
    @dev See `is_currency`.
    @param currency A token, or the zero address.
    @return bool True if the deployment names it.
    """
    return self.numbers[currency] != 0


@internal
@view
def _check_currency(currency: address):
    """
    @dev Refuses a currency that the deployment does not name.
    @param currency The currency of an offer.
    """
    assert self._is_currency(currency), "money: currency is not accepted"


@internal
@payable
def _collect(currency: address, amount: uint256):
    """
    @dev Takes exactly `amount` from the caller. A move holds the lock and calls this last, because a
         token is a contract of others.
    @param currency The currency, one that `_check_currency` accepted.
    @param amount How much; the value of the call must be the same, or 0 for a token.
    """
    self.owed[currency] += amount
    if currency == empty(address):
        assert msg.value == amount, "money: wrong amount"
    else:
        assert msg.value == 0, "money: value sent to a sale in a token"
        before: uint256 = staticcall IERC20(currency).balanceOf(self)
        success: bool = extcall IERC20(currency).transferFrom(msg.sender, self, amount, default_return_value=True)
        assert success, "money: the token refused"
        after: uint256 = staticcall IERC20(currency).balanceOf(self)
        assert after >= before and after - before == amount, "money: token takes a fee"


@internal
def _credit(currency: address, account: address, amount: uint256, id: bytes32):
    """
    @dev Adds to an account's credit, if the amount is not 0. `owed` stays the same: money held for a
         sale becomes money held for an account.
    @param currency The currency of the sale.
    @param account Who may withdraw it from now on.
    @param amount How much.
    @param id The sale or course that pays it.
    """
    if amount > 0:
        self.credit[currency][account] += amount
        log Credited(currency=currency, account=account, id=id, amount=amount)


@internal
def _use_credit(currency: address, amount: uint256, id: bytes32):
    """
    @dev Takes a part of the caller's credit, if the amount is not 0. `owed` stays the same: money held
         for an account becomes money held for a sale.
    @param currency The currency of the sale.
    @param amount How much, at most the caller's credit.
    @param id The sale that it pays for.
    """
    if amount > 0:
        credit: uint256 = self.credit[currency][msg.sender]
        assert amount <= credit, "money: more than the credit"
        self.credit[currency][msg.sender] = credit - amount
        log CreditUsed(currency=currency, account=msg.sender, id=id, amount=amount)
