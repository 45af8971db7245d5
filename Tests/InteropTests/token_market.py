"""A market that takes an ERC-20 token: a chain, contracts and one node, beside web3.py.

The token is deployed by web3.py from the committed artifact, the market by `stoa chain deploy`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from eth_account import Account
from market import Person, Stoa, secret_file, until
from web3 import Web3

ROOT = Path(__file__).resolve().parents[2]
ARTIFACTS = ROOT / "Sources" / "Contracts" / "Artifacts"
MNEMONIC = "test test test test test test test test test test test junk"
DAY = 86_400
ETHER = 10**18
ZERO = "0x" + "00" * 20
CONTRACTS = {"escrow": "Escrow", "auction": "Auction", "direct": "DirectSale", "enrolment": "Courses"}

SETTINGS = """\
network: local
listen: ["/ip4/127.0.0.1/tcp/0"]
api:
  port: 0
health:
  port: 0
chain:
  id: 31337
  rpc: ["{endpoint}"]
  deployment: "{deployment}"
  confirmations: 2
  pollMilliseconds: 250
keystore:
  scryptCost: 4096
"""


def artifact(name):
    return json.loads((ARTIFACTS / f"{name}.json").read_text())


class TokenMarket:
    """The market, its node's people, and the contracts as web3.py shows them."""

    # How long a transaction may take to be mined.
    receipt_seconds = 60
    # The least tip that is paid, in wei.
    least_tip = 0

    def __init__(self, program, folder):
        self.folder = folder
        self.stoa = Stoa(program, None)
        self.data = str(folder / "node")
        self.processes = []

    def up(self):
        Account.enable_unaudited_hdwallet_features()
        self.rich = Account.from_mnemonic(MNEMONIC)
        endpoint = self.start_chain()
        self.web3 = Web3(Web3.HTTPProvider(endpoint))
        self.token = self.deploy_token("Test Token", "TST", 6)
        deployment = self.deploy_market(endpoint)
        self.chain = deployment["chain"]
        self.item = self.contract("Item", deployment["item"]["address"])
        self.contracts = {
            found["kind"]: self.contract(CONTRACTS[found["kind"]], found["address"])
            for found in deployment["contracts"]}
        self.start_node(endpoint)
        self.password = secret_file(str(self.folder))

    def down(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(30)

    def start(self, *arguments, **options):
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, text=True, **options)
        self.processes.append(process)
        return process

    def start_chain(self):
        chain = self.start(
            sys.executable, str(ROOT / "Scripts/devchain/main.py"), "--port", "0",
            "--block-time", "1", stdout=subprocess.PIPE)
        line = chain.stdout.readline()
        assert line.startswith("devchain ready "), line
        return json.loads(line.removeprefix("devchain ready "))["http"]

    def deploy_token(self, name, symbol, decimals):
        made = artifact("TestToken")
        token = self.web3.eth.contract(abi=made["abi"], bytecode=made["bytecode"])
        receipt = self.send(self.rich, token.constructor(name, symbol, decimals))
        return self.contract("TestToken", receipt.contractAddress)

    def deploy_market(self, endpoint):
        key = self.folder / "deployer-key"
        key.touch(0o600)
        key.write_text(self.rich.key.hex() + "\n")
        path = self.folder / "deployment.json"
        self.stoa.run(
            "chain", "deploy", "--rpc", endpoint, "--chain-id", "31337", "--key-file", str(key),
            "--output", str(path), "--token", self.token.address, "--confirmations", "2", "--yes")
        return json.loads(path.read_text())

    def start_node(self, endpoint):
        self.stoa.run("init", "--data", self.data)
        Path(self.data, "stoa.yaml").write_text(self.settings(endpoint))
        with open(self.folder / "node.log", "w") as log:
            self.start(self.stoa.path, "node", "run", "--data", self.data, stdout=log, stderr=log)
        until("the node follows the chain", lambda: [
            chain["health"] for chain in (self.ask("node", "status") or {}).get("chains", [])
        ] == ["ready"])

    def settings(self, endpoint):
        return SETTINGS.format(endpoint=endpoint, deployment=self.folder / "deployment.json")

    def contract(self, name, address):
        # web3.py merges results without names if it decodes tuples; the Item has no others.
        return self.web3.eth.contract(
            Web3.to_checksum_address(address), abi=artifact(name)["abi"],
            decode_tuples=name != "Item")

    def ask(self, *arguments):
        """What the node's API says to anyone; None where it says no."""
        return self.stoa.ask(*arguments, "--data", self.data)

    # People

    def stranger(self, ether=10, tokens=0):
        """An account that no node has, with money."""
        account = Account.create()
        self.fund(account.address, ether, tokens)
        return account

    def person(self, name, tokens=0):
        """Somebody with an account on the node, signed in, with 10 ETH."""
        person = Person(self.stoa, name, {"data": self.data}, self.password)
        person.create()
        self.fund(person.address, 10, tokens)
        person.sign_in()
        return person

    def fund(self, address, ether, tokens):
        self.send(self.rich, None, ether * ETHER, to=address)
        if tokens:
            self.send(self.rich, self.token.functions.mint(address, tokens))

    # The chain

    def send(self, account, call, value=0, to=None):
        """Sends a transaction by web3.py; its receipt, which must say that it succeeded."""
        eth = self.web3.eth
        fields = {"from": account.address, "value": value,
                  "nonce": eth.get_transaction_count(account.address)}
        if call is None:
            tip = max(eth.max_priority_fee, self.least_tip)
            price = {"maxFeePerGas": 10 * eth.gas_price + tip, "maxPriorityFeePerGas": tip,
                     "chainId": eth.chain_id}
            transaction = fields | price | {"to": to}
            transaction["gas"] = eth.estimate_gas(transaction)
        else:
            transaction = call.build_transaction(fields)
        signed = account.sign_transaction(transaction)
        receipt = eth.wait_for_transaction_receipt(
            eth.send_raw_transaction(signed.raw_transaction), timeout=self.receipt_seconds, poll_latency=0.2)
        assert receipt.status == 1, f"{call} failed"
        return receipt

    def pay(self, account, contract, call, currency, amount):
        """Sends a call that takes money, in the native currency or the token."""
        if currency == ZERO:
            return self.send(account, call, amount)
        self.send(account, self.token.functions.approve(contract.address, amount))
        return self.send(account, call)

    def now(self):
        return self.web3.eth.get_block("latest").timestamp

    def wait_until(self, time):
        """Moves the chain's clock to a time."""
        self.web3.provider.make_request("evm_increaseTime", [max(0, time - self.now()) + 1])
        until("the chain's clock is there", lambda: self.now() >= time)

    def logs(self, kind, event, **indexed):
        """The events of one kind of a contract, from the first block on."""
        return self.contracts[kind].events[event]().get_logs(
            from_block=0, argument_filters=indexed)


def program():
    path = Path(os.environ.get("STOA_PROGRAM", ROOT / ".build" / "debug" / "stoa"))
    assert path.exists(), f"{path} is missing; Scripts/interop builds it"
    return str(path)
