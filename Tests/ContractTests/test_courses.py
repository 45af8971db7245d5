"""Every move of a course, every refusal, both sides of every bound and deadline: docs section 12."""

import itertools

import pytest
from course_market import (  # noqa: F401
    BEGUN, CANCELLED, FAIR, GOOD, OPEN, POOR, SETTLED, courses, deployed_courses, digest,
)
from course_model import DAY, NATIVE, PRICE_MAX, SEATS_MAX, YEAR, CourseTerms
from machine import Refused, boa, now, travel_to

V = 10**18
STATUSES = [0, OPEN, BEGUN, CANCELLED, SETTLED]
# Role → the moves open to it in each status, before and after the deadline that runs in it.
ALLOWED = {
    OPEN: {
        "before": {"teacher": "cancel", "student": "leave", "stranger": "enrol"},
        "start": {"teacher": "begin cancel", "student": "", "stranger": ""},
        "after": {"teacher": "cancel", "student": "cancel", "stranger": "cancel"},
    },
    BEGUN: {
        "before": {"teacher": "", "student": "evaluate", "stranger": ""},
        "after": {"teacher": "settle", "student": "settle", "stranger": "settle"},
    },
    CANCELLED: {"before": {"teacher": "repeat", "student": "refund", "stranger": ""}},
    SETTLED: {"before": {"teacher": "repeat", "student": "", "stranger": ""}},
    0: {"before": {"teacher": "", "student": "", "stranger": ""}},
}
ROUND_MOVES = ["enrol", "leave", "begin", "cancel", "refund", "evaluate", "settle"]


def attempt(courses, name: str, id: bytes, sender: str, terms: CourseTerms) -> bool:
    """Tries a move on contract and model, which must agree on it, and says whether it was made."""
    try:
        if name == "repeat":
            courses.call("repeat", id, courses.terms(), sender=sender)
        else:
            courses.move(
                name, id, *([GOOD] if name == "evaluate" else []), sender=sender, terms=terms, number=0
            )
    except Refused:
        return False
    return True


@pytest.mark.parametrize("move", ["repeat", *ROUND_MOVES])
@pytest.mark.parametrize("role", ["teacher", "student", "stranger"])
@pytest.mark.parametrize(
    "status, when", [(status, when) for status in ALLOWED for when in ALLOWED[status]]
)
def test_a_move_is_open_to_whom_the_table_says(courses, status, when, role, move):
    terms = courses.terms(seats=9)
    id = courses.reach(status, terms)
    if status == OPEN and when != "before":
        travel_to(terms.start if when == "start" else terms.begin_until())
    if status == BEGUN:
        travel_to(terms.rate_until() - (when == "before"))
    sender = {"student": courses.students[0]}.get(role) or getattr(courses, role)
    allowed = ALLOWED[status][when][role].split()
    assert attempt(courses, move, id, sender, terms) == (move in allowed)
    courses.agree()


@pytest.mark.parametrize("offset", [-1, 0])
def test_students_enrol_before_the_start(courses, offset):
    id = courses.open()
    travel_to(courses.model.courses[id].rounds[0].terms.start + offset)
    if offset == 0:
        with pytest.raises(Refused, match="courses: the round has started"):
            courses.move("enrol", id, sender=courses.students[0])
    else:
        courses.move("enrol", id, sender=courses.students[0])
    courses.agree()


@pytest.mark.parametrize("currency", [0, 1])
def test_a_student_leaves_until_a_day_before_the_start_and_is_credited(courses, currency):
    terms = courses.terms(currency=courses.currencies[currency], seats=1)
    id, (one, two, *_) = courses.open(terms), courses.students
    courses.move("enrol", id, sender=one)
    for who in (two, courses.teacher, courses.stranger):
        with pytest.raises(Refused, match="courses: only a student of the round"):
            courses.move("leave", id, sender=who)
    travel_to(terms.start - DAY - 1)
    with boa.env.anchor():
        courses.move("leave", id, sender=one)
        left, credited = courses.contract.logs
        assert left.name == "Left" and left.args == {
            "id": id, "student": one, "round": 0, "enrolled": 0, "at": now(),
        }
        assert credited.name == "Credited" and credited.args == {
            "currency": terms.currency, "account": one, "id": id, "amount": terms.price,
        }
        courses.agree()
        courses.agree_on(id, [one, two])
        with pytest.raises(Refused, match="courses: only a student of the round"):
            courses.move("leave", id, sender=one)
        for who in (two, one):  # the seat is free again, for anyone
            courses.move("enrol", id, sender=who)
            courses.move("leave", id, sender=who)
        courses.empty()
        assert courses.contract.owed(terms.currency) == courses.holds(terms.currency) == 0
        courses.model.courses[id].rounds[0].students.append(one)
    for time in (terms.start - DAY, terms.start - 1, terms.start):
        travel_to(time)
        with pytest.raises(Refused, match="courses: the time to leave has ended"):
            courses.move("leave", id, sender=one)


