"""What a process leaves behind is read for what it is: passed, failed, or ended before its time."""

import json

import results

ONE = "A.Page/one()/PageTests.swift:1:1"
TWO = "A.Page/two(n:)/PageTests.swift:2:2"
OFF = "A.Off/off()/OffTests.swift:3:3"


class Events:
    """The event stream of a process with tests."""

    def __init__(self):
        self.lines = []
        self.now = 100.0
        for test in (ONE, TWO, OFF):
            self.add("test", {"kind": "function", "id": test})
        for suite in ("A.Page", "A.Off"):
            self.add("test", {"kind": "suite", "id": suite})

    def add(self, kind, payload):
        self.lines.append(json.dumps({"kind": kind, "payload": payload, "version": 0}))
        return self

    def event(self, kind, test=None, symbol="default", text=""):
        self.now += 1
        payload = {"kind": kind, "instant": {"absolute": self.now}, "messages": [{"symbol": symbol, "text": text}]}
        return self.add("event", payload | ({"testID": test} if test else {}))

    def passes(self, test):
        return self.event("testStarted", test).event("testEnded", test, "pass")

    def fails(self, test):
        return self.event("testStarted", test).event("issueRecorded", test, "fail").event("testEnded", test, "fail")

    def closes(self, text):
        return self.event("runEnded", text=text)

    def read(self, expected, log="", code=0):
        return results.swift(expected, "\n".join(self.lines), log, code)


def test_tests_that_pass_or_are_skipped():
    events = Events().event("testStarted", "A.Page").passes(ONE).passes(TWO).event("testEnded", "A.Page", "pass")
    events.event("testSkipped", "A.Off", "skip").event("testSkipped", OFF, "skip")
    events.closes("Test run with 3 tests in 2 suites passed after 0.007 seconds.")
    result = events.read([ONE, TWO, OFF])
    assert result.is_good and (result.passed, result.skipped, result.ran, result.suites) == (2, 1, 3, 2)
    assert result.seconds == {"A.Page": 5, "A.Off": 1}


def test_a_test_that_fails_is_printed_in_full():
    log = "\n".join([
        "◇ Test one() started.",
        "✘ Test one() recorded an issue at PageTests.swift:1:9: Expectation failed: 1 == 2",
        "↳ why it is", "  in two lines",
        "✘ Test one() failed after 0.001 seconds with 1 issue.",
        "◇ Test two(n:) started.", "said by two",
        "\x1b[91m✘\x1b[0m Test run with 2 tests in 1 suite failed after 0.005 seconds with 1 issue."])
    closing = "Test run with 2 tests in 1 suite failed after 0.005 seconds with 1 issue."
    result = Events().fails(ONE).passes(TWO).closes(closing).read([ONE, TWO], log, 1)
    assert (result.failed, result.passed, result.faults) == ([ONE], 1, [])
    assert result.text.splitlines() == log.splitlines()[1:5]


def test_a_crashed_process_names_tests_that_ran_and_that_did_not():
    result = Events().passes(ONE).event("testStarted", TWO).read(
        [ONE, TWO, OFF], "◇ Test one() started.\n◇ Test two(n:) started.\nFatal error: no\n", -4)
    assert not result.is_good and result.ran == 1
    assert result.faults == [
        f"ended while this ran: {TWO}", "not run: 1 of A.Off", "has no closing line", "was ended by signal 4"]
    assert result.text == "◇ Test two(n:) started.\nFatal error: no"


def test_half_a_line_of_a_killed_process_makes_no_event():
    events = Events().passes(ONE)
    events.lines.append('{"kind":"event","payload":{"kind":"testEn')
    assert events.read([ONE], code=-9).passed == 1


def test_tests_that_were_not_run_or_not_asked_for_are_faults():
    closing = "Test run with 1 test in 1 suite passed after 0.001 seconds."
    assert Events().passes(ONE).closes(closing).read([ONE]).is_good
    assert "not run: 1 of A.Page" in Events().passes(ONE).closes(closing).read([ONE, TWO]).faults
    assert f"ran once too often: {TWO}" in Events().passes(ONE).passes(TWO).closes(closing).read([ONE]).faults
    assert f"ran once too often: {ONE}" in Events().passes(ONE).passes(ONE).closes(closing).read([ONE]).faults
    two = "Test run with 2 tests in 1 suite passed after 0.001 seconds."
    assert Events().passes(ONE).closes(two).read([ONE]).faults == ["its closing line counts 2 tests of 1"]


def test_an_exit_code_that_no_test_explains_is_a_fault():
    closing = "Test run with 1 test in 1 suite passed after 0.001 seconds."
    assert Events().passes(ONE).closes(closing).read([ONE], code=1).faults == [
        "ended with exit code 1 though no test failed"]
    assert Events().fails(ONE).closes(closing).read([ONE], code=0).faults == [
        "ended with exit code 0 though a test failed"]


REPORT = """<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite>
<testcase file="Tests/a/test_x.py" name="test_one" time="1.5"/>
<testcase file="Tests/a/test_x.py" name="test_two[1]" time="0.5"><failure message="no">no</failure></testcase>
<testcase file="Tests/a/test_x.py" name="test_two[1]" time="0.5"><error message="no">no</error></testcase>
<testcase file="Tests/a/test_y.py" name="test_off" time="0"><skipped/></testcase></testsuite></testsuites>"""
OUTPUT = """.F
=================================== FAILURES ===================================
    assert 1 == 2
=========================== short test summary info ============================
FAILED Tests/a/test_x.py::test_two[1]
1 failed, 1 passed, 1 skipped, 1 error in 2.51s
"""


def test_a_report_of_pytest():
    result = results.python(REPORT, OUTPUT, 1)
    assert (result.passed, result.skipped) == (1, 1)
    assert result.failed == ["Tests/a/test_x.py::test_two[1]"] and result.faults == []
    assert result.closing == "1 failed, 1 passed, 1 skipped, 1 error in 2.51s"
    assert result.text == OUTPUT.split("\n", 1)[1].rstrip("\n")
    assert result.seconds == {"Tests/a/test_x.py": 2.5, "Tests/a/test_y.py": 0}


def test_pytest_that_collects_nothing_or_dies_is_a_fault():
    assert results.python("<testsuites/>", "\nno tests ran in 0.01s\n", 5).faults == ["has no closing line"]
    assert results.python("", ".....", -9).faults == ["has no closing line", "was ended by signal 9"]


def test_closing_lines_of_pytest():
    for line in ("7 passed in 55.01s", "== 1 failed, 2 passed in 61.20s (0:01:01) ==", "1 passed, 2 skipped in 0.10s"):
        assert results.PYTEST_CLOSING.fullmatch(line), line
    for line in ("no tests ran in 0.01s", "7 passed", "it passed in 3.0s"):
        assert not results.PYTEST_CLOSING.fullmatch(line), line


def test_a_part_of_the_checks_is_one_test():
    good = results.check("play", 3.0, "began\nplayed 9 scenes\n\n", 0)
    assert good.is_good and good.ran == 1 and good.closing == "played 9 scenes" and good.seconds == {"play": 3.0}
    bad = results.check("play", 3.0, "began\na node ended\n", 1)
    assert bad.failed == ["Scripts/check play"] and not bad.faults and "a node ended" in bad.text
    killed = results.check("play", 3.0, "", -9)
    assert not killed.is_good and killed.faults == ["was ended by signal 9"]
