"""A computer that sleeps, a node that dies, a chain that is away: the page is right again within 5 seconds."""

import os
import signal
from pathlib import Path

import browsers
import pytest
from playwright.sync_api import expect
from seeds import ETHER
from test_tabs import end_session

DAY = "24:00:00"


@pytest.fixture
def half_filled(visit):
    """A window with a half-filled form, on a clock that the test can move."""
    visit.expected += ["Failed to load resource", "WebSocket connection"]
    window = visit("/settings", who="ana")
    window.clock.install()
    window.goto("/sell")
    for label, text in (("Title", "Half a bottle"), ("Description", "Blown by hand."), ("Price", "0.02")):
        window.get_by_label(label, exact=True).fill(text)
    browsers.settled(window)
    window.evaluate("window.isSame = true")
    return window


def keeps(window):
    """Whether the form has what was typed, in the page that was there before."""
    expect(window.get_by_label("Title", exact=True)).to_have_value("Half a bottle")
    expect(window.get_by_label("Description", exact=True)).to_have_value("Blown by hand.")
    expect(window.get_by_label("Price", exact=True)).to_have_value("0.02")
    assert window.evaluate("window.isSame")


def sign_in_again(window, seeds):
    window.locator("main").get_by_role("link", name="Sign in").click()
    window.get_by_label("Name of the account").fill("ana")
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.get_by_role("button", name="Sign in").click()


def test_23_a_computer_that_slept_for_a_day_hears_again(visit, seeds, half_filled):
    sockets = []
    half_filled.on("websocket", lambda socket: sockets.append(socket))
    half_filled.clock.fast_forward(DAY)
    keeps(half_filled)
    half_filled.get_by_role("link", name="Stoa", exact=True).click()
    seeds.sell("minsu", "Slept-through pot", "home", ETHER // 10)
    expect(half_filled.get_by_role("link", name="Slept-through pot")).to_be_visible()
    # Both sockets are new ones: nobody tells that a connection has died in sleep.
    assert len(sockets) == 2
    half_filled.go_back()
    keeps(half_filled)


def test_8_23_a_session_that_ended_in_sleep_leaves_the_form(visit, seeds, half_filled):
    end_session(half_filled)
    half_filled.clock.fast_forward(DAY)
    expect(half_filled.get_by_role("heading", name="Your session has ended")).to_be_visible()
    sign_in_again(half_filled, seeds)
    keeps(half_filled)


def test_8_23_a_session_that_ends_in_the_middle_of_a_form_leaves_it(visit, seeds, half_filled):
    end_session(half_filled)
    expect(half_filled.get_by_role("heading", name="Your session has ended")).to_be_visible()
    sign_in_again(half_filled, seeds)
    keeps(half_filled)


def test_8_23_a_node_that_was_killed_is_back_within_five_seconds(visit, seeds, half_filled):
    other = visit("/search?search=bicycle", who="bo")
    browsers.settled(other)
    seeds.configure(1, ends=signal.SIGKILL)
    expect(half_filled.get_by_role("heading", name="Your session has ended")).to_be_visible()
    expect(other.get_by_text("Your session has ended.")).to_be_visible()
    expect(other.get_by_text("The node does not answer now.")).to_have_count(0)
    expect(other.get_by_role("link", name="Red bicycle")).to_be_visible()
    sign_in_again(half_filled, seeds)
    keeps(half_filled)


def chain_of(seeds):
    """The process of the market's chain."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{seeds.stoa.cluster}/chain.sqlite" in (process / "cmdline").read_text().split("\0"):
                return int(process.name)
        except OSError:
            # It has ended meanwhile.
            continue
    raise AssertionError("the chain does not run")


@pytest.mark.long
def test_8_a_chain_that_is_away_is_said_and_comes_back(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit(f"/listings/{seeds.listings['Red bicycle']}/buy", who="bo")
    browsers.settled(window)
    window.evaluate("window.isSame = true")
    window.get_by_label("Delivery address").fill("Hauptstr. 5, 10115 Berlin")
    window.get_by_label("Country").select_option("DE")
    expect(window.locator(".deal-costs").get_by_text("Total, at most")).to_be_visible()
    chain = chain_of(seeds)
    os.kill(chain, signal.SIGSTOP)
    try:
        window.get_by_label("Fast", exact=True).check(force=True)
        expect(window.locator(".deal-costs").get_by_role("alert").first).to_be_visible(timeout=40_000)
        print(window.locator("main").inner_text())
    finally:
        os.kill(chain, signal.SIGCONT)
    expect(window.get_by_label("Delivery address")).to_have_value("Hauptstr. 5, 10115 Berlin")
    window.get_by_role("button", name="Try again").first.click()
    expect(window.get_by_role("alert")).to_have_count(0)
    expect(window.locator(".deal-costs").get_by_text("Total, at most")).to_be_visible()
    assert window.evaluate("window.isSame")
