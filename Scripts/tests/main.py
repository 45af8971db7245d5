"""Runs the tests, in several processes at once.

main.py [NAME…]: all tests, or those of the suites, files, modules and folders named, e.g. PageTests, KeysTests,
test_pool or DevChainTests. Called by Scripts/test. Exit code 0 if all have passed.

Each process runs a batch of tests one after the other. STOA_TEST_WORKERS is the number of processes, by default one
more than there are processors, since many tests wait. What a process prints is kept in .build/test-logs.

Parts of Scripts/check take their turns among the tests with --check PART: they wait as much as tests do.
"""

import argparse
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import plan
import results
from processes import Processes

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / ".build/debug/stoaPackageTests.xctest"
LOGS = ROOT / ".build/test-logs"
SECONDS = Path(__file__).with_name("seconds.json")
SWIFT = [str(BUNDLE), "--testing-library", "swift-testing"]
PYTEST = [sys.executable, "-m", "pytest", f"--rootdir={ROOT}", "-o", "addopts=", "-o", "junit_family=xunit1", "-q",
          "--strict-markers", "-p", "no:cacheprovider"]
# The folders of Python tests, and the seconds below which a batch of them is not worth the start of a process.
PYTHON = {"Tests/ContractTests": 40, "Tests/DevChainTests": 20, "Tests/TutorialTests": 0, "Tests/RunnerTests": 10,
          "Tests/PageTests": 60}
# Plugins of pytest are loaded only where they are needed: the machine of contracts takes seconds to load.
PLUGINS = {"Tests/ContractTests": ["-p", "boa.test.plugin", "-p", "_hypothesis_pytestplugin"]}
# Those that run programs which the Swift build makes.
BUILT = {"Tests/TutorialTests", "Tests/PageTests"}
# Suites that must not share a process with others, and the reason.
OWN_PROCESS = {"NodeTests.ConnectionTests": "it changes the process's limit of open files"}
# Suites beside which nothing else may run, and the reason.
ALONE = {"ClientTests.ExchangeTests": "a port that it has closed must stay free"}
# A batch takes this share of the seconds left of its kind, and at least so many; each check is a batch.
SHARE = 1 / 12
SWIFT_FLOOR = 4
FLOORS = PYTHON | {"check": 0}
# What parts of Scripts/check need that the build of the tests does not make.
PRODUCTS = {"generated": ["protoc-gen-swift"]}
# A process that takes longer is killed.
MINUTES_MAX = 20


@dataclass
class Job:
    """A batch that runs."""

    batch: plan.Batch
    folder: Path
    stem: Path
    started: float
    pid: int = 0
    is_late: bool = False

    @property
    def log(self):
        return self.stem.with_suffix(".log")

    @property
    def report(self):
        """What the testing library writes beside its output."""
        return self.stem.with_suffix(".json" if self.batch.kind == "swift" else ".xml")


class Run:
    """All batches of one run and what became of them."""

    def __init__(self, batches, workers, folder, processes):
        self.waiting = plan.queue(batches)
        self.count = len(batches)
        self.workers = workers
        self.folder = folder
        self.processes = processes
        self.running = {}
        self.done = []
        self.tests = 0

    def everything(self):
        """Runs all batches; false if the run was interrupted."""
        while self.waiting or self.running:
            while len(self.running) < self.workers and (batch := self.next()):
                self.waiting.remove(batch)
                self.start(batch)
            for pid, code in self.processes.wait(1).items():
                self.finish(self.running.pop(pid), code)
            if self.processes.interrupted:
                return False
            for job in self.running.values():
                if time.monotonic() - job.started > MINUTES_MAX * 60 and not job.is_late:
                    job.is_late = True
                    os.kill(job.pid, signal.SIGKILL)
        return True

    def next(self):
        """The next batch that may run beside those that run now; None if it must wait.

        Two parts of Scripts/check never run at once: one of them is work enough for a processor.
        """
        batches = [job.batch for job in self.running.values()]
        if any(batch.alone for batch in batches):
            return None
        has_check = any(batch.kind == "check" for batch in batches)
        batch = next((b for b in self.waiting if b.kind != "check" or not has_check), None)
        return None if batch and batch.alone and batches else batch

    def start(self, batch):
        number = self.count - len(self.waiting)
        stem = LOGS / f"{number:03}-{batch.title}"
        job = Job(batch, self.folder / f"{number:03}", stem, time.monotonic())
        job.folder.mkdir()
        # Tests that become another user reach their files there.
        job.folder.chmod(0o755)
        with open(job.log, "wb") as log:
            job.pid = self.processes.start(command(job), log, environment(job.folder))
        self.running[job.pid] = job

    def finish(self, job, code):
        seconds = time.monotonic() - job.started
        left = self.processes.end(job.pid, job.folder)
        remove(job.folder)
        log, report = text(job.log), text(job.report)
        if job.batch.kind == "swift":
            result = results.swift(job.batch.tests, report, log, code)
        elif job.batch.kind == "check":
            result = results.check(job.batch.items[0].name, seconds, log, code)
        else:
            result = results.python(report, log, code)
        if job.is_late:
            result.faults.insert(0, f"took longer than {MINUTES_MAX} minutes")
        self.done.append((job, seconds, result))
        self.tests += result.ran
        names = [item.name.removeprefix("Tests/") for item in job.batch.items]
        shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        mark = "✔" if result.is_good else "✘"
        say(f"{mark} [{len(self.done)}/{self.count}] {self.tests} tests | {seconds:.1f} s | {shown} | "
            f"{result.closing or 'no closing line'}")
        if left:
            say(f"  ended what it left running: {'; '.join(line[:100] for line in left)}")
        if not result.is_good:
            say(failure(job, result))


