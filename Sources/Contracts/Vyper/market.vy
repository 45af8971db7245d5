# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title market
@custom:contract-name market
@notice What all sale contracts of a market share: its Item, its fees, and holding a token.
@dev A module over money.vy, not a contract of its own. Escrow, Auction and DirectSale use it.
     Source: Docs/contracts.md, section 4.
"""
import money

uses: money


# The market's tokens, see Item.vy.
interface IItem:
    def mint(maker: address, content_hash: bytes32) -> uint256: nonpayable
    def transferFrom(owner: address, to: address, token_id: uint256): nonpayable
    def content_hash(token: uint256) -> bytes32: view
    def maker(token: uint256) -> address: view
    def MAKER_BPS() -> uint256: view


# How a sale without deposits divides what the buyer paid; the sum is exactly that.
struct Proceeds:
    seller: uint256
    platform: uint256
    maker: uint256


# The contract was deployed, with what it can never change.
event Deployed:
    item: indexed(address)
    platform: indexed(address)
    platform_bps: uint256
    maker_bps: uint256
    currencies: DynArray[address, money.CURRENCIES_MAX]


BPS: constant(uint256) = 10_000
PLATFORM_BPS_MAX: constant(uint256) = 500
MAKER_BPS_MAX: constant(uint256) = 1_000

# The market's tokens. Item asks for this view to recognise a sale contract, also during a move, so
# it must never be locked.
ITEM: public(immutable(address))
# The chain's id when the contract was deployed. Ids of sales are made of it, not of the present one, so
# a chain that changes its id does not lock open sales.
CHAIN_ID: public(immutable(uint256))
# Who receives the platform's part of every sale.
PLATFORM: public(immutable(address))
# The platform's part in basis points of the seller's part of the price.
PLATFORM_BPS: public(immutable(uint256))
# The maker's royalty in basis points of the seller's part of the price, as Item has it.
MAKER_BPS: public(immutable(uint256))


@deploy
def __init__(
    item: address, platform: address, platform_bps: uint256, tokens: DynArray[address, money.CURRENCIES_MAX]
):
    """
    @notice Fixes for ever what the market's sales rest on. The contract initializes money first.
    @param item The market's tokens, already deployed.
    @param platform Who receives the platform's part.
    @param platform_bps The platform's part in basis points of the seller's part, at most 500.
    @param tokens The currencies that money was given.
    """
    assert item.is_contract, "market: item is not a contract"
    assert not money._is_currency(item), "market: the item is no currency"
    assert platform != empty(address), "market: platform is the zero address"
    assert platform_bps <= PLATFORM_BPS_MAX, "market: platform fee above 5 %"
    maker_bps: uint256 = staticcall IItem(item).MAKER_BPS()
    assert maker_bps <= MAKER_BPS_MAX, "market: royalty above 10 %"
    ITEM = item
    CHAIN_ID = chain.id
    PLATFORM = platform
    PLATFORM_BPS = platform_bps
    MAKER_BPS = maker_bps
    log Deployed(
        item=item, platform=platform, platform_bps=platform_bps, maker_bps=maker_bps, currencies=tokens
    )


@internal
@view
def _check_listing(seller: address, promise: bytes32, currency: address, price: uint256):
    """
    @dev Refuses what no kind of sale accepts. Once it has passed, no product of the price with a
         factor of a term or with basis points can overflow.
    @param seller The seller named by the offer, who must be the caller.
    @param promise The hash of the listing that the sale fulfils; not zero.
    @param currency The currency of the offer.
    @param price The price, or the lowest bid.
    """
    assert msg.sender == seller, "market: only the seller"
    assert promise != empty(bytes32), "market: promise is zero"
    money._check_currency(currency)
    assert price >= money.PRICE_MIN and price <= money.AMOUNT_MAX, "market: price out of bounds"


@internal
def _take_item(token: uint256, maker: address, content_hash: bytes32) -> uint256:
    """
    @dev Takes the token of a listing in: mints it for the caller as maker, or pulls the caller's own.
         An offer names its token by number, maker and content; all three must be the token's own.
    @param token The caller's token, which this contract is approved for; 0 mints one.
    @param maker The token's maker; the caller if it is minted.
    @param content_hash The hash of what the token stands for; of a token that exists, its own.
    @return uint256 The token that the contract now holds.
    """
    if token == 0:
        assert maker == msg.sender, "market: maker is not the seller"
        return extcall IItem(ITEM).mint(msg.sender, content_hash)
    own_hash: bytes32 = staticcall IItem(ITEM).content_hash(token)
    assert content_hash == own_hash, "market: content hash is not the item's"
    own_maker: address = staticcall IItem(ITEM).maker(token)
    assert maker == own_maker, "market: maker is not the item's"
    extcall IItem(ITEM).transferFrom(msg.sender, self, token)
    return token


@internal
def _release_item(token: uint256, to: address):
    """
    @dev Lets a token go. Item asks this contract for `ITEM()` and then never asks the receiver, so
         no receiver can make it fail. A move calls this last.
    @param token A token that the contract holds.
    @param to Who receives it: a party of the sale.
    """
    extcall IItem(ITEM).transferFrom(self, to, token)


@internal
@view
def _fees(part: uint256) -> (uint256, uint256):
    """
    @dev The fees on the seller's part of a price, both rounded down.
    @param part What the seller gets of the price, before fees.
    @return uint256 The platform's part.
    @return uint256 The maker's part.
    """
    return (part * PLATFORM_BPS // BPS, part * MAKER_BPS // BPS)


@internal
@view
def _proceeds(paid: uint256) -> Proceeds:
    """
    @dev How a sale without deposits divides its price. The seller's part is what remains, so that
         the sum is exact.
    @param paid The price or the highest bid; 0 gives nothing to anyone.
    @return Proceeds The parts of seller, platform and maker.
    """
    platform: uint256 = 0
    maker: uint256 = 0
    platform, maker = self._fees(paid)
    return Proceeds(seller=paid - platform - maker, platform=platform, maker=maker)


@internal
def _credit_proceeds(currency: address, seller: address, maker: address, proceeds: Proceeds, id: bytes32):
    """
    @dev Credits the parts of a sale without deposits, in the order of the event.
    @param currency The currency of the sale.
    @param seller The seller.
    @param maker The token's maker.
    @param proceeds The parts, as `_proceeds` gives them.
    @param id The sale.
    """
    money._credit(currency, seller, proceeds.seller, id)
    money._credit(currency, PLATFORM, proceeds.platform, id)
    money._credit(currency, maker, proceeds.maker, id)
