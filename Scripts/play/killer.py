"""Kills the processes of a local market with SIGKILL, at random moments, and starts them again."""

import os
import queue
import signal
import threading
import time

from market import NotHeld, say

CHAIN = 0


class Killer(threading.Thread):
    """Kills a number of times, then ends; by then everything it killed is running again."""

    def __init__(self, stoa, chance, kills):
        super().__init__()
        self.stoa = stoa
        self.chance = chance
        self.left = kills
        self.plan = stoa.report()
        self.answers = queue.SimpleQueue()
        self.failure = None

    def heard(self, api):
        """Notes that a node has acknowledged something."""
        self.answers.put(api)

    def run(self):
        try:
            while self.left > 0:
                self.strike(self.ambush() if self.chance.random() < 0.5 else self.anybody())
        except Exception as reason:
            self.failure = reason

    def anybody(self):
        """Waits a while, then chooses one process or two."""
        time.sleep(self.chance.uniform(0.2, 5))
        everything = [CHAIN] + [member["number"] for member in self.plan["members"]]
        return self.chance.sample(everything, min(self.left, self.chance.choice([1, 1, 1, 2])))

    def ambush(self):
        """Waits for an acknowledgement and a moment longer, then chooses the node that gave it."""
        wait = self.chance.choice([0, 0.02, 0.1, 0.5])
        while not self.answers.empty():
            self.answers.get()
        try:
            api = self.answers.get(timeout=20)
        except queue.Empty:
            return self.anybody()
        time.sleep(wait)
        return [m["number"] for m in self.plan["members"] if api.startswith(m["api"] + "/")]

    def strike(self, victims):
        """Kills processes, and starts them again after a while."""
        for victim in victims:
            for process in self.processes(victim):
                os.kill(process, signal.SIGKILL)
            self.left -= 1
        say(f"   killed {' and '.join(name(v) for v in victims)}; {self.left} to go")
        time.sleep(self.chance.uniform(0, 3))
        # Nodes wait for their chain when they start.
        for victim in sorted(victims):
            verb = ["up", "--nodes", str(len(self.plan["members"]))] if victim == CHAIN else ["start", str(victim)]
            self.stoa.quietly("cluster", *verb, "--folder", self.stoa.cluster)

    def processes(self, victim):
        """Returns the ids of a victim's processes, found by their command lines, which name the cluster's folder."""
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
