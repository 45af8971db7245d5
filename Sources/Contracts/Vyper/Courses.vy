# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
# pragma nonreentrancy on
"""
@title Courses
@custom:contract-name Courses
@notice Courses given in rounds. Students pay when they enrol, rate the round once it has begun, and
        the teacher's part grows with their rating. A round that does not begin is paid back.
@dev One contract holds all courses of a market. Money only becomes a credit here, and each account withdraws
     its own. Nobody has power over the funds of others, the deployer included.
     A round's terms are not stored: it keeps their hash, and every move carries them.
     A move before a deadline needs `block.timestamp < deadline`, one after it `>= deadline`.
     Always: balance of a currency >= `owed` of it = prices of rounds that are open or begun, prices
     not yet refunded of cancelled ones, and credits not yet withdrawn.
     Source: Docs/contracts.md, section 12.
"""
import course_ratings
import course_state
import course_terms
import money

initializes: course_state
initializes: money
initializes: course_terms[money := money]

exports: (
    money.credit,
    money.currencies,
    money.is_currency,
    money.owed,
    money.withdraw,
)

# Who receives the platform's part of every round.
PLATFORM: public(immutable(address))
# The chain's id when the contract was deployed. Ids of courses are made of it, not of the present one.
CHAIN_ID: public(immutable(uint256))


@deploy
def __init__(platform: address, tokens: DynArray[address, money.CURRENCIES_MAX]):
    """
    @notice Makes the market's courses; nothing given here can ever be changed.
    @param platform Who receives the platform's part of every round.
    @param tokens The ERC-20 tokens accepted beside the chain's own money; none that rebases.
    """
    assert platform != empty(address), "courses: platform is the zero address"
    PLATFORM = platform
    CHAIN_ID = chain.id
    money.__init__(tokens)
    log course_terms.Deployed(platform=platform, currencies=tokens)


@external
def open(salt: bytes32, promise: bytes32, terms: course_terms.Terms) -> bytes32:
    """
    @notice Opens a course and its first round, number 0; the caller is its teacher.
    @param salt Tells apart courses of the same promise.
    @param promise The hash of the listing that the course fulfils; not zero.
    @param terms The first round's terms; every bound is in Docs/contracts.md, section 12.
    @return bytes32 The course's id, as `course_id` gives it beforehand.
    """
    id: bytes32 = self._course_id(msg.sender, salt, promise)
    assert course_state._rounds(id) == 0, "courses: course exists already"
    assert promise != empty(bytes32), "courses: promise is zero"
    course_state._add_course(id, msg.sender, promise, money.numbers[terms.currency])
    self._open_round(id, promise, salt, 0, terms)
    return id


@external
def repeat(id: bytes32, terms: course_terms.Terms):
    """
    @notice Opens the course's next round, at most the fifth, in the course's currency; the teacher,
            once the last one has been settled or cancelled.
    @param id The course.
    @param terms The new round's terms.
    """
    rounds: uint256 = course_state._rounds(id)
    assert rounds > 0, "courses: course does not exist"
    assert msg.sender == course_state._teacher(id), "courses: only the teacher"
    last: course_terms.Status = course_state._round(id, rounds - 1).status
    ended: course_terms.Status = course_terms.Status.CANCELLED | course_terms.Status.SETTLED
    assert last in ended, "courses: the last round has not ended"
    assert rounds < course_state.ROUNDS_MAX, "courses: a course has at most five rounds"
    same: bool = money.numbers[terms.currency] == course_state._currency_number(id)
    assert same, "courses: a course keeps its currency"
    self._open_round(id, course_state.promises[id], empty(bytes32), rounds, terms)


@external
@payable
def enrol(id: bytes32, round: uint256, terms: course_terms.Terms):
    """
    @notice Pays the price of a seat; anyone but the teacher, once a round, before it starts.
    @param id The course.
    @param round The round's number.
    @param terms The round's terms.
    """
    current: course_terms.Round = course_state._round(id, round)
    assert current.status == course_terms.Status.OPEN, "courses: round is not open"
    self._check_hash(current, terms)
    assert msg.sender != course_state._teacher(id), "courses: the teacher cannot enrol"
    assert block.timestamp < terms.start, "courses: the round has started"
    assert current.enrolled < terms.seats, "courses: no seat is free"
    assert course_state.enrolments[id][round][msg.sender] == empty(course_terms.Enrolment), "courses: enrolled already"
    course_state.enrolments[id][round][msg.sender] = course_terms.Enrolment.PAID
    current.enrolled += 1
    course_state._save(id, round, current)
    log course_terms.Enrolled(id=id, student=msg.sender, round=round, enrolled=current.enrolled, at=block.timestamp)
    money._collect(terms.currency, terms.price)


