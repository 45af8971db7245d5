# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title course_ratings
@custom:contract-name course_ratings
@notice The tally of a course, and what a rating is worth to its teacher.
@dev A module, not a contract of its own. A tally is one storage word of 32-bit fields, so that a
     rating costs one write: five sums of points from the lowest bits up, then the number of raters,
     then the number of rounds. With 5 rounds of 10,000 seats no sum exceeds 5,000,000, so no field
     overflows into the next.
     Source: Docs/contracts.md, section 12.
"""

CRITERIA: constant(uint256) = 5
POINTS_MAX: constant(uint256) = 100
ONE_ROUND: constant(uint256) = 2**192
ONE_RATER: constant(uint256) = 2**160
FIELD_BITS: constant(uint256) = 32
FIELD_MASK: constant(uint256) = 2**32 - 1
# The incentive is paid only if so many students rated the round, and at least one in four of them.
RATERS_MIN: constant(uint256) = 3
STUDENTS_PER_RATER_MAX: constant(uint256) = 4


@internal
@pure
def _rating(points: uint256[CRITERIA]) -> uint256:
    """
    @dev One student's rating, to be added to the tally; refuses points above 100.
    @param points The points for each criterion.
    @return uint256 A tally of one rater.
    """
    rating: uint256 = ONE_RATER
    for criterion: uint256 in range(CRITERIA):
        assert points[criterion] <= POINTS_MAX, "courses: points above 100"
        rating += points[criterion] << (criterion * FIELD_BITS)
    return rating


@internal
@pure
def _points(tally: uint256) -> uint256[CRITERIA]:
    """
    @dev The sums of points of a tally.
    @param tally A course's tally.
    @return uint256[5] The sum for each criterion.
    """
    points: uint256[CRITERIA] = empty(uint256[CRITERIA])
    for criterion: uint256 in range(CRITERIA):
        points[criterion] = (tally >> (criterion * FIELD_BITS)) & FIELD_MASK
    return points


@internal
@pure
def _raters(tally: uint256) -> uint256:
    """
    @dev The number of ratings in a tally.
    @param tally A course's tally.
    @return uint256 The raters of all rounds; an account that rated two rounds counts twice.
    """
    return (tally // ONE_RATER) & FIELD_MASK


@internal
@pure
def _rounds(tally: uint256) -> uint256:
    """
    @dev The number of rounds in a tally.
    @param tally A course's tally.
    @return uint256 How many rounds were opened; 0 if there is no such course.
    """
    return tally // ONE_ROUND


@internal
@pure
def _average(tally: uint256) -> uint256:
    """
    @dev The average of all points ever given to a course, rounded down.
    @param tally A course's tally.
    @return uint256 0 … 100; 0 if nobody has rated.
    """
    raters: uint256 = self._raters(tally)
    if raters == 0:
        return 0
    points: uint256[CRITERIA] = self._points(tally)
    sum: uint256 = 0
    for criterion: uint256 in range(CRITERIA):
        sum += points[criterion]
    return sum // (raters * CRITERIA)


@internal
@pure
def _incentive(pool: uint256, average: uint256, enrolled: uint256, raters: uint256) -> uint256:
    """
    @dev The teacher's part of the pool, rounded half up: 15, 10, 5 or 0 %, by the average of all
         rounds. It is 0 if too few students rated this round, so that a friend's rating pays nothing.
    @param pool A tenth of what the round's students paid.
    @param average The average of all points ever given to the course.
    @param enrolled The round's students.
    @param raters The round's raters.
    @return uint256 At most the pool.
    """
    percent: uint256 = 0
    if raters >= RATERS_MIN and raters * STUDENTS_PER_RATER_MAX >= enrolled:
        if average == POINTS_MAX:
            percent = 15
        elif average >= 80:
            percent = 10
        elif average >= 60:
            percent = 5
    return (pool * percent + 50) // 100