def test_a_round_that_starts_within_a_day_cannot_be_left(courses):
    for lead in (1, DAY, DAY + 1):
        with boa.env.anchor():
            id = courses.open(courses.terms(start=now() + lead))
            courses.move("enrol", id, sender=courses.students[0])
            if lead > DAY:
                courses.move("leave", id, sender=courses.students[0])
            else:
                with pytest.raises(Refused, match="courses: the time to leave has ended"):
                    courses.move("leave", id, sender=courses.students[0])


def test_a_student_who_left_counts_as_none(courses):
    id, (gone, *others) = courses.reach(OPEN, students=4), courses.students
    courses.move("leave", id, sender=gone)
    courses.bring(id, BEGUN)
    with pytest.raises(Refused, match="courses: only a student of the round"):
        courses.move("evaluate", id, GOOD, sender=gone)
    courses.move("evaluate", id, GOOD, sender=others[0])
    travel_to(courses.model.courses[id].rounds[0].terms.rate_until())
    courses.move("settle", id, sender=courses.stranger)
    courses.agree()
    courses.empty()
    cancelled = courses.reach(OPEN, students=2)
    courses.move("leave", cancelled, sender=gone)
    courses.bring(cancelled, CANCELLED)
    with pytest.raises(Refused, match="courses: only a student of the round"):
        courses.move("refund", cancelled, sender=gone)
    courses.move("refund", cancelled, sender=others[0])
    courses.agree()
    courses.empty()
    assert courses.contract.owed(NATIVE) == courses.holds(NATIVE) == 0


def test_a_round_does_not_begin_after_its_end(courses):
    """With a long grace and a short course a teacher began when nobody could rate any more."""
    terms = courses.terms(end=now() + 30 * DAY + 7, begin_grace=30 * DAY)
    assert terms.begin_until() == terms.end
    id = courses.reach(OPEN, terms)
    travel_to(terms.end - 1)
    with pytest.raises(Refused, match="courses: the teacher can still begin"):
        courses.move("cancel", id, sender=courses.stranger)
    with boa.env.anchor():
        courses.move("begin", id, sender=courses.teacher)
    courses.model.courses[id].rounds[0].status = OPEN
    travel_to(terms.end)
    with pytest.raises(Refused, match="courses: the time to begin has ended"):
        courses.move("begin", id, sender=courses.teacher)
    courses.move("cancel", id, sender=courses.stranger)
    courses.agree()


def test_a_course_keeps_the_currency_of_its_first_round(courses):
    """Ratings weigh by price, and prices of two currencies cannot be compared."""
    for first in courses.currencies:
        id = courses.reach(CANCELLED, courses.terms(currency=first))
        for other in {*courses.currencies, courses.stranger} - {first}:
            with pytest.raises(Refused, match="courses: a course keeps its currency"):
                courses.repeat(id, courses.terms(currency=other))
        courses.repeat(id, courses.terms(currency=first))
        courses.agree()


@pytest.mark.parametrize("point, offset, text", [
    ("start", -1, "courses: the round has not started"),
    ("start", 0, None),
    ("begin_until", -1, None),
    ("begin_until", 0, "courses: the time to begin has ended"),
])
def test_the_teacher_begins_within_the_grace(courses, point, offset, text):
    terms = courses.terms(begin_grace=DAY)
    id = courses.open(terms)
    travel_to((terms.start if point == "start" else terms.begin_until()) + offset)
    if text:
        with pytest.raises(Refused, match=text):
            courses.move("begin", id, sender=courses.teacher)
    else:
        courses.move("begin", id, sender=courses.teacher)
    assert courses.contract.round_of(id, 0)["status"] == (OPEN if text else BEGUN)


