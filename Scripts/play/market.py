"""A local market, used through the command `stoa` and the chain's own RPC."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from typing import NamedTuple


# How long an answer is waited for.
PATIENCE_SECONDS = 60


class NotHeld(Exception):
    """A step had a wrong result."""


def say(text=""):
    print(text, flush=True)


def step(text):
    say(f"\n== {text}")


def hold(what, condition, found=None):
    """Continues if the condition holds, and ends the play if it does not."""
    if not condition:
        raise NotHeld(f"{what}; found: {found}" if found is not None else what)
    say(f"   holds: {what}")


def until(what, ask, seconds=None):
    """Asks repeatedly until the answer is not None or False, and returns it."""
    seconds = seconds or PATIENCE_SECONDS
    deadline = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer is not None and answer is not False:
            say(f"   holds: {what}")
            return answer
        if time.monotonic() > deadline:
            raise NotHeld(f"not within {seconds} seconds: {what}")
        time.sleep(0.2)


def listed(text):
    """Returns the id of the listing that a command has made, from its output."""
    return re.search(r"^Listed as (\S+)$", text, re.MULTILINE).group(1)


class Stoa:
    """The program, run with the commands of a user."""

    def __init__(self, path, cluster):
        self.path = path
        self.cluster = cluster

    def run(self, *arguments, code=0):
        """Runs a command, prints it with its output as it arrives, and returns the output."""
        return self.run_other(self.path, *arguments, code=code)

    def run_other(self, program, *arguments, code=0):
        name = os.path.basename(program)
        say(f"   $ {name} {' '.join(quoted(a) for a in arguments)}")
        process = subprocess.Popen(
            [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL,
        )
        lines = []
        for line in process.stdout:
            say(f"     {line.rstrip()}")
            lines.append(line)
        found = process.wait()
        if found != code:
            raise NotHeld(f"{name} {arguments[0]} {arguments[1]} ended with {found}, not {code}")
        return "".join(lines).rstrip()

    def ask(self, *arguments):
        """Runs a command with --json and returns its answer; None if it fails."""
        result = subprocess.run(
            [self.path, *arguments, "--json"], capture_output=True, text=True,
            stdin=subprocess.DEVNULL,
        )
        return json.loads(result.stdout) if result.returncode == 0 else None

    def quietly(self, *arguments):
        """Runs a command whose output matters only if it fails."""
        result = subprocess.run(
            [self.path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL,
        )
        if result.returncode != 0:
            raise NotHeld(f"{' '.join(arguments)} ended with {result.returncode}: {result.stdout}")

    def on_cluster(self, verb, *arguments):
        return self.run("cluster", verb, *arguments, "--folder", self.cluster)

    def report(self):
        return self.ask("cluster", "status", "--folder", self.cluster)


def quoted(text):
    return f"'{text}'" if " " in text else text


class Person:
    """A person with an account on one node, who uses the command there."""

    def __init__(self, stoa, name, node, password_file):
        self.stoa = stoa
        self.name = name
        self.data = node["data"]
        self.password_file = password_file
        self.address = None
        self.phrase = None

    def create(self):
        text = self.stoa.run(
            "account", "create", self.name, *self.place, "--password-file", self.password_file
        )
        self.address = text.splitlines()[0].split()[-1]
        shown = text.partition("Recovery phrase")[2].partition("Signed in")[0]
        self.phrase = " ".join(re.findall(r"\d+ ([a-z]+)", shown))

    def sign_in(self):
        self.stoa.run(
            "account", "sign-in", self.name, *self.place, "--password-file", self.password_file
        )

    @property
    def place(self):
        return ["--data", self.data]

    def run(self, *arguments, code=0):
        return self.stoa.run(*arguments, *self.place, "--as", self.name, code=code)

    def ask(self, *arguments):
        return self.stoa.ask(*arguments, *self.place, "--as", self.name)

    def balance(self):
        """Returns the account's own balance in wei, from its node's wallet."""
        wallet = self.ask("wallet", "balance")
        return int(next(b["amount"] for b in wallet["balances"] if b["currency"] == "native"))

    def credit(self):
        wallet = self.ask("wallet", "balance")
        return sum(int(c["money"]["amount"]) for c in wallet["credits"])


class Sent(NamedTuple):
    """A mined transaction: whether it succeeded, its fee in wei, and the selector of the function called."""

    ok: bool
    fee: int
    called: str


class Chain:
    """The development chain, asked directly, to check the nodes' answers."""

    def __init__(self, endpoint):
        self.endpoint = endpoint

    def call(self, method, *parameters):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(parameters)}
        request = urllib.request.Request(
            self.endpoint, json.dumps(body).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["result"]

    def balance(self, address):
        return int(self.call("eth_getBalance", address, "latest"), 16)

    def held(self, currency, address):
        """Returns what an address has of a currency: "native", or a token's address."""
        if currency == "native":
            return self.balance(address)
        # balanceOf(address)
        data = "0x70a08231" + address[2:].lower().rjust(64, "0")
        return int(self.call("eth_call", {"to": currency, "data": data}, "latest"), 16)

    def gas_paid(self, address):
        """Returns the fees that an account has paid so far, in wei, from its transactions' receipts."""
        return sum(sent.fee for sent in self.transactions().get(address.lower(), []))

    def transactions(self):
        """Returns all mined transactions by sender."""
        found = {}
        head = int(self.call("eth_blockNumber"), 16)
        for number in range(head + 1):
            for transaction in self.call("eth_getBlockByNumber", hex(number), True)["transactions"]:
                receipt = self.call("eth_getTransactionReceipt", transaction["hash"])
                fee = int(receipt["gasUsed"], 16) * int(receipt["effectiveGasPrice"], 16)
                mine = found.setdefault(transaction["from"].lower(), [])
                mine.append(Sent(int(receipt["status"], 16) == 1, fee, transaction["input"][:10]))
        return found


def secret_file(folder):
    """Writes a file with a password for play money, which only its owner may read."""
    path = os.path.join(folder, "password")
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(os.urandom(12).hex() + "\n")
    return path
