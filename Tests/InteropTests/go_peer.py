"""Runs go/peer.py, a Go libp2p peer, in a process and an environment of its own."""

import json
import queue
import subprocess
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parents[1] / ".venv-go" / "bin" / "python"
WAIT_SECONDS_MAX = 30


class GoPeer:
    """A running peer: its events, and commands to it."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [PYTHON, HERE / "go" / "peer.py", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.events = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.ready = self.next("ready")

    def _read(self):
        for line in self.process.stdout:
            self.events.put(json.loads(line))

    def next(self, kind, patience=WAIT_SECONDS_MAX):
        """The next event of `kind`; others before it are passed over, errors are not."""
        while True:
            event = self.events.get(timeout=patience)
            assert kind == "error" or event["event"] != "error", event
            if event["event"] == kind:
                return event

    def hear(self, sender, read):
        """The first message signed by `sender` of which `read` makes something."""
        while True:
            message = self.next("message")
            found = read(bytes.fromhex(message["data"])) if message["from"] == sender else None
            if found:
                assert message["signature"]
                return found

    def hear_again_and_again(self, sender, data):
        """What `sender` publishes; until the two have meshed, messages may be lost."""
        for _ in range(WAIT_SECONDS_MAX):
            sender.say(data)
            assert sender.next("published")["data"] == data
            try:
                while True:
                    heard = self.next("message", patience=1)
                    if (heard["from"], heard["data"]) == (sender.ready["peer"], data):
                        return heard
            except queue.Empty:
                continue
        raise AssertionError("nothing was heard")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        return self.process.wait(WAIT_SECONDS_MAX)

    def kill(self):
        self.process.kill()
        self.process.wait()
