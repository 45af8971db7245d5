"""Starts development chains as processes and talks to them."""

import http.client
import json
import os
import select
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile

import aiohttp

MAIN = Path(__file__).resolve().parents[2] / "Scripts" / "devchain" / "main.py"
READY = "devchain ready "
ANSWER_SECONDS_MAX = 30


class RPCFailure(Exception):
    """An error answer; `error` is its object."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


class Nursery:
    """The process that forks this test process's chains; it and they end with this process."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, str(MAIN), "--nursery"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        """Returns the line that answers a request."""
        print(json.dumps(request), file=self.process.stdin, flush=True)
        readable, _, _ = select.select([self.process.stdout], [], [], ANSWER_SECONDS_MAX)
        if not readable:
            self.process.kill()
            nursery.cache_clear()
            raise AssertionError(f"no answer to {request}")
        return self.process.stdout.readline()

    def start(self, options, errors):
        """Starts a chain that writes its errors to a file; returns (its ready line, None) or, if it
        ended, (None, its exit code)."""
        answer = self.ask(start=["--port", "0", *map(str, options)], errors=errors.name)
        if answer.startswith(READY):
            return json.loads(answer.removeprefix(READY)), None
        return None, exit_code(answer)

    def wait(self, pid):
        """Waits for the end of a chain; returns its exit code."""
        return exit_code(self.ask(wait=pid))


def exit_code(answer):
    return json.loads(answer.removeprefix("devchain ended "))["code"]


@cache
def nursery():
    return Nursery()


class Chain:
    """One running chain. Use as a context; `restart` keeps the state file."""

    def __init__(self, *options):
        self.options = list(options)
        self.start()

    def start(self):
        self.errors = NamedTemporaryFile("r")
        self.ready, code = nursery().start(self.options, self.errors)
        if self.ready is None:
            raise AssertionError(f"no ready line, but exit code {code}: {self.errors.read()}")
        self.pid, self.port = self.ready["pid"], self.ready["port"]
        self.connect()

    def connect(self):
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """SIGKILL, and waits until the process is gone."""
        self.end(signal.SIGKILL)

    def terminate(self):
        """SIGTERM; returns (exit code, what was written to standard error)."""
        return self.end(signal.SIGTERM), self.errors.read()

    def end(self, number):
        """Sends a signal to a chain that was not ended before; returns the exit code."""
        self.connection.close()
        if self.pid is None:
            return None
        os.kill(self.pid, number)
        code = nursery().wait(self.pid)
        self.pid = None
        return code

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
    with NamedTemporaryFile("r") as errors:
        ready, code = nursery().start(options, errors)
        assert ready is None
        return code, errors.read()
