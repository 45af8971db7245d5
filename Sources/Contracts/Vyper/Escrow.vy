# pragma version 0.4.3
# pragma optimize codesize
# pragma evm-version london
# pragma nonreentrancy on
"""
@title Escrow
@custom:contract-name Escrow
@notice Sales in which both sides lock a deposit until the buyer has what the seller promised. Every
        state can be left by one honest party alone, or by anyone once its deadline has passed.
@dev One contract holds any number of sales. A sale's id commits to its offer, and each move carries
     the offer. A move only credits money; accounts withdraw it. Nobody has power over the funds of
     others, the deployer included.
     A move before a deadline needs `block.timestamp < deadline`, one after it `>= deadline`.
     Source: Docs/contracts.md, sections 5 to 9.
"""
import escrow_arbiters as arbiters
import escrow_guards as guards
import escrow_state as state
import escrow_terms
import market
import money

initializes: money
initializes: market[money := money]
initializes: escrow_terms[market := market]
initializes: state[money := money, market := market]
initializes: guards[state := state]
initializes: arbiters[money := money]

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


@deploy
def __init__(
    item: address, platform: address, platform_bps: uint256, tokens: DynArray[address, money.CURRENCIES_MAX]
):
    """
    @notice Makes an escrow of a market; nothing given here can ever be changed.
    @param item The market's tokens, already deployed.
    @param platform Who receives the platform's part.
    @param platform_bps The platform's part in basis points of the seller's part, at most 500.
    @param tokens The ERC-20 tokens accepted beside the chain's own money; none that rebases.
    """
    money.__init__(tokens)
    market.__init__(item, platform, platform_bps, tokens)


@external
@payable
def list(offer: escrow_terms.Offer) -> bytes32:
    """
    @notice Offers a token for sale and locks the seller's deposit.
    @param offer The offer; its seller is the caller. Section 5 has the bounds of its terms.
    @return bytes32 The sale's id, as `sale_id` gives it beforehand.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    assert state._load(id).status == empty(state.Status), "escrow: sale is listed already"
    market._check_listing(offer.seller, offer.promise, offer.terms.currency, offer.terms.price)
    escrow_terms._check_terms(offer.terms, offer.seller)
    arbiters._check_arbiter(offer.terms)
    token: uint256 = market._take_item(offer.token, offer.maker, offer.content_hash)
    state._enter(id, token, state.Status.LISTED, offer.terms.offer_until, False)
    log state.Listed(
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
    money._collect(offer.terms.currency, offer.terms.seller_deposit)
    return id


@external
def abort(offer: escrow_terms.Offer):
    """
    @notice Ends a listing that nobody bought; the seller at any time, anyone from `offer_until` on.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = state._load(id)
    assert sale.status == state.Status.LISTED, "escrow: sale is not listed"
    assert msg.sender == offer.seller or block.timestamp >= sale.deadline, "escrow: only the seller"
    payout: escrow_terms.Payout = empty(escrow_terms.Payout)
    payout.seller = offer.terms.seller_deposit
    state._end(id, offer, sale.token, state.Status.ABORTED, state.Exit.ABORT, 0, payout)


@external
@payable
def buy(offer: escrow_terms.Offer):
    """
    @notice Pays price and buyer's deposit; anyone but seller and arbiter, or only the buyer whom the
            terms name, before `offer_until`.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = state._load(id)
    assert sale.status == state.Status.LISTED, "escrow: sale is not listed"
    assert msg.sender != offer.seller, "escrow: the seller cannot buy"
    assert msg.sender != offer.terms.arbiter, "escrow: the arbiter cannot buy"
    named: address = offer.terms.buyer
    assert named == empty(address) or msg.sender == named, "escrow: only the named buyer"
    assert block.timestamp < sale.deadline, "escrow: the offer has ended"
    deadline: uint256 = block.timestamp + offer.terms.ship_window
    state.buyers[id] = msg.sender
    state._enter(id, sale.token, state.Status.PAID, deadline, False)
    log state.Bought(id=id, seller=offer.seller, buyer=msg.sender, deadline=deadline, at=block.timestamp)
    money._collect(offer.terms.currency, offer.terms.price + offer.terms.buyer_deposit)


@external
def decline(offer: escrow_terms.Offer):
    """
    @notice Gives both sides everything back; the seller of a paid sale, before the ship window ends.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._paid_in_time(id, offer.seller)
    payout: escrow_terms.Payout = escrow_terms._divided(offer.terms, 0)
    state._end(id, offer, sale.token, state.Status.DECLINED, state.Exit.DECLINE, 0, payout)


