"""Kills the processes of a local market with SIGKILL, at moments of chance, and starts them again."""

import os
import signal
import threading

from market import NotHeld, say

CHAIN = 0


class Killer(threading.Thread):
    """Kills so many times, then ends; what it has killed is up again by then."""

    def __init__(self, stoa, chance, kills):
        super().__init__()
        self.stoa = stoa
        self.chance = chance
        self.left = kills
        self.plan = stoa.report()
        self.over = threading.Event()
        self.failure = None

    def run(self):
        try:
            while self.left > 0 and not self.over.wait(self.chance.uniform(0.2, 5)):
                self.strike()
        except Exception as reason:
            self.failure = reason

    def strike(self):
        """Kills one process, or two at once, and brings them back after a while."""
        everything = [CHAIN] + [member["number"] for member in self.plan["members"]]
        victims = self.chance.sample(everything, min(self.left, self.chance.choice([1, 1, 1, 2])))
        for victim in victims:
            for process in self.processes(victim):
                os.kill(process, signal.SIGKILL)
            self.left -= 1
        say(f"   killed {' and '.join(name(v) for v in victims)}; {self.left} to go")
        self.over.wait(self.chance.uniform(0, 3))
        # Nodes wait for their chain when they start.
        for victim in sorted(victims):
            verb = ["up", "--nodes", str(len(self.plan["members"]))] if victim == CHAIN else ["start", str(victim)]
            self.stoa.quietly("cluster", *verb, "--folder", self.stoa.cluster)

    def processes(self, victim):
        """The numbers of a victim's processes, found by their command lines, which name the cluster's folder."""
        if victim == CHAIN:
            mark = os.path.join(self.stoa.cluster, "chain.sqlite")
        else:
            mark = self.plan["members"][victim - 1]["data"]
        found = [int(n) for n in os.listdir("/proc") if n.isdigit() and self.runs(n, mark)]
        if len(found) != 1:
            raise NotHeld(f"{name(victim)} is not one process: {found}")
        return found

    @staticmethod
    def runs(process, mark):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as file:
                words = file.read().decode().split("\0")
        except OSError:
            return False
        return mark in words and "cluster" not in words


def name(victim):
    return "the chain" if victim == CHAIN else f"node {victim}"
