# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
# pragma nonreentrancy on
"""
@title DirectSale
@custom:contract-name DirectSale
@notice Sales at a fixed price: whoever pays has the token in the same call. For goods this protects
        nobody, as the token says nothing about the delivery; Escrow.vy does.
@dev One contract holds all direct sales of a market. Money only becomes a credit here; each account
     draws its own with `withdraw`. Nobody has power over the funds of others.
     Terms are not stored: the sale's id commits to them, and each move carries the offer.
     Always: balance of a currency >= `owed` of it = credits not yet drawn.
     Source: Docs/contracts.md, section 11.
"""
import market
import money

initializes: money
initializes: market[money := money]

exports: (
    market.CHAIN_ID,
    market.ITEM,
    market.MAKER_BPS,
    market.PLATFORM,
    market.PLATFORM_BPS,
    money.credit,
    money.currencies,
    money.is_currency,
    money.owed,
    money.withdraw,
)

# Where a sale stands; 0 is one that does not exist. The last two are final.
flag Status:
    READY    # 1: becomes sold or aborted
    SOLD     # 2
    ABORTED  # 4

# What is asked for a thing.
struct Terms:
    currency: address     # the zero address is the chain's native currency
    price: uint256        # in the smallest unit of `currency`: 10,000 … 2^128 − 1
    offer_until: uint256  # the time before which it can be paid, at most 365 days ahead
    buyer: address        # the only account that can pay; the zero address is anyone

# What a seller puts up. The sale's id is the hash of it.
struct Offer:
    seller: address
    salt: bytes32
    token: uint256         # as given to `list`: the seller's own, or 0 to mint one
    maker: address         # the token's maker; the seller if it is minted
    content_hash: bytes32  # the hash of what the token stands for
    promise: bytes32       # the hash of the listing that the sale fulfils
    terms: Terms

# What `sale` answers. It is stored in one word, see `_save`.
struct Sale:
    status: Status
    buyer: address        # the zero address unless sold
    token: uint256
    offer_until: uint256  # stays when the sale has ended

# A thing was put up for sale. `minted` tells whether its token was made for it. `at` is always the
# block's time.
event Listed:
    id: indexed(bytes32)
    seller: indexed(address)
    token: indexed(uint256)
    promise: bytes32
    content_hash: bytes32
    maker: address
    salt: bytes32
    minted: bool
    terms: Terms
    at: uint256

# A sale ended in `status` by a move of `by`. `buyer` is the zero address unless sold. The token went
# to `token_to`, the maker's part to `maker`.
event Ended:
    id: indexed(bytes32)
    seller: indexed(address)
    buyer: indexed(address)
    status: Status
    by: address
    token_to: address
    maker: address
    payout: market.Proceeds
    at: uint256

DAY: constant(uint256) = 86_400
OFFER_MAX: constant(uint256) = 365 * DAY

ACCOUNT_BITS: constant(uint256) = 160
ACCOUNT_MAX: constant(uint256) = 2**160 - 1
TOKEN_BITS: constant(uint256) = 48
TOKEN_MAX: constant(uint256) = 2**48 - 1
TIME_BITS: constant(uint256) = 40
TIME_MAX: constant(uint256) = 2**40 - 1

words: HashMap[bytes32, uint256]


@deploy
def __init__(
    item: address, platform: address, platform_bps: uint256, tokens: DynArray[address, money.CURRENCIES_MAX]
):
    """
    @notice Makes the market's direct sales; nothing given here can ever be changed.
    @param item The market's tokens, already deployed.
    @param platform Who receives the platform's part.
    @param platform_bps The platform's part in basis points of the price, at most 500.
    @param tokens The ERC-20 tokens taken beside the chain's native currency; none that rebases.
    """
    money.__init__(tokens)
    market.__init__(item, platform, platform_bps, tokens)


@external
def list(offer: Offer) -> bytes32:
    """
    @notice Puts a token up for sale. The seller pays nothing.
    @param offer The whole offer; the caller is its seller. Every bound is in Docs/contracts.md,
           section 11.
    @return bytes32 The sale's id, as `sale_id` gives it beforehand.
    """
    id: bytes32 = self._sale_id(offer)
    assert self.words[id] == 0, "direct: sale is listed already"
    market._check_listing(offer.seller, offer.promise, offer.terms.currency, offer.terms.price)
    assert offer.terms.offer_until > block.timestamp, "direct: the offer has ended"
    assert offer.terms.offer_until <= block.timestamp + OFFER_MAX, "direct: offer longer than 365 days"
    token: uint256 = market._take_item(offer.token, offer.maker, offer.content_hash)
    assert token <= TOKEN_MAX, "direct: token out of bounds"
    self._save(id, Status.READY, empty(address), token, offer.terms.offer_until)
    log Listed(
        id=id,
        seller=offer.seller,
        token=token,
        promise=offer.promise,
        content_hash=offer.content_hash,
        maker=offer.maker,
        salt=offer.salt,
        minted=offer.token == 0,
        terms=offer.terms,
        at=block.timestamp,
    )
    return id