@external
def leave(id: bytes32, round: uint256, terms: course_terms.Terms):
    """
    @notice Gives the caller's seat back, and the price as a credit; a student of an open round, until
            24 hours before its start. The seat can be taken again, also by the same account.
    @param id The course.
    @param round The round's number.
    @param terms The round's terms.
    """
    current: course_terms.Round = course_state._round(id, round)
    assert current.status == course_terms.Status.OPEN, "courses: round is not open"
    self._check_hash(current, terms)
    enrolment: course_terms.Enrolment = course_state.enrolments[id][round][msg.sender]
    assert enrolment != empty(course_terms.Enrolment), "courses: only a student of the round"
    assert block.timestamp + course_terms.LEAVE_BEFORE < terms.start, "courses: the time to leave has ended"
    course_state.enrolments[id][round][msg.sender] = empty(course_terms.Enrolment)
    current.enrolled -= 1
    course_state._save(id, round, current)
    log course_terms.Left(id=id, student=msg.sender, round=round, enrolled=current.enrolled, at=block.timestamp)
    money._credit(terms.currency, msg.sender, terms.price, id)


@external
def begin(id: bytes32, round: uint256, terms: course_terms.Terms):
    """
    @notice Begins the round, after which it is rated and paid; the teacher, from its start on, before
            the time to begin or the round ends.
    @param id The course.
    @param round The round's number.
    @param terms The round's terms.
    """
    current: course_terms.Round = course_state._round(id, round)
    assert current.status == course_terms.Status.OPEN, "courses: round is not open"
    self._check_hash(current, terms)
    assert msg.sender == course_state._teacher(id), "courses: only the teacher"
    assert block.timestamp >= terms.start, "courses: the round has not started"
    assert block.timestamp < course_terms._begin_until(terms), "courses: the time to begin has ended"
    current.status = course_terms.Status.BEGUN
    course_state._save(id, round, current)
    log course_terms.Begun(id=id, round=round, at=block.timestamp)


@external
def cancel(id: bytes32, round: uint256, terms: course_terms.Terms):
    """
    @notice Cancels a round that has not begun, so that its students get their price back; the teacher
            at any time, anyone once the time to begin or the round has ended.
    @param id The course.
    @param round The round's number.
    @param terms The round's terms.
    """
    current: course_terms.Round = course_state._round(id, round)
    assert current.status == course_terms.Status.OPEN, "courses: round is not open"
    self._check_hash(current, terms)
    if msg.sender != course_state._teacher(id):
        assert block.timestamp >= course_terms._begin_until(terms), "courses: the teacher can still begin"
    current.status = course_terms.Status.CANCELLED
    course_state._save(id, round, current)
    log course_terms.Cancelled(id=id, by=msg.sender, round=round, at=block.timestamp)


@external
def refund(id: bytes32, round: uint256, terms: course_terms.Terms):
    """
    @notice Gives the caller the price of a cancelled round back as a credit; each student of it, once,
            at any time, also after the course was repeated.
    @param id The course.
    @param round The round's number.
    @param terms The round's terms.
    """
    current: course_terms.Round = course_state._round(id, round)
    assert current.status == course_terms.Status.CANCELLED, "courses: round is not cancelled"
    self._check_hash(current, terms)
    enrolment: course_terms.Enrolment = course_state.enrolments[id][round][msg.sender]
    assert enrolment != empty(course_terms.Enrolment), "courses: only a student of the round"
    assert course_terms.Enrolment.REFUNDED not in enrolment, "courses: refunded already"
    course_state.enrolments[id][round][msg.sender] = enrolment | course_terms.Enrolment.REFUNDED
    log course_terms.Refunded(id=id, student=msg.sender, round=round, amount=terms.price, at=block.timestamp)
    money._credit(terms.currency, msg.sender, terms.price, id)


@external
def evaluate(id: bytes32, round: uint256, terms: course_terms.Terms, points: uint256[course_ratings.CRITERIA]):
    """
    @notice Rates the round; each student of it, once, after it has begun and before the rating window
            ends.
    @param id The course.
    @param round The round's number.
    @param terms The round's terms.
    @param points Preparation, content, delivery, communication, overall; 0 … 100 each.
    """
    current: course_terms.Round = course_state._round(id, round)
    assert current.status == course_terms.Status.BEGUN, "courses: round is not under way"
    self._check_hash(current, terms)
    assert block.timestamp < terms.end + terms.rating_window, "courses: the rating window has ended"
    enrolment: course_terms.Enrolment = course_state.enrolments[id][round][msg.sender]
    assert enrolment != empty(course_terms.Enrolment), "courses: only a student of the round"
    assert course_terms.Enrolment.RATED not in enrolment, "courses: rated already"
    rating: uint256 = 0
    total: uint256 = 0
    rating, total = course_ratings._rating(points)
    current.points += total
    course_state.enrolments[id][round][msg.sender] = enrolment | course_terms.Enrolment.RATED
    current.raters += 1
    course_state._save(id, round, current)
    course_state.ratings[id] += rating
    log course_terms.Evaluated(id=id, student=msg.sender, round=round, points=points, at=block.timestamp)


