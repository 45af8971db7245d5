# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title market
@custom:contract-name market
@notice What the sale contracts of a market share: its tokens, fees, currencies and credits.
@dev A module, not a contract of its own. It takes money in exact amounts, keeps account of what is
     owed, and gives it out only to the account that asks for its own credit.
     Always: balance of a currency >= `owed` of it = money in open sales + credits not yet drawn.
     Source: Docs/contracts.md, sections 5 and 6.
"""
from ethereum.ercs import IERC20


# The market's tokens, see Item.vy.
interface IItem:
    def mint(maker: address, content_hash: bytes32) -> uint256: nonpayable
    def transferFrom(owner: address, to: address, token_id: uint256): nonpayable
    def content_hash(token: uint256) -> bytes32: view
    def maker(token: uint256) -> address: view
    def MAKER_BPS() -> uint256: view


# A sale's end gave `account` a credit; one event for each part of the payout that is not zero.
event Credited:
    currency: indexed(address)
    account: indexed(address)
    id: indexed(bytes32)
    amount: uint256


# An account drew all its credit.
event Withdrawn:
    currency: indexed(address)
    account: indexed(address)
    to: indexed(address)
    amount: uint256


CURRENCIES_MAX: constant(uint256) = 8
BPS: constant(uint256) = 10_000
PLATFORM_BPS_MAX: constant(uint256) = 500

# The market's tokens.
ITEM: public(immutable(address))
# Who receives the platform's part of every sale.
PLATFORM: public(immutable(address))
# The platform's part in basis points of the seller's part.
PLATFORM_BPS: public(immutable(uint256))
# The maker's royalty in basis points of the seller's part, as the Item has it.
MAKER_BPS: public(immutable(uint256))

# Whether a currency is taken; the zero address, the chain's own money, always is.
is_currency: public(HashMap[address, bool])
# Currency → what the contract owes to sales and accounts together.
owed: public(HashMap[address, uint256])
# Currency → account → what it can draw.
credit: public(HashMap[address, HashMap[address, uint256]])
tokens: DynArray[address, CURRENCIES_MAX]


@deploy
def __init__(item: address, platform: address, platform_bps: uint256, tokens: DynArray[address, CURRENCIES_MAX]):
    """
    @notice Fixes for ever what the market's sales rest on.
    @param item The market's tokens, already deployed.
    @param platform Who receives the platform's part.
    @param platform_bps The platform's part in basis points of the seller's part, at most 500.
    @param tokens The ERC-20 tokens taken beside the chain's own money; none that rebases.
    """
    assert item.is_contract, "market: item is not a contract"
    assert platform != empty(address), "market: platform is the zero address"
    assert platform_bps <= PLATFORM_BPS_MAX, "market: platform fee above 5 %"
    ITEM = item
    PLATFORM = platform
    PLATFORM_BPS = platform_bps
    MAKER_BPS = staticcall IItem(item).MAKER_BPS()
    self.is_currency[empty(address)] = True
    for token: address in tokens:
        assert token.is_contract and token != item, "market: currency is not a token contract"
        assert not self.is_currency[token], "market: currency named twice"
        self.is_currency[token] = True
    self.tokens = tokens


@external
@nonreentrant
def withdraw(currency: address, to: address):
    """
    @notice Draws all of the caller's credit.
    @param currency The currency to draw; the zero address is the chain's own money.
    @param to Who receives it.
    """
    amount: uint256 = self.credit[currency][msg.sender]
    assert amount > 0, "market: nothing to withdraw"
    assert to != empty(address) and to != self, "market: nobody can receive there"
    self.credit[currency][msg.sender] = 0
    self.owed[currency] -= amount
    log Withdrawn(currency=currency, account=msg.sender, to=to, amount=amount)
    if currency == empty(address):
        success: bool = raw_call(to, b"", value=amount, revert_on_failure=False)
        assert success, "market: the receiver refused the money"
    else:
        before: uint256 = staticcall IERC20(currency).balanceOf(self)
        success: bool = extcall IERC20(currency).transfer(to, amount, default_return_value=True)
        assert success, "market: the token refused"
        after: uint256 = staticcall IERC20(currency).balanceOf(self)
        assert after + amount >= before, "market: token takes a fee"


@external
@view
def currencies() -> DynArray[address, CURRENCIES_MAX]:
    """
    @notice The tokens taken beside the chain's own money.
    @return DynArray The tokens' addresses, as deployed.
    """
    return self.tokens


@internal
@payable
def _collect(currency: address, amount: uint256):
    """
    @dev Takes exactly `amount` from the caller. Callers hold the lock and call this last.
    """
    self.owed[currency] += amount
    if currency == empty(address):
        assert msg.value == amount, "market: wrong amount"
    else:
        assert msg.value == 0, "market: value sent to a sale in a token"
        before: uint256 = staticcall IERC20(currency).balanceOf(self)
        success: bool = extcall IERC20(currency).transferFrom(msg.sender, self, amount, default_return_value=True)
        assert success, "market: the token refused"
        after: uint256 = staticcall IERC20(currency).balanceOf(self)
        assert after >= before and after - before == amount, "market: token takes a fee"


@internal
def _credit(currency: address, account: address, amount: uint256, id: bytes32):
    """
    @dev Adds to an account's credit; `owed` stays, as the money only changes hands in here.
    """
    if amount > 0:
        self.credit[currency][account] += amount
        log Credited(currency=currency, account=account, id=id, amount=amount)


@internal
@view
def _fees(part: uint256) -> (uint256, uint256):
    """
    @dev The platform's and the maker's part, both floored, of what the seller gets of the price.
    """
    return (part * PLATFORM_BPS // BPS, part * MAKER_BPS // BPS)
