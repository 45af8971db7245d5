"""What an escrow costs stays within the limits of gas.py, and its code within the chain's."""

import pytest
from gas import CODE_MAX, LIMITS, measure


@pytest.mark.parametrize("in_token", [False, True])
def test_no_move_costs_more_than_its_limit(in_token):
    gas, deployments = measure(in_token)
    assert len(gas) == 22 and all(used > 21_000 for used in gas.values())
    assert in_token or all(gas[name] <= most for name, most in LIMITS.items())
    assert all(contract.size < CODE_MAX for contract in deployments.values())
