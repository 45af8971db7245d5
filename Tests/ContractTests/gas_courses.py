"""Measures what each move of a course costs, as a Markdown table; see gas.py for how.

    .venv/bin/python Tests/ContractTests/gas_courses.py [--check]

`--check` compares with the limits below only. `measure` takes the chain and the contract, so that
gas.py can put the figures into its own table.
"""

import sys

from course_market import digest
from course_model import DAY, CourseTerms
from eth_abi import decode
from machine import NATIVE

V = 10**18
# Gas that a change may not exceed, in native money.
LIMITS = {"open": 150_000, "enrol": 70_000, "evaluate": 55_000, "whole course of a student": 125_000}
# What a student pays in all.
OF_A_STUDENT = ["enrol", "evaluate"]


def measure(london, courses, currency: str, student: str) -> dict[str, int]:
    """Gas of every move in one currency.

    `london` and `courses` are gas.py's `London` and `Measured`; Ana teaches, Bo and Dan are students
    who have approved the contract for the currency. `student` is Bo's address.
    """
    gas: dict[str, int] = {}

    def act(label: str | None, who: str, name: str, *args, pays: int = 0) -> bytes:
        used, output = courses.call(who, name, *args, value=pays if currency == NATIVE else 0)
        if label:
            gas[label] = used
        return output

    def terms() -> tuple:
        usual = CourseTerms.usual(london.time, V, currency=currency, start=london.time + DAY)
        return usual.abi()

    first = terms()
    answer = act("open", "ana", "open", digest("gas"), digest("p"), first)
    [id] = decode(["bytes32"], answer)
    act("enrol, first of a round", "bo", "enrol", id, 0, first, pays=V)
    act("enrol", "dan", "enrol", id, 0, first, pays=V)
    london.travel(DAY)
    act("begin", "ana", "begin", id, 0, first)
    act("evaluate, first of a round", "bo", "evaluate", id, 0, first, [90] * 5)
    act("evaluate", "dan", "evaluate", id, 0, first, [80] * 5)
    london.travel(60 * DAY)
    act("settle", "dan", "settle", id, 0, first)
    second = terms()
    act("repeat", "ana", "repeat", id, second)
    act(None, "bo", "enrol", id, 1, second, pays=V)
    act("cancel", "ana", "cancel", id, 1, second)
    act("refund", "bo", "refund", id, 1, second)
    act("withdraw", "bo", "withdraw", currency, V, student)
    gas["whole course of a student"] = sum(gas[name] for name in OF_A_STUDENT)
    return gas


def table(native: dict[str, int], token: dict[str, int]) -> str:
    """One row for each move, in native money and in a token."""
    lines = ["| move of a course | native | token |", "|---|---|---|"]
    return "\n".join(lines + [f"| {m} | {native[m]:,} | {token[m]:,} |" for m in native])


def beyond(native: dict[str, int]) -> list[str]:
    """Which limits are not kept."""
    return [f"{n}: {native[n]:,} gas of {most:,}" for n, most in LIMITS.items() if native[n] > most]


def main() -> None:
    # gas.py may import this module, so it is imported here and not at the top.
    from gas import WHO, Round

    measured = []
    for in_token in (False, True):
        market = Round(in_token)
        courses = market.kinds["Courses"]
        measured.append(measure(market.london, courses, market.currency, WHO["bo"]))
    if wrong := beyond(measured[0]):
        sys.exit("gas_courses: beyond the limits: " + "; ".join(wrong))
    if "--check" not in sys.argv[1:]:
        print(table(*measured))
        print(f"Courses: {courses.size:,} bytes of code, {courses.gas:,} gas")


if __name__ == "__main__":
    main()
