"""What auctions and direct sales cost stays within the limits of gas_kinds.py."""

import pytest
from gas import CODE_MAX
from gas_kinds import beyond, measure


@pytest.mark.parametrize("in_token", [False, True])
def test_no_move_costs_more_than_its_limit(in_token):
    gas, contracts = measure(in_token)
    assert len(gas) == 16 and all(21_000 < used < 250_000 for used in gas.values())
    assert in_token or beyond(gas) == []
    assert all(contracts[kind].size < CODE_MAX // 2 for kind in ("Auction", "DirectSale"))
