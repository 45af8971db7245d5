"""Reads what a process with tests has left behind: the events of Swift's testing library, or pytest's report."""

import json
import re
import xml.etree.ElementTree
from collections import Counter
from dataclasses import dataclass, field

from plan import owner

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SWIFT_CLOSING = re.compile(r"Test run with (\d+) tests? in (\d+) suites? (passed|failed) after .*")
PYTEST_CLOSING = re.compile(r"=*\s*((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s.*")
# The first lines of a failure are those that say what is wrong; the log has the rest of a crash.
LINES_MAX = 200
CRASH_LINES_MAX = 60


@dataclass
class Result:
    """What became of one process: how many tests passed, which failed, and what was wrong in full."""

    passed: int = 0
    skipped: int = 0
    suites: int = 0
    failed: list[str] = field(default_factory=list)
    closing: str = ""
    # What keeps the process from being a success beside tests that failed.
    faults: list[str] = field(default_factory=list)
    text: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def is_good(self):
        return not self.failed and not self.faults

    @property
    def ran(self):
        return self.passed + self.skipped + len(self.failed)


def plain(text):
    """Text of a terminal, without colours."""
    return COLOUR.sub("", text)


def swift(expected, events, log, code):
    """What became of a process that should have run the Swift tests `expected`, by the lines of its events."""
    result = Result()
    wanted = Counter(expected)
    functions, begun, ended = set(), {}, Counter()
    times = {}
    for record in records(events):
        body = record["payload"]
        if record["kind"] == "test":
            if body["kind"] == "function":
                functions.add(body["id"])
            continue
        kind, test = body["kind"], body.get("testID")
        if kind == "runEnded":
            result.closing = next((m["text"] for m in body["messages"] if m["text"].startswith("Test run")), "")
        if test is None:
            continue
        times.setdefault(owner(test), []).append(body["instant"]["absolute"])
        if test not in functions:
            continue
        if kind == "testStarted":
            begun[test] = True
        elif kind in ("testEnded", "testSkipped"):
            begun.pop(test, None)
            ended[test] += 1
            symbols = {message["symbol"] for message in body["messages"]}
            if "fail" in symbols:
                result.failed.append(test)
            elif "skip" in symbols:
                result.skipped += 1
            else:
                result.passed += 1
    result.seconds = {name: max(instants) - min(instants) for name, instants in times.items()}

    result.text = issues(log)
    if begun:
        result.faults.append("ended while this ran: " + ", ".join(begun))
    missing = [test for test in wanted if test not in ended and test not in begun]
    if missing:
        names = sorted({owner(test) for test in missing})
        result.faults.append(f"not run: {len(missing)} of {', '.join(names)}")
    if more := ended - wanted:
        result.faults.append("ran once too often: " + ", ".join(more))
    if closing := SWIFT_CLOSING.fullmatch(result.closing):
        result.suites = int(closing[2])
        if int(closing[1]) != len(expected):
            result.faults.append(f"its closing line counts {closing[1]} tests of {len(expected)}")
    else:
        result.faults.append("has no closing line")
    check_code(result, code)
    if code < 0 or begun or not result.closing:
        result.text = "\n".join(filter(None, [result.text, last_words(log)]))
    return result


def records(events):
    """The records of an event stream; a process that is killed may leave half a line."""
    for line in events.splitlines():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            return


def issues(log):
    """The issues in a log of Swift tests, each with the lines that belong to it."""
    kept, is_issue = [], False
    for line in plain(log).splitlines():
        if line[:1] in "✘◇✔➜━⚠":
            is_issue = line.startswith("✘") and not SWIFT_CLOSING.fullmatch(line[2:])
        if is_issue:
            kept.append(line)
    return "\n".join(cut(kept, LINES_MAX))


def last_words(log):
    """What a process said before it ended without its closing line, from the last start of a test on."""
    lines = plain(log).splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("◇")]
    return "\n".join(cut(lines[starts[-1] if starts else 0:], CRASH_LINES_MAX))


def cut(lines, most):
    """The first lines; the log has all of them."""
    return lines if len(lines) <= most else [*lines[:most], f"… and {len(lines) - most} lines more in the log"]


def python(report, log, code):
    """What became of a process of pytest, by its report (JUnit's XML) and its output."""
    result = Result()
    lines = plain(log).splitlines()
    result.closing = next((line for line in reversed(lines) if PYTEST_CLOSING.fullmatch(line)), "")
    if not result.closing:
        result.faults.append("has no closing line")
    for case in cases(report):
        name = f"{case.get('file')}::{case.get('name')}"
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            # A test that fails, and then fails to clean up, is reported twice.
            if name not in result.failed:
                result.failed.append(name)
        elif "skipped" in kinds:
            result.skipped += 1
        else:
            result.passed += 1
        file = case.get("file")
        result.seconds[file] = result.seconds.get(file, 0) + float(case.get("time", 0))
    check_code(result, code)
    if not result.is_good:
        heads = [n for n, line in enumerate(lines) if re.fullmatch(r"=+ (FAILURES|ERRORS) =+", line)]
        result.text = "\n".join(cut(lines[heads[0]:], LINES_MAX) if heads else lines[-CRASH_LINES_MAX:])
    return result


def check(part, seconds, log, code):
    """What became of a part of Scripts/check: one test that its exit code decides."""
    lines = [line for line in plain(log).splitlines() if line.strip()]
    result = Result(closing=lines[-1] if lines else "", seconds={part: seconds})
    if code == 0:
        result.passed = 1
    else:
        result.failed.append(f"Scripts/check {part}")
        result.text = "\n".join(lines[-CRASH_LINES_MAX:])
    check_code(result, code)
    return result


def cases(report):
    """The test cases of a report; none if pytest did not come to write it."""
    try:
        return list(xml.etree.ElementTree.fromstring(report).iter("testcase"))
    except xml.etree.ElementTree.ParseError:
        return []


def check_code(result, code):
    """Holds the exit code against what the process has told."""
    if code < 0:
        result.faults.append(f"was ended by signal {-code}")
    elif code != 0 and result.is_good:
        result.faults.append(f"ended with exit code {code} though no test failed")
    elif code == 0 and result.failed:
        result.faults.append("ended with exit code 0 though a test failed")
