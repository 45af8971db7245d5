"""Changes the contracts in one place at a time and shows that the tests notice every change.

The changes are found by mutations.py. Each mutant is compiled to a folder of its own and tested
through STOA_ARTIFACTS by the quick tests of its source, until one fails; one that they do not notice
is tested by all tests. Results are kept, so that a run that was stopped goes on where it was, and a
mutant of a source that has changed is tried again.

    .venv/bin/python Tests/ContractTests/mutants.py [--list] [--sample N] [--seed S]
        [--minutes M] [--workers W] [--only SOURCE …] [--results FILE]
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from random import Random

from mutations import Mutation, find

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONTRACTS = ROOT / "Sources" / "Contracts"
SCRIPT = ROOT / "Scripts" / "contracts" / "artifacts.py"
IMPORTS = re.compile(r"^import (\w+)", re.MULTILINE)
# Of pytest's summary: the test that failed.
KILLER = re.compile(r"^(?:FAILED|ERROR) (\S+?::.+?)(?: - |$)", re.MULTILINE)
ESCROW = [
    "test_proposals.py", "test_deadlines.py", "test_terms.py", "test_hazards.py", "test_attacks.py",
    "test_payouts.py::test_an_exit_pays_at_every_corner_of_the_bounds",
    "test_payouts.py::test_the_arbiters_fee_of_an_odd_unit_is_shared_to_the_unit",
    "test_payouts.py::test_maker_platform_and_arbiter_are_credited_on_a_resale",
    "test_moves.py", "test_reentry.py", "test_ids.py",
]
KINDS = ["test_auction.py", "test_direct.py", "test_auction_hazards.py"]
COURSES = [
    "test_courses.py", "test_course_payouts.py", "test_course_hazards.py", "test_course_reentry.py", "test_ids.py",
]
# The quick tests of a source, those that notice most first.
QUICK = {
    "Auction.vy": ["test_auction.py", "test_auction_hazards.py", "test_ids.py"],
    "DirectSale.vy": ["test_direct.py", "test_ids.py"],
    "Factory.vy": ["test_factory.py"],
    "Item.vy": ["test_item_market.py", "test_item.py", "test_attacks.py", "test_hazards.py"],
    "TestToken.vy": ["test_token.py"],
    "erc721.vy": ["test_item.py", "test_item_market.py", "test_hazards.py"],
    "escrow_terms.vy": ["test_terms.py", *ESCROW],
    "market.vy": ["test_ids.py", "test_terms.py", "test_item_market.py", *ESCROW, *KINDS],
    "money.vy": ["test_currencies.py", "test_terms.py", "test_hazards.py", "test_reentry.py", *COURSES, *KINDS],
}
# A mutant that no test can notice, and why.
EQUIVALENT = {
    ("Item.vy", "ASK_GAS: constant"): "a sale contract answers with far less, and a wasteful one may be cut off anywhere",
    ("escrow_state.vy", "TAKEN_BIT: constant"): "any bit above the statuses",
    ("escrow_state.vy", "SHARE_BITS: constant"): "a share is at most 10,000, which 14 bits hold",
    ("Auction.vy", "STATUS_SHIFT: constant"): "the statuses need 3 of the 8 bits",
    ("course_ratings.vy", "ONE_RATER: constant"): "any factor above the sums keeps the raters apart from them",
    ("DirectSale.vy", "ACCOUNT_BITS: constant"): "one bit more than an account has leaves the status room in the word",
    ("DirectSale.vy", "TOKEN_BITS: constant"): "one bit more than a token's number has leaves the time room",
    ("DirectSale.vy", "TIME_MAX: constant"): "39 bits hold every time until the year 19391",
    ("escrow_state.vy", "TIME_BITS: constant"): "63 bits hold every time that a chain has",
    ("market.vy", "platform: uint256 = 0"): "it is assigned before it is read",
    ("market.vy", "maker: uint256 = 0"): "it is assigned before it is read",
    ("escrow_terms.vy", "platform: uint256 = 0"): "it is assigned before it is read",
    ("Courses.vy", "rating: uint256 = 0"): "it is assigned before it is read",
    ("Courses.vy", "total: uint256 = 0"): "it is assigned before it is read",
    ("escrow_terms.vy", "maker: uint256 = 0"): "it is assigned before it is read",
}


def quick(source: str) -> list[str]:
    """The tests that judge a mutant of a source."""
    if source in QUICK:
        return list(dict.fromkeys(QUICK[source]))
    return COURSES if source.lower().startswith("course") else ESCROW


def reaching(source: str) -> list[str]:
    """The contracts that a source is part of, itself included if it is one."""
    texts = {path.name: path.read_text() for path in (CONTRACTS / "Vyper").glob("*.vy")}
    parts = {name: {f"{m}.vy" for m in IMPORTS.findall(text)} for name, text in texts.items()}
    reached, grown = {source}, True
    while grown:
        more = {name for name, imported in parts.items() if imported & reached} - reached
        reached, grown = reached | more, bool(more)
    return sorted(name for name in reached if name[0].isupper())


def key(mutation: Mutation) -> str:
    """Names a mutant by the text of its source and the change."""
    text = (CONTRACTS / "Vyper" / mutation.source).read_text()
    seed = f"{text}\0{mutation.start}\0{mutation.end}\0{mutation.text}"
    return hashlib.sha256(seed.encode()).hexdigest()[:16]


def outcome(mutation: Mutation) -> str:
    """`killed by` a test, `lives`, or `no program` if the compiler refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        vyper, artifacts = Path(folder, "Contracts", "Vyper"), Path(folder, "Contracts", "Artifacts")
        shutil.copytree(CONTRACTS / "Vyper", vyper)
        changed = vyper / mutation.source
        changed.write_text(mutation.apply(changed.read_text()))
        contracts = reaching(mutation.source)
        for path in vyper.glob("[A-Z]*.vy"):
            if path.name not in contracts:
                path.unlink()
        made = subprocess.run([sys.executable, SCRIPT, "--into", folder], capture_output=True, text=True)
        if made.returncode:
            return "no program"
        same = True
        for path in (CONTRACTS / "Artifacts").glob("*.json"):
            if f"{path.stem}.vy" not in contracts:
                shutil.copy(path, artifacts)
            elif code(artifacts / path.name) != code(path):
                same = False
        if same:
            return "no change of code"
        found = judged(artifacts, quick(mutation.source))
        return found if found != "lives" or excused(mutation) else judged(artifacts, [])


