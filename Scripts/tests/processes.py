"""Starts processes in sessions of their own, and ends them together with everything they have started."""

import ctypes
import os
import select
import signal
import subprocess
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
libc = ctypes.CDLL(None, use_errno=True)


class Processes:
    """The processes of one run.

    What they leave behind becomes a child of this process, not of the machine's first one, so nothing outlives the run
    unless this process is killed by SIGKILL.
    """

    def __init__(self):
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.running = set()
        self.codes = {}
        # The number of the signal that asks for the end of the run.
        self.interrupted = None
        self.woken, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.interrupt)

    def interrupt(self, number, _):
        self.interrupted = number

    def start(self, command, log, environment):
        """Starts a command whose output goes to a file; returns its process id."""
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environment,
            start_new_session=True, preexec_fn=end_with_parent)
        self.running.add(process.pid)
        # This class waits for the process; Popen need not.
        process.returncode = 0
        return process.pid

    def wait(self, seconds):
        """Waits, at most so long, until something happens; returns ids and exit codes of what was started here and has
        ended. The code of what a signal ended is negative."""
        select.select([self.woken], [], [], seconds)
        try:
            os.read(self.woken, 4096)
        except BlockingIOError:
            pass
        self.reap()
        codes, self.codes = self.codes, {}
        return codes

    def reap(self):
        """Takes the exit codes of all children that have ended, those that were adopted included."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in self.running:
                self.running.discard(pid)
                self.codes[pid] = os.waitstatus_to_exitcode(status)

    def end(self, pid, folder):
        """Kills what a process that was started here has left, and itself; returns the commands of what was left.

        That is its session, all processes below that, and every orphan whose command or environment names the folder.
        What ends by itself within a second, as a child whose input has ended, was not left.
        """
        is_over = pid not in self.running
        self.running.discard(pid)
        patient_until = time.monotonic() + 1
        while is_over and related(table(), pid, str(folder)) and time.monotonic() < patient_until:
            time.sleep(0.05)
            self.reap()
        return self.kill(lambda table: related(table, pid, str(folder)))

    def end_everything(self):
        """Kills everything that this run has started; returns the commands."""
        self.running.clear()
        return self.kill(lambda table: below(table, {os.getpid()}))

    def kill(self, choose):
        """Kills the processes that `choose` finds in the table of all, until it finds none."""
        commands = {}
        while doomed := choose(table()):
            # One that is stopped starts no other, which would have no parent afterwards that it could be found by.
            stopped = set()
            while more := doomed - stopped:
                send(more, signal.SIGSTOP)
                stopped |= more
                doomed |= choose(table())
            commands |= {pid: read(pid, "cmdline").replace("\0", " ").strip() for pid in doomed}
            send(doomed, signal.SIGKILL)
            time.sleep(0.01)
            self.reap()
        return list(commands.values())


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def end_with_parent():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def table():
    """The parent and the session of each process that runs."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            # The name, in parentheses, may hold anything.
            fields = read(entry.name, "stat").rpartition(") ")[2].split()
            if fields and fields[0] not in "ZX":
                found[int(entry.name)] = (int(fields[1]), int(fields[3]))
    return found


def below(table, tops):
    """The processes that descend from others."""
    found, parents = set(), tops
    while parents := {pid for pid, (parent, _) in table.items() if parent in parents} - found:
        found |= parents
    return found


def related(table, session, folder):
    """The processes of a session, orphans that name a folder, and the processes below them."""
    tops = {
        pid for pid, (parent, own) in table.items()
        if own == session or parent == os.getpid() and (folder in read(pid, "environ") + read(pid, "cmdline"))
    }
    return tops | below(table, tops)


def read(pid, name):
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes().decode(errors="replace")
    except OSError:
        return ""
