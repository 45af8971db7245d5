"""Each theft or loss known from earlier course contracts, and hostile parties: docs section 12.

A test is named for the attack; its docstring gives the numbers of the hazards.
"""

import pytest
from course_market import (  # noqa: F401
    BEGUN, CANCELLED, GOOD, OPEN, POOR, SETTLED, courses, deployed_courses, digest,
)
from course_model import DAY, ENDED, NATIVE, PRICE_MAX
from machine import Contract, Refused, balance, boa, now, travel_to

V = 10**18
STATUSES = (OPEN, BEGUN, CANCELLED, SETTLED)


@pytest.fixture
def hostile(courses):  # noqa: F811
    """A contract that does as it is told, with money of its own."""
    contract = Contract("Attacker")
    boa.env.set_balance(contract.address, 10**45)
    return contract


def test_two_courses_in_one_block(courses):
    """CC-03: the id was a hash of block, teacher and price, so a second course was refused."""
    at = now()
    ids = {courses.open(), courses.open()}
    assert len(ids) == 2 and now() == at


def test_paying_for_a_course_that_is_full_or_paid_already(courses):
    """CC-05, CC-43: no seat limit, no check for a second payment."""
    id = courses.open(courses.terms(seats=2))
    courses.move("enrol", id, sender=courses.students[0])
    with pytest.raises(Refused, match="enrolled already"):
        courses.move("enrol", id, sender=courses.students[0])
    courses.move("enrol", id, sender=courses.students[1])
    with pytest.raises(Refused, match="no seat is free"):
        courses.move("enrol", id, sender=courses.students[2])
    assert courses.contract.owed(NATIVE) == 2 * V


def test_paying_for_a_round_that_has_begun_or_ended(courses):
    """CC-05: payment was possible as long as the course existed."""
    for status in (BEGUN, CANCELLED, SETTLED):
        id = courses.reach(status)
        with pytest.raises(Refused, match="round is not open"):
            courses.move("enrol", id, sender=courses.students[9])


def test_a_student_of_one_round_rating_another(courses):
    """CC-06, CC-07: students of all rounds rated the current one, as often as they liked."""
    id = courses.reach(SETTLED)
    courses.repeat(id)
    for student in courses.students[2:6]:
        courses.move("enrol", id, sender=student)
    courses.bring(id, BEGUN)
    for student in (courses.students[0], courses.students[9], courses.teacher, courses.platform):
        with pytest.raises(Refused, match="only a student of the round"):
            courses.move("evaluate", id, GOOD, sender=student)
    courses.move("evaluate", id, GOOD, sender=courses.students[2])
    for points in (GOOD, POOR):
        with pytest.raises(Refused, match="rated already"):
            courses.move("evaluate", id, points, sender=courses.students[2])
    with pytest.raises(Refused, match="round is not under way"):
        courses.move("evaluate", id, GOOD, sender=courses.students[0], number=0)
    courses.agree()


def test_rating_before_the_round_begins(courses):
    """CC-07: whoever had paid could rate at once."""
    id = courses.reach(OPEN)
    with pytest.raises(Refused, match="round is not under way"):
        courses.move("evaluate", id, GOOD, sender=courses.students[0])


def test_a_rating_out_of_range_that_lifts_the_average(courses):
    """CC-07: points were not bounded; here none can spill into the next sum either."""
    id = courses.reach(BEGUN)
    for points in [(101, 0, 0, 0, 0), (2**32, 0, 0, 0, 0), (0, 0, 0, 0, 2**32), (0, 0, 0, 0, 2**64)]:
        with pytest.raises(Refused, match="points above 100"):
            courses.move("evaluate", id, points, sender=courses.students[0])
    assert courses.contract.course(id)["rounds"] == 1
    assert courses.contract.course(id)["raters"] == 0


def test_a_course_that_nobody_rates(courses):
    """CC-08, CC-12: the average divided by zero, so that the money of unrated courses was locked."""
    id = courses.reach(BEGUN)
    travel_to(courses.model.courses[id].rounds[0].terms.rate_until())
    courses.move("settle", id, sender=courses.stranger)
    assert courses.contract.logs[0].args["average"] == 0
    courses.empty()
    assert courses.contract.owed(NATIVE) == courses.holds(NATIVE) == 0


