# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
# pragma nonreentrancy on
"""
@title Escrow
@custom:contract-name Escrow
@notice Sales in which both sides lock a deposit until the buyer has what the seller promised. Every
        state can be left by one honest party alone, or by anyone once its deadline has passed.
@dev One contract holds all sales of a market. Money only becomes a credit here; each account draws
     its own with `withdraw`. Nobody has power over the funds of others, the deployer included.
     A move before a deadline needs `block.timestamp < deadline`, one after it `>= deadline`.
     Always: balance of a currency >= `owed` of it = money in open sales + credits not yet drawn.
     Source: Docs/contracts.md, sections 3 to 9.
"""
import law
import market

initializes: market
initializes: law[market := market]

exports: (
    market.ITEM,
    market.MAKER_BPS,
    market.PLATFORM,
    market.PLATFORM_BPS,
    market.credit,
    market.currencies,
    market.is_currency,
    market.owed,
    market.withdraw,
)

BPS: constant(uint256) = 10_000
FORFEIT_BPS: constant(uint256) = 7_500
DEFAULT_SHARE: constant(uint256) = 5_000
BUYER_KEEPS_FROM: constant(uint256) = 5_000
# Holds what a default takes from both; nobody has its key, so nobody can draw it.
NOBODY: constant(address) = 0x000000000000000000000000000000000000dEaD

sales: HashMap[bytes32, law.Sale]


@deploy
def __init__(
    item: address, platform: address, platform_bps: uint256, tokens: DynArray[address, market.CURRENCIES_MAX]
):
    """
    @notice Makes the market's escrow; nothing given here can ever be changed.
    @param item The market's tokens, already deployed.
    @param platform Who receives the platform's part.
    @param platform_bps The platform's part in basis points of the seller's part, at most 500.
    @param tokens The ERC-20 tokens taken beside the chain's own money; none that rebases.
    """
    market.__init__(item, platform, platform_bps, tokens)


@external
@payable
def list(terms: law.Terms, token: uint256, content_hash: bytes32, promise: bytes32, salt: bytes32) -> bytes32:
    """
    @notice Offers a token for sale and locks the seller's deposit.
    @param terms The offer; every bound is in Docs/contracts.md, section 3.
    @param token The caller's token, which this contract must be approved for; 0 mints one.
    @param content_hash The hash of what the token stands for; of a token that exists, its own.
    @param promise The hash of the listing this sale fulfils; not zero.
    @param salt Tells apart sales of the same terms.
    @return bytes32 The sale's id, as `sale_id` gives it beforehand.
    """
    id: bytes32 = self._sale_id(msg.sender, salt, token, content_hash, promise, terms)
    assert self.sales[id].status == empty(law.Status), "escrow: sale is listed already"
    law._check_terms(terms, msg.sender)
    assert promise != empty(bytes32), "escrow: promise is zero"
    item: uint256 = token
    if token == 0:
        item = extcall market.IItem(market.ITEM).mint(msg.sender, content_hash)
    else:
        own_hash: bytes32 = staticcall market.IItem(market.ITEM).content_hash(token)
        assert content_hash == own_hash, "escrow: content hash is not the item's"
        extcall market.IItem(market.ITEM).transferFrom(msg.sender, self, token)
    self.sales[id] = law.Sale(
        status=law.Status.LISTED,
        seller=msg.sender,
        buyer=empty(address),
        token=item,
        promise=promise,
        since=block.timestamp,
        terms=terms,
        proposal=empty(law.Proposal),
    )
    log law.Listed(
        id=id,
        seller=msg.sender,
        token=item,
        promise=promise,
        content_hash=content_hash,
        salt=salt,
        minted=token == 0,
        terms=terms,
        at=block.timestamp,
    )
    market._collect(terms.currency, terms.seller_deposit)
    return id


