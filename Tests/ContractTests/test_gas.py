"""What an escrow costs stays within the limits of gas.py, and its code within the chain's."""

import re

import pytest
from gas import CODE_MAX, LIMITS, measure
from machine import ROOT


@pytest.mark.parametrize("in_token", [False, True])
def test_no_move_costs_more_than_its_limit(in_token):
    gas, deployments = measure(in_token)
    assert len(gas) == 22 and all(used > 21_000 for used in gas.values())
    assert in_token or all(gas[name] <= most for name, most in LIMITS.items())
    assert all(contract.size < CODE_MAX for contract in deployments.values())


@pytest.mark.parametrize("text", ["Docs/operations.md", "Tests/InteropTests/any_chain.py"])
def test_the_gas_of_a_whole_market_is_the_sum_of_the_table(text):
    """A deployer pays for the factory, Item and the four sale contracts; the test token is extra."""
    table = (ROOT / "Docs" / "contracts.md").read_text()
    rows = re.findall(r"^\| ([A-Z]\w+) \| [\d,]+ \| ([\d,]+) \|$", table, re.MULTILINE)
    gas = [int(used.replace(",", "")) for name, used in rows if name != "TestToken"]
    assert len(gas) == 6
    said = f"six transactions of {sum(gas) / 10**6:.0f} million gas in all"
    assert said in " ".join((ROOT / text).read_text().split())
