# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title law
@custom:contract-name law
@notice What an escrow sale is: its statuses, its terms with their bounds, and its events.
@dev A module, not a contract of its own; the moves are in Escrow.vy.
     Source: Docs/contracts.md, sections 3, 4 and 7.
"""
import market

uses: market

# Where a sale stands; 0 is a sale that does not exist. The last four are final.
flag Status:
    LISTED       # 1: becomes paid or aborted
    PAID         # 2: becomes transferred, refunded, complete or settled
    TRANSFERRED  # 4: becomes disputed, refunded, complete or settled
    DISPUTED     # 8: becomes refunded, complete or settled
    ABORTED      # 16
    REFUNDED     # 32
    COMPLETE     # 64
    SETTLED      # 128

# The move that ended a sale.
flag Exit:
    ABORT            # 1
    CONFIRM          # 2
    CLAIM            # 4
    REFUND           # 8
    SETTLE           # 16
    RULE             # 32
    EXECUTE_DEFAULT  # 64

# What the seller offers. Amounts are in the smallest unit of `currency`, windows in seconds.
struct Terms:
    currency: address        # the zero address is the chain's own money
    price: uint256           # v: 1 … 2^128 − 1
    seller_deposit: uint256  # S: v … 10 v, sent with the listing
    buyer_deposit: uint256   # B: v … 10 v, sent with v by the buyer
    late_penalty: uint256    # L: 0 … 5 % of v, from the seller to the buyer when not delivered
    arbiter: address         # may rule a dispute; the zero address is none
    arbiter_fee: uint256     # A: 0 … 5 % of v, 0 without arbiter
    ship_window: uint256     # 1 … 60 days from the payment
    confirm_window: uint256  # 1 … 90 days from the transfer
    ruling_window: uint256   # 3 … 60 days from the dispute
    offer_until: uint256     # the time until which it can be bought, at most 365 days ahead

# What one party offers to settle for. It holds in the state it was made in and until `settle_by`.
struct Proposal:
    by: address         # seller or buyer; the zero address where there is none
    share: uint256      # the seller's share of the price in basis points
    settle_by: uint256  # the time before which the other party can agree

struct Sale:
    status: Status
    seller: address
    buyer: address      # the zero address until bought
    token: uint256
    promise: bytes32    # the hash of the listing this sale fulfils
    since: uint256      # the time at which the status was reached
    terms: Terms
    proposal: Proposal

# How a sale's money was divided; the sum is all that was paid in.
struct Payout:
    seller: uint256
    buyer: uint256
    platform: uint256
    maker: uint256
    arbiter: uint256
    nobody: uint256

# A sale was listed. `minted` tells whether the token was made for it. Times (`at`, `deadline`,
# `settle_by`) are seconds since 1970, `at` always the block's own.
event Listed:
    id: indexed(bytes32)
    seller: indexed(address)
    token: indexed(uint256)
    promise: bytes32
    content_hash: bytes32
    salt: bytes32
    minted: bool
    terms: Terms
    at: uint256

# The buyer paid price and deposit. The seller transfers before `deadline`.
event Bought:
    id: indexed(bytes32)
    seller: indexed(address)
    buyer: indexed(address)
    deadline: uint256
    at: uint256

# The seller handed over. The buyer confirms or disputes before `deadline`.
event ItemTransferred:
    id: indexed(bytes32)
    seller: indexed(address)
    buyer: indexed(address)
    deadline: uint256
    at: uint256

# The buyer disputes. The arbiter, where there is one, rules before `deadline`.
event Disputed:
    id: indexed(bytes32)
    buyer: indexed(address)
    arbiter: indexed(address)
    deadline: uint256
    at: uint256

# A party offers to settle; it takes the place of any offer made before.
event SettlementProposed:
    id: indexed(bytes32)
    by: indexed(address)
    share: uint256
    settle_by: uint256
    at: uint256

# A sale ended in `status` by the move `exit` of `by`. `share` is the seller's share of the price in
# basis points. The token went to `token_to`, the maker's part to `maker`.
event Ended:
    id: indexed(bytes32)
    seller: indexed(address)
    buyer: indexed(address)
    status: Status
    exit: Exit
    by: address
    share: uint256
    token_to: address
    maker: address
    payout: Payout
    at: uint256

BPS: constant(uint256) = 10_000
PRICE_MAX: constant(uint256) = 2**128 - 1
DEPOSIT_FACTOR_MAX: constant(uint256) = 10
LATE_PENALTY_BPS_MAX: constant(uint256) = 500
ARBITER_FEE_BPS_MAX: constant(uint256) = 500
DAY: constant(uint256) = 86_400
OFFER_MAX: constant(uint256) = 365 * DAY


@internal
@view
def _check_terms(terms: Terms, seller: address):
    """
    @dev Refuses terms out of bounds. The price is checked first, so no product below can overflow.
    """
    v: uint256 = terms.price
    assert market.is_currency[terms.currency], "escrow: currency is not taken"
    assert v >= 1 and v <= PRICE_MAX, "escrow: price out of bounds"
    most: uint256 = v * DEPOSIT_FACTOR_MAX
    assert terms.seller_deposit >= v and terms.seller_deposit <= most, "escrow: seller's deposit out of bounds"
    assert terms.buyer_deposit >= v and terms.buyer_deposit <= most, "escrow: buyer's deposit out of bounds"
    assert terms.late_penalty <= v * LATE_PENALTY_BPS_MAX // BPS, "escrow: late penalty above 5 %"
    assert terms.arbiter != seller, "escrow: the seller cannot be arbiter"
    assert terms.arbiter_fee <= v * ARBITER_FEE_BPS_MAX // BPS, "escrow: arbiter's fee above 5 %"
    assert terms.arbiter != empty(address) or terms.arbiter_fee == 0, "escrow: fee without an arbiter"
    assert terms.ship_window >= DAY and terms.ship_window <= 60 * DAY, "escrow: ship window out of bounds"
    assert terms.confirm_window >= DAY and terms.confirm_window <= 90 * DAY, "escrow: confirm window out of bounds"
    assert terms.ruling_window >= 3 * DAY and terms.ruling_window <= 60 * DAY, "escrow: ruling window out of bounds"
    assert terms.offer_until > block.timestamp, "escrow: the offer has ended"
    assert terms.offer_until <= block.timestamp + OFFER_MAX, "escrow: offer longer than 365 days"
