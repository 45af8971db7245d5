# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title escrow_terms
@custom:contract-name escrow_terms
@notice What an escrow sale promises: its offer, the bounds of its terms, and how its money is divided.
@dev A module of Escrow.vy without storage, not a contract of its own.
     Source: Docs/contracts.md, sections 5 and 7.
"""
import market

uses: market


# What the seller offers. Amounts are in the smallest unit of `currency`, windows in seconds.
struct Terms:
    currency: address        # the zero address is the chain's own money
    price: uint256           # v: 10,000 … 2^128 − 1
    seller_deposit: uint256  # S: v / 3, rounded up, … 10 v, sent with the listing
    buyer_deposit: uint256   # B: v / 3, rounded up, … 10 v, sent with v by the buyer
    late_penalty: uint256    # L: 1 … 5 % of v, from the seller to the buyer
    arbiter: address         # may rule a dispute; the zero address is none
    arbiter_fee: uint256     # A: 0 … 5 % of v, 0 without arbiter
    ship_window: uint256     # 2 … 60 days from the payment
    confirm_window: uint256  # 2 … 90 days from the transfer
    ruling_window: uint256   # 3 … 60 days from the dispute
    offer_until: uint256     # the time until which it can be bought, at most 365 days ahead
    buyer: address           # the only account that can buy; the zero address is anyone


# All that a sale's id commits to. Terms are not stored, so every move carries the offer.
struct Offer:
    seller: address
    salt: bytes32          # tells apart offers of the same seller; the listing's slot
    token: uint256         # as given to `list`: 0 mints one
    maker: address         # the token's maker; the seller if it is minted
    content_hash: bytes32  # the hash of what the token stands for
    promise: bytes32       # the hash of the listing that the sale fulfils
    terms: Terms


# How a sale's money was divided; the sum is all that was paid in.
struct Payout:
    seller: uint256
    buyer: uint256
    platform: uint256
    maker: uint256
    arbiter: uint256
    nobody: uint256


BPS: constant(uint256) = 10_000
DAY: constant(uint256) = 86_400
# A default costs each side less than a third of the price from its deposit, whatever the fees.
DEPOSIT_PARTS_MIN: constant(uint256) = 3
DEPOSIT_FACTOR_MAX: constant(uint256) = 10
LATE_PENALTY_BPS_MIN: constant(uint256) = 100
LATE_PENALTY_BPS_MAX: constant(uint256) = 500
ARBITER_FEE_BPS_MAX: constant(uint256) = 500
FORFEIT_BPS: constant(uint256) = 7_500
DEFAULT_SHARE: constant(uint256) = 5_000
OFFER_MAX: constant(uint256) = 365 * DAY


@internal
@view
def _sale_id(offer: Offer) -> bytes32:
    """
    @dev The id that a sale has or will have.
    @param offer The offer.
    @return bytes32 keccak256 of the ABI encoding of (CHAIN_ID, this contract, the offer).
    """
    return keccak256(abi_encode(market.CHAIN_ID, self, offer))


@internal
@view
def _check_terms(terms: Terms, seller: address):
    """
    @dev Refuses terms out of bounds. `market._check_listing` has bounded currency and price.
    @param terms The terms of a new offer.
    @param seller The offer's seller.
    """
    v: uint256 = terms.price
    least: uint256 = (v + DEPOSIT_PARTS_MIN - 1) // DEPOSIT_PARTS_MIN
    most: uint256 = v * DEPOSIT_FACTOR_MAX
    assert terms.seller_deposit >= least and terms.seller_deposit <= most, "escrow: seller's deposit out of bounds"
    assert terms.buyer_deposit >= least and terms.buyer_deposit <= most, "escrow: buyer's deposit out of bounds"
    # The upper bound comes first, so that the product of the lower one cannot overflow.
    assert terms.late_penalty <= v * LATE_PENALTY_BPS_MAX // BPS, "escrow: late penalty above 5 %"
    assert terms.late_penalty * BPS >= v * LATE_PENALTY_BPS_MIN, "escrow: late penalty below 1 %"
    assert terms.arbiter != seller, "escrow: the seller cannot be arbiter"
    assert terms.arbiter_fee <= v * ARBITER_FEE_BPS_MAX // BPS, "escrow: arbiter's fee above 5 %"
    assert terms.arbiter != empty(address) or terms.arbiter_fee == 0, "escrow: fee without an arbiter"
    assert terms.ship_window >= 2 * DAY and terms.ship_window <= 60 * DAY, "escrow: ship window out of bounds"
    assert terms.confirm_window >= 2 * DAY and terms.confirm_window <= 90 * DAY, "escrow: confirm window out of bounds"
    assert terms.ruling_window >= 3 * DAY and terms.ruling_window <= 60 * DAY, "escrow: ruling window out of bounds"
    assert terms.offer_until > block.timestamp, "escrow: the offer has ended"
    assert terms.offer_until <= block.timestamp + OFFER_MAX, "escrow: offer longer than 365 days"


@internal
@view
def _divided(terms: Terms, share: uint256) -> Payout:
    """
    @dev The payout in which the seller gets a share of the price, before penalties and the arbiter's
         fee. Fees are rounded down; seller and buyer get what remains, so the sum is exact.
    @param terms The sale's terms.
    @param share The seller's share of the price in basis points, at most 10,000.
    @return Payout Deposits back, price divided, fees taken from the seller's part.
    """
    part: uint256 = terms.price * share // BPS
    platform: uint256 = 0
    maker: uint256 = 0
    platform, maker = market._fees(part)
    return Payout(
        seller=terms.seller_deposit + part - platform - maker,
        buyer=terms.buyer_deposit + terms.price - part,
        platform=platform,
        maker=maker,
        arbiter=0,
        nobody=0,
    )


@internal
@view
def _refunded(terms: Terms) -> Payout:
    """
    @dev The payout of a refund: everything back to the buyer, with the late penalty.
    @param terms The sale's terms.
    @return Payout The payout before the arbiter's fee.
    """
    payout: Payout = empty(Payout)
    payout.seller = terms.seller_deposit - terms.late_penalty
    payout.buyer = terms.buyer_deposit + terms.price + terms.late_penalty
    return payout


@internal
@view
def _ruled(terms: Terms, share: uint256) -> Payout:
    """
    @dev The payout of a ruling: the less the seller gets of the price, the more of the late penalty
         and of the arbiter's fee does the seller pay.
    @param terms The sale's terms.
    @param share The seller's share of the price in basis points, at most 10,000.
    @return Payout The payout with the arbiter's fee.
    """
    payout: Payout = self._divided(terms, share)
    penalty: uint256 = terms.late_penalty * (BPS - share) // BPS
    payout.seller -= penalty
    payout.buyer += penalty
    return self._with_fee(payout, terms.arbiter_fee, terms.arbiter_fee * (BPS - share) // BPS)


@internal
@view
def _defaulted(terms: Terms) -> Payout:
    """
    @dev The payout of a default: the price is halved, and each party forfeits three quarters of it.
         Worse for both than any settlement, so that neither gains by stalling.
    @param terms The sale's terms.
    @return Payout The payout; an arbiter who has not ruled gets nothing.
    """
    forfeit: uint256 = terms.price * FORFEIT_BPS // BPS
    payout: Payout = self._divided(terms, DEFAULT_SHARE)
    payout.seller -= forfeit
    payout.buyer -= forfeit
    payout.nobody = 2 * forfeit
    return payout


@internal
@pure
def _with_fee(before: Payout, fee: uint256, sellers: uint256) -> Payout:
    """
    @dev Takes the arbiter's fee from the parties.
    @param before A payout without it.
    @param fee The arbiter's fee; 0 if no arbiter took the case.
    @param sellers How much of the fee the seller pays; the buyer pays the rest.
    @return Payout The payout with it.
    """
    payout: Payout = before
    payout.seller -= sellers
    payout.buyer -= fee - sellers
    payout.arbiter = fee
    return payout
