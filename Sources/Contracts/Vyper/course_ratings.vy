# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title course_ratings
@custom:contract-name course_ratings
@notice The ratings of a course in one word, and what they are worth to its teacher.
@dev A module, not a contract of its own. The word has 32-bit fields, so that a rating costs one
     write: five sums of points from the lowest bits up, then the number of raters. With 5 rounds of
     10,000 seats no sum exceeds 5,000,000, so no field overflows into the next.
     Source: Docs/contracts.md, section 12.
"""

CRITERIA: constant(uint256) = 5
POINTS_MAX: constant(uint256) = 100
ONE_RATER: constant(uint256) = 2**160
FIELD_BITS: constant(uint256) = 32
FIELD_MASK: constant(uint256) = 2**32 - 1
# The incentive is paid only if so many students rated the round, and at least one in four of them.
RATERS_MIN: constant(uint256) = 3
STUDENTS_PER_RATER_MAX: constant(uint256) = 4


@internal
@pure
def _rating(points: uint256[CRITERIA]) -> (uint256, uint256):
    """
    @dev One student's rating, to be added to the course's ratings; refuses points above 100.
    @param points The points for each criterion.
    @return uint256 The ratings of one rater.
    @return uint256 The sum of the points, at most 500.
    """
    rating: uint256 = ONE_RATER
    total: uint256 = 0
    for criterion: uint256 in range(CRITERIA):
        assert points[criterion] <= POINTS_MAX, "courses: points above 100"
        rating += points[criterion] << (criterion * FIELD_BITS)
        total += points[criterion]
    return rating, total


@internal
@pure
def _points(ratings: uint256) -> uint256[CRITERIA]:
    """
    @dev The sums of points.
    @param ratings A course's ratings.
    @return uint256[5] The sum for each criterion.
    """
    points: uint256[CRITERIA] = empty(uint256[CRITERIA])
    for criterion: uint256 in range(CRITERIA):
        points[criterion] = (ratings >> (criterion * FIELD_BITS)) & FIELD_MASK
    return points


@internal
@pure
def _raters(ratings: uint256) -> uint256:
    """
    @dev How many ratings there are.
    @param ratings A course's ratings.
    @return uint256 The raters of all rounds; an account that rated two rounds counts twice.
    """
    return ratings // ONE_RATER


@internal
@pure
def _incentive(pool: uint256, average: uint256, enrolled: uint256, raters: uint256) -> uint256:
    """
    @dev The teacher's part of the pool, rounded half up: 15, 10, 5 or 0 %, by the average of all
         rounds. It is 0 if too few students rated this round, so that a friend's rating pays nothing.
    @param pool A tenth of what the round's students paid.
    @param average The average of the course, see course_state.vy.
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
