# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title escrow_state
@custom:contract-name escrow_state
@notice What the escrow remembers of a sale, how a sale changes, and the events that tell of it.
@dev A module of Escrow.vy, not a contract of its own. One word of storage holds status, deadline,
     token and whether the arbiter took the case; a second one the buyer.
     Source: Docs/contracts.md, sections 6, 8, 9 and 13.
"""
import escrow_terms
import market
import money

uses: money
uses: market


# Where a sale stands; 0 is a sale that does not exist. The last five are final.
flag Status:
    LISTED       # 1: becomes paid or aborted
    PAID         # 2: becomes transferred, declined, refunded, complete, settled or listed again
    TRANSFERRED  # 4: becomes disputed, refunded, complete or settled
    DISPUTED     # 8: becomes refunded, complete or settled
    ABORTED      # 16
    DECLINED     # 32
    REFUNDED     # 64
    COMPLETE     # 128
    SETTLED      # 256


# The move that ended a sale.
flag Exit:
    ABORT            # 1
    DECLINE          # 2
    CONFIRM          # 4
    CLAIM            # 8
    REFUND           # 16
    SETTLE           # 32
    RULE             # 64
    EXECUTE_DEFAULT  # 128


# What one party proposes to settle for.
struct Proposal:
    share: uint256  # the seller's share of the price in basis points
    until: uint256  # the time before which the other party can agree; 0 is no proposal


# A sale as `sale` shows it. Of a sale that has ended only status, buyer and token remain.
struct Sale:
    status: Status
    buyer: address     # the zero address until bought
    token: uint256
    deadline: uint256  # when the present window ends; of a listed sale `offer_until`
    taken: bool        # whether the arbiter took the case
    seller_proposal: Proposal
    buyer_proposal: Proposal


# A sale's word of storage, unpacked.
struct Stored:
    status: Status
    taken: bool
    deadline: uint256
    token: uint256


# A sale was listed. `minted` tells whether the token was made for it. Times (`at`, `deadline`,
# `until`) are seconds since 1970, `at` always the block's own.
event Listed:
    id: indexed(bytes32)
    seller: indexed(address)
    token: indexed(uint256)
    promise: bytes32
    content_hash: bytes32
    maker: address
    salt: bytes32
    minted: bool
    terms: escrow_terms.Terms
    at: uint256


# The buyer paid price and deposit. The seller transfers or declines before `deadline`.
event Bought:
    id: indexed(bytes32)
    seller: indexed(address)
    buyer: indexed(address)
    deadline: uint256
    at: uint256


# The seller put a paid sale back to listed; `buyer` has everything back, and anyone can buy again.
event Relisted:
    id: indexed(bytes32)
    seller: indexed(address)
    buyer: indexed(address)
    at: uint256


# The seller handed over. The buyer confirms or disputes before `deadline`.
event ItemTransferred:
    id: indexed(bytes32)
    seller: indexed(address)
    buyer: indexed(address)
    deadline: uint256
    at: uint256


# The buyer disputes. An arbiter, if there is one, takes the case and rules before `deadline`.
event Disputed:
    id: indexed(bytes32)
    buyer: indexed(address)
    arbiter: indexed(address)
    deadline: uint256
    at: uint256


# The arbiter is at work on a dispute. From here on the fee is due in every exit but the default.
event Taken:
    id: indexed(bytes32)
    arbiter: indexed(address)
    at: uint256


# A party proposes to settle, in place of its earlier proposal.
event Proposed:
    id: indexed(bytes32)
    by: indexed(address)
    share: uint256
    until: uint256
    at: uint256


# A party withdrew its proposal.
event ProposalWithdrawn:
    id: indexed(bytes32)
    by: indexed(address)
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
    payout: escrow_terms.Payout
    at: uint256


BUYER_KEEPS_FROM: constant(uint256) = 5_000
PROPOSAL_MAX: constant(uint256) = 60 * 86_400
# Credited with what a default takes from both; nobody has its key, so nobody can withdraw it.
NOBODY: constant(address) = 0x000000000000000000000000000000000000dEaD
TOKEN_BITS: constant(uint256) = 128
TIME_BITS: constant(uint256) = 64
SHARE_BITS: constant(uint256) = 16
TOKEN_MAX: constant(uint256) = 2**TOKEN_BITS - 1
TIME_MAX: constant(uint256) = 2**TIME_BITS - 1
SHARE_MAX: constant(uint256) = 2**SHARE_BITS - 1
# Where the phase starts: status, then whether the case is taken.
PHASE_SHIFT: constant(uint256) = TOKEN_BITS + TIME_BITS
TAKEN_BIT: constant(uint256) = 2**32

# Sale → phase, deadline and token in one word.
words: HashMap[bytes32, uint256]
# Sale → who bought it.
buyers: HashMap[bytes32, address]
# Sale → phase and, in the lowest bit, whether of the seller → until and share in one word. A new status and `take`
# clear the proposals made before, because a sale returns to no phase but listed and paid, and
# `_relist` removes those of the latter.
proposals: HashMap[bytes32, HashMap[uint256, uint256]]


@internal
@view
def _load(id: bytes32) -> Stored:
    """
    @dev A sale's stored word, unpacked.
    @param id The sale.
    @return Stored All zero if there is none.
    """
    word: uint256 = self.words[id]
    phase: uint256 = word >> PHASE_SHIFT
    return Stored(
        status=convert(phase & (TAKEN_BIT - 1), Status),
        taken=phase >= TAKEN_BIT,
        deadline=(word >> TOKEN_BITS) & TIME_MAX,
        token=word & TOKEN_MAX,
    )


@internal
def _save(id: bytes32, stored: Stored):
    """
    @dev Stores a sale. Its deadline is a block's time and some windows, far below 2^64.
    @param id The sale.
    @param stored What to store.
    """
    assert stored.token <= TOKEN_MAX, "escrow: token out of bounds"
    self.words[id] = self._phase(stored) << PHASE_SHIFT | stored.deadline << TOKEN_BITS | stored.token


@internal
def _enter(id: bytes32, token: uint256, status: Status, deadline: uint256, taken: bool):
    """
    @dev Stores the transition of a sale that has not ended.
    @param id The sale.
    @param token Its token.
    @param status The new status.
    @param deadline When its window ends.
    @param taken Whether the arbiter took the case.
    """
    self._save(id, Stored(status=status, taken=taken, deadline=deadline, token=token))


@internal
@pure
def _phase(stored: Stored) -> uint256:
    """
    @dev Status and whether the case is taken, as one number.
    @param stored A sale.
    @return uint256 The phase.
    """
    phase: uint256 = convert(stored.status, uint256)
    if stored.taken:
        phase += TAKEN_BIT
    return phase


@internal
@view
def _shown(id: bytes32) -> Sale:
    """
    @dev A sale as `sale` shows it.
    @param id The sale.
    @return Sale All zero if there is none.
    """
    stored: Stored = self._load(id)
    return Sale(
        status=stored.status,
        buyer=self.buyers[id],
        token=stored.token,
        deadline=stored.deadline,
        taken=stored.taken,
        seller_proposal=self._proposal(id, stored, True),
        buyer_proposal=self._proposal(id, stored, False),
    )


@internal
@view
def _proposal(id: bytes32, stored: Stored, of_seller: bool) -> Proposal:
    """
    @dev A party's proposal in the present phase of a sale.
    @param id The sale.
    @param stored The sale as stored.
    @param of_seller Whose proposal: the seller's, else the buyer's.
    @return Proposal All zero if there is none.
    """
    word: uint256 = self.proposals[id][self._phase(stored) << 1 | convert(of_seller, uint256)]
    return Proposal(share=word & SHARE_MAX, until=word >> SHARE_BITS)


@internal
def _propose(id: bytes32, stored: Stored, of_seller: bool, share: uint256, until: uint256):
    """
    @dev Stores a party's proposal in place of its earlier one.
    @param id The sale.
    @param stored The sale as stored.
    @param of_seller Whose proposal: the seller's, else the buyer's.
    @param share The seller's share of the price in basis points, at most 10,000.
    @param until The time before which the other party can agree, at most 60 days ahead.
    """
    assert share <= escrow_terms.BPS, "escrow: share above 10,000"
    assert until > block.timestamp, "escrow: the proposal has ended"
    assert until <= block.timestamp + PROPOSAL_MAX, "escrow: proposal longer than 60 days"
    self.proposals[id][self._phase(stored) << 1 | convert(of_seller, uint256)] = until << SHARE_BITS | share
    log Proposed(id=id, by=msg.sender, share=share, until=until, at=block.timestamp)


@internal
def _withdraw_proposal(id: bytes32, stored: Stored, of_seller: bool):
    """
    @dev Removes a party's proposal.
    @param id The sale.
    @param stored The sale as stored.
    @param of_seller Whose proposal: the seller's, else the buyer's.
    """
    key: uint256 = self._phase(stored) << 1 | convert(of_seller, uint256)
    assert self.proposals[id][key] != 0, "escrow: no proposal to withdraw"
    self.proposals[id][key] = 0
    log ProposalWithdrawn(id=id, by=msg.sender, at=block.timestamp)


@internal
def _relist(id: bytes32, offer: escrow_terms.Offer, token: uint256):
    """
    @dev Puts a paid sale back to listed: its buyer is credited and forgotten, with all proposals.
    @param id The sale.
    @param offer Its offer.
    @param token Its token.
    """
    buyer: address = self.buyers[id]
    self.buyers[id] = empty(address)
    paid: uint256 = convert(Status.PAID, uint256) << 1
    self.proposals[id][paid] = 0
    self.proposals[id][paid | 1] = 0
    self._enter(id, token, Status.LISTED, offer.terms.offer_until, False)
    log Relisted(id=id, seller=offer.seller, buyer=buyer, at=block.timestamp)
    money._credit(offer.terms.currency, buyer, offer.terms.price + offer.terms.buyer_deposit, id)


@internal
def _end(
    id: bytes32,
    offer: escrow_terms.Offer,
    token: uint256,
    status: Status,
    exit: Exit,
    share: uint256,
    payout: escrow_terms.Payout,
):
    """
    @dev Ends a sale: credits every part and lets the token go, to the buyer from half of the price
         on, else back to the seller.
    @param id The sale.
    @param offer Its offer.
    @param token Its token.
    @param status The final status.
    @param exit The move that ends it.
    @param share The seller's share of the price in basis points.
    @param payout The parts, which add up to all that was paid in.
    """
    buyer: address = self.buyers[id]
    receiver: address = buyer if share >= BUYER_KEEPS_FROM else offer.seller
    self._save(id, Stored(status=status, taken=False, deadline=0, token=token))
    log Ended(
        id=id,
        seller=offer.seller,
        buyer=buyer,
        status=status,
        exit=exit,
        by=msg.sender,
        share=share,
        token_to=receiver,
        maker=offer.maker,
        payout=payout,
        at=block.timestamp,
    )
    currency: address = offer.terms.currency
    money._credit(currency, offer.seller, payout.seller, id)
    money._credit(currency, buyer, payout.buyer, id)
    money._credit(currency, market.PLATFORM, payout.platform, id)
    money._credit(currency, offer.maker, payout.maker, id)
    money._credit(currency, offer.terms.arbiter, payout.arbiter, id)
    money._credit(currency, NOBODY, payout.nobody, id)
    market._release_item(token, receiver)
