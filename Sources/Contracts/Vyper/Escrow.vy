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
from ethereum.ercs import IERC20


# The market's tokens, see Item.vy.
interface IItem:
    def mint(maker: address, content_hash: bytes32) -> uint256: nonpayable
    def transferFrom(owner: address, to: address, token_id: uint256): nonpayable
    def content_hash(token: uint256) -> bytes32: view
    def maker(token: uint256) -> address: view
    def MAKER_BPS() -> uint256: view


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


BPS: constant(uint256) = 10_000
PRICE_MAX: constant(uint256) = 2**128 - 1
DEPOSIT_FACTOR_MAX: constant(uint256) = 10
LATE_PENALTY_BPS_MAX: constant(uint256) = 500
ARBITER_FEE_BPS_MAX: constant(uint256) = 500
PLATFORM_BPS_MAX: constant(uint256) = 500
FORFEIT_BPS: constant(uint256) = 7_500
DEFAULT_SHARE: constant(uint256) = 5_000
BUYER_KEEPS_FROM: constant(uint256) = 5_000
DAY: constant(uint256) = 86_400
OFFER_MAX: constant(uint256) = 365 * DAY
CURRENCIES_MAX: constant(uint256) = 8
# Holds what a default takes from both; nobody has its key, so nobody can draw it.
NOBODY: constant(address) = 0x000000000000000000000000000000000000dEaD

# The market's tokens.
ITEM: public(immutable(address))
# Who receives the platform's part of every sale.
PLATFORM: public(immutable(address))
# The platform's part in basis points of the seller's part.
PLATFORM_BPS: public(immutable(uint256))
# The maker's royalty in basis points of the seller's part, as the Item has it.
MAKER_BPS: public(immutable(uint256))

# Whether a currency is taken; the zero address, the chain's own money, always is.
is_currency: reentrant(public(HashMap[address, bool]))
# Currency → what this contract owes to sales and accounts together.
owed: reentrant(public(HashMap[address, uint256]))
# Currency → account → what it can draw.
credit: reentrant(public(HashMap[address, HashMap[address, uint256]]))
tokens: DynArray[address, CURRENCIES_MAX]
sales: HashMap[bytes32, Sale]


@deploy
def __init__(item: address, platform: address, platform_bps: uint256, tokens: DynArray[address, CURRENCIES_MAX]):
    """
    @notice Makes the market's escrow; nothing given here can ever be changed.
    @param item The market's tokens, already deployed.
    @param platform Who receives the platform's part.
    @param platform_bps The platform's part in basis points of the seller's part, at most 500.
    @param tokens The ERC-20 tokens taken beside the chain's own money; none that rebases.
    """
    assert item.is_contract, "escrow: item is not a contract"
    assert platform != empty(address), "escrow: platform is the zero address"
    assert platform_bps <= PLATFORM_BPS_MAX, "escrow: platform fee above 5 %"
    ITEM = item
    PLATFORM = platform
    PLATFORM_BPS = platform_bps
    MAKER_BPS = staticcall IItem(item).MAKER_BPS()
    self.is_currency[empty(address)] = True
    for token: address in tokens:
        assert token.is_contract and token != item, "escrow: currency is not a token contract"
        assert not self.is_currency[token], "escrow: currency named twice"
        self.is_currency[token] = True
    self.tokens = tokens


