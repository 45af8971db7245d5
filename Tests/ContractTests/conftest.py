"""Fixtures of the contract tests. Each test runs on its own copy of the machine's state."""

import copy
import os

import pytest
from hypothesis import Phase, settings
from machine import Contract, boa
from market import Market

# The same cases every time, and no shrinking: a failure prints its steps as they are.
# STOA_EXAMPLES asks for more random examples than the quick suite runs.
settings.register_profile(
    "stoa", derandomize=True, deadline=None, database=None,
    max_examples=int(os.environ.get("STOA_EXAMPLES", "20")),
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("stoa")


@pytest.fixture(scope="session")
def deployed() -> Market:
    """The set, deployed once."""
    return Market()


@pytest.fixture
def market(deployed: Market) -> Market:
    """The set with nothing listed; the machine forgets after the test, and so does the model."""
    fresh = copy.copy(deployed)
    fresh.model = copy.deepcopy(deployed.model)
    return fresh


@pytest.fixture
def attacker(market):
    """A contract that does as it is told, with money of its own."""
    contract = Contract("Attacker")
    boa.env.set_balance(contract.address, 10**30)
    market.admit(contract.address)
    return contract
