"""Calls back into Courses while it calls, and tokens that lie: docs section 12."""

import pytest
from course_market import GOOD, courses, deployed_courses, digest  # noqa: F401
from course_model import NATIVE, CourseTerms
from machine import Contract, Refused, balance, boa, now, travel_to

V = 10**18


@pytest.fixture
def hostile(courses):  # noqa: F811
    """A contract that does as it is told, with money of its own."""
    contract = Contract("Attacker")
    boa.env.set_balance(contract.address, 10**45)
    return contract


def rounds_for(c: Contract, me: str, terms: CourseTerms, teacher: str) -> dict[str, tuple]:
    """The calls open to `me` at the start of these terms, one for each move, and a credit to draw."""
    def course(name: str, by: str, students: list[str]) -> bytes:
        id = c.open(digest(name), digest("p"), terms.abi(), sender=by)
        for student in students:
            c.enrol(id, 0, terms.abi(), sender=student, value=V)
        return id

    credit, refund = course("credit", teacher, [me]), course("refund", teacher, [me])
    for id in (credit, refund):
        c.cancel(id, 0, terms.abi(), sender=teacher)
    c.refund(credit, 0, terms.abi(), sender=me)
    evaluate, begin, cancel = course("evaluate", teacher, [me]), course("b", me, []), course("c", me, [])
    repeat = course("repeat", me, [])
    c.cancel(repeat, 0, terms.abi(), sender=me)
    travel_to(terms.start)
    c.begin(evaluate, 0, terms.abi(), sender=teacher)
    later = CourseTerms.usual(now())
    leave = c.open(digest("leave"), digest("p"), later.abi(), sender=teacher)
    c.enrol(leave, 0, later.abi(), sender=me, value=V)
    return {
        "leave": ("leave", leave, 0, later.abi()),
        "withdraw": ("withdraw", NATIVE, V, me), "refund": ("refund", refund, 0, terms.abi()),
        "evaluate": ("evaluate", evaluate, 0, terms.abi(), GOOD),
        "begin": ("begin", begin, 0, terms.abi()), "cancel": ("cancel", cancel, 0, terms.abi()),
        "repeat": ("repeat", repeat, later.abi()),
        "open": ("open", digest("new"), digest("p"), later.abi()),
    }


