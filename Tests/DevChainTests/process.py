"""Starts development chains as processes and talks to them."""

import http.client
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp

MAIN = Path(__file__).resolve().parents[2] / "Scripts" / "devchain" / "main.py"
START_SECONDS_MAX = 30


class RPCFailure(Exception):
    """An error answer; `error` is its object."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


class Chain:
    """One running chain. Use as a context; `restart` keeps the state file."""

    def __init__(self, *options):
        self.options = [str(option) for option in options]
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, str(MAIN), "--port", "0", *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        readable, _, _ = select.select([self.process.stdout], [], [], START_SECONDS_MAX)
        line = self.process.stdout.readline() if readable else ""
        if not line.startswith("devchain ready "):
            self.process.kill()
            raise AssertionError(f"no ready line: {line!r} {self.process.stderr.read()}")
        self.ready = json.loads(line.removeprefix("devchain ready "))
        self.port = self.ready["port"]
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """SIGKILL, and waits until the process is gone."""
        self.connection.close()
        self.process.kill()
        self.process.communicate()

    def terminate(self):
        """SIGTERM; returns (exit code, what was written to standard error)."""
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=20)
        return self.process.returncode, errors

    def restart(self):
        self.kill()
        self.start()

    @property
    def http(self):
        return self.ready["http"]

    def post(self, body):
        """Sends any body; returns (status, answered text)."""
        self.connection.request("POST", "/", body=body)
        response = self.connection.getresponse()
        return response.status, response.read().decode("utf-8", "replace")

    def ask(self, value):
        """Sends any JSON value; returns the parsed answer."""
        return json.loads(self.post(json.dumps(value))[1])

    def rpc(self, method, *arguments):
        answer = self.ask({"jsonrpc": "2.0", "id": 1, "method": method, "params": arguments})
        if "error" in answer:
            raise RPCFailure(answer["error"])
        return answer["result"]

    def number(self, method, *arguments):
        return int(self.rpc(method, *arguments), 16)

    def block(self, tag="latest"):
        return self.rpc("eth_getBlockByNumber", tag, False)


class Socket:
    """A WebSocket to a chain; requests and events in the order they come."""

    def __init__(self, chain):
        self.chain = chain

    async def __aenter__(self):
        self.session = aiohttp.ClientSession()
        self.socket = await self.session.ws_connect(self.chain.ready["ws"])
        self.events, self.identifier = [], 0
        return self

    async def __aexit__(self, *_):
        await self.session.close()

    async def rpc(self, method, *arguments):
        """The answer; events that come before it are kept for `event`."""
        self.identifier += 1
        await self.socket.send_json({"jsonrpc": "2.0", "id": self.identifier,
                                     "method": method, "params": arguments})
        while True:
            message = await self.socket.receive_json(timeout=20)
            if message.get("id") == self.identifier:
                if "error" in message:
                    raise RPCFailure(message["error"])
                return message["result"]
            self.events.append(message["params"])

    async def event(self):
        """The next event: {subscription, result}."""
        if self.events:
            return self.events.pop(0)
        return (await self.socket.receive_json(timeout=20))["params"]


def run_failing(*options):
    """Runs a chain that must refuse to start; returns (exit code, its words)."""
    done = subprocess.run([sys.executable, str(MAIN), "--port", "0", *map(str, options)],
                          capture_output=True, text=True, timeout=START_SECONDS_MAX,
                          env=os.environ)
    return done.returncode, done.stderr