@external
@payable
def pay(offer: Offer):
    """
    @notice Pays exactly the price and receives the token; anyone but the seller, or only the buyer whom
            the terms name, before `offer_until`. The price is divided at once.
    @param offer The sale's offer.
    """
    id: bytes32 = self._sale_id(offer)
    sale: Sale = self._ready(id)
    assert msg.sender != offer.seller, "direct: the seller cannot pay"
    named: address = offer.terms.buyer
    assert named == empty(address) or msg.sender == named, "direct: only the named buyer"
    assert block.timestamp < offer.terms.offer_until, "direct: the offer has ended"
    self._end(id, offer, sale.token, Status.SOLD, msg.sender, offer.terms.price)
    money._collect(offer.terms.currency, offer.terms.price)
    market._release_item(sale.token, msg.sender)


@external
def abort(offer: Offer):
    """
    @notice Takes a listing back: the seller at any time, anyone from `offer_until` on.
    @param offer The sale's offer.
    """
    id: bytes32 = self._sale_id(offer)
    sale: Sale = self._ready(id)
    if msg.sender != offer.seller:
        assert block.timestamp >= offer.terms.offer_until, "direct: only the seller"
    self._end(id, offer, sale.token, Status.ABORTED, empty(address), 0)
    market._release_item(sale.token, offer.seller)


@external
@view
@reentrant
def sale(id: bytes32) -> Sale:
    """
    @notice A direct sale as it stands; all zero if there is none.
    @param id The sale.
    @return Sale Status, buyer, token, and until when it can be paid.
    """
    return self._sale(id)


@external
@view
@reentrant
def sale_id(offer: Offer) -> bytes32:
    """
    @notice The id that a sale has or will have. It commits to all that a buyer agrees to, so that no
            other offer can come to stand under it, even if the chain is reorganised.
    @param offer The whole offer.
    @return bytes32 keccak256 of the ABI encoding of (CHAIN_ID, this contract, offer).
    """
    return self._sale_id(offer)


@internal
@view
def _sale_id(offer: Offer) -> bytes32:
    """
    @dev See `sale_id`.
    @param offer The whole offer.
    @return bytes32 The sale's id.
    """
    return keccak256(abi_encode(market.CHAIN_ID, self, offer))


@internal
@view
def _sale(id: bytes32) -> Sale:
    """
    @dev Reads a sale from storage.
    @param id The sale.
    @return Sale The sale, all zero if there is none.
    """
    word: uint256 = self.words[id]
    return Sale(
        status=convert(word >> (ACCOUNT_BITS + TOKEN_BITS + TIME_BITS), Status),
        buyer=convert(word & ACCOUNT_MAX, address),
        token=(word >> ACCOUNT_BITS) & TOKEN_MAX,
        offer_until=(word >> (ACCOUNT_BITS + TOKEN_BITS)) & TIME_MAX,
    )


@internal
def _save(id: bytes32, status: Status, buyer: address, token: uint256, offer_until: uint256):
    """
    @dev Stores a sale: buyer in the lower 160 bits, 48 bits of token, 40 of `offer_until` (at most
         365 days after the block's time, far below 2^40), then the status.
    @param id The sale.
    @param status Its status.
    @param buyer Who paid; the zero address if nobody did.
    @param token Its token, at most TOKEN_MAX.
    @param offer_until The time before which it could be paid.
    """
    word: uint256 = convert(status, uint256)
    word = (word << TIME_BITS) | offer_until
    word = (word << TOKEN_BITS) | token
    self.words[id] = (word << ACCOUNT_BITS) | convert(buyer, uint256)


@internal
@view
def _ready(id: bytes32) -> Sale:
    """
    @dev Reads a sale and refuses one that does not exist or has ended; so also an offer that differs
         from the listed one in anything.
    @param id The id of the offer that the caller gave.
    @return Sale The sale, ready.
    """
    sale: Sale = self._sale(id)
    assert sale.status == Status.READY, "direct: sale is not ready"
    return sale


@internal
def _end(id: bytes32, offer: Offer, token: uint256, status: Status, buyer: address, paid: uint256):
    """
    @dev Marks a sale as ended and credits the parts of what is paid. The caller then moves money and
         token.
    @param id The sale.
    @param offer Its offer.
    @param token Its token.
    @param status How it ends: sold or aborted.
    @param buyer Who pays; the zero address if nobody does.
    @param paid The price, or 0 if nobody pays.
    """
    receiver: address = offer.seller
    if status == Status.SOLD:
        receiver = buyer
    payout: market.Proceeds = market._proceeds(paid)
    self._save(id, status, buyer, token, offer.terms.offer_until)
    log Ended(
        id=id,
        seller=offer.seller,
        buyer=buyer,
        status=status,
        by=msg.sender,
        token_to=receiver,
        maker=offer.maker,
        payout=payout,
        at=block.timestamp,
    )
    market._credit_proceeds(offer.terms.currency, offer.seller, offer.maker, payout, id)
