"""What a settled round pays to teacher and platform, to the unit: docs section 12."""

import pytest
from course_market import (  # noqa: F401
    BEGUN, CANCELLED, FAIR, GOOD, OPEN, POOR, SETTLED, courses, deployed_courses,
)
from course_model import NATIVE, PRICE_MAX, PRICE_MIN, incentive, payout
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from machine import boa, now, travel_to

ETHER = 10**18


def give_a_round(courses, id: bytes, ratings: list[tuple], enrolled: int) -> dict:
    """Fills the open round, lets the first students rate it, settles it and returns its event."""
    for student in courses.students[:enrolled]:
        courses.move("enrol", id, sender=student)
    courses.bring(id, BEGUN)
    for student, points in zip(courses.students, ratings):
        courses.move("evaluate", id, points, sender=student)
    travel_to(courses.model.courses[id].rounds[-1].terms.rate_until())
    courses.move("settle", id, sender=courses.stranger)
    return next(log.args for log in courses.contract.logs if log.name == "Settled")


def settled(courses, ratings: list[tuple], enrolled: int, price: int, currency=NATIVE) -> dict:
    """The `Settled` event of a new course's first round."""
    id = courses.open(courses.terms(price, currency=currency, seats=20))
    shown = give_a_round(courses, id, ratings, enrolled)
    assert sum(shown["payout"].values()) == enrolled * price
    return shown


def with_average(average: int, raters: int = 4) -> list[tuple]:
    """Ratings of exactly this average."""
    return [(average,) * 5] * raters


