"""Reads the transcript in a document and plays it: each command in a terminal of its own.

A block marked `console` holds commands, each behind a prompt such as `ana$`, and below each what it prints. In the output `…` stands for
anything within a line, and a line that is `…` alone for any lines. A command behind a prompt such as `ana node$` goes on running: only
its first lines are waited for.
"""

import json
import os
import re
import subprocess
import time
from dataclasses import dataclass, field

import pexpect

PROMPT = re.compile(r"^(?P<person>[a-z]+)(?P<stays> node)?\$ (?P<command>.*)$")
# What a command asks, and what is typed; a password is not shown.
QUESTIONS = {
    r"\[y/N\] ": "y",
    r"(?:Password|Again): ": "correct horse battery staple",
    r"An arbiter's address \(0\): ": "0",
    r"A note for the buyer, .*: ": "DHL 0034",
    r"What is wrong, .*: ": "A leg is broken.",
    r"The reason, .*: ": "It broke when I packed it.",
}
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# A line that a terminal shows for a moment, such as the time that has passed.
ERASED = re.compile(r"[^\n]*\r\x1b\[2K")
SECONDS = 120
# The exit code of what a rule refuses.
REFUSED = 10


@dataclass
class Step:
    line: int
    person: str
    command: str
    stays: bool
    output: list[str] = field(default_factory=list)

    def __str__(self):
        return f"line {self.line}: {self.person}$ {self.command}"


def steps(text):
    """The commands of a document, in order, with the output below each."""
    found = []
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            in_block = line == "```console"
        elif in_block and (match := PROMPT.match(line)):
            found.append(Step(number, match["person"], match["command"], bool(match["stays"])))
        elif in_block:
            found[-1].output.append(line)
    return found


def pattern(output):
    """What the output must be, as a regular expression."""
    lines = "\n".join(output).strip("\n").split("\n") if any(output) else []
    parts = []
    for line in lines:
        if line == "…":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            words = r"[^\n]*?".join(re.escape(part) for part in line.rstrip().split("…"))
            parts.append(words + r"[ ]*\n")
    return re.compile("".join(parts))


class Players:
    """Everybody's terminals.

    `program` is the command `stoa`; `places` are the document's folders and addresses and what they are here; `variables` are added to
    the environment of each command.
    """

    def __init__(self, program, folder, places, variables=None):
        self.program = os.path.abspath(program)
        self.folder = folder
        self.places = places
        self.variables = variables or {}
        self.running = []

    def play(self, step):
        """Runs a command; fails unless it prints what the document says and ends well."""
        terminal = self.terminal(step)
        if step.stays:
            self.running.append(terminal)
            self.first_lines(step, terminal)
            return
        printed = self.whole(step, terminal)
        deadline = time.monotonic() + SECONDS
        while self.is_early(step, terminal, printed) and time.monotonic() < deadline:
            time.sleep(0.5)
            terminal = self.terminal(step)
            printed = self.whole(step, terminal)
        assert terminal.exitstatus == 0, f"{step} ended with {terminal.exitstatus}:\n{printed}"
        assert pattern(step.output).fullmatch(printed), f"{step} printed:\n{printed}"

    def is_early(self, step, terminal, printed):
        """Whether this node may not have seen yet what another one has done; nothing happened then."""
        if any(verb in step.command for verb in ("listing search", "sale show", "chat list")):
            return not pattern(step.output).fullmatch(printed)
        return terminal.exitstatus == REFUSED

    def leave(self):
        for terminal in self.running:
            terminal.terminate(force=True)

    def terminal(self, step):
        command = step.command
        for there, here in self.places.items():
            command = command.replace(there, here)
        return pexpect.spawn(
            "/bin/sh", ["-c", "exec " + command], env=self.environment(step.person), encoding="utf-8",
            timeout=SECONDS, dimensions=(50, 1_000),
        )

    def environment(self, person):
        home = os.path.join(self.folder, person)
        os.makedirs(home, mode=0o700, exist_ok=True)
        return {
            "PATH": os.path.dirname(self.program) + ":" + os.environ["PATH"], "HOME": home,
            "STOA_DATA": os.path.join(home, "stoa"), "TERM": "dumb", "LANG": "C.UTF-8", **self.variables,
        }

    def status(self, person):
        """The status of a person's node."""
        command = [self.program, "node", "status", "--json"]
        ended = subprocess.run(command, env=self.environment(person), check=True, capture_output=True, text=True)
        return json.loads(ended.stdout)

    def whole(self, step, terminal):
        """All that a command prints, its questions answered."""
        asked = [*QUESTIONS, pexpect.EOF]
        printed = ""
        while True:
            found = terminal.expect(asked)
            printed += terminal.before + (terminal.after if found < len(QUESTIONS) else "")
            if found == len(QUESTIONS):
                terminal.close()
                return self.as_written(printed)
            terminal.sendline(list(QUESTIONS.values())[found])

    def first_lines(self, step, terminal):
        deadline = time.monotonic() + SECONDS
        printed = ""
        while not pattern(step.output).match(self.as_written(printed)):
            assert time.monotonic() < deadline, f"{step} printed:\n{printed}"
            try:
                printed += terminal.read_nonblocking(4_096, timeout=1)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                raise AssertionError(f"{step} ended:\n{printed}")

    def as_written(self, printed):
        """As the document writes it: its folders, no colours, one kind of line end."""
        text = ERASED.sub("", COLOUR.sub("", printed).replace("\r\n", "\n"))
        for there, here in self.places.items():
            text = text.replace(here, there)
        return text if text.endswith("\n") or not text else text + "\n"
