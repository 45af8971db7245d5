"""Chains and accounts that the tests share."""

import sys
from pathlib import Path

import pytest
from eth_account import Account
from web3 import HTTPProvider, Web3

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "Scripts")]

import probe
from devchain.interval import Interval
from devchain.methods import Methods
from devchain.node import Node
from devchain.settings import parser, settled
from devchain.store import Store
from process import Chain

Account.enable_unaudited_hdwallet_features()
MNEMONIC = "test test test test test test test test test test test junk"
GWEI = 10**9


@pytest.fixture(scope="session")
def accounts():
    return [Account.from_mnemonic(MNEMONIC, account_path=f"m/44'/60'/0'/0/{i}") for i in range(4)]


@pytest.fixture(scope="session")
def shared():
    """One automining chain for tests that leave no trace others would see."""
    with Chain() as chain:
        yield chain


@pytest.fixture
def chain(shared):
    """The shared chain, put back afterwards to what it was."""
    snapshot = shared.rpc("evm_snapshot")
    yield shared
    shared.rpc("dev_fault", "none")
    shared.rpc("evm_setIntervalMining", 0)
    assert shared.rpc("evm_revert", snapshot)
    shared.rpc("evm_setAutomine", True)


@pytest.fixture
def web3(chain):
    return Web3(HTTPProvider(chain.http))


@pytest.fixture
def signed(accounts):
    """Makes signed bytes (hex) of a transaction; 1559 unless a gasPrice is given."""
    def make(chain, sender=0, nonce=None, **fields):
        account = accounts[sender]
        filled = {"chainId": chain.ready["chainId"], "to": accounts[1].address, "value": 1,
                  "gas": 100_000}
        if "gasPrice" not in fields:
            filled |= {"maxFeePerGas": 10 * GWEI, "maxPriorityFeePerGas": GWEI}
        filled["nonce"] = nonce if nonce is not None else chain.number(
            "eth_getTransactionCount", account.address, "pending")
        filled |= fields
        if filled["to"] is None:
            del filled["to"]
        return "0x" + account.sign_transaction(filled).raw_transaction.hex()
    return make


@pytest.fixture
def send(chain, signed):
    """Sends a transaction to the shared chain; returns its hash."""
    return lambda **fields: chain.rpc("eth_sendRawTransaction", signed(chain, **fields))


@pytest.fixture
def contract(chain, send):
    """The address of a fresh probe contract; see probe.py."""
    sent = send(to=None, value=0, data=probe.creation(), gas=300_000)
    receipt = chain.rpc("eth_getTransactionReceipt", sent)
    assert receipt["status"] == "0x1"
    return receipt["contractAddress"]


@pytest.fixture
def in_process():
    """A chain in memory without a server: its node and its methods."""
    node = Node(Store(), settled(parser().parse_args([]), None))
    return node, Methods(node, Interval(node))
