# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
# pragma nonreentrancy on
"""
@title Auction
@custom:contract-name Auction
@notice Open auctions with a rising price. The token stays here from the listing to the end; a bid is
        paid in full when it is made and becomes a credit of its bidder as soon as it is outbid.
@dev One contract holds all auctions of a market. Money only becomes a credit here; each account
     draws its own with `withdraw`. Nobody has power over the funds of others.
     Terms are not stored: the sale's id commits to them, and each move carries the offer.
     Abort and bid need `block.timestamp < ends`, end needs `>= ends`, so never both are open.
     Always: balance of a currency >= `owed` of it = highest bids of open auctions + credits.
     Source: Docs/contracts.md, section 10.
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

# Where an auction stands; 0 is one that does not exist. The last three are final.
flag Status:
    READY    # 1: no bid yet; becomes bid, aborted or unsold
    BID      # 2: has a highest bid; becomes sold
    ABORTED  # 4
    SOLD     # 8
    UNSOLD   # 16

# How a thing is auctioned. Amounts are in the smallest unit of `currency`, times in seconds.
struct Terms:
    currency: address           # the zero address is the chain's native currency
    duration: uint256           # from the listing to the first end: `extension` … 30 days
    starting_bid: uint256       # the least first bid: 10,000 … 2^128 − 1
    min_increment_bps: uint256  # how much higher each later bid must be: 100 … 5,000 basis points
    extension: uint256          # how long the bidding stays open after a late bid: 60 s … 1 day

# What a seller puts up. The sale's id is the hash of it.
struct Offer:
    seller: address
    salt: bytes32
    token: uint256         # as given to `list`: the seller's own, or 0 to mint one
    maker: address         # the token's maker; the seller if it is minted
    content_hash: bytes32  # the hash of what the token stands for
    promise: bytes32       # the hash of the listing that the sale fulfils
    terms: Terms

# What `sale` answers. Nothing but the status changes when an auction ends.
struct Sale:
    status: Status
    bidder: address    # who bid most; the zero address without a bid
    highest: uint256   # the highest bid; 0 without a bid
    token: uint256
    ends: uint256      # the time at which the bidding ends
    last_end: uint256  # the latest time to which late bids can move `ends`

# The two words of storage of a sale.
struct Words:
    who: uint256    # bidder in the lower 160 bits, then 88 bits of token, then the status
    what: uint256   # highest bid in the lower 128 bits, then 64 bits of `ends`, then 64 of `last_end`

# A thing was put up for auction. `minted` tells whether its token was made for it; `ends` is when
# the bidding ends unless a late bid extends it. `at` is always the block's time.
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
    ends: uint256
    at: uint256

# `bidder` has the highest bid and has paid it in. The bidding now ends at `ends`.
event BidPlaced:
    id: indexed(bytes32)
    bidder: indexed(address)
    amount: uint256
    ends: uint256
    at: uint256

# The bid of `amount` is no longer the highest; its bidder has it as a credit.
event Outbid:
    id: indexed(bytes32)
    bidder: indexed(address)
    amount: uint256
    at: uint256

# An auction ended in `status` by a move of `by`. `buyer` is the zero address unless sold. The token
# went to `token_to`, the maker's part to `maker`.
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

BPS: constant(uint256) = 10_000
MINUTE: constant(uint256) = 60
DAY: constant(uint256) = 86_400
INCREMENT_BPS_MIN: constant(uint256) = 100
INCREMENT_BPS_MAX: constant(uint256) = 5_000
DURATION_MAX: constant(uint256) = 30 * DAY
# How far late bids together can move the end.
EXTENSIONS_MAX: constant(uint256) = 30 * DAY
ACCOUNT_BITS: constant(uint256) = 160
ACCOUNT_MAX: constant(uint256) = 2**160 - 1
TOKEN_MAX: constant(uint256) = 2**88 - 1
STATUS_SHIFT: constant(uint256) = 248
AMOUNT_BITS: constant(uint256) = 128
TIME_BITS: constant(uint256) = 64
TIME_MAX: constant(uint256) = 2**64 - 1

words: HashMap[bytes32, Words]


@deploy
def __init__(
    item: address, platform: address, platform_bps: uint256, tokens: DynArray[address, money.CURRENCIES_MAX]
):
    """
    @notice Makes the market's auctions; nothing given here can ever be changed.
    @param item The market's tokens, already deployed.
    @param platform Who receives the platform's part.
    @param platform_bps The platform's part in basis points of the winning bid, at most 500.
    @param tokens The ERC-20 tokens taken beside the chain's native currency; none that rebases.
    """
    money.__init__(tokens)
    market.__init__(item, platform, platform_bps, tokens)


@external
def list(offer: Offer) -> bytes32:
    """
    @notice Puts a token up for auction; the bidding starts at once. The seller pays nothing.
    @param offer The whole offer; the caller is its seller. Every bound is in Docs/contracts.md,
           section 10.
    @return bytes32 The sale's id, as `sale_id` gives it beforehand.
    """
    id: bytes32 = self._sale_id(offer)
    assert self.words[id].who == 0, "auction: sale is listed already"
    market._check_listing(offer.seller, offer.promise, offer.terms.currency, offer.terms.starting_bid)
    self._check_terms(offer.terms)
    token: uint256 = market._take_item(offer.token, offer.maker, offer.content_hash)
    assert token <= TOKEN_MAX, "auction: token out of bounds"
    ends: uint256 = block.timestamp + offer.terms.duration
    self._save_who(id, Status.READY, empty(address), token)
    self._save_what(id, 0, ends, ends + EXTENSIONS_MAX)
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
        ends=ends,
        at=block.timestamp,
    )
    return id


@external
def abort(offer: Offer):
    """
    @notice Takes a listing back; the seller, as long as there is no bid and the bidding is open.
    @param offer The sale's offer.
    """
    id: bytes32 = self._sale_id(offer)
    sale: Sale = self._open(id)
    assert msg.sender == offer.seller, "auction: only the seller"
    assert sale.status == Status.READY, "auction: there is a bid"
    assert block.timestamp < sale.ends, "auction: the bidding has ended"
    self._end(id, offer, sale, Status.ABORTED)


@external
@payable
def bid(offer: Offer, amount: uint256, from_credit: uint256):
    """
    @notice Bids `amount` and pays it in; anyone but the seller, before the bidding ends. The bid that
            was highest becomes a credit of its bidder, who may use it at once. A late bid extends the
            bidding.
    @param offer The sale's offer.
    @param amount The bid: the starting bid or more, later the highest bid and its increment or more.
    @param from_credit How much of it the caller's credit in this currency pays. In native currency
           exactly the rest is sent along.
    """
    id: bytes32 = self._sale_id(offer)
    sale: Sale = self._open(id)
    assert msg.sender != offer.seller, "auction: the seller cannot bid"
    assert block.timestamp < sale.ends, "auction: the bidding has ended"
    minimum: uint256 = offer.terms.starting_bid
    if sale.status == Status.BID:
        minimum = sale.highest + max(1, sale.highest * offer.terms.min_increment_bps // BPS)
    assert amount >= minimum, "auction: bid too low"
    assert amount <= money.AMOUNT_MAX, "auction: bid too high"
    assert from_credit <= amount, "auction: more credit than the bid"
    ends: uint256 = sale.ends
    if block.timestamp + offer.terms.extension >= ends:
        ends = min(block.timestamp + offer.terms.extension, sale.last_end)
    self._save_who(id, Status.BID, msg.sender, sale.token)
    self._save_what(id, amount, ends, sale.last_end)
    if sale.status == Status.BID:
        log Outbid(id=id, bidder=sale.bidder, amount=sale.highest, at=block.timestamp)
        money._credit(offer.terms.currency, sale.bidder, sale.highest, id)
    log BidPlaced(id=id, bidder=msg.sender, amount=amount, ends=ends, at=block.timestamp)
    money._use_credit(offer.terms.currency, from_credit, id)
    rest: uint256 = amount - from_credit
    # A token may refuse to move nothing; value that was sent must still be refused.
    if rest > 0 or msg.value > 0:
        money._collect(offer.terms.currency, rest)


@external
def end(offer: Offer):
    """
    @notice Ends an auction whose bidding has ended: the token goes to the highest bidder and the bid
            is divided, or the token goes back if nobody bid; anyone.
    @param offer The sale's offer.
    """
    id: bytes32 = self._sale_id(offer)
    sale: Sale = self._open(id)
    assert block.timestamp >= sale.ends, "auction: the bidding is open"
    if sale.status == Status.BID:
        self._end(id, offer, sale, Status.SOLD)
    else:
        self._end(id, offer, sale, Status.UNSOLD)


@external
@view
@reentrant
def sale(id: bytes32) -> Sale:
    """
    @notice An auction as it stands; all zero if there is none.
    @param id The sale.
    @return Sale Status, highest bidder and bid, token, and when the bidding ends.
    """
    return self._sale(id)


@external
@view
@reentrant
def sale_id(offer: Offer) -> bytes32:
    """
    @notice The id that a sale has or will have. It commits to all that a bidder agrees to, so that no
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
    words: Words = self.words[id]
    return Sale(
        status=convert(words.who >> STATUS_SHIFT, Status),
        bidder=convert(words.who & ACCOUNT_MAX, address),
        highest=words.what & money.AMOUNT_MAX,
        token=(words.who >> ACCOUNT_BITS) & TOKEN_MAX,
        ends=(words.what >> AMOUNT_BITS) & TIME_MAX,
        last_end=words.what >> (AMOUNT_BITS + TIME_BITS),
    )