def command(job):
    if job.batch.kind == "swift":
        names = [item.name for item in job.batch.items]
        return [*SWIFT, "--no-parallel", "--filter", plan.pattern(names), "--event-stream-version", "0",
                "--event-stream-output-path", str(job.report)]
    files = [item.name for item in job.batch.items]
    if job.batch.kind == "check":
        return ["Scripts/check", *files]
    return [*PYTEST, *PLUGINS.get(job.batch.kind, []), f"--junitxml={job.report}", *files]


def environment(folder):
    """This process's environment, with a folder for what is temporary."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("STOA_TEST_")}
    return kept | {"TMPDIR": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "STOA_BUILT": str(BUNDLE.parent)}


def failure(job, result):
    """Everything to know about a process that is no success."""
    failed = [f"{len(result.failed)} failed: {', '.join(result.failed)}"] if result.failed else []
    lines = [f"✘ {job.log.relative_to(ROOT)}: {fault}" for fault in failed + result.faults]
    return "\n".join([*lines, result.text, ""])


def text(path):
    return path.read_text(errors="replace") if path.exists() else ""


def remove(folder):
    """Deletes a folder, even if a test has made a part of it unreadable."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        subprocess.run(["chmod", "-R", "u+rwX", folder], check=False)
        shutil.rmtree(folder)


