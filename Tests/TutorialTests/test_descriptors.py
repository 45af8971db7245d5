"""The files that `stoa chain descriptors` writes keep the schema of ERC-7730 and name the contracts' functions.

`erc7730-v2.schema.json` is the schema as published with the standard (https://eips.ethereum.org/EIPS/eip-7730, assets,
version 2.0.0), which is in the public domain (CC0).
"""

import json
import os
import re
import subprocess

import jsonschema
import pytest
from eth_utils import is_checksum_address, keccak
from test_tutorial import PROGRAM, ROOT

HERE = os.path.dirname(__file__)
ARTIFACTS = os.path.join(ROOT, "Sources", "Contracts", "Artifacts")


@pytest.fixture(scope="module")
def descriptors(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("descriptors"))
    market, output = os.path.join(folder, "market"), os.path.join(folder, "output")
    cluster = [PROGRAM, "cluster"]
    subprocess.run([*cluster, "up", "--nodes", "1", "--folder", market], check=True, cwd=ROOT)
    try:
        deployment = os.path.join(market, "deployment.json")
        command = [PROGRAM, "chain", "descriptors", "--deployment", deployment, "--output", output]
        subprocess.run(command, check=True)
    finally:
        subprocess.run([*cluster, "down", "--folder", market], check=True)
    found = {}
    for name in os.listdir(output):
        with open(os.path.join(output, name), encoding="utf-8") as file:
            found[name.removesuffix(".json")] = json.load(file)
    return found


def test_every_file_keeps_the_schema(descriptors):
    with open(os.path.join(HERE, "erc7730-v2.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.Draft202012Validator(schema)
    assert set(descriptors) == {"Item", "Escrow", "Auction", "DirectSale", "Courses", "Record"}
    for name, descriptor in descriptors.items():
        faults = [f"{name}: {fault.json_path}: {fault.message}" for fault in validator.iter_errors(descriptor)]
        assert not faults
    broken = json.loads(json.dumps(descriptors["Item"]))
    broken["display"]["formats"]["mint(address maker)"] = {"fields": [{"path": 1}]}
    assert not validator.is_valid(broken), "the schema lets anything through"


def test_every_function_is_found_by_its_selector(descriptors):
    for name, descriptor in descriptors.items():
        formats = descriptor["display"]["formats"]
        if name == "Record":
            continue
        with open(os.path.join(ARTIFACTS, name + ".json"), encoding="utf-8") as file:
            entries = json.load(file)["abi"]
        wanted = {
            selector(f"{entry['name']}({','.join(kind(i) for i in entry['inputs'])})")
            for entry in entries
            if entry["type"] == "function" and entry["stateMutability"] in ("payable", "nonpayable")
        }
        bare = [re.sub(r" \w+", "", key) for key in formats]
        assert {selector(signature) for signature in bare} == wanted, name


def test_every_contract_is_named_by_chain_and_address(descriptors):
    for name, descriptor in descriptors.items():
        if name == "Record":
            assert descriptor["context"]["eip712"]["domain"] == {"name": "Stoa", "version": "1"}
            continue
        (deployment,) = descriptor["context"]["contract"]["deployments"]
        assert deployment["chainId"] == 31337 and is_checksum_address(deployment["address"])


def selector(signature):
    return keccak(text=signature)[:4]


def kind(entry):
    if not entry["type"].startswith("tuple"):
        return entry["type"]
    return "(" + ",".join(kind(part) for part in entry["components"]) + ")" + entry["type"][5:]