@external
def abort(id: bytes32):
    """
    @notice Takes a listing back before anyone has bought; the seller, at any time.
    @param id The sale.
    """
    sale: law.Sale = self.sales[id]
    assert sale.status == law.Status.LISTED, "escrow: sale is not listed"
    assert msg.sender == sale.seller, "escrow: only the seller"
    payout: law.Payout = empty(law.Payout)
    payout.seller = sale.terms.seller_deposit
    self._end(id, sale, law.Status.ABORTED, law.Exit.ABORT, 0, payout)


@external
@payable
def buy(id: bytes32):
    """
    @notice Pays price and buyer's deposit; anyone but seller and arbiter, before `offer_until`.
    @param id The sale.
    """
    sale: law.Sale = self.sales[id]
    assert sale.status == law.Status.LISTED, "escrow: sale is not listed"
    assert msg.sender != sale.seller, "escrow: the seller cannot buy"
    assert msg.sender != sale.terms.arbiter, "escrow: the arbiter cannot buy"
    assert block.timestamp < sale.terms.offer_until, "escrow: the offer has ended"
    self.sales[id].buyer = msg.sender
    self._enter(id, law.Status.PAID)
    log law.Bought(
        id=id,
        seller=sale.seller,
        buyer=msg.sender,
        deadline=block.timestamp + sale.terms.ship_window,
        at=block.timestamp,
    )
    market._collect(sale.terms.currency, sale.terms.price + sale.terms.buyer_deposit)


@external
def transfer_item(id: bytes32):
    """
    @notice Declares the thing handed over and the buyer the token's receiver; the seller, before
            the ship window ends. The token stays here until the sale ends.
    @param id The sale.
    """
    sale: law.Sale = self.sales[id]
    assert sale.status == law.Status.PAID, "escrow: sale is not paid"
    assert msg.sender == sale.seller, "escrow: only the seller"
    assert block.timestamp < sale.since + sale.terms.ship_window, "escrow: the ship window has ended"
    self._enter(id, law.Status.TRANSFERRED)
    log law.ItemTransferred(
        id=id,
        seller=sale.seller,
        buyer=sale.buyer,
        deadline=block.timestamp + sale.terms.confirm_window,
        at=block.timestamp,
    )


@external
def refund(id: bytes32):
    """
    @notice Gives the buyer everything back and the late penalty besides; the seller while the sale
            is open, anyone where it is paid and the ship window has ended.
    @param id The sale.
    """
    sale: law.Sale = self.sales[id]
    self._check_open(sale)
    if msg.sender != sale.seller:
        assert sale.status == law.Status.PAID, "escrow: only the seller"
        assert block.timestamp >= sale.since + sale.terms.ship_window, "escrow: the ship window is open"
    payout: law.Payout = empty(law.Payout)
    payout.seller = sale.terms.seller_deposit - sale.terms.late_penalty
    payout.buyer = sale.terms.buyer_deposit + sale.terms.price + sale.terms.late_penalty
    self._end(id, sale, law.Status.REFUNDED, law.Exit.REFUND, 0, payout)


@external
def confirm(id: bytes32):
    """
    @notice Accepts the thing and pays the seller; the buyer, while the sale is open.
    @param id The sale.
    """
    sale: law.Sale = self.sales[id]
    self._check_open(sale)
    assert msg.sender == sale.buyer, "escrow: only the buyer"
    self._end(id, sale, law.Status.COMPLETE, law.Exit.CONFIRM, BPS, self._divide(sale.terms, BPS))


@external
def dispute(id: bytes32):
    """
    @notice Refuses what was handed over; the buyer, before the confirm window ends.
    @param id The sale.
    """
    sale: law.Sale = self.sales[id]
    assert sale.status == law.Status.TRANSFERRED, "escrow: sale is not transferred"
    assert msg.sender == sale.buyer, "escrow: only the buyer"
    assert block.timestamp < sale.since + sale.terms.confirm_window, "escrow: the confirm window has ended"
    self._enter(id, law.Status.DISPUTED)
    log law.Disputed(
        id=id,
        buyer=sale.buyer,
        arbiter=sale.terms.arbiter,
        deadline=block.timestamp + sale.terms.ruling_window,
        at=block.timestamp,
    )