@pytest.mark.parametrize(
    "move", ["withdraw", "refund", "leave", "evaluate", "begin", "cancel", "repeat", "open"]
)
def test_reentering_while_money_is_drawn(courses, hostile, move):
    """A receiver that calls back before `withdraw` is done makes no other move and gets no more."""
    c, me = courses.contract, hostile.address
    call = rounds_for(c, me, courses.terms(), courses.teacher)[move]
    with boa.env.anchor():  # the same call is accepted outside, so only the lock stops it inside
        c.call(*call, sender=me)
    hostile.arm(c.address, c.calldata(*call), False)
    had, owed = balance(me), c.owed(NATIVE)
    c.withdraw(NATIVE, V // 2, me, sender=me)
    assert hostile.calls() == 1 and not hostile.success()
    assert balance(me) == had + V // 2 and c.owed(NATIVE) == owed - V // 2
    assert c.credit(NATIVE, me) == V // 2


@pytest.mark.parametrize("move", ["enrol", "settle"])
def test_reentering_with_a_move_that_pays(courses, hostile, move):
    """Settling waits for the lock as well, and enrolling, here in a token: no value comes along."""
    c, me, token = courses.contract, hostile.address, courses.tokens[0]
    terms = courses.terms()
    settled, begun = (
        c.open(digest(name), digest("p"), terms.abi(), sender=me) for name in ("settled", "begun")
    )
    c.enrol(settled, 0, terms.abi(), sender=courses.students[0], value=V)
    travel_to(terms.start)
    for id in (settled, begun):
        c.begin(id, 0, terms.abi(), sender=me)
    travel_to(terms.rate_until())
    c.settle(settled, 0, terms.abi(), sender=me)
    call = ("settle", begun, 0, terms.abi())
    if move == "enrol":
        terms = courses.terms(V, currency=token.address)
        id = c.open(digest("token"), digest("p"), terms.abi(), sender=courses.teacher)
        token.mint(me, V)
        hostile.execute(token.address, token.calldata("approve", c.address, V), 0)
        call = ("enrol", id, 0, terms.abi())
    with boa.env.anchor():
        c.call(*call, sender=me)
    hostile.arm(c.address, c.calldata(*call), False)
    c.withdraw(NATIVE, c.credit(NATIVE, me), me, sender=me)
    assert hostile.calls() == 1 and not hostile.success() and c.credit(NATIVE, me) == 0


def test_a_view_while_money_is_drawn_shows_the_end_state(courses, hostile):
    """Views answer during a call, and show what will be."""
    c, me = courses.contract, hostile.address
    calls = rounds_for(c, me, courses.terms(), courses.teacher)
    hostile.arm(c.address, c.calldata("credit", NATIVE, me), False)
    c.call(*calls["withdraw"], sender=me)
    assert hostile.success() and int.from_bytes(hostile.answer(), "big") == 0


class Liar:
    """Courses in a token of many faults, and two students who have it."""

    def __init__(self, courses, name: str = "FeeToken"):
        self.token = Contract(name)
        self.contract = Contract("Courses", courses.platform, [self.token.address])
        self.terms = courses.terms(V, currency=self.token.address)
        self.teacher, self.students = courses.teacher, courses.students[:2]
        for student in self.students:
            self.token.mint(student, 10 * V)
        self.id = self.open("course")

    def open(self, salt: str) -> bytes:
        return self.contract.open(
            digest(salt), digest("p"), self.terms.abi(), sender=self.teacher
        )

    def enrol(self, student: str) -> None:
        self.contract.enrol(self.id, 0, self.terms.abi(), sender=student)

    def refund(self, student: str) -> None:
        self.contract.refund(self.id, 0, self.terms.abi(), sender=student)

    def solvent(self) -> bool:
        return self.token.balanceOf(self.contract.address) >= self.contract.owed(self.token.address)


def test_a_token_that_keeps_a_fee(courses):
    """A seat paid with less than its price is no seat."""
    liar = Liar(courses)
    liar.enrol(liar.students[0])
    liar.token.misbehave(1, 0, 0, True)
    with pytest.raises(Refused, match="money: token takes a fee"):
        liar.enrol(liar.students[1])
    assert liar.contract.round_of(liar.id, 0)["enrolled"] == 1 and liar.solvent()


def test_a_token_that_answers_false(courses):
    """A payment that the token refused is none, in either direction."""
    liar = Liar(courses)
    liar.enrol(liar.students[0])
    liar.contract.cancel(liar.id, 0, liar.terms.abi(), sender=liar.teacher)
    liar.refund(liar.students[0])
    liar.token.misbehave(0, 0, 0, False)
    liar.id = liar.open("other")
    with pytest.raises(Refused, match="money: the token refused"):
        liar.enrol(liar.students[1])
    with pytest.raises(Refused, match="money: the token refused"):
        liar.contract.withdraw(
            liar.token.address, V, liar.students[0], sender=liar.students[0]
        )
    assert liar.contract.credit(liar.token.address, liar.students[0]) == V and liar.solvent()


def test_a_token_that_takes_more_than_is_paid_out(courses):
    """One student's withdrawal never costs the contract another's money."""
    liar = Liar(courses)
    for student in liar.students:
        liar.enrol(student)
    liar.contract.cancel(liar.id, 0, liar.terms.abi(), sender=liar.teacher)
    for student in liar.students:
        liar.refund(student)
    liar.token.misbehave(0, 0, 1, True)
    with pytest.raises(Refused, match="money: token takes a fee"):
        liar.contract.withdraw(
            liar.token.address, V, liar.students[0], sender=liar.students[0]
        )
    assert liar.solvent()


def test_a_token_that_answers_nothing(courses):
    """Old tokens answer nothing and are accepted, from the enrolment to the withdrawal."""
    liar = Liar(courses, "SilentToken")
    liar.enrol(liar.students[0])
    liar.contract.cancel(liar.id, 0, liar.terms.abi(), sender=liar.teacher)
    liar.refund(liar.students[0])
    liar.contract.withdraw(liar.token.address, V, liar.students[0], sender=liar.students[0])
    assert liar.token.balanceOf(liar.students[0]) == 10 * V
    assert liar.contract.owed(liar.token.address) == 0


@pytest.mark.parametrize("outer", ["enrol", "withdraw"])
@pytest.mark.parametrize("inner", ["open", "enrol", "withdraw"])
def test_reentering_from_a_token(courses, outer, inner):
    """A token that calls back while it is moved makes no move, though it could outside."""
    liar = Liar(courses)
    c, token = liar.contract, liar.token
    for number in ("first", "second"):
        token.mint(token.address, V)
        id = liar.open(number)
        c.enrol(id, 0, liar.terms.abi(), sender=token.address)
        c.cancel(id, 0, liar.terms.abi(), sender=liar.teacher)
        c.refund(id, 0, liar.terms.abi(), sender=token.address)
    token.mint(token.address, V)
    call = {
        "open": ("open", digest("new"), digest("p"), liar.terms.abi()),
        "enrol": ("enrol", liar.id, 0, liar.terms.abi()),
        "withdraw": ("withdraw", token.address, V, token.address),
    }[inner]
    with boa.env.anchor():
        c.call(*call, sender=token.address)
    token.set_hook(c.address, c.calldata(*call))
    if outer == "enrol":
        liar.enrol(liar.students[0])
    else:
        c.withdraw(token.address, V, courses.stranger, sender=token.address)
    assert not token.hook_success() and liar.solvent()
    assert c.is_student(liar.id, 0, token.address) is False
    assert c.course(c.course_id(token.address, digest("new"), digest("p")))["rounds"] == 0


def test_a_seat_cannot_be_taken_twice_by_a_token(courses):
    """The last seat is taken before the token is asked, so a call back finds it gone or locked."""
    liar = Liar(courses)
    terms = courses.terms(V, currency=liar.token.address, seats=1)
    id = liar.contract.open(digest("one"), digest("p"), terms.abi(), sender=liar.teacher)
    liar.token.mint(liar.token.address, V)
    liar.token.set_hook(liar.contract.address, liar.contract.calldata("enrol", id, 0, terms.abi()))
    liar.contract.enrol(id, 0, terms.abi(), sender=liar.students[0])
    assert liar.contract.round_of(id, 0)["enrolled"] == 1 and not liar.token.hook_success()


def test_a_contract_deployed_without_a_platform_or_with_false_currencies(courses):  # noqa: F811
    """Deployments that could strand a part of a round are refused."""
    token = courses.tokens[0].address
    for args, text in [
        ((NATIVE, []), "courses: platform is the zero address"),
        ((courses.platform, [token, token]), "money: currency named twice"),
        ((courses.platform, [courses.stranger]), "money: currency is not a contract"),
        ((courses.platform, [NATIVE]), "money: currency is not a contract"),
    ]:
        with pytest.raises(Refused, match=text):
            Contract("Courses", *args)
