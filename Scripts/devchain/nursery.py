"""Forks chains from a process that has imported everything; see README.md.

A fork copies one thread. The nursery therefore has no other thread and no event loop, and a chain
begins with the same state as a program that has just started. Random numbers differ nevertheless:
the chain takes them from the kernel, and Python's own generator seeds itself anew in a fork.
"""

import ctypes
import gc
import json
import os
import select
import signal
import sys

PR_SET_PDEATHSIG = 1  # prctl(2)
libc = ctypes.CDLL(None)


def chain_arguments():
    """Answers requests until standard input ends; returns in chains only, with their arguments."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; input's end is ours
    gc.collect()
    gc.freeze()  # what is shared with the chains is not collected, hence not copied
    nursery = os.getpid()
    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            answer = ended(request["wait"])
        else:
            reader, writer = os.pipe()
            chain = os.fork()
            if chain == 0:
                become_chain(nursery, writer, request.get("errors"))
                return request["start"]
            os.close(writer)
            answer = ready(reader) or ended(chain)
        print(answer, flush=True)
    sys.exit()


def become_chain(nursery, output, errors):
    """Ties a fork to the life of the nursery, and gives it files of its own."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != nursery:
        os._exit(1)  # the nursery ended before it could be tied to
    os.dup2(output, sys.stdout.fileno())
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    if errors is not None:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), sys.stderr.fileno())


def ready(reader):
    """Returns the line that a chain prints; empty if it ends before."""
    await_input(reader)
    with open(reader) as lines:
        return lines.readline().rstrip("\n")


def ended(chain):
    """Returns a line about the end of a chain, for which it waits."""
    process = os.pidfd_open(chain)
    await_input(process)
    os.close(process)
    code = os.waitstatus_to_exitcode(os.waitpid(chain, 0)[1])
    return "devchain ended " + json.dumps({"pid": chain, "code": code})


def await_input(file):
    """Waits until a file can be read, and exits if standard input ends before."""
    poll = select.poll()
    poll.register(file, select.POLLIN)
    poll.register(sys.stdin, 0)  # reports only that nobody can write any more
    if any(found == sys.stdin.fileno() for found, _ in poll.poll()):
        sys.exit()
