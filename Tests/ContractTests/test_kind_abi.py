"""The ABI of Auction and DirectSale that the node's bindings rest on: Docs/contracts.md, sections 10 and 11."""

import pytest
from machine import artifact, signature

OFFER = "(address,bytes32,uint256,address,bytes32,bytes32,{})"
ENDED = "Ended(bytes32,address,address,uint256,address,address,address,(uint256,uint256,uint256),uint256)"
SHARED = {
    "Credited(address,address,bytes32,uint256)": ["currency", "account", "id"],
    "Withdrawn(address,address,address,uint256)": ["currency", "account", "to"],
    "Deployed(address,address,uint256,uint256,address[])": ["item", "platform"],
    ENDED: ["id", "seller", "buyer"],
}
TERMS = {"Auction": "(address,uint256,uint256,uint256,uint256)", "DirectSale": "(address,uint256,uint256,address)"}
EVENTS = {
    "Auction": {
        f"Listed(bytes32,address,uint256,bytes32,bytes32,address,bytes32,bool,{TERMS['Auction']},uint256,uint256)":
            ["id", "seller", "token"],
        "BidPlaced(bytes32,address,uint256,uint256,uint256)": ["id", "bidder"],
        "Outbid(bytes32,address,uint256,uint256)": ["id", "bidder"],
        "CreditUsed(address,address,bytes32,uint256)": ["currency", "account", "id"],
    },
    "DirectSale": {
        f"Listed(bytes32,address,uint256,bytes32,bytes32,address,bytes32,bool,{TERMS['DirectSale']},uint256)":
            ["id", "seller", "token"],
    },
}
VIEWS = {
    "CHAIN_ID()", "ITEM()", "PLATFORM()", "PLATFORM_BPS()", "MAKER_BPS()", "credit(address,address)",
    "currencies()", "is_currency(address)", "owed(address)", "sale(bytes32)", "sale_id(OFFER)",
}
MOVES = {
    "Auction": {"list(OFFER)", "abort(OFFER)", "bid(OFFER,uint256,uint256)", "end(OFFER)", "withdraw(address,uint256,address)"},
    "DirectSale": {"list(OFFER)", "abort(OFFER)", "pay(OFFER)", "withdraw(address,uint256,address)"},
}
SALES = {
    "Auction": ["status", "bidder", "highest", "token", "ends", "last_end"],
    "DirectSale": ["status", "buyer", "token", "offer_until"],
}


@pytest.mark.parametrize("name", EVENTS)
def test_events_have_the_signatures_and_indices_that_were_agreed(name):
    events = [e for e in artifact(name)["abi"] if e["type"] == "event"]
    assert {signature(e): [p["name"] for p in e["inputs"] if p["indexed"]] for e in events} == SHARED | EVENTS[name]


@pytest.mark.parametrize("name", MOVES)
def test_functions_have_the_signatures_that_were_agreed(name):
    functions = [e for e in artifact(name)["abi"] if e["type"] == "function"]
    offer = OFFER.format(TERMS[name])
    found = {
        view: {signature(e).replace(offer, "OFFER") for e in functions if (e["stateMutability"] == "view") == view}
        for view in (True, False)
    }
    assert found == {True: VIEWS, False: MOVES[name]}
    [sale] = [e for e in functions if e["name"] == "sale"]
    assert [part["name"] for part in sale["outputs"][0]["components"]] == SALES[name]