@internal
@view
def _open(id: bytes32) -> Sale:
    """
    @dev Reads a sale and refuses one that does not exist or has ended; so also an offer that differs
         from the listed one in anything.
    @param id The id of the offer that the caller gave.
    @return Sale The sale, ready or with a bid.
    """
    sale: Sale = self._sale(id)
    assert sale.status in (Status.READY | Status.BID), "auction: sale is not open"
    return sale


@internal
def _save_who(id: bytes32, status: Status, bidder: address, token: uint256):
    """
    @dev Stores where a sale stands and with whom.
    @param id The sale.
    @param status Its status.
    @param bidder Who bid most; the zero address without a bid.
    @param token Its token, at most TOKEN_MAX.
    """
    who: uint256 = convert(bidder, uint256)
    self.words[id].who = who | (token << ACCOUNT_BITS) | (convert(status, uint256) << STATUS_SHIFT)


@internal
def _save_what(id: bytes32, highest: uint256, ends: uint256, last_end: uint256):
    """
    @dev Stores the highest bid and when the bidding ends. Both times are at most 60 days after the
         block's, far below 2^64.
    @param id The sale.
    @param highest The highest bid, at most 2^128 − 1; 0 without a bid.
    @param ends When the bidding ends.
    @param last_end When it ends at the latest.
    """
    self.words[id].what = highest | (ends << AMOUNT_BITS) | (last_end << (AMOUNT_BITS + TIME_BITS))


