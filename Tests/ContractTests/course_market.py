"""A deployed Courses contract for the tests, with people in it and a model beside it."""

import copy
import itertools

import pytest
from course_model import (
    BEGUN, CANCELLED, NATIVE, OPEN, SETTLED, CourseModel, CourseRefusal, CourseTerms,
)
from eth_abi import encode
from eth_utils import keccak
from machine import CHAIN_ID, Contract, Refused, account, boa, now, travel_to

TERMS = "(address,uint256,uint256,uint256,uint256,uint256,uint256)"
# The moves whose last fixed argument is the round's terms.
WITH_TERMS = ("enrol", "leave", "begin", "cancel", "refund", "evaluate", "settle")
# Every rating of these is the average they stand for.
GOOD, FAIR, POOR = (100,) * 5, (70,) * 5, (20,) * 5


def digest(text: str) -> bytes:
    """A hash for promises and salts."""
    return keccak(text=text)


def plain(value):
    """Terms as the contract takes them; anything else as it is."""
    return value.abi() if isinstance(value, CourseTerms) else value


class CourseMarket:
    """One deployment. Every move goes to the contract and to the model alike."""

    def __init__(self, tokens: int = 2, students: int = 18):
        self.deployer, self.platform = account("deployer"), account("platform")
        self.teacher, self.other, self.stranger = map(account, ["teacher", "other", "stranger"])
        self.students = [account(f"student {n}") for n in range(students)]
        self.people = [self.teacher, self.other, self.stranger, *self.students]
        self.tokens = [
            Contract("TestToken", f"Token {n}", f"T{n}", 18, sender=self.deployer)
            for n in range(tokens)
        ]
        self.currencies = [NATIVE, *(t.address for t in self.tokens)]
        self.contract = Contract(
            "Courses", self.platform, self.currencies[1:], sender=self.deployer
        )
        self.deployment = self.contract.logs
        self.model = CourseModel(self.contract.address, self.platform, self.currencies)
        self.salts = itertools.count()
        for person, token in itertools.product([*self.people, self.platform], self.tokens):
            token.mint(person, 10**45)
            token.approve(self.contract.address, 2**256 - 1, sender=person)

    def terms(self, price: int = 10**18, **changes) -> CourseTerms:
        """The usual terms, changed."""
        return CourseTerms.usual(now(), price, **changes)

    def call(self, name: str, *args, sender: str, value: int = 0) -> None:
        """Makes a move on both; a refusal must be the model's, word for word, and is raised."""
        known = [self.id(sender, *args[:2])] if name == "open" else []
        expected = None
        try:
            getattr(self.model, name)(sender, now(), value, *known, *args)
        except CourseRefusal as refusal:
            expected = refusal.text
        extra = {"value": value} if value else {}
        try:
            answer = self.contract.call(name, *map(plain, args), sender=sender, **extra)
            assert answer == (known[0] if known else None)
            refused = None
        except Refused as refusal:
            refused = refusal.text
        assert refused == expected, f"{name}: contract says {refused!r}, the rules {expected!r}"
        if refused is not None:
            raise Refused(refused)

    def move(self, name: str, id: bytes, *args, sender: str, number: int | None = None,
             terms: CourseTerms | None = None, value: int | None = None) -> None:
        """A move in a course's last round, with its terms and the price, unless others are given."""
        course = self.model.courses.get(id)
        number = (len(course.rounds) - 1 if course else 0) if number is None else number
        if terms is None:
            exists = course and number < len(course.rounds)
            terms = course.rounds[number].terms if exists else self.terms()
        if value is None:
            value = terms.price if name == "enrol" and terms.currency == NATIVE else 0
        self.call(name, id, number, terms, *args, sender=sender, value=value)

    def open(self, terms: CourseTerms | None = None, *, teacher: str | None = None,
             salt: bytes | None = None, promise: bytes = digest("promise")) -> bytes:
        """Opens a course on both and returns its id."""
        salt = digest(f"salt {next(self.salts)}") if salt is None else salt
        teacher = teacher or self.teacher
        self.call("open", salt, promise, terms or self.terms(), sender=teacher)
        return self.id(teacher, salt, promise)

    def id(self, teacher: str, salt: bytes, promise: bytes) -> bytes:
        """A course's id, computed here."""
        types = ["uint256", "address", "address", "bytes32", "bytes32"]
        return keccak(encode(types, [CHAIN_ID, self.contract.address, teacher, salt, promise]))

    def reach(self, status: int, terms: CourseTerms | None = None, students: int = 4) -> bytes:
        """A course whose first round has the status asked for; 0 is one that does not exist."""
        if status == 0:
            return digest("no such course")
        id = self.open(terms)
        for student in self.students[:students]:
            self.move("enrol", id, sender=student)
        self.bring(id, status)
        return id

    def bring(self, id: bytes, status: int) -> None:
        """Brings the last round, which is open, to a status."""
        terms = self.model.courses[id].rounds[-1].terms
        if status in (BEGUN, SETTLED):
            travel_to(max(now(), terms.start))
            self.move("begin", id, sender=self.model.courses[id].teacher)
        if status == CANCELLED:
            self.move("cancel", id, sender=self.model.courses[id].teacher)
        if status == SETTLED:
            travel_to(max(now(), terms.rate_until()))
            self.move("settle", id, sender=self.stranger)
        assert status == self.contract.round_of(id, len(self.model.courses[id].rounds) - 1)["status"]

    def repeat(self, id: bytes, terms: CourseTerms | None = None) -> None:
        """Opens the next round on both."""
        self.call("repeat", id, terms or self.terms(), sender=self.model.courses[id].teacher)

    def agree_on_course(self, id: bytes) -> None:
        """What the contract shows of a course and its rounds is the model's."""
        course = self.model.courses[id]
        assert self.contract.course(id) == {
            "teacher": course.teacher, "promise": course.promise, "rounds": len(course.rounds),
            "points": tuple(course.sums()), "raters": len(course.ratings()),
        }
        for number, r in enumerate(course.rounds):
            assert self.contract.round_of(id, number) == {
                "status": r.status, "terms_hash": keccak(encode([TERMS], [r.terms.abi()])),
                "enrolled": len(r.students), "raters": len(r.ratings),
                "points": sum(map(sum, r.ratings.values())), "price": r.terms.price,
            }
        last = self.contract.round_of(id, len(course.rounds) - 1)
        assert self.contract.state(id) == (self.contract.course(id), last)

    def agree(self, forced: int = 0) -> None:
        """The contract's courses, credits and debts are the model's, and it can pay them exactly."""
        for id in self.model.courses:
            self.agree_on_course(id)
        for (currency, who), amount in self.model.credits.items():
            assert self.contract.credit(currency, who) == amount
        self.agree_on_money(forced)

    def agree_on_money(self, forced: int = 0) -> None:
        """The contract owes what the model does, and has that and not a unit more.

        `forced` is the chain's own money that somebody forced on it.
        """
        for currency in self.currencies:
            owed = self.contract.owed(currency)
            assert owed == self.model.owed(currency)
            assert self.holds(currency) == owed + (forced if currency == NATIVE else 0)

    def agree_on(self, id: bytes, accounts: list[str]) -> None:
        """What the contract says of accounts in every round of a course is the model's."""
        for number, r in enumerate(self.model.courses[id].rounds):
            for who in accounts:
                shown = [
                    self.contract.call(view, id, number, who)
                    for view in ("is_student", "has_rated", "has_refunded")
                ]
                assert shown == [who in r.students, who in r.ratings, who in r.refunded]

    def holds(self, currency: str, who: str | None = None) -> int:
        """What an account, the contract unless told, has of a currency."""
        who = who or self.contract.address
        if currency == NATIVE:
            return boa.env.get_balance(who)
        return next(t for t in self.tokens if t.address == currency).balanceOf(who)

    def empty(self) -> None:
        """Withdraws every credit; each account receives exactly its own."""
        for (currency, who), amount in list(self.model.credits.items()):
            if amount == 0:
                continue
            had = self.holds(currency, who)
            self.call("withdraw", currency, amount, who, sender=who)
            assert self.holds(currency, who) == had + amount


@pytest.fixture(scope="session")
def deployed_courses() -> CourseMarket:
    """The contract, deployed once."""
    return CourseMarket()


@pytest.fixture
def courses(deployed_courses: CourseMarket) -> CourseMarket:
    """The contract without a course; the machine forgets after the test, and so does the model."""
    fresh = copy.copy(deployed_courses)
    fresh.model = copy.deepcopy(deployed_courses.model)
    return fresh


__all__ = [
    "BEGUN", "CANCELLED", "FAIR", "GOOD", "OPEN", "POOR", "SETTLED", "CourseMarket", "courses",
    "deployed_courses", "digest",
]