def test_paying_out_again_and_again(courses):
    """CC-12: anyone could have a round paid out at any time, and again."""
    id = courses.reach(BEGUN)
    courses.reach(OPEN)
    with pytest.raises(Refused, match="the rating window is open"):
        courses.move("settle", id, sender=courses.teacher)
    travel_to(courses.model.courses[id].rounds[0].terms.rate_until())
    courses.move("settle", id, sender=courses.teacher)
    for who in (courses.teacher, courses.platform, courses.stranger):
        with pytest.raises(Refused, match="round is not under way"):
            courses.move("settle", id, sender=who)
    courses.empty()
    assert courses.contract.owed(NATIVE) == courses.holds(NATIVE) == 4 * V
    with pytest.raises(Refused, match="money: more than the credit"):
        courses.call("withdraw", NATIVE, 1, courses.teacher, sender=courses.teacher)


def test_no_owner_has_power_over_a_course(courses):
    """CC-16, CC-17: only the owner could settle, and could hand that over. Here nobody owns."""
    writers = {
        e["name"] for e in courses.contract.abi
        if e["type"] == "function" and e["stateMutability"] in ("nonpayable", "payable")
    }
    assert writers == {
        "open", "repeat", "enrol", "leave", "begin", "cancel", "refund", "evaluate", "settle", "withdraw",
    }
    id = courses.reach(BEGUN)
    for who in (courses.deployer, courses.platform):
        for move in ("begin", "cancel", "settle", "refund"):
            with pytest.raises(Refused):
                courses.move(move, id, sender=who)


def test_money_stuck_in_a_function_that_ignores_it(courses):
    """Value sent with a move that takes none is refused."""
    payable = {
        e["name"] for e in courses.contract.abi
        if e["type"] in ("function", "constructor", "fallback", "receive")
        and e["stateMutability"] == "payable" and e.get("name")
    }
    assert payable == {"enrol"}
    id = courses.reach(OPEN)
    terms = courses.model.courses[id].rounds[0].terms
    with pytest.raises(Refused):
        courses.contract.cancel(id, 0, terms.abi(), sender=courses.teacher, value=1)
    raw = dict(to_address=courses.contract.address, sender=courses.stranger, value=1)
    assert boa.env.execute_code(data=b"", **raw).is_error


def test_a_teacher_who_never_begins(courses):
    """The round cannot begin late; anyone cancels it, and every student gets the price back."""
    terms = courses.terms(begin_grace=DAY)
    id = courses.reach(OPEN, terms)
    travel_to(terms.begin_until())
    with pytest.raises(Refused, match="the time to begin has ended"):
        courses.move("begin", id, sender=courses.teacher)
    courses.move("cancel", id, sender=courses.stranger)
    for student in courses.students[:4]:
        courses.move("refund", id, sender=student)
    courses.empty()
    assert courses.contract.owed(NATIVE) == courses.holds(NATIVE) == 0


def test_a_teacher_who_cancels_a_begun_round(courses):
    """A round that has begun is settled and never cancelled, whoever asks and whenever."""
    id = courses.reach(BEGUN)
    for time in (now(), courses.model.courses[id].rounds[0].terms.rate_until()):
        travel_to(time)
        for who in (courses.teacher, courses.stranger):
            with pytest.raises(Refused, match="round is not open"):
                courses.move("cancel", id, sender=who)


def test_a_teacher_who_begins_a_cancelled_round(courses):
    """What students can draw back is never also the teacher's."""
    id = courses.open()
    courses.move("enrol", id, sender=courses.students[0])
    courses.move("cancel", id, sender=courses.teacher)
    travel_to(courses.model.courses[id].rounds[0].terms.start)
    for move in ("begin", "cancel"):
        with pytest.raises(Refused, match="round is not open"):
            courses.move(move, id, sender=courses.teacher)


def test_a_teacher_who_begins_when_nobody_can_rate(courses):
    """With a long grace, a short course and a short window, a late begin left no time to rate. Now a
    round begins before its end, so at least the whole rating window remains."""
    start = now() + DAY
    terms = courses.terms(start=start, end=start + 1, begin_grace=30 * DAY, rating_window=DAY)
    id = courses.reach(OPEN, terms)
    travel_to(terms.end)
    with pytest.raises(Refused, match="the time to begin has ended"):
        courses.move("begin", id, sender=courses.teacher)
    courses.move("cancel", id, sender=courses.stranger)
    courses.move("refund", id, sender=courses.students[0])
    assert courses.contract.credit(NATIVE, courses.students[0]) == V


def test_a_friend_who_rates_alone(courses):
    """One friend's seat and best rating would have lifted the part of every price paid."""
    for raters in (1, 2):
        id = courses.reach(BEGUN, courses.terms())
        for friend in courses.students[:raters]:
            courses.move("evaluate", id, GOOD, sender=friend)
        travel_to(courses.model.courses[id].rounds[0].terms.rate_until())
        courses.move("settle", id, sender=courses.teacher)
        assert courses.contract.logs[0].args["incentive"] == 0


