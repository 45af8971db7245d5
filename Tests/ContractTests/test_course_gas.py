"""What courses cost stays within the limits of gas_courses.py."""

import pytest
from gas import CODE_MAX
from gas_courses import beyond, measure


@pytest.mark.parametrize("in_token", [False, True])
def test_no_move_costs_more_than_its_limit(in_token):
    gas, contracts = measure(in_token)
    assert len(gas) == 12 and all(21_000 < used < 150_000 for used in gas.values())
    assert in_token or beyond(gas) == []
    assert contracts["Courses"].size < CODE_MAX * 3 // 4
