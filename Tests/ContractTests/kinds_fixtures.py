"""Fixtures of the tests of auctions and direct sales."""

import pytest
from kinds import KindsMarket
from machine import Contract, boa


@pytest.fixture(scope="session")
def deployed_kinds() -> KindsMarket:
    """The market, deployed once."""
    return KindsMarket()


@pytest.fixture
def market(deployed_kinds: KindsMarket) -> KindsMarket:
    """The market with nothing listed; the machine forgets after the test, and so do the models."""
    return deployed_kinds.fresh()


@pytest.fixture
def actor(market: KindsMarket) -> Contract:
    """A contract that takes part in sales, with money of its own."""
    contract = Contract("Actor")
    boa.env.set_balance(contract.address, 10**45)
    market.admit(contract.address)
    return contract


__all__ = ["actor", "deployed_kinds", "market"]
