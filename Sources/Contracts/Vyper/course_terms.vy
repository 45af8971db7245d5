# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title course_terms
@custom:contract-name course_terms
@notice What a round of a course is: its statuses, its terms with their bounds, and its events.
@dev A module, not a contract of its own; the moves are in Courses.vy.
     Source: Docs/contracts.md, section 12.
"""
import money

uses: money

# Where a round stands; 0 is a round that does not exist. The last two are final.
flag Status:
    OPEN       # 1: becomes begun or cancelled
    BEGUN      # 2: becomes settled
    CANCELLED  # 4: each student can have the price refunded
    SETTLED    # 8

# What an account did in a round; 0 is an account that did not enrol in it.
flag Enrolment:
    PAID      # 1: every student of the round
    RATED     # 2
    REFUNDED  # 4

# What the teacher offers. Times are seconds since 1970, windows seconds.
struct Terms:
    currency: address       # the zero address is the chain's own money
    price: uint256          # of one seat, in the currency's smallest unit: 10,000 … 2^128 − 1
    seats: uint256          # 1 … 10,000
    start: uint256          # enrolling ends and begin is possible: later than now, at most 365 days ahead
    end: uint256            # the last lesson ends: after the start, at most 365 days after it
    begin_grace: uint256    # from the start, in which the teacher can begin, up to the end: 1 … 30 days
    rating_window: uint256  # from the end, in which students can rate: 1 … 60 days

# A course over all its rounds.
struct Course:
    teacher: address    # the zero address if there is no such course
    promise: bytes32    # the hash of the listing that the course fulfils
    rounds: uint256     # how many were opened; the last is number `rounds - 1`
    points: uint256[5]  # sums over all raters: preparation, content, delivery, communication, overall
    raters: uint256

struct Round:
    status: Status
    terms_hash: bytes32  # keccak256 of the ABI encoding of the round's terms
    enrolled: uint256
    raters: uint256
    points: uint256      # the sum of all points that they gave, over all criteria
    price: uint256       # of one seat, which is what each of its ratings weighs

# How a settled round's money was divided; the sum is all that its students paid.
struct Payout:
    teacher: uint256
    platform: uint256

# The contract was deployed; nothing in it can be changed later.
event Deployed:
    platform: indexed(address)
    currencies: DynArray[address, money.CURRENCIES_MAX]

# A round was opened, the first with the course itself. `salt` is zero in later rounds, whose course
# has its id already. In all events `at` is the block's own time in seconds since 1970.
event Opened:
    id: indexed(bytes32)
    teacher: indexed(address)
    promise: indexed(bytes32)
    salt: bytes32
    round: uint256
    terms: Terms
    at: uint256

# A student paid the price; `enrolled` students now are in the round.
event Enrolled:
    id: indexed(bytes32)
    student: indexed(address)
    round: uint256
    enrolled: uint256
    at: uint256

# A student left the round and has the price as a credit; `enrolled` students remain.
event Left:
    id: indexed(bytes32)
    student: indexed(address)
    round: uint256
    enrolled: uint256
    at: uint256

# The teacher began the round.
event Begun:
    id: indexed(bytes32)
    round: uint256
    at: uint256

# The round does not take place; its students get their price back by `refund`.
event Cancelled:
    id: indexed(bytes32)
    by: indexed(address)
    round: uint256
    at: uint256

# A student of a cancelled round got the price back as a credit.
event Refunded:
    id: indexed(bytes32)
    student: indexed(address)
    round: uint256
    amount: uint256
    at: uint256

# A student rated the round: preparation, content, delivery, communication, overall; 0 … 100 each.
event Evaluated:
    id: indexed(bytes32)
    student: indexed(address)
    round: uint256
    points: uint256[5]
    at: uint256

# The round's money was divided. `average` is that of all rounds, each rating weighing its round's price;
# `incentive` is what it gave the teacher.
event Settled:
    id: indexed(bytes32)
    round: uint256
    by: address
    average: uint256
    incentive: uint256
    payout: Payout
    at: uint256

SEATS_MAX: constant(uint256) = 10_000
DAY: constant(uint256) = 86_400
YEAR: constant(uint256) = 365 * DAY
# How long before the start a student can still leave.
LEAVE_BEFORE: constant(uint256) = DAY


@internal
@pure
def _begin_until(terms: Terms) -> uint256:
    """
    @dev The time from which the teacher cannot begin and anyone can cancel.
    @param terms The terms of a round.
    @return uint256 The end of the time to begin, but not after the end of the round.
    """
    return min(terms.start + terms.begin_grace, terms.end)


@internal
@view
def _check_terms(terms: Terms):
    """
    @dev Refuses terms out of bounds. Each time is bounded before anything is added to it, so no sum
         here or in a move can overflow.
    @param terms The terms of a round about to be opened.
    """
    money._check_currency(terms.currency)
    assert terms.price >= money.PRICE_MIN and terms.price <= money.AMOUNT_MAX, "courses: price out of bounds"
    assert terms.seats >= 1 and terms.seats <= SEATS_MAX, "courses: seats out of bounds"
    assert terms.start > block.timestamp, "courses: the start has passed"
    assert terms.start <= block.timestamp + YEAR, "courses: the start is more than 365 days ahead"
    assert terms.end > terms.start, "courses: the end is not after the start"
    assert terms.end <= terms.start + YEAR, "courses: longer than 365 days"
    assert terms.begin_grace >= DAY and terms.begin_grace <= 30 * DAY, "courses: time to begin out of bounds"
    assert terms.rating_window >= DAY and terms.rating_window <= 60 * DAY, "courses: rating window out of bounds"