@pytest.mark.parametrize("average, teacher, platform", [
    (100, 91_500, 8_500), (99, 91_000, 9_000), (80, 91_000, 9_000), (79, 90_500, 9_500),
    (60, 90_500, 9_500), (59, 90_000, 10_000), (0, 90_000, 10_000),
])
def test_the_worked_example(courses, average, teacher, platform):
    """100 coins collected: CC-15, at every bound of CC-13."""
    shown = settled(courses, with_average(average), 4, 25 * ETHER)
    assert shown["average"] == average
    parts = shown["payout"]["teacher"], shown["payout"]["platform"]
    assert parts == (teacher * ETHER // 1_000, platform * ETHER // 1_000)
    assert shown["incentive"] == (teacher - 90_000) * ETHER // 1_000
    courses.agree()


@pytest.mark.parametrize("ratings, average", [
    ([(100, 100, 100, 100, 100)] * 2 + [(100, 100, 100, 100, 99)], 99),
    ([(80, 80, 80, 80, 80)] * 2 + [(80, 80, 80, 80, 79)], 79),
    ([(60, 60, 60, 60, 60)] * 2 + [(59, 60, 60, 60, 60)], 59),
    ([(100, 0, 100, 0, 100), (0, 100, 0, 100, 0), (50, 50, 50, 50, 50)], 50),
    ([(1, 0, 0, 0, 0), (0,) * 5, (0,) * 5], 0),
    ([], 0),
])
def test_the_average_is_of_all_points_and_rounded_down(courses, ratings, average):
    assert settled(courses, ratings, 3, ETHER)["average"] == average


# What a total has above 30,000 → pool and incentives at 15, 10 and 5 %, half up, less those of 30,000
# (3,000; 450, 300, 150); written out by hand.
ROUNDING = {
    9: (0, 0, 0, 0), 12: (1, 0, 0, 0), 30: (3, 0, 0, 0), 39: (3, 0, 0, 0), 42: (4, 1, 0, 0),
    48: (4, 1, 0, 0), 51: (5, 1, 1, 0), 90: (9, 1, 1, 0), 99: (9, 1, 1, 0), 102: (10, 2, 1, 1),
    120: (12, 2, 1, 1), 132: (13, 2, 1, 1), 150: (15, 2, 2, 1), 240: (24, 4, 2, 1),
    300: (30, 5, 3, 2),
}


@pytest.mark.parametrize("total, expected", ROUNDING.items())
def test_the_incentive_is_rounded_half_up(courses, total, expected):
    base = {100: 450, 80: 300, 60: 150, 59: 0}
    pool, *extras = expected
    for average, extra in zip(base, [*extras, 0]):
        extra += base[average]
        with boa.env.anchor():
            kept = courses.model.courses, courses.model.credits
            courses.model.courses, courses.model.credits = {}, {}
            shown = settled(courses, with_average(average, 3), 3, (30_000 + total) // 3)
            assert shown["incentive"] == extra
            assert shown["payout"] == {
                "teacher": 27_000 + total - pool + extra, "platform": 3_000 + pool - extra,
            }
            courses.model.courses, courses.model.credits = kept


@pytest.mark.parametrize("enrolled, raters, paid", [
    (1, 1, False), (2, 2, False), (3, 2, False), (3, 3, True), (12, 2, False), (12, 3, True),
    (13, 3, False), (13, 4, True), (16, 3, False), (16, 4, True), (17, 4, False), (17, 5, True),
])
def test_an_incentive_needs_three_raters_and_a_quarter_of_the_students(
    courses, enrolled, raters, paid
):
    shown = settled(courses, [GOOD] * raters, enrolled, ETHER)
    assert shown["average"] == 100
    assert shown["incentive"] == (enrolled * ETHER * 15 // 1_000 if paid else 0)
    assert shown["payout"]["platform"] == enrolled * ETHER // 10 - shown["incentive"]


def test_the_average_is_cumulative_and_the_payout_of_one_round(courses):
    """CC-13: ratings of earlier rounds count, their money does not, cancelled rounds add nothing."""
    id = courses.open(courses.terms(ETHER))
    first = give_a_round(courses, id, [GOOD] * 3, 3)
    assert (first["average"], first["incentive"]) == (100, 3 * ETHER * 15 // 1_000)
    courses.repeat(id, courses.terms(2 * ETHER))
    second = give_a_round(courses, id, [(60,) * 5] * 3, 3)
    # (3 × 1 × 100 + 3 × 2 × 60) / (3 × 1 + 3 × 2) = 73
    assert (second["average"], second["incentive"]) == (73, 6 * ETHER * 5 // 1_000)
    courses.repeat(id)
    courses.move("enrol", id, sender=courses.students[0])
    courses.bring(id, CANCELLED)
    courses.repeat(id, courses.terms(3 * ETHER))
    third = give_a_round(courses, id, [POOR] * 3, 4)
    # (660 + 3 × 3 × 20) / (9 + 9) = 46
    assert (third["average"], third["incentive"]) == (46, 0)
    courses.repeat(id, courses.terms(ETHER))
    last = give_a_round(courses, id, [GOOD] * 2, 4)
    # (840 + 2 × 1 × 100) / (18 + 2) = 52
    assert (last["round"], last["average"], last["incentive"]) == (4, 52, 0)
    assert courses.contract.course(id)["raters"] == 11
    courses.agree()
    courses.move("refund", id, sender=courses.students[0], number=2)
    courses.empty()
    assert courses.contract.owed(NATIVE) == 0


def test_a_nearly_free_round_has_almost_no_weight(courses):
    """A round at one unit, with seats of friends, made a course rated 20 show 81."""
    id = courses.open(courses.terms(ETHER, seats=20))
    assert give_a_round(courses, id, [POOR] * 3, 3)["average"] == 20
    courses.repeat(id, courses.terms(PRICE_MIN, seats=20))
    friends = give_a_round(courses, id, [GOOD] * 18, 18)
    assert (friends["average"], friends["incentive"]) == (20, 0)
    courses.repeat(id, courses.terms(ETHER))
    dear = give_a_round(courses, id, [GOOD] * 3, 3)
    assert dear["average"] == 60
    shown = [courses.contract.round_of(id, n) for n in range(3)]
    assert [(r["raters"], r["points"], r["price"]) for r in shown] == [
        (3, 300, ETHER), (18, 9_000, PRICE_MIN), (3, 1_500, ETHER),
    ]
    courses.agree()


def test_a_round_without_students_pays_nothing(courses):
    shown = settled(courses, [], 0, ETHER)
    assert shown["payout"] == {"teacher": 0, "platform": 0}
    assert [log.name for log in courses.contract.logs] == ["Settled"]


@pytest.mark.parametrize("price", [PRICE_MIN, PRICE_MIN + 3, PRICE_MAX - 1, PRICE_MAX])
@pytest.mark.parametrize("currency", [0, 1])
def test_a_round_pays_at_the_bounds_of_the_price(courses, price, currency):
    currency = courses.currencies[currency]
    shown = settled(courses, [GOOD] * 4, 4, price, currency)
    pool = 4 * price // 10
    extra = (15 * pool + 50) // 100
    assert shown["payout"] == {"teacher": 4 * price - pool + extra, "platform": pool - extra}
    courses.agree()
    courses.empty()
    assert courses.contract.owed(currency) == courses.holds(currency) == 0


@pytest.mark.parametrize("currency", [0, 1])
def test_a_cancelled_round_pays_everyone_back(courses, currency):
    currency = courses.currencies[currency]
    had = [courses.holds(currency, student) for student in courses.students[:4]]
    id = courses.reach(CANCELLED, courses.terms(ETHER, currency=currency))
    for student in courses.students[:4]:
        courses.move("refund", id, sender=student)
    courses.empty()
    assert [courses.holds(currency, student) for student in courses.students[:4]] == had
    assert courses.contract.owed(currency) == courses.holds(currency) == 0


POINTS = st.integers(0, 100)


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(
    price=st.one_of(st.integers(PRICE_MIN, 20_000), st.integers(PRICE_MIN, PRICE_MAX)),
    ratings=st.lists(st.tuples(*[POINTS] * 5), max_size=5),
    silent=st.integers(0, 6),
)
def test_a_round_pays_whatever_its_ratings(deployed_courses, price, ratings, silent):
    courses = deployed_courses
    with boa.env.anchor():
        try:
            enrolled = len(ratings) + silent
            shown = settled(courses, ratings, enrolled, price)
            extra = incentive(enrolled * price, shown["average"], enrolled, len(ratings))
            parts = payout(enrolled * price, extra)
            assert (shown["payout"]["teacher"], shown["payout"]["platform"]) == parts
            courses.agree()
            courses.empty()
            assert courses.contract.owed(NATIVE) == 0
        finally:
            courses.model.courses, courses.model.credits = {}, {}


@settings(max_examples=300)
@given(total=st.integers(0, 10_000 * PRICE_MAX), average=st.integers(0, 100))
def test_the_models_rounding_is_the_laws(total, average):
    """The model's fractions are the contract's integers: floor((pool × percent + 50) / 100)."""
    percent = 15 if average == 100 else 10 if average >= 80 else 5 if average >= 60 else 0
    assert incentive(total, average, 3, 3) == (total // 10 * percent + 50) // 100
    assert sum(payout(total, incentive(total, average, 3, 3))) == total
