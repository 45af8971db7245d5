"""The trade on a chain that somebody has, here one whose node behaves like go-ethereum."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from eth_account import Account
from web3 import Web3

import any_chain
from token_market import MNEMONIC, ROOT, program

WAYS = {"least_tip": {"wei": 1_200_000_000}, "head_range": {}, "null_fields": {},
        "recent_state": {"blocks": 128}, "fee_cap": {}}


def call(endpoint, method, *parameters):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
    request = urllib.request.Request(
        endpoint, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["result"]


def test_a_trade_is_played_on_a_chain_that_somebody_has(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(any_chain.tempfile, "tempdir", None)
    Account.enable_unaudited_hdwallet_features()
    rich = Account.from_mnemonic(MNEMONIC)
    key = tmp_path / "key"
    key.touch(0o600)
    key.write_text(rich.key.hex() + "\n")
    with subprocess.Popen(
            [sys.executable, str(ROOT / "Scripts/devchain/main.py"), "--port", "0", "--block-time", "1"],
            stdout=subprocess.PIPE, text=True) as chain:
        try:
            ready = json.loads(chain.stdout.readline().removeprefix("devchain ready "))
            for kind, options in WAYS.items():
                call(ready["http"], "dev_fault", kind, options)
            before = Web3(Web3.HTTPProvider(ready["http"])).eth.get_balance(rich.address)
            code = any_chain.main(
                ["--stoa", program(), "--rpc", ready["http"], "--key", str(key), "--ether", "1",
                 "--tip-floor-gwei", "1.2"])
            after = Web3(Web3.HTTPProvider(ready["http"])).eth.get_balance(rich.address)
        finally:
            chain.terminate()
    assert code == 0, capsys.readouterr().out
    assert "The trade is through" in capsys.readouterr().out
    # What is not spent on fees comes back, and the platform's part of the price is in its credit.
    assert before - after < 10**17
    assert not list(tmp_path.glob("stoa-interop-*"))


def test_a_key_that_others_can_read_pays_for_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(any_chain.tempfile, "tempdir", str(tmp_path))
    key = tmp_path / "key"
    key.write_text("11" * 32)
    key.chmod(0o644)
    assert any_chain.main(["--stoa", program(), "--rpc", "http://127.0.0.1:1", "--key", str(key)]) == 1
    assert "chmod 600" in capsys.readouterr().out
