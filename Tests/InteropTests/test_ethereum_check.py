"""The checker itself: published examples pass, and each spoilt output is found."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "ethereum_check.py"

# EIP-155, "Example"; EIP-712, "Example" (Mail), with its key keccak256("cow").
PUBLISHED = [
    {"kind": "transaction", "input": {"privateKey": "0x" + "46" * 32, "transaction": {
        "type": "0x0", "chainId": "0x1", "nonce": "0x9", "gasPrice": "0x4a817c800",
        "gas": "0x5208", "to": "0x3535353535353535353535353535353535353535",
        "value": "0xde0b6b3a7640000", "data": "0x"}}, "output": {
        "raw": "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764"
               "00008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9"
               "d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
        "hash": "0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788"}},
    {"kind": "typed-data", "input": {
        "privateKey": "0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4",
        "typedData": {
            "types": {
                "EIP712Domain": [
                    {"name": "name", "type": "string"}, {"name": "version", "type": "string"},
                    {"name": "chainId", "type": "uint256"},
                    {"name": "verifyingContract", "type": "address"}],
                "Person": [{"name": "name", "type": "string"},
                           {"name": "wallet", "type": "address"}],
                "Mail": [{"name": "from", "type": "Person"}, {"name": "to", "type": "Person"},
                         {"name": "contents", "type": "string"}]},
            "primaryType": "Mail",
            "domain": {"name": "Ether Mail", "version": "1", "chainId": "1",
                       "verifyingContract": "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
            "message": {
                "from": {"name": "Cow", "wallet": "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
                "to": {"name": "Bob", "wallet": "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},
                "contents": "Hello, Bob!"}}}, "output": {
        "hash": "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2",
        "signature": "0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d"
                     "07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c"}},
    {"kind": "phrase", "input": {
        "mnemonic": "test test test test test test test test test test test junk",
        "passphrase": "", "path": "m/44'/60'/0'/0/0"}, "output": {
        "privateKey": "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
        "address": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"}},
    {"kind": "selector", "input": {"signature": "transfer(address,uint256)"}, "output": {
        "selector": "0xa9059cbb",
        "topic": "0xa9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b"}},
    {"kind": "rlp", "input": {"item": ["0x636174", ["0x", "0x0f"]]},
     "output": {"encoded": "0xc783636174c2800f"}},
]


def run(*arguments):
    done = subprocess.run([sys.executable, SCRIPT, *map(str, arguments)],
                          capture_output=True, text=True)
    return done.returncode, done.stdout


def written(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "cases"
    code, words = run("make", path, "--seed", 9, "--cases", 200)
    assert code == 0 and words.startswith("made 200 cases")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_published_examples_pass(tmp_path):
    code, words = run("check", written(tmp_path / "cases", PUBLISHED))
    assert code == 0, words


def test_output_passes_with_every_kind(tmp_path, made):
    code, words = run("check", written(tmp_path / "cases", made), "--every-kind")
    assert code == 0 and "checked 200 cases" in words and "0 differences" in words


def test_a_seed_gives_the_same_cases(tmp_path, made):
    run("make", tmp_path / "again", "--seed", 9, "--cases", 200)
    lines = (tmp_path / "again").read_text(encoding="utf-8").splitlines()
    again = [json.loads(line) for line in lines]
    assert [c for c in again if c["kind"] != "keystore"] == \
        [c for c in made if c["kind"] != "keystore"]


def test_each_spoilt_output_is_found(tmp_path, made):
    spoilt = []
    for line in {line["kind"]: line for line in made}.values():
        for name, value in line["output"].items():
            digit = "1" if value[-1] != "1" else "2"
            spoilt.append(line | {"output": line["output"] | {name: value[:-1] + digit}})
            spoilt.append(line | {"output": {k: v for k, v in line["output"].items()
                                             if k != name}})
    code, words = run("check", written(tmp_path / "cases", spoilt))
    assert code == 1 and f"{len(spoilt)} differences" in words


@pytest.mark.parametrize("lines", [[], [{"kind": "other", "input": {}, "output": {}}], [5],
                                   [{"kind": "rlp", "input": {"item": 7}, "output": {}}]])
def test_files_that_prove_nothing_fail(tmp_path, lines):
    assert run("check", written(tmp_path / "cases", lines))[0] == 1


def test_a_missing_kind_fails_if_every_kind_is_demanded(tmp_path):
    code, words = run("check", written(tmp_path / "cases", PUBLISHED), "--every-kind")
    assert code == 1 and "no case of: abi" in words