@pytest.mark.parametrize("move, sender, args, early, late", [
    ("cancel", "stranger", [], "courses: the teacher can still begin", None),
    ("cancel", "teacher", [], None, None),
    ("evaluate", "student", [FAIR], None, "courses: the rating window has ended"),
    ("settle", "stranger", [], "courses: the rating window is open", None),
    ("settle", "teacher", [], "courses: the rating window is open", None),
])
@pytest.mark.parametrize("offset", [-1, 0])
def test_a_deadline_is_before_one_move_and_after_the_other(
    courses, move, sender, args, early, late, offset
):
    terms = courses.terms()
    id = courses.reach(OPEN if move == "cancel" else BEGUN, terms)
    travel_to((terms.begin_until() if move == "cancel" else terms.rate_until()) + offset)
    who = courses.students[0] if sender == "student" else getattr(courses, sender)
    if text := late if offset == 0 else early:
        with pytest.raises(Refused, match=text):
            courses.move(move, id, *args, sender=who)
    else:
        courses.move(move, id, *args, sender=who)
    courses.agree()


BOUNDS = [
    ("price", [10_000, 10_001, PRICE_MAX], [0, 1, 9_999, PRICE_MAX + 1, 2**256 - 1], "courses: price out of bounds"),
    ("seats", [1, SEATS_MAX], [0, SEATS_MAX + 1, 2**256 - 1], "courses: seats out of bounds"),
    ("begin_grace", [DAY, 30 * DAY], [0, DAY - 1, 30 * DAY + 1, 2**256 - 1],
     "courses: time to begin out of bounds"),
    ("rating_window", [DAY, 60 * DAY], [0, DAY - 1, 60 * DAY + 1, 2**256 - 1],
     "courses: rating window out of bounds"),
]


@pytest.mark.parametrize("term, good, bad, text", BOUNDS)
@pytest.mark.parametrize("move", ["open", "repeat"])
def test_a_term_is_accepted_up_to_its_bounds_and_not_beyond(courses, move, term, good, bad, text):
    id = courses.reach(CANCELLED, students=0)
    for value in bad:
        with pytest.raises(Refused, match=text):
            terms = courses.terms(**{term: value})
            courses.open(terms) if move == "open" else courses.repeat(id, terms)
    for value in good:
        terms = courses.terms(**{term: value})
        if move == "open":
            courses.open(terms)
        else:
            courses.repeat(id, terms)
            courses.bring(id, CANCELLED)
    courses.agree()


@pytest.mark.parametrize("start, end, text", [
    (0, DAY, "courses: the start has passed"),
    (-1, DAY, "courses: the start has passed"),
    (1, 2, None),
    (YEAR, YEAR + 1, None),
    (YEAR + 1, YEAR + 2, "courses: the start is more than 365 days ahead"),
    (2**255, 2**255 + 1, "courses: the start is more than 365 days ahead"),
    (DAY, DAY, "courses: the end is not after the start"),
    (DAY, DAY - 1, "courses: the end is not after the start"),
    (DAY, DAY + 1, None),
    (DAY, DAY + YEAR, None),
    (DAY, DAY + YEAR + 1, "courses: longer than 365 days"),
    (DAY, 2**255, "courses: longer than 365 days"),
    (YEAR, 2 * YEAR, None),
])
def test_start_and_end_are_accepted_up_to_their_bounds(courses, start, end, text):
    terms = courses.terms(start=now() + start, end=now() + end)
    if text:
        with pytest.raises(Refused, match=text):
            courses.open(terms)
        assert courses.model.courses == {}
    else:
        courses.open(terms)
        courses.agree()


def test_only_currencies_of_the_deployment_are_accepted(courses):
    for currency in courses.currencies:
        courses.open(courses.terms(currency=currency))
    for currency in (courses.stranger, courses.contract.address):
        with pytest.raises(Refused, match="money: currency is not accepted"):
            courses.open(courses.terms(currency=currency))


def test_a_course_has_one_id_that_names_teacher_salt_and_promise(courses):
    salt, promise = digest("salt"), digest("promise")
    id = courses.open(salt=salt, promise=promise)
    assert courses.contract.course_id(courses.teacher, salt, promise) == id
    for again in (courses.terms(), courses.terms(50_000)):
        with pytest.raises(Refused, match="courses: course exists already"):
            courses.open(again, salt=salt, promise=promise)
    others = {
        courses.open(salt=digest("other"), promise=promise),
        courses.open(salt=salt, promise=digest("other")),
        courses.open(salt=salt, promise=promise, teacher=courses.other),
    }
    assert len(others | {id}) == 4
    with pytest.raises(Refused, match="courses: promise is zero"):
        courses.open(promise=bytes(32))
    courses.agree()


