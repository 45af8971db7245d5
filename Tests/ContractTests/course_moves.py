"""Which moves of a course are open now, found by trying them on a copy of the model."""

import copy

from course_model import (
    BEGUN, CANCELLED, NATIVE, OPEN, CourseModel, CourseRefusal, CourseTerms,
)

# The moves that can succeed in a round of each status.
IN_STATUS = {OPEN: ["enrol", "leave", "begin", "cancel"], BEGUN: ["evaluate", "settle"], CANCELLED: ["refund"]}
POINTS = (100, 80, 60, 40, 20)


def allowed(model: CourseModel, id: bytes, name: str, number: int, who: str, now: int) -> bool:
    """Whether a move of an account succeeds, with the round's own terms and the price."""
    course = model.courses[id]
    trial = CourseModel(model.address, model.platform, model.currencies)
    trial.courses[id] = copy.copy(course)
    trial.courses[id].rounds = rounds = list(course.rounds)
    try:
        if name == "repeat":
            trial.repeat(who, now, 0, id, CourseTerms.usual(now, currency=rounds[0].terms.currency))
            return number == len(course.rounds)
        rounds[number] = copy.deepcopy(rounds[number])
        terms = rounds[number].terms
        value = terms.price if name == "enrol" and terms.currency == NATIVE else 0
        rest = [POINTS] if name == "evaluate" else []
        getattr(trial, name)(who, now, value, id, number, terms, *rest)
    except CourseRefusal:
        return False
    return True


def open_moves(
    model: CourseModel, id: bytes, people: list[str], now: int
) -> list[tuple[str, int, str]]:
    """All moves of these accounts that succeed now: name, number of the round, account.

    `repeat` is named with the number that the new round gets.
    """
    rounds = model.courses[id].rounds
    tried = [(name, n) for n, r in enumerate(rounds) for name in IN_STATUS.get(r.status, [])]
    tried.append(("repeat", len(rounds)))
    return [
        (name, number, who)
        for name, number in tried
        for who in people
        if allowed(model, id, name, number, who, now)
    ]


def times(model: CourseModel, id: bytes, now: int) -> list[int]:
    """Now, and the last second before and the first after each deadline to come."""
    ends = {d for r in model.courses[id].rounds for d in r.deadlines()}
    return [now] + sorted({end + step for end in ends for step in (-1, 0) if end + step > now})
