"""Nothing that a process has started outlives it, however it was started."""

import os
import subprocess
import sys
from pathlib import Path

from processes import read, table

SCRIPTS = Path(__file__).parents[2] / "Scripts" / "tests"
# Starts a command as the runner does, and says what the end of it, or of the run, has killed.
RUNNER = """
import os, sys, time
from processes import Processes
processes = Processes()
folder = os.environ["FOLDER"]
pid = processes.start(["sh", "-c", sys.argv[1]], sys.stdout, os.environ)
{}
"""
WAITS = """
codes = {}
while pid not in codes: codes = processes.wait(1)
print("code", codes[pid], flush=True)
for command in sorted(processes.end(pid, folder)): print("ended", command, flush=True)
"""
IS_INTERRUPTED = """
while not processes.interrupted: processes.wait(1)
print("interrupted", processes.interrupted, flush=True)
for command in sorted(processes.end_everything()): print("ended", command.split()[0], flush=True)
"""


def run(then, command, folder):
    done = subprocess.run(
        [sys.executable, "-c", RUNNER.format(then), command], cwd=SCRIPTS, capture_output=True, text=True, timeout=60,
        env={"PATH": "/usr/bin:/bin", "FOLDER": str(folder), "TMPDIR": str(folder)})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_exit_code_is_reported_and_nothing_is_left(tmp_path):
    assert run(WAITS, "exit 3", tmp_path) == ["code 3"]
    assert run(WAITS, "kill -9 $$", tmp_path) == ["code -9"]


def test_a_child_that_ends_by_itself_at_once_was_not_left(tmp_path):
    assert run(WAITS, "sleep 0.2 & exit 0", tmp_path) == ["code 0"]


def test_children_end_with_the_process_even_in_sessions_of_their_own(tmp_path):
    deaf, detached, bare = (f"sleep {number}" for number in unlike())
    command = f"""
        trap '' TERM
        {deaf} &
        setsid {detached} &
        env -i /usr/bin/setsid sh -c '{bare}; : {tmp_path}' &
        exit 0"""
    lines = run(WAITS, command, tmp_path)
    assert lines[0] == "code 0" and len(lines) >= 4
    assert not running(deaf, detached, bare)


def test_an_interrupted_run_ends_everything(tmp_path):
    bare, near = (f"sleep {number}" for number in unlike()[:2])
    lines = run(IS_INTERRUPTED, f"env -i /usr/bin/setsid {bare} & {near} & kill -INT $PPID; wait", tmp_path)
    assert lines[0] == "interrupted 2" and len(lines) >= 4
    assert not running(bare, near)


def unlike():
    """Seconds that no other command of this machine has."""
    return [f"8639{digit}.{os.getpid()}" for digit in (1, 2, 3)]


def running(*commands):
    """Those of the commands that still run."""
    lines = [read(pid, "cmdline").replace("\0", " ") for pid in table()]
    return [command for command in commands if any(command in line for line in lines)]