@external
def settle(id: bytes32, round: uint256, terms: course_terms.Terms):
    """
    @notice Pays teacher and platform; anyone, once the rating window of a begun round has ended.
    @param id The course.
    @param round The round's number.
    @param terms The round's terms.
    """
    current: course_terms.Round = course_state._round(id, round)
    assert current.status == course_terms.Status.BEGUN, "courses: round is not under way"
    self._check_hash(current, terms)
    assert block.timestamp >= terms.end + terms.rating_window, "courses: the rating window is open"
    total: uint256 = current.enrolled * terms.price
    pool: uint256 = total // 10
    average: uint256 = course_state._average(id, course_state._rounds(id))
    incentive: uint256 = course_ratings._incentive(pool, average, current.enrolled, current.raters)
    payout: course_terms.Payout = course_terms.Payout(teacher=total - pool + incentive, platform=pool - incentive)
    current.status = course_terms.Status.SETTLED
    course_state._save(id, round, current)
    log course_terms.Settled(
        id=id, round=round, by=msg.sender, average=average, incentive=incentive, payout=payout, at=block.timestamp
    )
    money._credit(terms.currency, course_state._teacher(id), payout.teacher, id)
    money._credit(terms.currency, PLATFORM, payout.platform, id)


@external
@view
@reentrant
def course_id(teacher: address, salt: bytes32, promise: bytes32) -> bytes32:
    """
    @notice The id a course has or will have. It names teacher and promise, so that nothing else can
            come to stand under it, not even if the chain is reorganised.
    @param teacher Who opens it.
    @param salt As given to `open`.
    @param promise As given to `open`.
    @return bytes32 keccak256 of the ABI encoding of (CHAIN_ID, this contract, the parameters in order).
    """
    return self._course_id(teacher, salt, promise)


@external
@view
@reentrant
def course(id: bytes32) -> course_terms.Course:
    """
    @notice A course over all its rounds; all zero if there is none.
    @param id The course.
    @return Course Teacher, promise, number of rounds, and the sums of points with the number of raters.
    """
    return course_state._course(id)


@external
@view
@reentrant
def round_of(id: bytes32, round: uint256) -> course_terms.Round:
    """
    @notice A round as it stands; all zero if there is none.
    @param id The course.
    @param round The round's number.
    @return Round Status, hash of the terms, students, raters with their points, and price.
    """
    return course_state._round(id, round)


@external
@view
@reentrant
def state(id: bytes32) -> (course_terms.Course, course_terms.Round):
    """
    @notice A course with its last round, as they stand; all zero if there is none.
    @dev Both in one call, so that a client compares them as of one block.
    @param id The course.
    @return Course As `course(id)`.
    @return Round As `round_of(id, rounds - 1)`.
    """
    course: course_terms.Course = course_state._course(id)
    if course.rounds == 0:
        return course, empty(course_terms.Round)
    return course, course_state._round(id, course.rounds - 1)


@external
@view
@reentrant
def is_student(id: bytes32, round: uint256, account: address) -> bool:
    """
    @notice Whether an account enrolled in a round; also after it was refunded.
    @param id The course.
    @param round The round's number.
    @param account The account.
    @return bool True if it enrolled.
    """
    return course_terms.Enrolment.PAID in course_state.enrolments[id][round][account]


@external
@view
@reentrant
def has_rated(id: bytes32, round: uint256, account: address) -> bool:
    """
    @notice Whether an account rated a round.
    @param id The course.
    @param round The round's number.
    @param account The account.
    @return bool True if it did.
    """
    return course_terms.Enrolment.RATED in course_state.enrolments[id][round][account]


@external
@view
@reentrant
def has_refunded(id: bytes32, round: uint256, account: address) -> bool:
    """
    @notice Whether an account got its price of a cancelled round back.
    @param id The course.
    @param round The round's number.
    @param account The account.
    @return bool True if it did.
    """
    return course_terms.Enrolment.REFUNDED in course_state.enrolments[id][round][account]


@internal
@view
def _course_id(teacher: address, salt: bytes32, promise: bytes32) -> bytes32:
    """
    @dev See `course_id`.
    @param teacher Who opens the course.
    @param salt As given to `open`.
    @param promise As given to `open`.
    @return bytes32 The course's id.
    """
    return keccak256(abi_encode(CHAIN_ID, self, teacher, salt, promise))


@internal
@pure
def _check_hash(current: course_terms.Round, terms: course_terms.Terms):
    """
    @dev Refuses terms other than those with which the round was opened.
    @param current The round.
    @param terms The terms that the move carries.
    """
    assert current.terms_hash == keccak256(abi_encode(terms)), "courses: terms are not the round's"


@internal
def _open_round(id: bytes32, promise: bytes32, salt: bytes32, round: uint256, terms: course_terms.Terms):
    """
    @dev Opens a round for the caller, the course's teacher.
    @param id The course.
    @param promise The course's promise, for the event.
    @param salt The course's salt in its first round, for the event; zero in a later one.
    @param round The round's number, the next one of the course.
    @param terms The round's terms, not checked yet.
    """
    course_terms._check_terms(terms)
    course_state._add_round(id, round, terms)
    log course_terms.Opened(
        id=id, teacher=msg.sender, promise=promise, salt=salt, round=round, terms=terms, at=block.timestamp
    )
