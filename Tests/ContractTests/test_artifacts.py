"""The committed artifacts are the sources, compiled, and follow the house's rules."""

import os
import re
import subprocess
import sys

import pytest
from eth_utils import keccak
from machine import ARTIFACTS, ROOT, Contract, artifact, signature
from market import TERMS
from vyper.ast import nodes, parse_to_ast

SOURCES = ROOT / "Sources" / "Contracts" / "Vyper"
CONTRACTS = ["Factory", "Item", "Escrow", "Auction", "DirectSale", "Courses", "TestToken"]


@pytest.mark.skipif("STOA_ARTIFACTS" in os.environ, reason="other artifacts are tested")
def test_the_artifacts_are_current():
    run = subprocess.run(
        [sys.executable, ROOT / "Scripts" / "contracts" / "artifacts.py", "--check"],
        capture_output=True, text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.skipif("STOA_ARTIFACTS" in os.environ, reason="other artifacts are tested")
def test_the_law_is_the_frozen_one():
    """What the documents call version 1 is these creation codes; a change is another version."""
    docs = (ROOT / "Docs" / "contracts.md").read_text()
    listed = dict(re.findall(r"^\| (\w+) \| `(0x[0-9a-f]{64})` \|$", docs, re.MULTILINE))
    made = {
        name: "0x" + keccak(hexstr=artifact(name)["bytecode"]).hex()
        for name in CONTRACTS
    }
    assert listed == made
    for text in (docs, (ROOT / "README.md").read_text()):
        assert "version 1 of the" in text and "not audited by a firm" in text


def test_there_is_an_artifact_for_every_contract_and_no_other():
    assert sorted(path.stem for path in ARTIFACTS.glob("*.json")) == sorted(CONTRACTS)
    assert sorted(path.stem for path in SOURCES.glob("[A-Z]*.vy")) == sorted(CONTRACTS)


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_contract_fits_and_names_its_compiler(name):
    made = artifact(name)
    assert made["compiler"] == "vyper 0.4.3" and made["evm_version"] == "london"
    # A deployed contract has its immutables after this; gas.py measures the whole.
    assert len(made["runtime_bytecode"]) // 2 < 24_576 and len(made["bytecode"]) // 2 < 49_152
    assert made["bytecode"].count(made["runtime_bytecode"][2:]) == 1


@pytest.mark.parametrize("path", sorted(SOURCES.glob("*.vy")), ids=lambda p: p.name)
def test_every_source_is_pinned_and_has_words_for_everything(path):
    text = path.read_text()
    # The escrow alone is compiled for size: it would not fit otherwise (docs, section 14).
    mode = "codesize" if path.name == "Escrow.vy" else "gas"
    assert text.startswith(f"# pragma version 0.4.3\n# pragma optimize {mode}\n# pragma evm-version london\n")
    assert "@title" in text and "@notice" in text
    tree = parse_to_ast(text)
    for function in tree.get_children(nodes.FunctionDef):
        words = function.doc_string and function.doc_string.value
        assert words, f"{path.name}: {function.name} has no NatSpec"
        for argument in function.args.args:
            assert re.search(rf"@param {argument.arg}\b", words), f"{path.name}: {function.name}, {argument.arg}"
        assert (function.returns is None) == ("@return" not in words), f"{path.name}: {function.name}"
    for assertion in tree.get_descendants(nodes.Assert):
        assert assertion.msg and ": " in assertion.msg.value, f"{path.name}: {assertion.lineno}"
    assert not re.search(r"tx\.origin|transient\(|unsafe_|delegate|selfdestruct|snekmate", text)
    assert max(map(len, text.splitlines())) <= 120 and len(text.splitlines()) <= 400


def test_only_the_lock_withdraw_and_item_reach_out():
    """Calls with raw data are few: paying money out, and Item's question."""
    calls = {
        path.name: path.read_text().count("raw_call(") for path in SOURCES.glob("*.vy")
    }
    assert {name: n for name, n in calls.items() if n} == {"money.vy": 1, "Item.vy": 1}


def test_events_have_the_topics_their_signatures_say(market):
    market.list()
    [_, _, listed] = market.escrow.logs
    entry = next(e for e in market.escrow.abi if e["name"] == "Listed")
    assert listed.topics[0] == keccak(text=signature(entry))
    assert signature(entry) == (
        f"Listed(bytes32,address,uint256,bytes32,bytes32,address,bytes32,bool,{TERMS},uint256)"
    )


@pytest.mark.parametrize("name", ["Escrow", "Auction", "DirectSale", "Courses", "Item", "Factory"])
def test_every_event_can_be_found_by_its_subject(name):
    for event in (e for e in artifact(name)["abi"] if e["type"] == "event"):
        indexed = [p["name"] for p in event["inputs"] if p["indexed"]]
        assert indexed or (name, event["name"]) == ("Item", "Deployed"), event["name"]


@pytest.mark.parametrize("name", CONTRACTS)
def test_no_account_has_power_over_a_contract(name):
    """No function speaks of an owner, a pause, an upgrade or a change of fees."""
    names = {e["name"].lower() for e in artifact(name)["abi"] if e["type"] == "function"} - {"ownerof"}
    words = ("owner", "pause", "upgrade", "admin", "seal", "set_", "setfee", "initialize", "rescue")
    assert not [n for n in names for word in words if word in n]


def test_every_sale_contract_offers_the_same_views(market):
    views = {
        "CHAIN_ID", "ITEM", "PLATFORM", "PLATFORM_BPS", "MAKER_BPS", "is_currency", "owed",
        "credit", "currencies", "withdraw", "sale_id", "sale", "list", "abort",
    }
    for name in ("Escrow", "Auction", "DirectSale"):
        assert views <= set(Contract(name, *market.arguments()).functions)
