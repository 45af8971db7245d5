"""Changes one line of Courses at a time and shows that its tests notice every change.

A mutant is a source text, a replacement, and what it would mean. Each is compiled to a folder of
its own and tested through STOA_ARTIFACTS. Takes some minutes.

    .venv/bin/python Tests/ContractTests/course_mutants.py [number …]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONTRACTS = ROOT / "Sources" / "Contracts"
PARTS = ["Courses.vy", "course_terms.vy", "course_state.vy", "course_ratings.vy", "money.vy"]
FAST = ["test_course_hazards.py", "test_courses.py", "test_course_payouts.py", "test_course_reentry.py"]
# Where a change of a source is most likely noticed; elsewhere the first of the above.
FIRST = {"course_terms.vy": FAST[1], "course_ratings.vy": FAST[2]}
# Of pytest's summary: the test that failed.
KILLER = re.compile(r"^(?:FAILED|ERROR) \S+?::(.+?)(?: - |$)", re.MULTILINE)
MAIN, TERMS, STATE, RATINGS = PARTS[:4]
MUTANTS = [
    (MAIN, "@payable\ndef enrol(", "@payable\n@reentrant\ndef enrol(", "enrolling while money moves"),
    (MAIN, "@external\ndef settle(", "@external\n@reentrant\ndef settle(", "settling while money moves"),
    (MAIN, "@external\ndef evaluate(", "@external\n@reentrant\ndef evaluate(", "rating while money moves"),
    (MAIN, "assert platform != empty(address)", "assert True", "the platform's part is burned"),
    (MAIN, "assert course_state._rounds(id) == 0", "assert True", "a course is opened twice"),
    (MAIN, "assert promise != empty(bytes32)", "assert True", "a course without a promise"),
    (MAIN, 'assert rounds > 0, "courses: course does not exist"', "pass", "nobody's course is repeated"),
    (MAIN, 'does not exist"\n    assert msg.sender == course_state._teacher(id)',
     'does not exist"\n    assert True', "anyone repeats a course"),
    (MAIN, "assert last in ended", "assert True", "two rounds at once"),
    (MAIN, "ended: course_terms.Status = course_terms.Status.CANCELLED | course_terms.Status.SETTLED",
     "ended: course_terms.Status = course_terms.Status.SETTLED", "a cancelled course is over"),
    (MAIN, "assert rounds < ROUNDS_MAX", "assert True", "rounds without end"),
    (MAIN, "ROUNDS_MAX: constant(uint256) = 5", "ROUNDS_MAX: constant(uint256) = 4", "four rounds"),
    (MAIN, "assert msg.sender != course_state._teacher(id)", "assert True", "the teacher enrols"),
    (MAIN, "assert block.timestamp < terms.start,", "assert block.timestamp <= terms.start,",
     "enrolling at the start"),
    (MAIN, "assert current.enrolled < terms.seats", "assert current.enrolled <= terms.seats",
     "one seat too many"),
    (MAIN, "assert course_state.enrolments[id][round][msg.sender] == empty(course_terms.Enrolment)",
     "assert True", "a seat is paid twice"),
    (MAIN, "    course_state.enrolments[id][round][msg.sender] = course_terms.Enrolment.PAID\n", "",
     "nobody is a student"),
    (MAIN, "    current.enrolled += 1\n", "", "nobody is counted"),
    (MAIN, "money._collect(terms.currency, terms.price)", "money._collect(terms.currency, 0)",
     "seats for nothing"),
    (MAIN, '"courses: round is not open"\n    self._check_hash(current, terms)\n    assert msg.sender == ',
     '"courses: round is not open"\n    self._check_hash(current, terms)\n    assert msg.sender != ',
     "all but the teacher begin"),
    (MAIN, "assert block.timestamp >= terms.start,", "assert True,", "begun before its start"),
    (MAIN, "assert block.timestamp < terms.start + terms.begin_grace",
     "assert block.timestamp <= terms.start + terms.begin_grace", "begun a second late"),
    (MAIN, "if msg.sender != course_state._teacher(id):", "if False:", "anyone cancels at any time"),
    (MAIN, "if msg.sender != course_state._teacher(id):", "if True:", "the teacher cannot cancel"),
    (MAIN, "assert block.timestamp >= terms.start + terms.begin_grace",
     "assert block.timestamp > terms.start + terms.begin_grace", "cancelled a second late"),
    (MAIN, 'Status.CANCELLED, "courses: round is not cancelled"', 'Status.OPEN, "courses: round is not cancelled"',
     "an open round is refunded"),
    (MAIN, "assert enrolment != empty(course_terms.Enrolment), \"courses: only a student of the round\"\n"
     "    assert course_terms.Enrolment.REFUNDED", "assert course_terms.Enrolment.REFUNDED",
     "a stranger is refunded"),
    (MAIN, "assert course_terms.Enrolment.REFUNDED not in enrolment", "assert True", "refunded twice"),
    (MAIN, "enrolment | course_terms.Enrolment.REFUNDED", "course_terms.Enrolment.REFUNDED",
     "a refunded student was none"),
    (MAIN, "money._credit(terms.currency, msg.sender, terms.price, id)",
     "money._credit(terms.currency, msg.sender, terms.price - 1, id)", "a unit stays"),
    (MAIN, "assert block.timestamp < terms.end + terms.rating_window",
     "assert block.timestamp <= terms.end + terms.rating_window", "rated a second late"),
    (MAIN, "assert enrolment != empty(course_terms.Enrolment), \"courses: only a student of the round\"\n"
     "    assert course_terms.Enrolment.RATED", "assert course_terms.Enrolment.RATED",
     "a stranger rates"),
    (MAIN, "assert course_terms.Enrolment.RATED not in enrolment", "assert True", "rated twice"),
    (MAIN, "enrolment | course_terms.Enrolment.RATED", "course_terms.Enrolment.RATED",
     "a student who rated was none"),
    (MAIN, "    current.raters += 1\n", "", "raters of the round are not counted"),
    (MAIN, "course_state.ratings[id] += rating", "course_state.ratings[id] = rating",
     "the last rating is the only one"),
    (MAIN, "assert block.timestamp >= terms.end + terms.rating_window", "assert True", "settled at once"),
    (MAIN, "assert block.timestamp >= terms.end + terms.rating_window",
     "assert block.timestamp > terms.end + terms.rating_window", "settled a second late"),
    (MAIN, "total // 10", "total // 11", "a smaller pool"),
    (MAIN, "teacher=total - pool + incentive", "teacher=total - pool", "the incentive is lost"),
    (MAIN, "platform=pool - incentive", "platform=pool", "the incentive is paid from other courses"),
    (MAIN, "    current.status = course_terms.Status.SETTLED\n", "", "settled again and again"),
    (MAIN, "    current.status = course_terms.Status.CANCELLED\n", "", "a cancelled round stays open"),
    (MAIN, "money._credit(terms.currency, PLATFORM,", "money._credit(terms.currency, msg.sender,",
     "whoever settles is paid"),
    (MAIN, "abi_encode(chain.id, self, teacher,", "abi_encode(self, teacher,", "one id on two chains"),
    (MAIN, "teacher, salt, promise))", "teacher, promise))", "courses of one promise collide"),
    (MAIN, "assert current.terms_hash == keccak256(abi_encode(terms))", "assert True", "any terms do"),
    (MAIN, "    course_terms._check_terms(terms)\n", "", "terms without bounds"),
    (TERMS, "money._check_currency(terms.currency)", "pass", "any token is money"),
    (TERMS, "terms.price >= 1", "terms.price >= 0", "a price of nothing"),
    (TERMS, "terms.price <= money.AMOUNT_MAX", "terms.price <= money.AMOUNT_MAX + 1", "a price too high"),
    (TERMS, "SEATS_MAX: constant(uint256) = 10_000", "SEATS_MAX: constant(uint256) = 10_001", "a seat more"),
    (TERMS, "terms.start > block.timestamp", "terms.start >= block.timestamp", "no time to enrol"),
    (TERMS, "terms.start <= block.timestamp + YEAR", "terms.start <= block.timestamp + YEAR + 1",
     "a start too far ahead"),
    (TERMS, "terms.end > terms.start", "terms.end >= terms.start", "a course of no time"),
    (TERMS, "terms.end <= terms.start + YEAR", "terms.end <= terms.start + YEAR + 1", "a course too long"),
    (TERMS, "terms.begin_grace <= 30 * DAY", "terms.begin_grace <= 31 * DAY", "a longer grace"),
    (TERMS, "terms.rating_window >= DAY", "terms.rating_window >= DAY - 1", "less time to rate"),
    (STATE, "ONE_ROUND: constant(uint256) = 2**160", "ONE_ROUND: constant(uint256) = 2**159",
     "rounds change the teacher"),
    (STATE, "    self.heads[id] += ONE_ROUND\n", "", "rounds are not counted"),
    (STATE, "raters=counts >> RATERS_SHIFT", "raters=0", "raters are forgotten"),
    (RATINGS, "assert points[criterion] <= POINTS_MAX", "assert points[criterion] <= POINTS_MAX + 1", "101 points"),
    (RATINGS, "rating: uint256 = ONE_RATER", "rating: uint256 = 0", "ratings are not counted"),
    (RATINGS, "if raters == 0:", "if raters == 99:", "nobody rates and the money is locked"),
    (RATINGS, "sum // (raters * CRITERIA)", "(sum + raters) // (raters * CRITERIA)", "an average rounded up"),
    (RATINGS, "RATERS_MIN: constant(uint256) = 3", "RATERS_MIN: constant(uint256) = 2", "two friends suffice"),
    (RATINGS, "RATERS_MIN: constant(uint256) = 3", "RATERS_MIN: constant(uint256) = 4", "three do not suffice"),
    (RATINGS, "raters * STUDENTS_PER_RATER_MAX >= enrolled", "raters * STUDENTS_PER_RATER_MAX > enrolled",
     "a quarter does not suffice"),
    (RATINGS, "raters * STUDENTS_PER_RATER_MAX >= enrolled", "True", "three of many suffice"),
    (RATINGS, "average == POINTS_MAX", "average >= 99", "99 counts as 100"),
    (RATINGS, "average >= 80", "average > 80", "80 does not count"),
    (RATINGS, "average >= 60", "average >= 59", "59 counts as 60"),
    (RATINGS, "percent = 15", "percent = 14", "14 percent"),
    (RATINGS, "(pool * percent + 50) // 100", "(pool * percent) // 100", "an incentive rounded down"),
    (RATINGS, "(pool * percent + 50) // 100", "(pool * percent + 49) // 100", "half is rounded down"),
]


def outcome(index: int) -> str:
    """`killed by` a test, or why the mutant lives."""
    name, old, new, _ = MUTANTS[index]
    with tempfile.TemporaryDirectory() as folder:
        vyper, artifacts = Path(folder, "Contracts", "Vyper"), Path(folder, "Contracts", "Artifacts")
        vyper.mkdir(parents=True)
        for part in PARTS:
            shutil.copy(CONTRACTS / "Vyper" / part, vyper)
        text = (vyper / name).read_text()
        if text.count(old) != 1:
            return f"stale: its text is there {text.count(old)} times"
        (vyper / name).write_text(text.replace(old, new))
        script = ROOT / "Scripts" / "contracts" / "artifacts.py"
        made = subprocess.run([sys.executable, script, "--into", folder], capture_output=True, text=True)
        if made.returncode:
            return f"does not compile: {made.stderr[-300:]}"
        for path in (CONTRACTS / "Artifacts").glob("*.json"):
            if path.name != "Courses.json":
                shutil.copy(path, artifacts)
        first = FAST[3] if "@reentrant" in new else FIRST.get(name, FAST[0])
        tests = fast_tests(artifacts, first)
        if tests.returncode == 1:
            return f"killed by {', '.join(re.findall(KILLER, tests.stdout)) or 'a fault'}"
        return "lives" if tests.returncode == 0 else tests.stdout[-500:]


def fast_tests(artifacts: Path, first: str = FAST[0]) -> subprocess.CompletedProcess:
    """Runs the fast tests on a folder of artifacts, beginning with `first`, until one fails."""
    tests = [first, *(test for test in FAST if test != first)]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-n", "0", *tests],
        cwd=HERE, env={**os.environ, "STOA_ARTIFACTS": str(artifacts)},
        capture_output=True, text=True,
    )


def main() -> None:
    sound = fast_tests(CONTRACTS / "Artifacts")
    if sound.returncode:
        sys.exit(f"course_mutants: the tests fail without a mutant\n{sound.stdout[-2_000:]}")
    chosen = [int(n) for n in sys.argv[1:]] or list(range(len(MUTANTS)))
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for index, result in zip(chosen, pool.map(outcome, chosen)):
            failed += not result.startswith("killed")
            print(f"{index:3} {MUTANTS[index][0]}: {MUTANTS[index][3]}: {result}", flush=True)
    print(f"course_mutants: {len(chosen) - failed} of {len(chosen)} killed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