def test_a_refund_twice(courses):
    """A student gets the price back once, also if it was not withdrawn yet, also after a repeat."""
    id = courses.reach(CANCELLED)
    courses.reach(OPEN)
    student = courses.students[0]
    courses.move("refund", id, sender=student)
    with pytest.raises(Refused, match="refunded already"):
        courses.move("refund", id, sender=student)
    courses.empty()
    courses.repeat(id)
    courses.move("enrol", id, sender=student)
    with pytest.raises(Refused, match="refunded already"):
        courses.move("refund", id, sender=student, number=0)
    with pytest.raises(Refused, match="round is not cancelled"):
        courses.move("refund", id, sender=student, number=1)
    courses.agree()
    courses.agree_on(id, courses.people)


def test_a_refund_after_every_repeat(courses):
    """A student who sleeps through all later rounds still gets each price back, at that price."""
    prices = [50_000, 70_000, 11_000, 13_000, 17_000]
    id, (sleeper, *_) = courses.open(courses.terms(prices[0])), courses.students
    for number, price in enumerate(prices):
        courses.move("enrol", id, sender=sleeper)
        courses.bring(id, CANCELLED)
        if number < 4:
            courses.repeat(id, courses.terms(prices[number + 1]))
    travel_to(now() + 5_000 * DAY)
    for number, price in enumerate(prices):
        courses.move("refund", id, sender=sleeper, number=number)
        assert courses.contract.credit(NATIVE, sleeper) == sum(prices[:number + 1])
    courses.empty()
    assert courses.contract.owed(NATIVE) == courses.holds(NATIVE) == 0


def test_a_refund_to_a_stranger(courses):
    """Who did not pay in the round gets nothing, not even the teacher or a student of another."""
    id = courses.reach(CANCELLED, students=2)
    courses.repeat(id)
    courses.move("enrol", id, sender=courses.students[3])
    for who in (courses.teacher, courses.platform, courses.stranger, courses.students[3]):
        with pytest.raises(Refused, match="only a student of the round"):
            courses.move("refund", id, sender=who, number=0)


def test_a_refund_of_a_round_that_takes_place(courses):
    """Money of a round that is open, begun or settled is not given back."""
    for status in (OPEN, BEGUN, SETTLED):
        id = courses.reach(status)
        with pytest.raises(Refused, match="round is not cancelled"):
            courses.move("refund", id, sender=courses.students[0])


MOVES = {
    "enrol": OPEN, "begin": OPEN, "cancel": OPEN, "refund": CANCELLED, "evaluate": BEGUN,
    "settle": BEGUN,
}


@pytest.mark.parametrize("move", MOVES)
def test_swapping_the_terms(courses, move):
    """The terms of a move are the caller's word; all but those of the round are refused."""
    terms = courses.terms(10 * V, seats=9)
    id = courses.reach(MOVES[move], terms)
    changes = dict(
        currency=courses.currencies[1], price=10 * V + 1, seats=10, start=terms.start - 1,
        end=terms.end - 1, begin_grace=terms.begin_grace + 1, rating_window=terms.rating_window - 1,
    )
    travel_to({"begin": terms.start, "settle": terms.rate_until()}.get(move, now()))
    sender = courses.students[9 if move == "enrol" else 0] if move != "begin" else courses.teacher
    sender = courses.teacher if move == "cancel" else sender
    rest = [GOOD] if move == "evaluate" else []
    for name, value in changes.items():
        swapped = courses.terms(**{**terms.__dict__, name: value})
        assert swapped != terms
        with pytest.raises(Refused, match="terms are not the round's"):
            courses.move(move, id, *rest, sender=sender, terms=swapped)
    courses.move(move, id, *rest, sender=sender)
    courses.agree()


def test_terms_of_another_round_or_course(courses):
    """A dear round's terms do not refund a cheap one, nor another course's."""
    id = courses.reach(CANCELLED, courses.terms(50_000))
    courses.repeat(id, courses.terms(90_000))
    courses.move("enrol", id, sender=courses.students[0])
    courses.bring(id, CANCELLED)
    other = courses.reach(CANCELLED, courses.terms(70_000))
    cheap, dear = (r.terms for r in courses.model.courses[id].rounds)
    alien = courses.model.courses[other].rounds[0].terms
    for terms, number in [(dear, 0), (alien, 0), (cheap, 1), (alien, 1)]:
        with pytest.raises(Refused, match="terms are not the round's"):
            courses.move("refund", id, sender=courses.students[0], number=number, terms=terms)
    courses.agree()


