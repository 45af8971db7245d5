"""Measures every move of a course, in both currencies, as a Markdown table.

    .venv/bin/python Tests/ContractTests/gas_courses.py

Made like the tables of gas.py, and with its machine: full transactions on a London EVM. Exits with an
error if a move costs more than its limit. The first enrolment of a contract and the first rating of a
course write a word that was zero and are dearer; a later one of each is shown beside it.
"""

import sys

from course_model import DAY, CourseTerms
from eth_abi import decode
from gas import WHO, Measured, Round
from machine import NATIVE
from market import digest

V = 10**18
# Gas that a change may not exceed, in native money.
LIMITS = {
    "Courses: open": 146_000, "Courses: enrol": 68_000, "Courses: evaluate": 52_000,
    "Courses: settle": 96_000, "Courses: refund": 65_000, "Courses: leave": 65_000,
}


def courses(round: Round) -> dict[str, int]:
    """Gas of every move of a course by Ana: one round with two students, one that is cancelled."""
    contract, gas = round.kinds["Courses"], {}

    def act(label: str | None, who: str, name: str, *args, pays: int = 0) -> bytes:
        used, output = contract.call(who, name, *args, value=0 if round.in_token else pays)
        if label:
            gas[f"Courses: {label}"] = used
        return output

    def terms() -> tuple:
        time = round.london.time
        return CourseTerms.usual(time, V, currency=round.currency, start=time + 2 * DAY).abi()

    first = terms()
    [id] = decode(["bytes32"], act("open", "ana", "open", digest("gas"), digest("p"), first))
    act("enrol, first of the contract", "bo", "enrol", id, 0, first, pays=V)
    act("enrol", "dan", "enrol", id, 0, first, pays=V)
    act("leave", "dan", "leave", id, 0, first)
    act(None, "dan", "enrol", id, 0, first, pays=V)
    round.london.travel(2 * DAY)
    act("begin", "ana", "begin", id, 0, first)
    act("evaluate, first of a course", "bo", "evaluate", id, 0, first, [90] * 5)
    act("evaluate", "dan", "evaluate", id, 0, first, [80] * 5)
    round.london.travel(60 * DAY)
    act("settle", "dan", "settle", id, 0, first)
    second = terms()
    act("repeat", "ana", "repeat", id, second)
    act(None, "bo", "enrol", id, 1, second, pays=V)
    act("cancel", "ana", "cancel", id, 1, second)
    act("refund", "bo", "refund", id, 1, second)
    act("withdraw a refund", "bo", "withdraw", round.currency, V, WHO["bo"])
    return gas


def measure(in_token: bool) -> tuple[dict[str, int], dict[str, Measured]]:
    """Gas of every move in one currency, and the deployed contracts."""
    round = Round(in_token)
    assert (round.currency == NATIVE) != in_token
    return courses(round), round.kinds


def table(native: dict[str, int], token: dict[str, int]) -> str:
    """The table of the moves."""
    lines = ["| move | native | token |", "|---|---|---|"]
    return "\n".join(lines + [f"| {move} | {gas:,} | {token[move]:,} |" for move, gas in native.items()])


def beyond(native: dict[str, int]) -> list[str]:
    """Which limits are not kept."""
    return [f"{move}: {native[move]:,} gas of {most:,}" for move, most in LIMITS.items() if native[move] > most]


def main() -> None:
    (native, contracts), (token, _) = measure(False), measure(True)
    print(table(native, token))
    print(f"Courses: {contracts['Courses'].size:,} bytes of code, {contracts['Courses'].gas:,} gas to deploy")
    if over := beyond(native):
        sys.exit("gas_courses: beyond the limits: " + "; ".join(over))


if __name__ == "__main__":
    main()