def judged(artifacts: Path, tests: list[str]) -> str:
    """`killed by` one of the tests, or `lives`; no names stand for all tests."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-n", "0", *tests], cwd=HERE,
        env={**os.environ, "STOA_ARTIFACTS": str(artifacts)}, capture_output=True, text=True,
    )
    if run.returncode == 0:
        return "lives"
    if run.returncode == 1:
        return f"killed by {', '.join(KILLER.findall(run.stdout)) or 'a fault'}"
    # A contract that cannot be deployed stops pytest before any test.
    return f"killed by pytest itself: {(run.stdout + run.stderr)[-200:]}"


def code(path: Path) -> str:
    """An artifact's creation code."""
    return json.loads(path.read_text())["bytecode"]


def excused(mutation: Mutation) -> str | None:
    """Why a mutant that lives may live."""
    text = (CONTRACTS / "Vyper" / mutation.source).read_text().splitlines()[mutation.line - 1]
    for (source, word), reason in EQUIVALENT.items():
        if mutation.source == source and word in text:
            return reason
    return None


def chosen(options: argparse.Namespace) -> list[Mutation]:
    """The mutants of this run, in a random order that the seed gives."""
    mutations = [m for m in find(CONTRACTS / "Vyper") if not options.only or m.source in options.only]
    Random(options.seed).shuffle(mutations)
    return mutations[:options.sample] if options.sample else mutations


def run(options: argparse.Namespace, mutations: list[Mutation]) -> dict[str, str]:
    """Tries what has no result yet, until the time is over; answers all results by key."""
    results = {}
    if options.results.exists():
        for line in options.results.read_text().splitlines():
            entry = json.loads(line)
            results[entry["key"]] = entry["result"]
    waiting = [m for m in mutations if key(m) not in results]
    ends = time.monotonic() + options.minutes * 60 if options.minutes else float("inf")
    options.results.parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(options.workers) as pool, options.results.open("a") as kept:
        running = {}
        while waiting or running:
            while waiting and len(running) < options.workers and time.monotonic() < ends:
                mutation = waiting.pop(0)
                running[pool.submit(outcome, mutation)] = mutation
            if not running:
                break
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                mutation, result = running.pop(done), done.result()
                results[key(mutation)] = result
                entry = {"key": key(mutation), "mutant": str(mutation), "result": result}
                kept.write(json.dumps(entry) + "\n")
                kept.flush()
                print(f"{mutation}: {result}", flush=True)
    return results


def main() -> None:
    usage = argparse.ArgumentParser(prog="mutants.py", description=__doc__.splitlines()[0])
    usage.add_argument("--list", action="store_true", help="name the mutants, try none")
    usage.add_argument("--sample", type=int, default=0, help="how many of them (default: all)")
    usage.add_argument("--seed", type=int, default=0, help="the order in which they are tried")
    usage.add_argument("--minutes", type=float, default=0, help="begin none after so long")
    usage.add_argument("--workers", type=int, default=os.cpu_count(), help="how many at a time")
    usage.add_argument("--only", nargs="*", default=[], help="sources, such as Escrow.vy")
    usage.add_argument("--results", type=Path, default=ROOT / ".venv" / "mutants.jsonl")
    options = usage.parse_args()
    mutations = chosen(options)
    if options.list:
        print("\n".join(map(str, mutations)) + f"\nmutants: {len(mutations)}")
        return
    results = run(options, mutations)
    tried = [m for m in mutations if key(m) in results]
    living = [m for m in tried if results[key(m)] == "lives" and not excused(m)]
    killed = sum(results[key(m)].startswith("killed") for m in tried)
    for mutation in living:
        print(f"mutants: lives: {mutation}")
    print(
        f"mutants: of {len(mutations)} {len(tried)} tried, {killed} killed, {len(living)} live; the others are "
        "no program, no change of code, or equivalent"
    )
    sys.exit(bool(living))


if __name__ == "__main__":
    main()
