"""A seller changes the price of a listing by the command, on a node that is killed in between."""

import os
import signal
import subprocess
import sys

import pytest
from test_tutorial import PROGRAM, ROOT

sys.path.insert(0, os.path.join(ROOT, "Scripts", "play"))

from market import Person, Stoa, listed, secret_file, until  # noqa: E402

ETHER = 10**18


@pytest.fixture
def stoa(tmp_path):
    stoa = Stoa(PROGRAM, str(tmp_path / "market"))
    chain = f"{sys.executable} {ROOT}/Scripts/devchain/main.py --block-time 1"
    try:
        stoa.on_cluster("up", "--nodes", "1", "--chain-command", chain)
        yield stoa
    finally:
        stoa.on_cluster("down")


def test_a_new_price_is_listed_once_although_the_node_is_killed(stoa):
    [node] = stoa.report()["members"]
    password = secret_file(stoa.cluster)
    ana, bo = (person(stoa, name, node, password) for name in ("ana", "bo"))
    listing = listed(ana.run(
        "listing", "create", "Red bicycle", "--price", "0.5", "--category", "vehicles", "--delivery", "pickup",
        "--pickup-place", "The old bridge", "--identifier", "frame 1", "--description", "Steel.", "--yes"))
    sale = ana.ask("listing", "show", listing)["anchor"]["sale"]
    bo.run("favourite", "add", listing)

    preview = ana.run("listing", "edit", listing, "--price", "0.4", "--dry-run")
    assert "'Red bicycle' is listed again for 0.4 ETH instead of 0.5 ETH." in preview
    assert "Your deposit of 1 ETH comes back to your account, and 0.8 ETH is deposited" in preview
    assert "that purchase stands and nothing is listed again" in preview

    command = [PROGRAM, "listing", "edit", listing, "--price", "0.4", "--yes", *ana.place, "--as", "ana"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as edit:
        until("the old sale is withdrawn", lambda: ana.ask("sale", "show", sale)["phase"] == "aborted")
        os.kill(node["process"], signal.SIGKILL)
        edit.wait(timeout=60)
    until("the node is gone", lambda: stoa.report()["members"][0].get("process") is None)
    stoa.on_cluster("start", "1")
    ana.sign_in()
    bo.sign_in()
    until("the new price is published", lambda: price(ana, listing) == 4 * ETHER // 10)

    phases = sorted(found["phase"] for found in ana.ask("sale", "list", "--all")["items"])
    assert phases == ["aborted", "listed"]
    assert [found["phase"] for found in ana.ask("sale", "list")["items"]] == ["listed"]
    old = ana.run("sale", "show", sale)
    assert "withdrawn, listed again at 0.4 ETH" in old
    [favourite] = bo.ask("favourite", "list")["items"]
    assert (favourite["listing"], favourite["price"]["amount"]) == (listing, str(4 * ETHER // 10))
    until("the deposit of before is paid out", lambda: ana.credit() == 0)
    refused = bo.run("sale", "buy", listing, "--price", "0.4", "--yes", code=2)
    assert "the price does not fix deposit, arbiter and times" in refused
    command = f"stoa sale buy {ana.ask('listing', 'show', listing)['anchor']['sale']} --yes"
    assert command in bo.run("sale", "buy", listing, "--dry-run")
    bo.run(*command.split()[1:])
    refused = ana.run("listing", "edit", listing, "--price", "0.3", "--yes", code=10)
    assert "It has been sold, at the price that it had then" in refused


def test_pieces_are_one_listing_and_are_bought_one_by_one(stoa):
    [node] = stoa.report()["members"]
    password = secret_file(stoa.cluster)
    ana, bo = (person(stoa, name, node, password) for name in ("ana", "bo"))
    create = [
        "listing", "create", "Red lamp", "--price", "0.1", "--pieces", "3", "--payment", "direct", "--category", "home",
        "--delivery", "pickup", "--pickup-place", "The old bridge", "--description", "Red."]
    assert "You list 3 pieces, each in a sale of its own for 0.1 ETH" in ana.run(*create, "--dry-run")
    listing = listed(ana.run(*create, "--yes"))
    [row] = bo.ask("listing", "search", "lamp")["items"]
    assert (row["id"], row["pieces"]) == (listing, {"free": 3, "total": 3})
    assert "for sale, 3 of 3 left" in bo.run("listing", "search", "lamp")

    bo.run("sale", "buy", listing, "--price", "0.1", "--yes")
    assert until("one is sold", lambda: pieces(ana, listing) == {"free": 2, "total": 3})
    ana.run("listing", "pieces", listing, "--add", "1", "--yes")
    ana.run("listing", "edit", listing, "--price", "0.2", "--yes")
    assert pieces(ana, listing) == {"free": 3, "total": 4}
    assert price(ana, listing) == 2 * ETHER // 10
    ana.run("listing", "pieces", listing, "--withdraw", "2", "--yes")
    assert pieces(ana, listing) == {"free": 1, "total": 2}
    bo.run("sale", "buy", listing, "--price", "0.2", "--yes")
    until("none is left", lambda: bo.ask("listing", "search", "lamp")["items"] == [])
    prices = sorted(sale["price"]["amount"] for sale in bo.ask("sale", "list")["items"])
    assert prices == [str(ETHER // 10), str(2 * ETHER // 10)]


def pieces(person, listing):
    return person.ask("listing", "show", listing)["pieces"]


def person(stoa, name, node, password):
    """Somebody with 10 ETH and an account, signed in."""
    found = Person(stoa, name, node, password)
    found.create()
    stoa.on_cluster("fund", found.address, "--ether", "10")
    found.sign_in()
    until(f"{name} has money", lambda: found.balance() > 0)
    return found


def price(person, listing):
    shown = person.ask("listing", "show", listing)
    return shown and int(shown["content"]["price"]["amount"])
