"""Several tabs of one node's page, and windows of several nodes."""

import browsers
import pytest
from caller import Caller
from playwright.sync_api import expect


def end_session(window):
    """Ends the session of a tab, without the page's help."""
    token = window.evaluate("JSON.parse(sessionStorage.getItem('stoa.session')).token")
    headers = {"Authorization": f"Bearer {token}"}
    window.evaluate("(headers) => fetch('/v1/sessions/current', { method: 'DELETE', headers })", headers)


def test_23_one_tab_hears_for_all_and_the_next_one_takes_over(visit, seeds):
    first = visit("/", who="bo")
    browsers.settled(first)
    sockets = []
    first.context.on("page", lambda page: page.on("websocket", lambda socket: sockets.append(page)))
    others = [first.context.new_page() for _ in range(6)]
    for tab in others:
        tab.goto("/")
        # The new tab has asked the others for their session.
        expect(tab.get_by_role("link", name="Account bo")).to_be_visible()
        expect(tab.get_by_role("link", name="Red bicycle")).to_be_visible()
    assert not sockets
    seeds.sell("minsu", "Tea pot", "home", 10**17)
    for tab in others:
        expect(tab.get_by_role("link", name="Tea pot")).to_be_visible()
    first.close()
    seeds.sell("minsu", "Tea cup", "home", 10**17)
    for tab in others:
        expect(tab.get_by_role("link", name="Tea cup")).to_be_visible()
    # One for the account's events, one for those of records; both of the same tab.
    assert len(sockets) == 2 and len(set(sockets)) == 1


def signed_in_at(visit, seeds, people):
    """One browser with a tab for each node's page, signed in there as the person by the node's address; each hears from its node."""
    context = visit("/settings").context
    tabs = {}
    for address, name in people.items():
        tab = tabs[name] = context.new_page()
        tab.on("console", visit.heard)
        tab.goto(f"{address}/settings")
        tab.evaluate(browsers.SIGN_IN, [name, seeds.PASSWORD])
    # Each has signed in after the others: what the browser has of the first ones must still be there.
    for name, tab in tabs.items():
        with tab.expect_websocket() as socket:
            tab.goto("/".join(tab.url.split("/")[:3]) + "/searches")
        expect(tab.get_by_role("link", name=f"Account {name}")).to_be_visible()
        expect(tab.get_by_role("heading", name="Saved searches", level=1)).to_be_visible()
        expect(tab.get_by_text("The node does not answer now.")).to_have_count(0)
        assert not socket.value.is_closed()
    assert len({cookie["name"] for cookie in context.cookies()}) == len(people)


def test_23_two_nodes_side_by_side_do_not_sign_each_other_out(visit, seeds):
    signed_in_at(visit, seeds, {seeds.page(0): "bo", seeds.page(1): "minsu"})


@pytest.mark.long
def test_23_three_nodes_on_one_host_do_not_sign_each_other_out(visit, seeds):
    # The third node ends before its tab is closed.
    visit.expected += ["WebSocket connection", "Failed to load resource"]
    seeds.stoa.on_cluster("up", "--nodes", "3")
    try:
        third = seeds.stoa.report()["members"][2]
        Caller("carol", third, seeds.PASSWORD).create()
        signed_in_at(visit, seeds, {seeds.page(0): "bo", seeds.page(1): "minsu", third["api"]: "carol"})
    finally:
        seeds.stoa.on_cluster("up", "--nodes", "2")


def test_23_a_node_that_restarts_is_waited_for(visit, seeds):
    visit.expected += ["WebSocket connection", "Failed to load resource"]
    window = visit("/", who="minsu", node=1)
    browsers.settled(window)
    seeds.stoa.on_cluster("stop", "2")
    expect(window.get_by_text("The node does not answer now.")).to_be_visible()
    seeds.stoa.on_cluster("start", "2")
    # A node forgets its sessions when it stops: the page says so by itself.
    expect(window.get_by_text("Your session has ended.")).to_be_visible(timeout=15_000)
    window.goto("/searches")
    expect(window.get_by_role("heading", name="Your session has ended")).to_be_visible()


def test_a_sign_out_in_one_tab_is_one_in_all(visit, seeds):
    visit.expected.append("Failed to load resource")
    first = visit("/", who="bo")
    browsers.settled(first)
    second = first.context.new_page()
    second.goto("/searches")
    expect(second.get_by_role("heading", name="Saved searches", level=1)).to_be_visible()
    end_session(first)
    second.reload()
    expect(second.get_by_role("heading", name="Your session has ended")).to_be_visible()
    expect(first.get_by_text("Your session has ended.")).to_be_visible()


def test_23_two_accounts_in_two_tabs_stay_apart(visit, seeds):
    first = visit("/", who="bo")
    browsers.settled(first)
    second = first.context.new_page()
    second.goto("/settings")
    expect(second.get_by_role("link", name="Account bo")).to_be_visible()
    second.evaluate(browsers.SIGN_IN, ["ana", seeds.PASSWORD])
    second.goto("/searches")
    expect(second.get_by_role("link", name="Account ana")).to_be_visible()
    first.goto("/search?search=bicycle")
    expect(first.get_by_role("link", name="Account bo")).to_be_visible()
    first.get_by_role("button", name="Save this search").click()
    first.get_by_role("button", name="Save", exact=True).click()
    expect(first.get_by_text("The search is saved.")).to_be_visible()
    second.reload()
    expect(second.get_by_text("No saved searches yet")).to_be_visible()
    seeds.sell("minsu", "Tea tray", "home", 10**17)
    first.goto("/")
    expect(first.get_by_role("link", name="Tea tray")).to_be_visible()


def test_a_session_outlives_the_newer_one_of_another_tab(visit, seeds):
    visit.expected.append("Failed to load resource")
    first = visit("/", who="bo")
    browsers.settled(first)
    second = first.context.new_page()
    second.goto("/settings")
    second.evaluate(browsers.SIGN_IN, ["bo", seeds.PASSWORD])
    second.goto("/")
    browsers.settled(second)
    # The tab with the socket has it for the newer session, whichever tab that is.
    first.reload()
    browsers.settled(first)
    end_session(second)
    expect(second.get_by_text("Your session has ended.")).to_be_visible(timeout=15_000)
    first.goto("/searches")
    expect(first.get_by_role("heading", name="Saved searches", level=1)).to_be_visible()
