"""The committed artifacts are the sources, compiled, and follow the house's rules."""

import subprocess

import pytest
from eth_utils import keccak
from machine import ROOT, artifact, signature
from vyper.ast import nodes, parse_to_ast

SOURCES = ROOT / "Sources" / "Contracts" / "Vyper"
CONTRACTS = ["Item", "Escrow", "TestToken"]


def test_the_artifacts_are_current():
    run = subprocess.run(
        [ROOT / "Scripts" / "compile-contracts", "--check"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_contract_fits_and_says_by_what_it_was_made(name):
    made = artifact(name)
    assert made["compiler"] == "vyper 0.4.3" and made["evm_version"] == "london"
    assert len(made["runtime_bytecode"]) // 2 < 24_576 and len(made["bytecode"]) // 2 < 49_152
    assert made["bytecode"].count(made["runtime_bytecode"][2:]) == 1


@pytest.mark.parametrize("path", sorted(SOURCES.glob("*.vy")), ids=lambda p: p.name)
def test_every_source_is_pinned_and_has_words_for_everything(path):
    text = path.read_text()
    assert text.startswith("# pragma version 0.4.3\n# pragma optimize gas\n# pragma evm-version london\n")
    assert "@title" in text and "@notice" in text
    tree = parse_to_ast(text)
    for function in tree.get_children(nodes.FunctionDef):
        assert function.doc_string, f"{path.name}: {function.name} has no NatSpec"
    for assertion in tree.get_descendants(nodes.Assert):
        assert assertion.msg and ": " in assertion.msg.value, f"{path.name}: {assertion.lineno}"
    assert "tx.origin" not in text and "transient(" not in text and "unsafe_" not in text
    assert max(map(len, text.splitlines())) <= 120 and len(text.splitlines()) <= 400


def test_events_have_the_topics_their_signatures_say(market):
    market.list()
    [_, _, listed] = market.escrow.logs
    entry = next(e for e in market.escrow.abi if e["name"] == "Listed")
    assert listed.topics[0] == keccak(text=signature(entry))
    terms = "(address,uint256,uint256,uint256,uint256,address,uint256,uint256,uint256,uint256,uint256)"
    assert signature(entry) == (
        f"Listed(bytes32,address,uint256,bytes32,bytes32,bytes32,bool,{terms},uint256)"
    )


@pytest.mark.parametrize("name", ["Escrow", "Item"])
def test_every_event_can_be_found_by_what_it_is_about(name):
    for event in (e for e in artifact(name)["abi"] if e["type"] == "event"):
        indexed = [p["name"] for p in event["inputs"] if p["indexed"]]
        assert indexed or event["name"] == "Sealed", event["name"]