@external
def claim(id: bytes32):
    """
    @notice Completes a sale whose buyer was silent; anyone, once the confirm window has ended.
    @param id The sale.
    """
    sale: law.Sale = self.sales[id]
    assert sale.status == law.Status.TRANSFERRED, "escrow: sale is not transferred"
    assert block.timestamp >= sale.since + sale.terms.confirm_window, "escrow: the confirm window is open"
    self._end(id, sale, law.Status.COMPLETE, law.Exit.CLAIM, BPS, self._divide(sale.terms, BPS))


@external
def rule(id: bytes32, share: uint256):
    """
    @notice Decides a dispute; the arbiter, before the ruling window ends.
    @param id The sale.
    @param share The seller's share of the price in basis points, at most 10,000.
    """
    sale: law.Sale = self.sales[id]
    assert sale.status == law.Status.DISPUTED, "escrow: sale is not disputed"
    # The zero address stands for no arbiter; a simulated call may come from it.
    assert msg.sender == sale.terms.arbiter and msg.sender != empty(address), "escrow: only the arbiter"
    assert share <= BPS, "escrow: share above 10,000"
    assert block.timestamp < sale.since + sale.terms.ruling_window, "escrow: the ruling window has ended"
    penalty: uint256 = sale.terms.late_penalty * (BPS - share) // BPS
    sellers_fee: uint256 = sale.terms.arbiter_fee * (BPS - share) // BPS
    payout: law.Payout = self._divide(sale.terms, share)
    payout.seller -= penalty + sellers_fee
    payout.buyer = payout.buyer + penalty - (sale.terms.arbiter_fee - sellers_fee)
    payout.arbiter = sale.terms.arbiter_fee
    self._end(id, sale, law.Status.SETTLED, law.Exit.RULE, share, payout)


@external
def execute_default(id: bytes32):
    """
    @notice Ends a dispute nobody settled: the price is halved and both sides forfeit three quarters
            of it from their deposits; anyone, once the ruling window has ended.
    @dev Meant to be worse for both than any settlement, so that neither gains by stalling.
    @param id The sale.
    """
    sale: law.Sale = self.sales[id]
    assert sale.status == law.Status.DISPUTED, "escrow: sale is not disputed"
    assert block.timestamp >= sale.since + sale.terms.ruling_window, "escrow: the ruling window is open"
    forfeit: uint256 = sale.terms.price * FORFEIT_BPS // BPS
    payout: law.Payout = self._divide(sale.terms, DEFAULT_SHARE)
    payout.seller -= forfeit
    payout.buyer -= forfeit
    payout.nobody = 2 * forfeit
    self._end(id, sale, law.Status.SETTLED, law.Exit.EXECUTE_DEFAULT, DEFAULT_SHARE, payout)


@external
def settle(id: bytes32, share: uint256, settle_by: uint256):
    """
    @notice Offers to settle, or agrees: the sale ends when the other party has offered the same
            share and time, and that time has not come. Otherwise this is the offer from now on.
    @param id The sale.
    @param share The seller's share of the price in basis points, at most 10,000.
    @param settle_by The time before which the offer can be agreed to.
    """
    sale: law.Sale = self.sales[id]
    self._check_open(sale)
    assert msg.sender == sale.seller or msg.sender == sale.buyer, "escrow: only seller or buyer"
    assert share <= BPS, "escrow: share above 10,000"
    assert block.timestamp < settle_by, "escrow: the time to settle has passed"
    offer: law.Proposal = sale.proposal
    if offer.by not in [empty(address), msg.sender] and offer.share == share and offer.settle_by == settle_by:
        self._end(id, sale, law.Status.SETTLED, law.Exit.SETTLE, share, self._divide(sale.terms, share))
    else:
        self.sales[id].proposal = law.Proposal(by=msg.sender, share=share, settle_by=settle_by)
        log law.SettlementProposed(id=id, by=msg.sender, share=share, settle_by=settle_by, at=block.timestamp)


