# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title course_state
@custom:contract-name course_state
@notice What Courses stores, in as few words as possible, and its two views of it.
@dev A module, not a contract of its own. A course takes three words and a round two, beside one word
     for each student. A move loads a round, changes it in memory and saves it.
     Source: Docs/contracts.md, section 12.
"""
import course_ratings
import course_terms

# A course's head: its teacher in the low 160 bits, above them in 32 bits how many rounds were opened,
# then the number of its currency, see money.vy.
ONE_ROUND: constant(uint256) = 2**160
ROUNDS_SHIFT: constant(uint256) = 160
CURRENCY_SHIFT: constant(uint256) = 192
# A round's counts: status, students, raters and the sum of their points, 32 bits each from the lowest
# up, then the price in 128 bits. With 10,000 seats the sum is at most 5,000,000.
STUDENTS_SHIFT: constant(uint256) = 32
RATERS_SHIFT: constant(uint256) = 64
POINTS_SHIFT: constant(uint256) = 96
PRICE_SHIFT: constant(uint256) = 128
COUNT_MASK: constant(uint256) = 2**32 - 1
ROUNDS_MAX: constant(uint256) = 5

# Course → its head; 0 if there is no such course.
heads: HashMap[bytes32, uint256]
# Course → the hash of the listing that it fulfils.
promises: HashMap[bytes32, bytes32]
# Course → its ratings, see course_ratings.vy.
ratings: HashMap[bytes32, uint256]
# Course → number of the round → keccak256 of the ABI encoding of its terms.
hashes: HashMap[bytes32, HashMap[uint256, bytes32]]
# Course → number of the round → its counts.
counts: HashMap[bytes32, HashMap[uint256, uint256]]
# Course → number of the round → account → what it did there.
enrolments: HashMap[bytes32, HashMap[uint256, HashMap[address, course_terms.Enrolment]]]


@internal
@view
def _teacher(id: bytes32) -> address:
    """
    @dev Who gives a course.
    @param id The course.
    @return address The teacher; the zero address if there is no such course.
    """
    return convert(self.heads[id] % ONE_ROUND, address)


@internal
@view
def _rounds(id: bytes32) -> uint256:
    """
    @dev How many rounds of a course were opened.
    @param id The course.
    @return uint256 At least 1; 0 if there is no such course.
    """
    return (self.heads[id] >> ROUNDS_SHIFT) & COUNT_MASK


@internal
@view
def _currency_number(id: bytes32) -> uint256:
    """
    @dev In which currency all rounds of a course are paid: weights of two could not be compared.
    @param id The course.
    @return uint256 The currency's number, see money.vy; 0 if there is no such course.
    """
    return self.heads[id] >> CURRENCY_SHIFT


@internal
@view
def _average(id: bytes32, rounds: uint256) -> uint256:
    """
    @dev The average of all points ever given to a course, rounded down. Each rating weighs the price of
         its round, so that a round for next to nothing counts for next to nothing.
    @param id The course.
    @param rounds How many rounds were opened, at most five.
    @return uint256 0 … 100; 0 if nobody has rated.
    """
    weighed: uint256 = 0
    weight: uint256 = 0
    for number: uint256 in range(rounds, bound=ROUNDS_MAX):
        counts: uint256 = self.counts[id][number]
        price: uint256 = counts >> PRICE_SHIFT
        weighed += price * ((counts >> POINTS_SHIFT) & COUNT_MASK)
        weight += price * ((counts >> RATERS_SHIFT) & COUNT_MASK)
    return 0 if weight == 0 else weighed // (weight * course_ratings.CRITERIA)


@internal
@view
def _course(id: bytes32) -> course_terms.Course:
    """
    @dev A course over all its rounds.
    @param id The course.
    @return Course All zero if there is no such course.
    """
    ratings: uint256 = self.ratings[id]
    return course_terms.Course(
        teacher=self._teacher(id),
        promise=self.promises[id],
        rounds=self._rounds(id),
        points=course_ratings._points(ratings),
        raters=course_ratings._raters(ratings),
    )


@internal
@view
def _round(id: bytes32, round: uint256) -> course_terms.Round:
    """
    @dev A round as it stands.
    @param id The course.
    @param round The round's number.
    @return Round All zero if there is no such round.
    """
    counts: uint256 = self.counts[id][round]
    return course_terms.Round(
        status=convert(counts & COUNT_MASK, course_terms.Status),
        terms_hash=self.hashes[id][round],
        enrolled=(counts >> STUDENTS_SHIFT) & COUNT_MASK,
        raters=(counts >> RATERS_SHIFT) & COUNT_MASK,
        points=(counts >> POINTS_SHIFT) & COUNT_MASK,
        price=counts >> PRICE_SHIFT,
    )


@internal
def _save(id: bytes32, round: uint256, changed: course_terms.Round):
    """
    @dev Keeps a round's status, counts and price; the hash of its terms never changes.
    @param id The course.
    @param round The round's number.
    @param changed The round, with at most 10,000 students and as many raters.
    """
    counts: uint256 = convert(changed.status, uint256)
    counts |= changed.enrolled << STUDENTS_SHIFT
    counts |= changed.raters << RATERS_SHIFT
    counts |= changed.points << POINTS_SHIFT
    self.counts[id][round] = counts | (changed.price << PRICE_SHIFT)


@internal
def _add_course(id: bytes32, teacher: address, promise: bytes32, currency: uint256):
    """
    @dev Keeps a new course, which has no round yet.
    @param id The course.
    @param teacher Who gives it.
    @param promise The hash of the listing that it fulfils.
    @param currency The number of the currency of all its rounds.
    """
    self.heads[id] = convert(teacher, uint256) | (currency << CURRENCY_SHIFT)
    self.promises[id] = promise


@internal
def _add_round(id: bytes32, round: uint256, terms: course_terms.Terms):
    """
    @dev Keeps a course's next round, which is open.
    @param id The course.
    @param round The round's number, which is how many rounds the course has.
    @param terms Its terms.
    """
    self.heads[id] += ONE_ROUND
    self.hashes[id][round] = keccak256(abi_encode(terms))
    self.counts[id][round] = convert(course_terms.Status.OPEN, uint256) | (terms.price << PRICE_SHIFT)
