"""Several tabs of one node's page, and windows of several nodes."""

import browsers
from playwright.sync_api import expect


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


def test_23_two_nodes_side_by_side_do_not_sign_each_other_out(visit, seeds):
    first, second = visit("/", who="bo", node=0), visit("/", who="minsu", node=1)
    first.reload()
    expect(first.get_by_role("link", name="Account bo")).to_be_visible()
    expect(second.get_by_role("link", name="Account minsu")).to_be_visible()
