"""Makes long random lives of sales of every kind, and lets the folds in Swift follow them step by step.

    .venv/bin/python Tests/ContractTests/long_traces.py [--steps N] [--seed S] [--chunk N]

Each chunk is written by the programs that write Tests/Vectors/*-traces.json, with a seed of its own, and read by the
Swift tests of that name, which must be built. It ends after the chunk in which all kinds together have N steps.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "Tests" / "ContractTests"
MAKERS = {
    "escrow": ["make_traces.py"],
    "auction": ["make_kind_traces.py", "--kind", "auction"],
    "direct": ["make_kind_traces.py", "--kind", "direct"],
    "course": ["make_course_traces.py"],
}


def make(kind: str, steps: int, seed: int, folder: Path) -> int:
    """Writes one kind's file and returns its number of steps."""
    script, *arguments = MAKERS[kind]
    path = folder / f"{kind}-traces.json"
    made = subprocess.run(
        [sys.executable, str(HERE / script), *arguments, "--steps", str(steps), "--seed", str(seed), "--into", path],
        capture_output=True, text=True,
    )
    if made.returncode:
        sys.exit(f"long_traces: {kind} with seed {seed}: {made.stdout}{made.stderr}")
    return sum(len(trace["steps"]) for trace in json.loads(path.read_text())["traces"])


def follow(folder: Path, seed: int) -> None:
    """Runs the Swift tests on the folder's files."""
    tests = ["swift", "test", "--skip-build", "--no-parallel", "--filter", "(Escrow|Item|Course)TraceTests"]
    found = subprocess.run(
        tests, cwd=ROOT, env={**os.environ, "STOA_TRACES": str(folder)}, capture_output=True, text=True
    )
    lines = [line for line in found.stdout.splitlines() if " traces: " in line]
    if found.returncode or len(lines) != len(MAKERS):
        sys.exit(f"long_traces: the folds do not follow seed {seed}:\n{found.stdout[-20_000:]}{found.stderr[-2_000:]}")


def main() -> None:
    usage = argparse.ArgumentParser(prog="long_traces.py", description=__doc__.splitlines()[0])
    usage.add_argument("--steps", type=int, default=100_000, help="how many steps at least, of all kinds together")
    usage.add_argument("--chunk", type=int, default=2_500, help="how many steps of each kind at a time")
    usage.add_argument("--seed", type=int, help="the first chunk's seed (default: a random one)")
    options = usage.parse_args()
    seed, done, began = options.seed, 0, time.monotonic()
    if seed is None:
        seed = secrets.randbelow(2**32)
    while done < options.steps:
        with tempfile.TemporaryDirectory(prefix="stoa-traces-") as name, ThreadPoolExecutor(os.cpu_count()) as pool:
            folder = Path(name)
            counts = list(pool.map(lambda kind: make(kind, options.chunk, seed, folder), MAKERS))
            follow(folder, seed)
        done += sum(counts)
        shown = ", ".join(f"{kind} {count}" for kind, count in zip(MAKERS, counts))
        print(f"long_traces: seed {seed}: {shown}; {done:,} steps in {time.monotonic() - began:.0f} s", flush=True)
        # Traces take consecutive seeds; the next chunk begins far behind them.
        seed += 1_000_000
    print(f"long_traces: contracts and folds agreed after each of {done:,} steps")


if __name__ == "__main__":
    main()
