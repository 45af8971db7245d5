"""The rules of courses once more, in Python, written from Docs/contracts.md and not from the contract.

`CourseModel` keeps courses and credits and refuses what the contract refuses, with the same words.
The tests make each move on both and compare. Amounts are integers in the smallest unit of a
currency, times in seconds. Ratings are kept one by one, so that nothing here shares the contract's
sums.
"""

from dataclasses import astuple, dataclass, field, replace
from fractions import Fraction

NATIVE = "0x" + "00" * 20
DAY = 86_400
YEAR = 365 * DAY
PRICE_MIN = 10_000
PRICE_MAX = 2**128 - 1
SEATS_MAX = 10_000
ROUNDS_MAX = 5

OPEN, BEGUN, CANCELLED, SETTLED = 1, 2, 4, 8
ENDED = (CANCELLED, SETTLED)
MOVES = ("open", "repeat", "enrol", "leave", "begin", "cancel", "refund", "evaluate", "settle", "withdraw")


class CourseRefusal(Exception):
    """The rules refuse a move; `text` is the reason that the contract must give."""

    def __init__(self, text: str):
        super().__init__(text)
        self.text = text


def require(condition: bool, text: str) -> None:
    """Refuses with a reason unless the condition holds."""
    if not condition:
        raise CourseRefusal(text)


@dataclass(frozen=True)
class CourseTerms:
    """What the teacher offers in one round, in the contract's order."""

    currency: str
    price: int
    seats: int
    start: int
    end: int
    begin_grace: int
    rating_window: int

    @staticmethod
    def usual(now: int, price: int = 10**18, **changes) -> "CourseTerms":
        """A month from now, four weeks long, with the default windows."""
        start = changes.get("start", now + 30 * DAY)
        usual = CourseTerms(NATIVE, price, 20, start, start + 28 * DAY, 3 * DAY, 14 * DAY)
        return replace(usual, **changes)

    def abi(self) -> tuple:
        """The terms as the contract takes them."""
        return astuple(self)

    def begin_until(self) -> int:
        """The time from which the teacher cannot begin."""
        return min(self.start + self.begin_grace, self.end)

    def leave_until(self) -> int:
        """The time from which a student cannot leave."""
        return self.start - DAY

    def rate_until(self) -> int:
        """The time from which nobody can rate."""
        return self.end + self.rating_window


@dataclass
class Round:
    """One round: its terms, and what each student has done in it."""

    status: int
    terms: CourseTerms
    students: list[str] = field(default_factory=list)
    ratings: dict[str, tuple] = field(default_factory=dict)
    refunded: set[str] = field(default_factory=set)

    def held(self) -> int:
        """What the contract holds for it, beside credits."""
        if self.status == SETTLED:
            return 0
        return self.terms.price * (len(self.students) - len(self.refunded))

    def deadlines(self) -> list[int]:
        """The times at which a move opens or closes in this status."""
        t = self.terms
        return {OPEN: [t.leave_until(), t.start, t.begin_until()], BEGUN: [t.rate_until()]}.get(self.status, [])


@dataclass
class Course:
    """One course with its rounds, oldest first."""

    teacher: str
    promise: bytes
    rounds: list[Round] = field(default_factory=list)

    def ratings(self) -> list[tuple]:
        """All ratings of all rounds."""
        return [rating for r in self.rounds for rating in r.ratings.values()]

    def average(self) -> int:
        """The average of all points, each weighing the price of its round; 0 without a rating."""
        points = [
            (p, r.terms.price) for r in self.rounds for rating in r.ratings.values() for p in rating
        ]
        weight = sum(w for _, w in points)
        return int(Fraction(sum(p * w for p, w in points), weight)) if points else 0

    def sums(self) -> list[int]:
        """The sum of each criterion over all ratings."""
        return [sum(rating[n] for rating in self.ratings()) for n in range(5)]