def test_a_course_that_ended_cannot_be_opened_again(courses):
    salt = digest("salt")
    id = courses.open(salt=salt)
    courses.bring(id, CANCELLED)
    with pytest.raises(Refused, match="courses: course exists already"):
        courses.open(salt=salt)


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_no_more_students_enrol_than_there_are_seats(courses, seats):
    id = courses.open(courses.terms(seats=seats))
    for student in courses.students[:seats]:
        courses.move("enrol", id, sender=student)
    with pytest.raises(Refused, match="courses: no seat is free"):
        courses.move("enrol", id, sender=courses.students[seats])
    assert courses.contract.round_of(id, 0)["enrolled"] == seats
    courses.agree()


def test_a_student_enrols_once_in_a_round(courses):
    id = courses.reach(OPEN)
    with pytest.raises(Refused, match="courses: enrolled already"):
        courses.move("enrol", id, sender=courses.students[0])
    with pytest.raises(Refused, match="courses: the teacher cannot enrol"):
        courses.move("enrol", id, sender=courses.teacher)
    courses.move("cancel", id, sender=courses.teacher)
    courses.repeat(id)
    courses.move("enrol", id, sender=courses.students[0])
    courses.agree()
    courses.agree_on(id, courses.people)


@pytest.mark.parametrize("currency", [0, 1, 2])
def test_a_seat_costs_exactly_its_price(courses, currency):
    currency = courses.currencies[currency]
    id = courses.open(courses.terms(77_777, currency=currency))
    wrong = [0, 77_776, 77_778] if currency == NATIVE else [1, 77_777]
    text = "money: wrong amount" if currency == NATIVE else "money: value sent to a sale in a token"
    for value in wrong:
        with pytest.raises(Refused, match=text):
            courses.move("enrol", id, sender=courses.students[0], value=value)
    held = courses.holds(currency)
    courses.move("enrol", id, sender=courses.students[0])
    assert courses.holds(currency) == held + 77_777
    courses.agree()


def test_points_are_from_0_to_100(courses):
    id = courses.reach(BEGUN)
    for criterion, value in itertools.product(range(5), [101, 2**32, 2**256 - 1]):
        points = [100] * 5
        points[criterion] = value
        with pytest.raises(Refused, match="courses: points above 100"):
            courses.move("evaluate", id, tuple(points), sender=courses.students[0])
    courses.move("evaluate", id, (0,) * 5, sender=courses.students[0])
    courses.move("evaluate", id, (100, 0, 50, 1, 99), sender=courses.students[1])
    with pytest.raises(Refused, match="courses: rated already"):
        courses.move("evaluate", id, GOOD, sender=courses.students[0])
    assert courses.contract.course(id)["points"] == (100, 0, 50, 1, 99)
    courses.agree()
    courses.agree_on(id, courses.students[:4])


@pytest.mark.parametrize("ending", [CANCELLED, SETTLED])
def test_a_course_has_at_most_five_rounds(courses, ending):
    id = courses.reach(ending)
    for _ in range(4):
        courses.repeat(id)
        for status in (OPEN, BEGUN):
            if status == BEGUN and ending == SETTLED:
                courses.bring(id, BEGUN)
            with pytest.raises(Refused, match="courses: the last round has not ended"):
                courses.repeat(id)
        if ending == SETTLED:
            travel_to(courses.model.courses[id].rounds[-1].terms.rate_until())
            courses.move("settle", id, sender=courses.stranger)
        else:
            courses.bring(id, CANCELLED)
    with pytest.raises(Refused, match="courses: a course has at most five rounds"):
        courses.repeat(id)
    assert courses.contract.course(id)["rounds"] == 5
    courses.agree()


def test_only_the_teacher_repeats_and_only_an_existing_course(courses):
    id = courses.reach(CANCELLED)
    for who in (courses.students[0], courses.stranger, courses.platform, courses.deployer):
        with pytest.raises(Refused, match="courses: only the teacher"):
            courses.call("repeat", id, courses.terms(), sender=who)
    # The teacher of a course that does not exist is the zero address; a simulated call may be its.
    for who in (courses.teacher, NATIVE):
        with pytest.raises(Refused, match="courses: course does not exist"):
            courses.call("repeat", digest("none"), courses.terms(), sender=who)


@pytest.mark.parametrize("number", [1, 4, 5, 2**256 - 1])
def test_a_round_that_was_not_opened_has_no_moves(courses, number):
    id = courses.reach(OPEN)
    for name in ROUND_MOVES:
        rest = [GOOD] if name == "evaluate" else []
        with pytest.raises(Refused, match="courses: round is not"):
            courses.move(name, id, *rest, sender=courses.teacher, number=number)
    empty = {"status": 0, "terms_hash": bytes(32), "enrolled": 0, "raters": 0, "points": 0, "price": 0}
    assert courses.contract.round_of(id, number) == empty


