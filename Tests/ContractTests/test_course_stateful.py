"""Random lives of several courses: contract and model stay one, the money adds up after every step,
and from wherever a life stops, time and strangers give everyone what is owed."""

import os
from dataclasses import replace
from random import Random

import pytest
from course_market import CourseMarket
from course_model import (
    BEGUN, CANCELLED, DAY, ENDED, NATIVE, OPEN, PRICE_MAX, CourseTerms,
)
from course_moves import open_moves, times
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test,
)
from machine import Refused, boa, now, travel_to

ROUND_MOVES = ["enrol", "leave", "begin", "cancel", "refund", "evaluate", "settle"]
# A teacher who may always cancel would end most rounds before they begin.
WEIGHTS = {"enrol": 3, "begin": 20, "evaluate": 8, "settle": 20, "refund": 4, "repeat": 8, "cancel": 0.2, "leave": 0.5}
MOODS = [(0, 100), (60, 85), (95, 100), (100, 100)]


class CourseLife(RuleBasedStateMachine):
    """Two teachers, six students, three currencies, many courses, and a clock that jumps."""

    @initialize()
    def begin(self):
        self.anchor = boa.env.anchor()
        self.anchor.__enter__()
        self.market = m = CourseMarket(students=6)
        self.teachers = [m.teacher, m.other]
        self.people = [*m.people, m.platform]
        self.steps, self.forced, self.touched = 0, 0, b""
        self.made = {c: self.total(c) for c in m.currencies}

    def teardown(self):
        """The life has stopped: nobody is stuck, with teachers who never do anything again."""
        if not hasattr(self, "anchor"):
            return
        try:
            self.end_without_teachers()
        finally:
            self.anchor.__exit__(None, None, None)

    def total(self, currency):
        """All of a currency that people and contract have together."""
        accounts = [*self.people, self.market.contract.address]
        return sum(self.market.holds(currency, who) for who in accounts)

    # Hypothesis prefers small and extreme choices; a seed it draws spreads them evenly.
    @rule(seed=st.integers(0, 2**64 - 1))
    def step(self, seed):
        self.steps += 1
        random = Random(f"{seed} {self.steps}")
        steps = [self.open, self.move, self.stumble, self.withdraw, self.travel, self.force]
        [chosen] = random.choices(steps, [6, 70, 12, 6, 6, 1])
        try:
            chosen(random)
        except Refused:
            pass  # the model refused it with the same words, else it would have been an AssertionError

    def terms(self, random) -> CourseTerms:
        """Random terms, now and then out of bounds."""
        start = now() + random.choice([0, 1, DAY, 9 * DAY, random.randint(1, 40 * DAY)])
        return CourseTerms(
            currency=random.choice(self.market.currencies),
            price=random.choice([random.randrange(9_990, 10_060), random.randrange(1, 10**20), PRICE_MAX]),
            seats=random.choice([1, 3, 4, 5, 10_000]), start=start,
            end=start + random.randint(1, 20 * DAY),
            begin_grace=random.choice([DAY, 3 * DAY, 30 * DAY]),
            rating_window=random.choice([DAY, 14 * DAY, 60 * DAY, DAY - (random.random() < 0.2)]),
        )

    def open(self, random):
        self.touched = self.market.open(self.terms(random), teacher=random.choice(self.teachers))

    def move(self, random):
        """A move that the model holds open, in one of the last courses."""
        m = self.market
        if not m.model.courses:
            return self.open(random)
        id = random.choice(list(m.model.courses)[-4:])
        choices = open_moves(m.model, id, self.people, now())
        if not any(name != "cancel" for name, _, _ in choices):
            travel_to(random.choice(times(m.model, id, now())[:3]))
            choices = open_moves(m.model, id, self.people, now())
        if not choices:
            return
        weights = [WEIGHTS[name] for name, _, _ in choices]
        [(name, number, who)] = random.choices(choices, weights)
        self.touched = id
        if name == "repeat":
            terms = self.terms(random)
            if random.random() < 0.9:
                terms = replace(terms, currency=m.model.courses[id].rounds[0].terms.currency)
            m.call("repeat", id, terms, sender=who)
        else:
            self.make(random, name, id, number, who)

    def stumble(self, random):
        """Any move of anyone in any round, with any points, value or terms."""
        m = self.market
        if not m.model.courses:
            return
        id, who = random.choice(list(m.model.courses)), random.choice(self.people)
        number = random.randrange(len(m.model.courses[id].rounds) + 1)
        name = random.choice([*ROUND_MOVES, "repeat"])
        self.touched = id
        if name == "repeat":
            m.call("repeat", id, self.terms(random), sender=who)
            return
        extra = {}
        if random.random() < 0.3:
            other = random.choice(list(m.model.courses))
            extra["terms"] = random.choice(m.model.courses[other].rounds).terms
        if random.random() < 0.3 and name == "enrol":
            extra["value"] = random.randrange(100)
        self.make(random, name, id, number, who, **extra)

    def make(self, random, name, id, number, who, **extra):
        rest = []
        if name == "evaluate":
            mood = MOODS[int.from_bytes(id[:4], "big") % len(MOODS)]
            top = mood[1] + (random.random() < 0.02)
            rest = [tuple(random.randint(mood[0], top) for _ in range(5))]
        self.touched = id
        self.market.move(name, id, *rest, number=number, sender=who, **extra)

    def withdraw(self, random):
        m = self.market
        rich = [key for key, amount in m.model.credits.items() if amount]
        anyone = (random.choice(m.currencies), random.choice(self.people))
        currency, who = random.choice(rich * 3 + [anyone])
        credit = m.model.credits.get((currency, who), 0)
        amount = random.choice([credit, credit, credit + 1, credit // 2, 0])
        to = random.choice([who, who, who, m.stranger, m.contract.address])
        m.call("withdraw", currency, amount, to, sender=who)

    def travel(self, random):
        """A little, or to just before or at some deadline."""
        courses = list(self.market.model.courses)
        ahead = [t for id in courses[-3:] for t in times(self.market.model, id, now())]
        travel_to(random.choice([now() + random.randint(1, DAY), *ahead]))

    def force(self, random):
        """Money that nobody asked for: never part of what is owed."""
        m, amount = self.market, random.randint(1, 10**18)
        boa.env.set_balance(m.contract.address, m.holds(NATIVE) + amount)
        self.made[NATIVE] += amount
        self.forced += amount

    @invariant()
    def contract_and_model_are_one(self):
        """After each step the money and the course that was touched, now and then all there is."""
        if not hasattr(self, "market"):
            return
        self.market.agree_on_money(self.forced)
        if self.touched in self.market.model.courses:
            self.market.agree_on_course(self.touched)
        if self.steps % 20 == 0:
            self.market.agree(self.forced)

    def end_without_teachers(self):
        """Every round ends by a stranger's move, every student gets his price, nothing stays owed."""
        m = self.market
        for id, course in m.model.courses.items():
            last = course.rounds[-1]
            if last.status == OPEN:
                travel_to(max(now(), last.terms.begin_until()))
                m.move("cancel", id, sender=m.stranger)
            if last.status == BEGUN:
                travel_to(max(now(), last.terms.rate_until()))
                m.move("settle", id, sender=m.stranger)
            assert all(r.status in ENDED for r in course.rounds)
            for number, r in enumerate(course.rounds):
                for student in r.students if r.status == CANCELLED else []:
                    if student not in r.refunded:
                        m.move("refund", id, sender=student, number=number)
        m.empty()
        m.agree(self.forced)
        for id in m.model.courses:
            m.agree_on(id, self.people)
        assert all(m.contract.owed(currency) == 0 for currency in m.currencies)
        for currency in m.currencies:
            assert self.total(currency) == self.made[currency], "money appeared or vanished"


# A cap for a debugging session; the suite runs the default.
EXAMPLES = int(os.environ.get("STOA_EXAMPLES", "6"))


@pytest.mark.parametrize("part", range(2))
def test_random_lives_of_courses(part):
    run_state_machine_as_test(
        seed(part)(type("CourseLife", (CourseLife,), {})),
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=60,
            suppress_health_check=list(HealthCheck),
        ),
    )