def incentive(total: int, average: int, enrolled: int, raters: int) -> int:
    """The teacher's part of the tenth of a round's total, rounded half up."""
    if raters < 3 or 4 * raters < enrolled:
        return 0
    percent = next(p for least, p in [(100, 15), (80, 10), (60, 5), (0, 0)] if average >= least)
    return int(Fraction(total // 10 * percent, 100) + Fraction(1, 2))


def payout(total: int, incentive: int) -> tuple[int, int]:
    """The parts of teacher and platform."""
    pool = total // 10
    return total - pool + incentive, pool - incentive


@dataclass
class CourseModel:
    """All courses of one contract and its credits."""

    address: str
    platform: str
    currencies: list[str]
    courses: dict[bytes, Course] = field(default_factory=dict)
    credits: dict[tuple[str, str], int] = field(default_factory=dict)

    def owed(self, currency: str) -> int:
        """What the contract must hold at least."""
        rounds = [r for c in self.courses.values() for r in c.rounds]
        held = sum(r.held() for r in rounds if r.terms.currency == currency)
        return held + sum(n for (c, _), n in self.credits.items() if c == currency)

    def open(self, sender, now, value, id, salt, promise, terms):
        require(id not in self.courses, "courses: course exists already")
        require(promise != bytes(32), "courses: promise is zero")
        check_terms(terms, now, self.currencies)
        self.courses[id] = Course(sender, promise, [Round(OPEN, terms)])

    def repeat(self, sender, now, value, id, terms):
        require(id in self.courses, "courses: course does not exist")
        course = self.courses[id]
        require(sender == course.teacher, "courses: only the teacher")
        require(course.rounds[-1].status in ENDED, "courses: the last round has not ended")
        require(len(course.rounds) < ROUNDS_MAX, "courses: a course has at most five rounds")
        same = terms.currency == course.rounds[0].terms.currency
        require(same, "courses: a course keeps its currency")
        check_terms(terms, now, self.currencies)
        course.rounds.append(Round(OPEN, terms))

    def enrol(self, sender, now, value, id, number, terms):
        r = self.at(id, number, terms, OPEN, "courses: round is not open")
        require(sender != self.courses[id].teacher, "courses: the teacher cannot enrol")
        require(now < r.terms.start, "courses: the round has started")
        require(len(r.students) < r.terms.seats, "courses: no seat is free")
        require(sender not in r.students, "courses: enrolled already")
        if r.terms.currency == NATIVE:
            require(value == r.terms.price, "money: wrong amount")
        else:
            require(value == 0, "money: value sent to a sale in a token")
        r.students.append(sender)

    def leave(self, sender, now, value, id, number, terms):
        r = self.at(id, number, terms, OPEN, "courses: round is not open")
        require(sender in r.students, "courses: only a student of the round")
        require(now < r.terms.leave_until(), "courses: the time to leave has ended")
        r.students.remove(sender)
        self.give(r.terms.currency, sender, r.terms.price)

    def begin(self, sender, now, value, id, number, terms):
        r = self.at(id, number, terms, OPEN, "courses: round is not open")
        require(sender == self.courses[id].teacher, "courses: only the teacher")
        require(now >= r.terms.start, "courses: the round has not started")
        require(now < r.terms.begin_until(), "courses: the time to begin has ended")
        r.status = BEGUN

    def cancel(self, sender, now, value, id, number, terms):
        r = self.at(id, number, terms, OPEN, "courses: round is not open")
        if sender != self.courses[id].teacher:
            require(now >= r.terms.begin_until(), "courses: the teacher can still begin")
        r.status = CANCELLED

    def refund(self, sender, now, value, id, number, terms):
        r = self.at(id, number, terms, CANCELLED, "courses: round is not cancelled")
        require(sender in r.students, "courses: only a student of the round")
        require(sender not in r.refunded, "courses: refunded already")
        r.refunded.add(sender)
        self.give(r.terms.currency, sender, r.terms.price)

    def evaluate(self, sender, now, value, id, number, terms, points):
        r = self.at(id, number, terms, BEGUN, "courses: round is not under way")
        require(now < r.terms.rate_until(), "courses: the rating window has ended")
        require(sender in r.students, "courses: only a student of the round")
        require(sender not in r.ratings, "courses: rated already")
        require(max(points) <= 100, "courses: points above 100")
        r.ratings[sender] = tuple(points)

    def settle(self, sender, now, value, id, number, terms):
        r = self.at(id, number, terms, BEGUN, "courses: round is not under way")
        require(now >= r.terms.rate_until(), "courses: the rating window is open")
        course = self.courses[id]
        total = r.terms.price * len(r.students)
        extra = incentive(total, course.average(), len(r.students), len(r.ratings))
        teacher, platform = payout(total, extra)
        assert teacher + platform == total and min(teacher, platform) >= 0
        r.status = SETTLED
        self.give(r.terms.currency, course.teacher, teacher)
        self.give(r.terms.currency, self.platform, platform)

    def withdraw(self, sender, now, value, currency, amount, to):
        credit = self.credits.get((currency, sender), 0)
        require(amount > 0, "money: nothing to withdraw")
        require(amount <= credit, "money: more than the credit")
        require(to not in (NATIVE, self.address), "money: nobody can receive there")
        self.credits[currency, sender] = credit - amount

    def at(self, id, number, terms, status, text) -> Round:
        """A round in a status, if the terms are its own."""
        rounds = self.courses[id].rounds if id in self.courses else []
        require(number < len(rounds) and rounds[number].status == status, text)
        require(rounds[number].terms == terms, "courses: terms are not the round's")
        return rounds[number]

    def give(self, currency, who, amount):
        """Adds to a credit."""
        self.credits[currency, who] = self.credits.get((currency, who), 0) + amount


def check_terms(t: CourseTerms, now: int, currencies: list[str]) -> None:
    """Every bound of every term."""
    require(t.currency in currencies, "money: currency is not accepted")
    require(PRICE_MIN <= t.price <= PRICE_MAX, "courses: price out of bounds")
    require(1 <= t.seats <= SEATS_MAX, "courses: seats out of bounds")
    require(now < t.start, "courses: the start has passed")
    require(t.start <= now + YEAR, "courses: the start is more than 365 days ahead")
    require(t.start < t.end, "courses: the end is not after the start")
    require(t.end <= t.start + YEAR, "courses: longer than 365 days")
    require(DAY <= t.begin_grace <= 30 * DAY, "courses: time to begin out of bounds")
    require(DAY <= t.rating_window <= 60 * DAY, "courses: rating window out of bounds")