def test_a_missing_course_is_shown_as_zeros(courses):
    nothing = digest("none")
    shown = courses.contract.course(nothing)
    assert shown == {
        "teacher": NATIVE, "promise": bytes(32), "rounds": 0, "points": (0,) * 5, "raters": 0,
    }
    for view in ("is_student", "has_rated", "has_refunded"):
        assert courses.contract.call(view, nothing, 0, courses.teacher) is False
    empty = {"status": 0, "terms_hash": bytes(32), "enrolled": 0, "raters": 0, "points": 0, "price": 0}
    assert courses.contract.state(nothing) == (shown, empty)


def test_the_state_of_a_course_is_it_and_its_last_round(courses):
    c, id = courses.contract, courses.reach(CANCELLED, students=3)
    assert c.state(id) == (c.course(id), c.round_of(id, 0))
    assert (c.state(id)[1]["status"], c.state(id)[1]["enrolled"]) == (CANCELLED, 3)
    courses.repeat(id)
    courses.move("enrol", id, sender=courses.students[0])
    assert c.state(id) == (c.course(id), c.round_of(id, 1))
    assert (c.state(id)[0]["rounds"], c.state(id)[1]["enrolled"]) == (2, 1)


def test_every_move_emits_its_event(courses):
    """The logs of one round that is cancelled and one that is settled, as the ABI has them."""
    c, student = courses.contract, courses.students[0]
    salt, promise, terms = digest("salt"), digest("promise"), courses.terms()
    id = courses.open(terms, salt=salt, promise=promise)

    def logged(*expected):
        assert [(log.name, log.args) for log in c.logs] == list(expected)

    def opened(salt, number, terms):
        shown = dict(zip(terms.__dict__, terms.abi()))
        return ("Opened", {
            "id": id, "teacher": courses.teacher, "promise": promise, "salt": salt,
            "round": number, "terms": shown, "at": now(),
        })

    logged(opened(salt, 0, terms))
    courses.move("enrol", id, sender=student)
    logged(("Enrolled", {"id": id, "student": student, "round": 0, "enrolled": 1, "at": now()}))
    courses.move("cancel", id, sender=courses.teacher)
    logged(("Cancelled", {"id": id, "by": courses.teacher, "round": 0, "at": now()}))
    courses.move("refund", id, sender=student)
    logged(
        ("Refunded", {"id": id, "student": student, "round": 0, "amount": V, "at": now()}),
        ("Credited", {"currency": NATIVE, "account": student, "id": id, "amount": V}),
    )
    again = courses.terms()
    courses.repeat(id, again)
    logged(opened(bytes(32), 1, again))
    for n in range(3):
        courses.move("enrol", id, sender=courses.students[n])
    travel_to(again.start)
    courses.move("begin", id, sender=courses.teacher)
    logged(("Begun", {"id": id, "round": 1, "at": again.start}))
    for n in range(3):
        courses.move("evaluate", id, (100, 90, 80, 70, 60), sender=courses.students[n])
    logged(("Evaluated", {
        "id": id, "student": courses.students[2], "round": 1, "points": (100, 90, 80, 70, 60),
        "at": again.start,
    }))
    travel_to(again.rate_until())
    courses.move("settle", id, sender=courses.stranger)
    pool, extra = 3 * V // 10, 3 * V // 100
    teacher, platform = 3 * V - pool + extra, pool - extra
    logged(
        ("Settled", {
            "id": id, "round": 1, "by": courses.stranger, "average": 80, "incentive": extra,
            "payout": {"teacher": teacher, "platform": platform}, "at": again.rate_until(),
        }),
        ("Credited", {"currency": NATIVE, "account": courses.teacher, "id": id, "amount": teacher}),
        ("Credited", {"currency": NATIVE, "account": courses.platform, "id": id, "amount": platform}),
    )


def test_the_deployment_emits_its_constants(deployed_courses):
    first = [log for log in deployed_courses.deployment if log.name == "Deployed"]
    assert [log.args for log in first] == [
        {"platform": deployed_courses.platform, "currencies": deployed_courses.currencies[1:]}
    ]
    assert deployed_courses.contract.PLATFORM() == deployed_courses.platform
    assert deployed_courses.contract.currencies() == deployed_courses.currencies[1:]