@internal
@view
def _check_terms(terms: Terms):
    """
    @dev Refuses terms out of bounds; market.vy has checked currency and starting bid.
    @param terms The terms of an offer.
    """
    increment: uint256 = terms.min_increment_bps
    assert increment >= INCREMENT_BPS_MIN and increment <= INCREMENT_BPS_MAX, "auction: increment out of bounds"
    assert terms.extension >= MINUTE and terms.extension <= DAY, "auction: extension out of bounds"
    assert terms.duration >= terms.extension, "auction: duration out of bounds"
    assert terms.duration <= DURATION_MAX, "auction: duration out of bounds"


@internal
def _end(id: bytes32, offer: Offer, sale: Sale, status: Status):
    """
    @dev Credits the parts of the winning bid, if there is one, and lets the token go.
    @param id The sale.
    @param offer Its offer.
    @param sale The sale as it stood before the move.
    @param status How it ends: aborted, sold or unsold.
    """
    receiver: address = offer.seller
    if status == Status.SOLD:
        receiver = sale.bidder
    payout: market.Proceeds = market._proceeds(sale.highest)
    self._save_who(id, status, sale.bidder, sale.token)
    log Ended(
        id=id,
        seller=offer.seller,
        buyer=sale.bidder,
        status=status,
        by=msg.sender,
        token_to=receiver,
        maker=offer.maker,
        payout=payout,
        at=block.timestamp,
    )
    market._credit_proceeds(offer.terms.currency, offer.seller, offer.maker, payout, id)
    market._release_item(sale.token, receiver)
