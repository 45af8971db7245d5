"""Docs/market.md is true: its commands open a market on a chain that is not a development chain, and another node joins it."""

import json
import os
import re
import subprocess
import sys

import pytest
from eth_account import Account
from test_tutorial import PROGRAM, ROOT
from transcript import Players, steps

DOCUMENT = os.path.join(ROOT, "Docs", "market.md")
MNEMONIC = "test test test test test test test test test test test junk"
ENDPOINT = "https://rpc.example"
# Two nodes on one machine, each on ports that are free.
ENVIRONMENT = {"STOA_LISTEN": "/ip4/127.0.0.1/tcp/0", "STOA_API_PORT": "0", "STOA_HEALTH_PORT": "0"}


@pytest.fixture
def document():
    with open(DOCUMENT, encoding="utf-8") as file:
        return file.read()


@pytest.fixture
def chain():
    """The URL of a chain with the id that the document names."""
    options = ["--port", "0", "--block-time", "1", "--chain-id", "11155111"]
    program = [sys.executable, os.path.join(ROOT, "Scripts", "devchain", "main.py"), *options]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline().removeprefix("devchain ready "))["http"]
        finally:
            process.terminate()


def test_every_command_prints_the_document_s_output(document, chain, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    market = tmp_path / "market"
    market.mkdir(mode=0o700)
    write_key(market / "deployer.key")
    places = {"/srv/market": str(market), ENDPOINT: chain}
    players = Players(PROGRAM, str(tmp_path), places, ENVIRONMENT)
    settings = settings_of(document).replace(ENDPOINT, chain)
    (market / "market.yaml").write_text(settings)
    try:
        for step in steps(document):
            if step.person == "guest" and "init" in step.command:
                first = players.status("host")
                (market / "market.yaml").write_text(settings + f"bootstrap: [{first['listenAddresses'][0]}]\n")
            players.play(step)
        assert players.status("guest")["peers"] == 1
    finally:
        players.leave()


def write_key(path):
    Account.enable_unaudited_hdwallet_features()
    path.touch(0o600)
    path.write_text(Account.from_mnemonic(MNEMONIC).key.hex() + "\n")


def settings_of(document):
    """The document's market.yaml."""
    return re.search(r"^```yaml\n(.*?)^```", document, re.DOTALL | re.MULTILINE)[1]