def test_changing_the_offer_in_a_reorganised_chain(courses):
    """A student's payment was on its way when the course fell off the chain; the teacher opens it
    anew, with the same id and other terms. The payment carries the terms that were agreed to."""
    salt, agreed = digest("salt"), courses.terms(V)
    with boa.env.anchor():
        id = courses.open(agreed, salt=salt)
        courses.model.courses.clear()
    for change in ({"end": agreed.end + DAY}, {"rating_window": DAY}, {"begin_grace": 30 * DAY}):
        with boa.env.anchor():
            assert courses.open(courses.terms(V, **change), salt=salt) == id
            with pytest.raises(Refused, match="terms are not the round's"):
                courses.move("enrol", id, sender=courses.students[0], terms=agreed)
            courses.model.courses.clear()
    assert courses.open(courses.terms(V), salt=salt, promise=digest("less")) != id


@pytest.mark.parametrize("role", ["teacher", "student", "platform"])
@pytest.mark.parametrize("ending", ENDED)
def test_blocking_a_round_by_refusing_money(courses, hostile, role, ending):
    """Nobody is paid by push: whoever refuses money hurts only himself, and can draw it elsewhere."""
    hostile.arm(NATIVE, b"", True)
    c, me = courses.contract, hostile.address
    if role == "platform":
        c = Contract("Courses", me, [])
    teacher = me if role == "teacher" else courses.teacher
    student = me if role == "student" else courses.students[0]
    terms = courses.terms()
    id = c.open(digest("s"), digest("p"), terms.abi(), sender=teacher)
    for who in (student, courses.students[1]):
        c.enrol(id, 0, terms.abi(), sender=who, value=V)
    if ending == CANCELLED:
        c.cancel(id, 0, terms.abi(), sender=teacher)
        for who in (student, courses.students[1]):
            c.refund(id, 0, terms.abi(), sender=who)
    else:
        travel_to(terms.start)
        c.begin(id, 0, terms.abi(), sender=teacher)
        c.evaluate(id, 0, terms.abi(), POOR, sender=student)
        travel_to(terms.rate_until())
        c.settle(id, 0, terms.abi(), sender=courses.stranger)
    assert c.round_of(id, 0)["status"] == ending
    for who in {teacher, student, courses.students[1], courses.platform} - {me}:
        if credit := c.credit(NATIVE, who):
            c.withdraw(NATIVE, credit, who, sender=who)
    credit = c.credit(NATIVE, me)
    assert c.owed(NATIVE) == credit
    if credit:
        with pytest.raises(Refused, match="the receiver refused the money"):
            c.withdraw(NATIVE, credit, me, sender=me)
        c.withdraw(NATIVE, credit, courses.stranger, sender=me)
    assert balance(c.address) == 0


def test_a_platform_that_teaches_and_learns(courses):
    """The platform has no other right than its credit, also as a teacher or a student."""
    id = courses.open(teacher=courses.platform)
    with pytest.raises(Refused, match="the teacher cannot enrol"):
        courses.move("enrol", id, sender=courses.platform)
    for student in courses.students[:3]:
        courses.move("enrol", id, sender=student)
    courses.bring(id, SETTLED)
    assert courses.contract.credit(NATIVE, courses.platform) == 3 * V
    other = courses.open()
    courses.move("enrol", other, sender=courses.platform)
    courses.bring(other, CANCELLED)
    courses.move("refund", other, sender=courses.platform)
    courses.agree()
    courses.empty()


def test_forced_ether_changes_nothing(courses):
    """Money forced on the contract is nobody's credit and stops no move."""
    id = courses.reach(BEGUN)
    Contract("Bomb").explode(courses.contract.address, sender=courses.stranger, value=777)
    assert courses.holds(NATIVE) == 4 * V + 777
    courses.agree(forced=777)
    travel_to(courses.model.courses[id].rounds[0].terms.rate_until())
    courses.move("settle", id, sender=courses.stranger)
    courses.empty()
    assert courses.holds(NATIVE) == 777 and courses.contract.owed(NATIVE) == 0


def test_money_of_one_course_paying_for_another(courses):
    """Rounds of one contract share its balance and nothing else."""
    rich = courses.reach(OPEN, courses.terms(PRICE_MAX))
    poor = courses.reach(CANCELLED, courses.terms(10_000))
    for student in courses.students[:4]:
        courses.move("refund", poor, sender=student)
        with pytest.raises(Refused, match="round is not cancelled"):
            courses.move("refund", rich, sender=student)
    courses.empty()
    assert courses.contract.owed(NATIVE) == courses.holds(NATIVE) == 4 * PRICE_MAX