@external
def relist(offer: escrow_terms.Offer):
    """
    @notice Gives the buyer everything back and puts the sale back to listed, with token and seller's
            deposit; the seller of a paid sale, before the ship window ends.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._paid_in_time(id, offer.seller)
    state._relist(id, offer, sale.token)


@external
def transfer_item(offer: escrow_terms.Offer):
    """
    @notice Declares the thing handed over and the buyer the token's receiver; the seller, as long as
            nobody refunded the sale. The token stays here until the sale ends.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._paid(id, offer.seller)
    deadline: uint256 = block.timestamp + offer.terms.confirm_window
    state._enter(id, sale.token, state.Status.TRANSFERRED, deadline, False)
    log state.ItemTransferred(
        id=id, seller=offer.seller, buyer=state.buyers[id], deadline=deadline, at=block.timestamp
    )


@external
def refund(offer: escrow_terms.Offer):
    """
    @notice Gives the buyer everything back with the late penalty; anyone if the sale is paid and the
            ship window has ended, the seller if it is transferred or disputed.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._open(id)
    if sale.status == state.Status.PAID:
        assert block.timestamp >= sale.deadline, "escrow: the ship window is open"
    else:
        assert msg.sender == offer.seller, "escrow: only the seller"
    fee: uint256 = guards._fee(offer.terms.arbiter_fee, sale.taken)
    payout: escrow_terms.Payout = escrow_terms._with_fee(escrow_terms._refunded(offer.terms), fee, fee)
    state._end(id, offer, sale.token, state.Status.REFUNDED, state.Exit.REFUND, 0, payout)


@external
def confirm(offer: escrow_terms.Offer):
    """
    @notice Accepts the thing and pays the seller; the buyer, while the sale is open.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._open(id)
    assert msg.sender == state.buyers[id], "escrow: only the buyer"
    payout: escrow_terms.Payout = escrow_terms._divided(offer.terms, escrow_terms.BPS)
    payout = escrow_terms._with_fee(payout, guards._fee(offer.terms.arbiter_fee, sale.taken), 0)
    state._end(id, offer, sale.token, state.Status.COMPLETE, state.Exit.CONFIRM, escrow_terms.BPS, payout)


@external
def dispute(offer: escrow_terms.Offer):
    """
    @notice Refuses what was handed over; the buyer, before the confirm window ends.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = state._load(id)
    assert sale.status == state.Status.TRANSFERRED, "escrow: sale is not transferred"
    assert msg.sender == state.buyers[id], "escrow: only the buyer"
    assert block.timestamp < sale.deadline, "escrow: the confirm window has ended"
    deadline: uint256 = block.timestamp + offer.terms.ruling_window
    state._enter(id, sale.token, state.Status.DISPUTED, deadline, False)
    log state.Disputed(
        id=id, buyer=msg.sender, arbiter=offer.terms.arbiter, deadline=deadline, at=block.timestamp
    )


@external
def claim(offer: escrow_terms.Offer):
    """
    @notice Completes a sale whose buyer was silent; anyone, once the confirm window has ended.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = state._load(id)
    assert sale.status == state.Status.TRANSFERRED, "escrow: sale is not transferred"
    assert block.timestamp >= sale.deadline, "escrow: the confirm window is open"
    payout: escrow_terms.Payout = escrow_terms._divided(offer.terms, escrow_terms.BPS)
    state._end(id, offer, sale.token, state.Status.COMPLETE, state.Exit.CLAIM, escrow_terms.BPS, payout)


@external
def take(offer: escrow_terms.Offer):
    """
    @notice Starts the arbiter's work on a dispute; from now on the fee is due in every exit but the
            default. The arbiter, once, before the ruling window ends.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._disputed_in_time(id, offer.terms.arbiter)
    assert not sale.taken, "escrow: the case is taken already"
    state._enter(id, sale.token, state.Status.DISPUTED, sale.deadline, True)
    log state.Taken(id=id, arbiter=msg.sender, at=block.timestamp)


@external
def rule(offer: escrow_terms.Offer, share: uint256):
    """
    @notice Decides a dispute; the arbiter who took it, before the ruling window ends.
    @param offer The sale's offer.
    @param share The seller's share of the price in basis points, at most 10,000.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._disputed_in_time(id, offer.terms.arbiter)
    assert sale.taken, "escrow: the case is not taken"
    assert share <= escrow_terms.BPS, "escrow: share above 10,000"
    payout: escrow_terms.Payout = escrow_terms._ruled(offer.terms, share)
    state._end(id, offer, sale.token, state.Status.SETTLED, state.Exit.RULE, share, payout)