def own_logs():
    """Empties the folder of logs, once no other run of this tree uses it; locks it as long as this process runs."""
    LOGS.mkdir(parents=True, exist_ok=True)
    lock = os.open(LOGS, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("test: waits until another run in this folder has ended")
        fcntl.flock(lock, fcntl.LOCK_EX)
    for old in LOGS.iterdir():
        old.unlink()


def say(words=""):
    print(words, flush=True)


def python_items(seconds):
    """The files of Python tests."""
    files = [f.relative_to(ROOT).as_posix() for folder in PYTHON for f in sorted(ROOT.glob(f"{folder}/test_*.py"))]
    return [plan.Item(f.rsplit("/", 1)[0], f, seconds.get(f, plan.UNKNOWN_SECONDS)) for f in files]


def check_items(parts, seconds):
    """Parts of Scripts/check."""
    return [plan.Item("check", part, seconds.get(part, plan.UNKNOWN_SECONDS)) for part in parts]


def swift_items(seconds):
    """The Swift tests, as the bundle lists them: `swift test list` would wait for the package manager's lock."""
    listed = subprocess.run([*SWIFT, "--list-tests", "--verbose"], check=True, stdout=subprocess.PIPE, text=True)
    return plan.suites(listed.stdout, seconds)


def chosen_items(names, parts, seconds, skip_build):
    """The items to run. What the names mean in Python is known without a build."""
    files = python_items(seconds)
    if names:
        found, unknown = plan.chosen(files, names)
        if not unknown and not any(item.kind in BUILT for item in found):
            return found
    if not skip_build:
        products = [product for part in parts for product in PRODUCTS.get(part, [])]
        for what in ["--build-tests"], *(["--product", product] for product in products):
            if subprocess.run(["swift", "build", *what]).returncode != 0:
                sys.exit(1)
    items = swift_items(seconds) + files
    if not names:
        if stale := sorted((OWN_PROCESS.keys() | ALONE.keys()) - {item.name for item in items}):
            sys.exit(f"test: Scripts/tests/main.py has a rule for suites that are gone: {', '.join(stale)}")
        return items
    found, unknown = plan.chosen(items, names)
    if unknown:
        say(f"test: no suite, file, module or folder of tests is called {', '.join(unknown)}")
        sys.exit(2)
    return found


def all_batches(items):
    """The items in batches, each kind by itself."""
    kinds = {}
    for item in items:
        kinds.setdefault(item.kind, []).append(item)
    return [
        batch for kind, own in kinds.items()
        for batch in plan.batches(own, SHARE, FLOORS.get(kind, SWIFT_FLOOR), OWN_PROCESS, ALONE)
    ]


def tell_failures(run):
    """Prints again what failed; returns whether anything did."""
    failed = [(job, result) for job, _, result in run.done if not result.is_good]
    if failed:
        say("\nWhat failed:")
    for job, result in failed:
        say(failure(job, result))
    return bool(failed)


def summary(run, items, seconds):
    """Tells what failed and how many have passed; returns whether everything has."""
    is_good = not tell_failures(run)
    say()
    swift = [(took, result) for job, took, result in run.done if job.batch.kind == "swift"]
    checks = [(took, result) for job, took, result in run.done if job.batch.kind == "check"]
    python = [(took, result) for job, took, result in run.done if job.batch.kind not in ("swift", "check")]
    if swift:
        count("Swift", swift)
        listed, ran = sum(len(item.tests) for item in items), sum(result.ran for _, result in swift)
        if ran != listed:
            is_good = False
            say(f"✘ {ran} Swift tests were run of {listed} listed")
        mark, verdict = ("✔", "passed") if ran == listed and all(r.is_good for _, r in swift) else ("✘", "failed")
        suites = sum(result.suites for _, result in swift)
        say(f"{mark} Test run with {ran} tests in {suites} suites {verdict} after {seconds:.3f} seconds.")
    if python:
        count("Python", python)
    if checks:
        count("Scripts/check", checks)
    times = {name: took for _, _, result in run.done for name, took in result.seconds.items()}
    longest = sorted(times, key=times.get, reverse=True)[:5]
    say("What took longest: " + ", ".join(f"{name.removeprefix('Tests/')} {times[name]:.0f} s" for name in longest))
    verdict = "Everything passed" if is_good else "Not everything passed"
    say(f"{verdict}, after {seconds:.0f} s. What each process printed is in {LOGS.relative_to(ROOT)}.")
    return is_good


def count(name, done):
    """Says how many tests of a language passed and failed."""
    passed, skipped = sum(r.passed for _, r in done), sum(r.skipped for _, r in done)
    failed, took = sum(len(r.failed) for _, r in done), sum(took for took, _ in done)
    say(f"{name}: {passed} passed, {failed} failed, {skipped} skipped, in {len(done)} processes that took {took:.0f} s "
        "together")


def write_seconds(run, known):
    """Keeps how long each suite and each file took."""
    known |= {name: round(took, 1) for _, _, result in run.done for name, took in result.seconds.items()}
    SECONDS.write_text(json.dumps(known, indent=0, sort_keys=True) + "\n")


def main():
    parser = argparse.ArgumentParser(
        prog="Scripts/test", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a suite, file, module or folder of tests")
    parser.add_argument(
        "--check", action="append", default=[], metavar="PART", help="also run a part of Scripts/check")
    parser.add_argument("--skip-build", action="store_true", help="use what is built")
    parser.add_argument("--write-seconds", action="store_true", help="keep how long everything took, for later runs")
    options = parser.parse_args()
    os.chdir(ROOT)
    seconds = json.loads(SECONDS.read_text()) if SECONDS.exists() else {}
    items = chosen_items(options.names, options.check, seconds, options.skip_build)
    items += check_items(options.check, seconds)
    batches = all_batches(items)
    workers = int(os.environ.get("STOA_TEST_WORKERS", len(os.sched_getaffinity(0)) + 1))
    tests, files = sum(len(item.tests) for item in items), sum(item.kind in PYTHON for item in items)
    parts = [f"Scripts/check {' '.join(options.check)}"] if options.check else []
    what = ", ".join([f"{tests} Swift tests", f"{files} files of Python tests", *parts])
    say(f"test: {what}, in {len(batches)} processes, {workers} at a time")

    own_logs()
    began = time.monotonic()
    # From here on signals end the run in order.
    processes = Processes()
    folder = Path(tempfile.mkdtemp(prefix="stoa-test-"))
    try:
        folder.chmod(0o755)
        run = Run(batches, workers, folder, processes)
        is_whole = run.everything()
    finally:
        processes.end_everything()
        remove(folder)
    if not is_whole:
        tell_failures(run)
        say(f"\ntest: interrupted; {len(run.done)} of {run.count} processes had finished")
        return 128 + processes.interrupted
    is_good = summary(run, items, time.monotonic() - began)
    if options.write_seconds:
        # A whole run forgets what is gone.
        write_seconds(run, seconds if options.names else {})
    return 0 if is_good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