@external
@payable
def list(terms: Terms, token: uint256, content_hash: bytes32, promise: bytes32, salt: bytes32) -> bytes32:
    """
    @notice Offers a token for sale and locks the seller's deposit.
    @param terms The offer; every bound is in Docs/contracts.md, section 3.
    @param token The caller's token, which this contract must be approved for; 0 mints one.
    @param content_hash The hash of what the token stands for; of a token that exists, its own.
    @param promise The hash of the listing this sale fulfils; not zero.
    @param salt Tells apart sales of the same terms.
    @return bytes32 The sale's id, as `sale_id` gives it beforehand.
    """
    id: bytes32 = self._sale_id(msg.sender, salt, token, terms)
    assert self.sales[id].status == empty(Status), "escrow: sale is listed already"
    self._check_terms(terms, msg.sender)
    assert promise != empty(bytes32), "escrow: promise is zero"
    item: uint256 = token
    if token != 0:
        own_hash: bytes32 = staticcall IItem(ITEM).content_hash(token)
        assert content_hash == own_hash, "escrow: content hash is not the item's"
    if token == 0:
        item = extcall IItem(ITEM).mint(msg.sender, content_hash)
    else:
        extcall IItem(ITEM).transferFrom(msg.sender, self, token)
    self.sales[id] = Sale(
        status=Status.LISTED,
        seller=msg.sender,
        buyer=empty(address),
        token=item,
        promise=promise,
        since=block.timestamp,
        terms=terms,
        proposal=empty(Proposal),
    )
    log Listed(
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
    self._collect(terms.currency, terms.seller_deposit)
    return id


@external
def abort(id: bytes32):
    """
    @notice Takes a listing back before anyone has bought; the seller, at any time.
    @param id The sale.
    """
    sale: Sale = self.sales[id]
    assert sale.status == Status.LISTED, "escrow: sale is not listed"
    assert msg.sender == sale.seller, "escrow: only the seller"
    payout: Payout = empty(Payout)
    payout.seller = sale.terms.seller_deposit
    self._end(id, sale, Status.ABORTED, Exit.ABORT, 0, payout)


@external
@payable
def buy(id: bytes32):
    """
    @notice Pays price and buyer's deposit; anyone but seller and arbiter, before `offer_until`.
    @param id The sale.
    """
    sale: Sale = self.sales[id]
    assert sale.status == Status.LISTED, "escrow: sale is not listed"
    assert msg.sender != sale.seller, "escrow: the seller cannot buy"
    assert msg.sender != sale.terms.arbiter, "escrow: the arbiter cannot buy"
    assert block.timestamp < sale.terms.offer_until, "escrow: the offer has ended"
    self.sales[id].buyer = msg.sender
    self._enter(id, Status.PAID)
    log Bought(
        id=id,
        seller=sale.seller,
        buyer=msg.sender,
        deadline=block.timestamp + sale.terms.ship_window,
        at=block.timestamp,
    )
    self._collect(sale.terms.currency, sale.terms.price + sale.terms.buyer_deposit)


@external
def transfer_item(id: bytes32):
    """
    @notice Declares the thing handed over and the buyer the token's receiver; the seller, before
            the ship window ends. The token stays here until the sale ends.
    @param id The sale.
    """
    sale: Sale = self.sales[id]
    assert sale.status == Status.PAID, "escrow: sale is not paid"
    assert msg.sender == sale.seller, "escrow: only the seller"
    assert block.timestamp < sale.since + sale.terms.ship_window, "escrow: the ship window has ended"
    self._enter(id, Status.TRANSFERRED)
    log ItemTransferred(
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
    sale: Sale = self.sales[id]
    self._check_open(sale)
    if msg.sender != sale.seller:
        assert sale.status == Status.PAID, "escrow: only the seller"
        assert block.timestamp >= sale.since + sale.terms.ship_window, "escrow: the ship window is open"
    payout: Payout = empty(Payout)
    payout.seller = sale.terms.seller_deposit - sale.terms.late_penalty
    payout.buyer = sale.terms.buyer_deposit + sale.terms.price + sale.terms.late_penalty
    self._end(id, sale, Status.REFUNDED, Exit.REFUND, 0, payout)


@external
def confirm(id: bytes32):
    """
    @notice Accepts the thing and pays the seller; the buyer, while the sale is open.
    @param id The sale.
    """
    sale: Sale = self.sales[id]
    self._check_open(sale)
    assert msg.sender == sale.buyer, "escrow: only the buyer"
    self._end(id, sale, Status.COMPLETE, Exit.CONFIRM, BPS, self._divide(sale.terms, BPS))


@external
def dispute(id: bytes32):
    """
    @notice Refuses what was handed over; the buyer, before the confirm window ends.
    @param id The sale.
    """
    sale: Sale = self.sales[id]
    assert sale.status == Status.TRANSFERRED, "escrow: sale is not transferred"
    assert msg.sender == sale.buyer, "escrow: only the buyer"
    assert block.timestamp < sale.since + sale.terms.confirm_window, "escrow: the confirm window has ended"
    self._enter(id, Status.DISPUTED)
    log Disputed(
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
    sale: Sale = self.sales[id]
    assert sale.status == Status.TRANSFERRED, "escrow: sale is not transferred"
    assert block.timestamp >= sale.since + sale.terms.confirm_window, "escrow: the confirm window is open"
    self._end(id, sale, Status.COMPLETE, Exit.CLAIM, BPS, self._divide(sale.terms, BPS))


@external
def rule(id: bytes32, share: uint256):
    """
    @notice Decides a dispute; the arbiter, before the ruling window ends.
    @param id The sale.
    @param share The seller's share of the price in basis points, at most 10,000.
    """
    sale: Sale = self.sales[id]
    assert sale.status == Status.DISPUTED, "escrow: sale is not disputed"
    assert msg.sender == sale.terms.arbiter, "escrow: only the arbiter"
    assert share <= BPS, "escrow: share above 10,000"
    assert block.timestamp < sale.since + sale.terms.ruling_window, "escrow: the ruling window has ended"
    penalty: uint256 = sale.terms.late_penalty * (BPS - share) // BPS
    sellers_fee: uint256 = sale.terms.arbiter_fee * (BPS - share) // BPS
    payout: Payout = self._divide(sale.terms, share)
    payout.seller -= penalty + sellers_fee
    payout.buyer = payout.buyer + penalty - (sale.terms.arbiter_fee - sellers_fee)
    payout.arbiter = sale.terms.arbiter_fee
    self._end(id, sale, Status.SETTLED, Exit.RULE, share, payout)


@external
def execute_default(id: bytes32):
    """
    @notice Ends a dispute nobody settled: the price is halved and both sides forfeit three quarters
            of it from their deposits; anyone, once the ruling window has ended.
    @dev Meant to be worse for both than any settlement, so that neither gains by stalling.
    @param id The sale.
    """
    sale: Sale = self.sales[id]
    assert sale.status == Status.DISPUTED, "escrow: sale is not disputed"
    assert block.timestamp >= sale.since + sale.terms.ruling_window, "escrow: the ruling window is open"
    forfeit: uint256 = sale.terms.price * FORFEIT_BPS // BPS
    payout: Payout = self._divide(sale.terms, DEFAULT_SHARE)
    payout.seller -= forfeit
    payout.buyer -= forfeit
    payout.nobody = 2 * forfeit
    self._end(id, sale, Status.SETTLED, Exit.EXECUTE_DEFAULT, DEFAULT_SHARE, payout)


@external
def settle(id: bytes32, share: uint256, settle_by: uint256):
    """
    @notice Offers to settle, or agrees: the sale ends when the other party has offered the same
            share and time, and that time has not come. Otherwise this is the offer from now on.
    @param id The sale.
    @param share The seller's share of the price in basis points, at most 10,000.
    @param settle_by The time before which the offer can be agreed to.
    """
    sale: Sale = self.sales[id]
    self._check_open(sale)
    assert msg.sender == sale.seller or msg.sender == sale.buyer, "escrow: only seller or buyer"
    assert share <= BPS, "escrow: share above 10,000"
    assert block.timestamp < settle_by, "escrow: the time to settle has passed"
    offer: Proposal = sale.proposal
    if offer.by not in [empty(address), msg.sender] and offer.share == share and offer.settle_by == settle_by:
        self._end(id, sale, Status.SETTLED, Exit.SETTLE, share, self._divide(sale.terms, share))
    else:
        self.sales[id].proposal = Proposal(by=msg.sender, share=share, settle_by=settle_by)
        log SettlementProposed(id=id, by=msg.sender, share=share, settle_by=settle_by, at=block.timestamp)


@external
def withdraw(currency: address, to: address):
    """
    @notice Draws all of the caller's credit.
    @param currency The currency to draw; the zero address is the chain's own money.
    @param to Who receives it.
    """
    amount: uint256 = self.credit[currency][msg.sender]
    assert amount > 0, "escrow: nothing to withdraw"
    assert to != empty(address) and to != self, "escrow: nobody can receive there"
    self.credit[currency][msg.sender] = 0
    self.owed[currency] -= amount
    log Withdrawn(currency=currency, account=msg.sender, to=to, amount=amount)
    if currency == empty(address):
        success: bool = raw_call(to, b"", value=amount, revert_on_failure=False)
        assert success, "escrow: the receiver refused the money"
    else:
        before: uint256 = staticcall IERC20(currency).balanceOf(self)
        success: bool = extcall IERC20(currency).transfer(to, amount, default_return_value=True)
        assert success, "escrow: the token refused"
        after: uint256 = staticcall IERC20(currency).balanceOf(self)
        assert after + amount >= before, "escrow: token takes a fee"


@external
@view
@reentrant
def currencies() -> DynArray[address, CURRENCIES_MAX]:
    """
    @notice The tokens taken beside the chain's own money.
    @return DynArray The tokens' addresses, as deployed.
    """
    return self.tokens


@external
@view
@reentrant
def sale(id: bytes32) -> Sale:
    """
    @notice A sale as it stands; all zero where there is none.
    @param id The sale.
    @return Sale Status, parties, token, promise, times, terms and proposal.
    """
    return self.sales[id]


@external
@view
@reentrant
def sale_id(seller: address, salt: bytes32, token: uint256, terms: Terms) -> bytes32:
    """
    @notice The id a sale has or will have.
    @param seller Who lists it.
    @param salt As given to `list`.
    @param token As given to `list`: 0 where the token is minted for the sale.
    @param terms As given to `list`.
    @return bytes32 keccak256 of the ABI encoding of (chain id, this contract, seller, salt, token, terms).
    """
    return self._sale_id(seller, salt, token, terms)


@internal
@view
def _sale_id(seller: address, salt: bytes32, token: uint256, terms: Terms) -> bytes32:
    """
    @dev See `sale_id`.
    """
    return keccak256(abi_encode(chain.id, self, seller, salt, token, terms))


@internal
@view
def _check_terms(terms: Terms, seller: address):
    """
    @dev Refuses terms out of bounds. The price is checked first, so no product below can overflow.
    """
    v: uint256 = terms.price
    assert self.is_currency[terms.currency], "escrow: currency is not taken"
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


@internal
@view
def _check_open(sale: Sale):
    """
    @dev Refuses a sale that nobody has bought or that has ended.
    """
    assert sale.status in (Status.PAID | Status.TRANSFERRED | Status.DISPUTED), "escrow: sale is not open"


@internal
@payable
def _collect(currency: address, amount: uint256):
    """
    @dev Takes exactly `amount` from the caller.
    """
    self.owed[currency] += amount
    if currency == empty(address):
        assert msg.value == amount, "escrow: wrong amount"
    else:
        assert msg.value == 0, "escrow: value sent to a sale in a token"
        before: uint256 = staticcall IERC20(currency).balanceOf(self)
        success: bool = extcall IERC20(currency).transferFrom(msg.sender, self, amount, default_return_value=True)
        assert success, "escrow: the token refused"
        after: uint256 = staticcall IERC20(currency).balanceOf(self)
        assert after >= before and after - before == amount, "escrow: token takes a fee"


@internal
def _enter(id: bytes32, status: Status):
    """
    @dev Makes the transition; what was proposed before it no longer holds.
    """
    self.sales[id].status = status
    self.sales[id].since = block.timestamp
    self.sales[id].proposal = empty(Proposal)


@internal
@view
def _divide(terms: Terms, share: uint256) -> Payout:
    """
    @dev The payout in which the seller gets `share` of the price, before penalties: fees are floored,
         the seller's and buyer's parts are what remains, so the sum is exact.
    """
    p: uint256 = terms.price * share // BPS
    platform: uint256 = p * PLATFORM_BPS // BPS
    maker: uint256 = p * MAKER_BPS // BPS
    return Payout(
        seller=terms.seller_deposit + p - platform - maker,
        buyer=terms.buyer_deposit + terms.price - p,
        platform=platform,
        maker=maker,
        arbiter=0,
        nobody=0,
    )


@internal
def _end(id: bytes32, sale: Sale, status: Status, exit: Exit, share: uint256, payout: Payout):
    """
    @dev Credits every part and lets the token go: to the buyer from half of the price on, else back.
    """
    maker: address = staticcall IItem(ITEM).maker(sale.token)
    receiver: address = sale.seller
    if share >= BUYER_KEEPS_FROM:
        receiver = sale.buyer
    self._enter(id, status)
    log Ended(
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
    self._credit(id, sale.terms.currency, sale.seller, payout.seller)
    self._credit(id, sale.terms.currency, sale.buyer, payout.buyer)
    self._credit(id, sale.terms.currency, PLATFORM, payout.platform)
    self._credit(id, sale.terms.currency, maker, payout.maker)
    self._credit(id, sale.terms.currency, sale.terms.arbiter, payout.arbiter)
    self._credit(id, sale.terms.currency, NOBODY, payout.nobody)
    extcall IItem(ITEM).transferFrom(self, receiver, sale.token)


@internal
def _credit(id: bytes32, currency: address, account: address, amount: uint256):
    """
    @dev Adds to an account's credit; `owed` stays, as the money only changes hands in here.
    """
    if amount > 0:
        self.credit[currency][account] += amount
        log Credited(currency=currency, account=account, id=id, amount=amount)
