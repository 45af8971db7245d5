"""The tutorial is true: each of its commands runs as written, and prints what is written."""

import json
import os
import re
import subprocess
import urllib.request

import pytest
from transcript import Players, pattern, steps

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PROGRAM = os.environ.get("STOA_PROGRAM", os.path.join(ROOT, ".build", "debug", "stoa"))
TUTORIAL = os.path.join(ROOT, "Docs", "tutorial.md")
HEXADECIMAL = "0x"
AUCTION_SECONDS = 120


@pytest.fixture
def tutorial():
    with open(TUTORIAL, encoding="utf-8") as file:
        return steps(file.read())


def test_every_command_prints_the_tutorial_s_output(tutorial, tmp_path):
    market = str(tmp_path / "market")
    players = Players(PROGRAM, str(tmp_path), {"/srv/market": market})
    os.chdir(ROOT)
    try:
        for step in tutorial:
            if "sale watch" in step.command:
                let_pass(AUCTION_SECONDS, market)
            players.play(step)
        stop_and_start(market)
    finally:
        players.leave()
        subprocess.run([PROGRAM, "cluster", "down", "--folder", market], check=True)


def let_pass(seconds, market):
    """Moves the clock of the market's chain, so that nobody waits for the end of an auction."""
    with open(os.path.join(market, "market.yaml"), encoding="utf-8") as file:
        endpoint = re.search(r'rpc: \["(.*)"\]', file.read())[1]
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "evm_increaseTime", "params": [seconds]})
    request = urllib.request.Request(endpoint, body.encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert "result" in json.load(answer)


def stop_and_start(market):
    """The market's node stops, and starts again."""
    for command, said in (
        ("stop", "Node 1 is stopped.\n"),
        ("stop", "Node 1 was not running.\n"),
        ("start", "Node 1 is up.\n"),
    ):
        arguments = [PROGRAM, "cluster", command, "1", "--folder", market]
        ended = subprocess.run(arguments, check=True, capture_output=True, text=True)
        assert ended.stdout == said


def test_a_first_trade_takes_at_most_twelve_commands_together(tutorial):
    # Play money, a look at the sale, and a chat are not needed for it.
    besides = ("stoa cluster", "stoa sale show", "stoa chat")
    steps = [step for step in tutorial if step.person.split()[0] in ("ana", "bo")]
    end = next(i for i, step in enumerate(steps) if step.command.startswith("stoa sale confirm"))
    commands = [step.command for step in steps[: end + 1] if not step.command.startswith(besides)]
    assert len(commands) <= 12, commands


def test_the_tutorial_types_no_hexadecimal(tutorial):
    for step in tutorial:
        assert HEXADECIMAL not in step.command, str(step)


def test_output_that_differs_is_noticed():
    wanted = pattern(["Paid. …", "…", "the end"])
    assert wanted.fullmatch("Paid. 3 of 3\nmore\n\nthe end\n")
    assert wanted.fullmatch("Paid. \nthe end\n")
    assert not wanted.fullmatch("Paid. 3 of 3\nmore\n")
    assert not wanted.fullmatch("Refused.\nthe end\n")
    assert not wanted.fullmatch("Paid. 3\nthe end\nand more\n")
