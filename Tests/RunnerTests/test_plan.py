"""Every test is in one batch, and each batch runs its own tests and no others."""

import re

import plan
import pytest

LISTED = """\
A.Page/`a/b. c (d)`()/PageTests.swift:4:4
A.Page/Inner/inner()/PageTests.swift:6:19
A.Page/`raw name / odd`/x()/PageTests.swift:7:37
A.Page/param(n:)/PageTests.swift:5:4
A.PageTests/one()/PageTests.swift:9:18
A.`free raw / name`()/PageTests.swift:14:2
A.free()/PageTests.swift:11:2
A.free2()/PageTests.swift:12:2
AB.Page/only()/PageTests.swift:2:15
"""


def item(name, seconds=1.0, kind="swift"):
    return plan.Item(kind, name, seconds)


def test_suites_hold_their_nested_suites():
    items = plan.suites(LISTED, {"A.Page": 7.5})
    assert {i.name: len(i.tests) for i in items} == {
        "A.Page": 4, "A.PageTests": 1, "A.`free raw / name`()": 1, "A.free()": 1, "A.free2()": 1, "AB.Page": 1}
    assert {i.name: i.seconds for i in items if i.seconds != plan.UNKNOWN_SECONDS} == {"A.Page": 7.5}


@pytest.mark.parametrize("names", [
    ["A.Page"], ["A.PageTests"], ["AB.Page"], ["A.free()"], ["A.`free raw / name`()"],
    ["A.Page", "A.free2()", "AB.Page"],
])
def test_a_filter_matches_the_tests_of_its_suites_and_no_others(names):
    matched = [test for test in LISTED.splitlines() if re.search(plan.pattern(names), test)]
    assert matched == [test for test in LISTED.splitlines() if plan.owner(test) in names]
    assert matched


def test_every_item_is_in_one_batch():
    items = [item(f"A.Suite{number}", seconds) for number, seconds in enumerate([50, 9, 9, 5, 3, 1, 1] + [0.1] * 90)]
    made = plan.batches(items, share=1 / 6, floor=4)
    assert sorted(i.name for batch in made for i in batch.items) == sorted(i.name for i in items)


def test_batches_get_shorter_but_not_too_short():
    items = [item(f"A.Suite{number}", 0.5) for number in range(200)]
    lengths = [batch.seconds for batch in plan.queue(plan.batches(items, share=1 / 10, floor=4))]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] == 10 and all(length >= 4 for length in lengths[:-1])


def test_long_suites_start_first_and_by_themselves():
    items = [item("A.Short", 1), item("A.Long", 60), item("A.Middle", 2)]
    first = plan.queue(plan.batches(items, share=1 / 10, floor=4))[0]
    assert [i.name for i in first.items] == ["A.Long"]


def test_suites_with_a_rule_share_no_process():
    items = [item(f"A.{name}") for name in ("Files", "Port", "Other", "Another")]
    made = plan.queue(plan.batches(items, share=1, floor=100, own={"A.Files"}, alone={"A.Port"}))
    assert [[i.name for i in batch.items] for batch in made] == [["A.Another", "A.Other"], ["A.Files"], ["A.Port"]]
    assert [batch.alone for batch in made] == [False, False, True]


def test_names_mean_suites_files_modules_and_folders():
    files = [item(f"Tests/ChainTests/test_{letter}.py", kind="Tests/ChainTests") for letter in "ab"]
    items = plan.suites(LISTED, {}) + files

    def meant(*names):
        found, unknown = plan.chosen(items, names)
        return [i.name for i in found], unknown

    assert meant("Page") == (["A.Page", "AB.Page"], [])
    assert meant("A.Page") == (["A.Page"], [])
    assert meant("AB", "A.Page", "AB.Page") == (["AB.Page", "A.Page"], [])
    assert meant("test_a") == (["Tests/ChainTests/test_a.py"], [])
    assert meant("ChainTests") == (["Tests/ChainTests/test_a.py", "Tests/ChainTests/test_b.py"], [])
    assert meant("Pag", "test_b.py") == (["Tests/ChainTests/test_b.py"], ["Pag"])
