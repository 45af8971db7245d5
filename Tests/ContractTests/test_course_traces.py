"""The committed traces of courses are what the contract says; `make_course_traces.py --check` compares all."""

import json
import subprocess
import sys
from pathlib import Path

from course_market import BEGUN, CANCELLED, courses, deployed_courses  # noqa: F401
from course_model import NATIVE
from course_moves import POINTS, open_moves, times
from machine import ROOT, Refused, boa, now, travel_to

HERE = Path(__file__).resolve().parent
# A process of its own, because addresses depend on all that was deployed before.
SCRIPT = """
import make_course_traces as m
_, traces = m.make(60, 0)
assert len(traces) >= 2
assert m.PATH.read_text().split('"traces": [\\n')[1].startswith(",\\n".join(map(m.line, traces)))
"""


def test_the_first_traces_are_current():
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=HERE, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_the_committed_file_is_small_enough_to_keep():
    text = (ROOT / "Tests" / "Vectors" / "course-traces.json").read_text()
    assert len(text) <= 650_000 and len(json.loads(text)["traces"]) >= 10


def tried(courses, id: bytes, people: list[str]) -> set[tuple[str, int, str]]:
    """The moves that are open by the contract alone: all are tried and taken back."""
    contract, rounds = courses.contract, courses.model.courses[id].rounds
    found = set()

    def attempt(name: str, number: int, who: str, *args, value: int = 0) -> None:
        try:
            with boa.env.anchor():
                contract.call(name, id, *args, sender=who, value=value)
                found.add((name, number, who))
        except Refused:
            pass

    for who in people:
        attempt("repeat", len(rounds), who, courses.terms().abi())
        for number, r in enumerate(rounds):
            price = r.terms.price if r.terms.currency == NATIVE else 0
            for name in ("leave", "begin", "cancel", "refund", "settle"):
                attempt(name, number, who, number, r.terms.abi())
            attempt("enrol", number, who, number, r.terms.abi(), value=price)
            attempt("evaluate", number, who, number, r.terms.abi(), POINTS)
    return found


def test_the_open_moves_of_the_traces_are_the_contracts(courses):  # noqa: F811
    """Traces take their open moves from the model; here the contract is asked, at every deadline."""
    people = [courses.teacher, *courses.students[:3], courses.stranger]
    id = courses.reach(CANCELLED, courses.terms(seats=2), students=2)
    courses.move("refund", id, sender=courses.students[0])
    compared = 0

    def compare() -> None:
        nonlocal compared
        for moment in times(courses.model, id, now()):
            with boa.env.anchor():
                travel_to(moment)
                shown = open_moves(courses.model, id, people, moment)
                assert set(shown) == tried(courses, id, people)
                compared += len(shown)

    compare()
    courses.repeat(id, courses.terms(seats=2))
    compare()
    courses.move("enrol", id, sender=courses.students[2])
    compare()
    courses.move("enrol", id, sender=courses.stranger)
    courses.bring(id, BEGUN)
    courses.move("evaluate", id, POINTS, sender=courses.students[2])
    compare()
    travel_to(courses.model.courses[id].rounds[-1].terms.rate_until())
    courses.move("settle", id, sender=courses.stranger)
    compare()
    assert compared > 40