@external
@view
@reentrant
def sale(id: bytes32) -> law.Sale:
    """
    @notice A sale as it stands; all zero where there is none.
    @param id The sale.
    @return Sale law.Status, parties, token, promise, times, terms and proposal.
    """
    return self.sales[id]


@external
@view
@reentrant
def sale_id(
    seller: address, salt: bytes32, token: uint256, content_hash: bytes32, promise: bytes32, terms: law.Terms
) -> bytes32:
    """
    @notice The id a sale has or will have. It names all that a buyer agrees to, so that no other
            offer can come to stand under it, not even when the chain is reorganised.
    @param seller Who lists it.
    @param salt As given to `list`.
    @param token As given to `list`: 0 where the token is minted for the sale.
    @param content_hash As given to `list`.
    @param promise As given to `list`.
    @param terms As given to `list`.
    @return bytes32 keccak256 of the ABI encoding of (chain id, this contract, the parameters in order).
    """
    return self._sale_id(seller, salt, token, content_hash, promise, terms)


@internal
@view
def _sale_id(
    seller: address, salt: bytes32, token: uint256, content_hash: bytes32, promise: bytes32, terms: law.Terms
) -> bytes32:
    """@dev See `sale_id`."""
    return keccak256(abi_encode(chain.id, self, seller, salt, token, content_hash, promise, terms))


@internal
@view
def _check_open(sale: law.Sale):
    """
    @dev Refuses a sale that nobody has bought or that has ended.
    """
    assert sale.status in (law.Status.PAID | law.Status.TRANSFERRED | law.Status.DISPUTED), "escrow: sale is not open"


@internal
def _enter(id: bytes32, status: law.Status):
    """
    @dev Makes the transition; what was proposed before it no longer holds.
    """
    self.sales[id].status = status
    self.sales[id].since = block.timestamp
    self.sales[id].proposal = empty(law.Proposal)


@internal
@view
def _divide(terms: law.Terms, share: uint256) -> law.Payout:
    """
    @dev The payout in which the seller gets `share` of the price, before penalties: fees are floored,
         the seller's and buyer's parts are what remains, so the sum is exact.
    """
    p: uint256 = terms.price * share // BPS
    platform: uint256 = 0
    maker: uint256 = 0
    platform, maker = market._fees(p)
    return law.Payout(
        seller=terms.seller_deposit + p - platform - maker,
        buyer=terms.buyer_deposit + terms.price - p,
        platform=platform,
        maker=maker,
        arbiter=0,
        nobody=0,
    )


@internal
def _end(id: bytes32, sale: law.Sale, status: law.Status, exit: law.Exit, share: uint256, payout: law.Payout):
    """
    @dev Credits every part and lets the token go: to the buyer from half of the price on, else back.
    """
    maker: address = staticcall market.IItem(market.ITEM).maker(sale.token)
    receiver: address = sale.seller
    if share >= BUYER_KEEPS_FROM:
        receiver = sale.buyer
    self._enter(id, status)
    log law.Ended(
        id=id,
        seller=sale.seller,
        buyer=sale.buyer,
        status=status,
        exit=exit,
        by=msg.sender,
        share=share,
        token_to=receiver,
        maker=maker,
        payout=payout,
        at=block.timestamp,
    )
    market._credit(sale.terms.currency, sale.seller, payout.seller, id)
    market._credit(sale.terms.currency, sale.buyer, payout.buyer, id)
    market._credit(sale.terms.currency, market.PLATFORM, payout.platform, id)
    market._credit(sale.terms.currency, maker, payout.maker, id)
    market._credit(sale.terms.currency, sale.terms.arbiter, payout.arbiter, id)
    market._credit(sale.terms.currency, NOBODY, payout.nobody, id)
    extcall market.IItem(market.ITEM).transferFrom(self, receiver, sale.token)