@external
def execute_default(offer: escrow_terms.Offer):
    """
    @notice Ends a dispute that nobody settled: the price is halved and both sides forfeit three
            quarters of it from their deposits; anyone, once the ruling window has ended.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = state._load(id)
    assert sale.status == state.Status.DISPUTED, "escrow: sale is not disputed"
    assert block.timestamp >= sale.deadline, "escrow: the ruling window is open"
    payout: escrow_terms.Payout = escrow_terms._defaulted(offer.terms)
    state._end(
        id, offer, sale.token, state.Status.SETTLED, state.Exit.EXECUTE_DEFAULT, escrow_terms.DEFAULT_SHARE, payout
    )


@external
def propose(offer: escrow_terms.Offer, share: uint256, until: uint256, fee_due: uint256):
    """
    @notice Proposes to settle, in place of the caller's earlier proposal; a party of an open sale.
    @param offer The sale's offer.
    @param share The seller's share of the price in basis points, at most 10,000.
    @param until The time before which the other party can agree, at most 60 days ahead.
    @param fee_due The arbiter's fee that is due now; refused if it is another.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._open(id)
    guards._fee_as_signed(offer.terms.arbiter_fee, sale.taken, fee_due)
    state._propose(id, sale, guards._is_seller(id, offer.seller), share, until)


@external
def withdraw_proposal(offer: escrow_terms.Offer):
    """
    @notice Withdraws the caller's proposal; a party of an open sale.
    @param offer The sale's offer.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._open(id)
    state._withdraw_proposal(id, sale, guards._is_seller(id, offer.seller))


@external
def agree(offer: escrow_terms.Offer, share: uint256, fee_due: uint256):
    """
    @notice Settles a sale as the other party proposes; a party of an open sale, in time.
    @param offer The sale's offer.
    @param share The share of the standing proposal, so that nobody agrees to another one.
    @param fee_due The arbiter's fee that is due now; refused if it is another.
    """
    id: bytes32 = escrow_terms._sale_id(offer)
    sale: state.Stored = guards._open(id)
    proposal: state.Proposal = state._proposal(id, sale, not guards._is_seller(id, offer.seller))
    assert proposal.until != 0 and proposal.share == share, "escrow: no such proposal"
    assert block.timestamp < proposal.until, "escrow: the proposal has ended"
    fee: uint256 = guards._fee_as_signed(offer.terms.arbiter_fee, sale.taken, fee_due)
    payout: escrow_terms.Payout = escrow_terms._with_fee(escrow_terms._divided(offer.terms, share), fee, fee // 2)
    state._end(id, offer, sale.token, state.Status.SETTLED, state.Exit.SETTLE, share, payout)


@external
def arbitrate(currency: address, min_fee: uint256, until: uint256):
    """
    @notice Accepts to be named as arbiter in new offers; sales that are listed keep their terms.
    @param currency The currency of those offers.
    @param min_fee The lowest fee, in the smallest unit.
    @param until The latest time until which a ruling can be due; one that has passed ends the
           registration.
    """
    arbiters._register_arbiter(currency, min_fee, until)


@external
@view
@reentrant
def arbiter_terms(arbiter: address, currency: address) -> (uint256, uint256):
    """
    @notice From what fee and until when an arbiter accepts to be named in new offers.
    @param arbiter The arbiter.
    @param currency The currency of the offers.
    @return uint256 The lowest fee.
    @return uint256 The latest time until which a ruling can be due; 0 if never registered.
    """
    accepts: arbiters.ArbiterTerms = arbiters.arbiters[arbiter][currency]
    return (accepts.min_fee, accepts.until)


@external
@view
@reentrant
def sale(id: bytes32) -> state.Sale:
    """
    @notice A sale as it stands; all zero if there is none.
    @param id The sale.
    @return Sale Status, buyer, token, deadline, whether the case is taken, and both proposals.
    """
    return state._shown(id)


@external
@view
@reentrant
def sale_id(offer: escrow_terms.Offer) -> bytes32:
    """
    @notice The id that a sale has or will have. It names all that a buyer agrees to, so that no other
            offer can come to stand under it, not even when the chain is reorganised.
    @param offer The offer.
    @return bytes32 keccak256 of the ABI encoding of (CHAIN_ID, this contract, the offer).
    """
    return escrow_terms._sale_id(offer)
