"""Browsers and addresses as they are not meant to be."""

import browsers
from playwright.sync_api import expect

FORBIDDEN = """for (const name of ["sessionStorage", "localStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });
}"""


def test_storage_that_is_forbidden_costs_only_what_it_would_keep(visit, seeds):
    window = visit("/welcome")
    window.add_init_script(FORBIDDEN)
    window.goto("/settings")
    window.get_by_label("한국어").check(force=True)
    expect(window.get_by_role("heading", level=1)).to_have_text("설정")
    window.get_by_role("link", name="Stoa", exact=True).click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


def test_23_a_page_that_is_older_than_the_node_offers_a_reload(visit, seeds):
    window = visit("/settings")
    browsers.settled(window)
    visit.expected += ["Failed to load resource", "Failed to fetch dynamically imported module"]
    window.route("**/assets/Licences-*", lambda route: route.fulfill(status=404))
    window.get_by_role("link", name="Licences").click()
    expect(window.get_by_role("button", name="Reload the page")).to_be_visible()
    window.unroute("**/assets/Licences-*")
    window.get_by_role("button", name="Reload the page").click()
    expect(window.get_by_role("heading", name="Licences")).to_be_visible()


def test_an_address_with_strange_terms_is_searched_without_them(visit, seeds):
    window = visit("/search?stars=99&payment=&shipsTo=&over=maybe&unknown=1#version2")
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()
    window.goto("/categories/%E0%A4%A")
    expect(window.get_by_role("heading", level=1)).to_be_visible()


# - From people: a search with a value that the node refuses → its words, with "Try again"
def test_a_refused_search_says_why(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/search?payment=barter")
    expect(window.get_by_role("alert")).to_contain_text("barter")
    window.goto(f"/search?search={'a' * 5000}")
    browsers.settled(window)
    expect(window.get_by_role("heading", level=1)).to_be_visible()
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), window.evaluate(browsers.OVERFLOW)


def test_back_leads_to_where_the_list_was_left(visit, seeds):
    window = visit("/", width=400)
    browsers.settled(window)
    card = window.get_by_role("link", name="Red bicycle")
    card.scroll_into_view_if_needed()
    top = window.evaluate("scrollY")
    assert top > 100
    card.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Red bicycle")
    assert window.evaluate("scrollY") < top
    window.go_back()
    expect(card).to_be_in_viewport()


def test_without_locks_and_a_clipboard_each_tab_hears_by_itself(visit, seeds):
    """Plain http from another machine has neither; here they are taken away."""
    window = visit("/settings", who="bo")
    window.add_init_script("delete Navigator.prototype.locks; delete Navigator.prototype.clipboard;")
    window.goto(f"/accounts/{seeds.people['ana'].address}")
    browsers.settled(window)
    window.get_by_role("button", name="Copy the address").click()
    expect(window.get_by_role("status").get_by_text(seeds.people["ana"].address)).to_be_visible()
    seeds.sell("ana", "Bicycle bell", "sports", 10**16)
    expect(window.get_by_role("link", name="Bicycle bell")).to_be_visible()


def test_a_picture_that_does_not_come_is_asked_for_again(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/welcome")
    asked = []

    def late(route):
        asked.append(route.request.url)
        if asked.count(route.request.url) == 1:
            route.fulfill(status=503)
        else:
            route.continue_()

    window.route("**/v1/media/**", late)
    window.goto(f"/listings/{seeds.listings['Red bicycle']}")
    for _ in range(60):
        if any(asked.count(url) == 2 for url in asked):
            break
        window.wait_for_timeout(250)
    assert any(asked.count(url) == 2 for url in asked)
    expect(window.locator(".listing-pictures .picture img").first).to_be_visible(timeout=15_000)


# - From people: a call whose password is refused as too old twice → the question comes twice, and the call is done once
def test_the_password_is_asked_for_as_often_as_the_node_wants_it(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/search?search=novels", who="bo")
    browsers.settled(window)
    refused = []

    def refuse(route):
        if route.request.method == "GET" or len(refused) == 2:
            return route.continue_()
        refused.append(route.request)
        return route.fulfill(status=403, json={"code": "password_needed", "title": "", "status": 403, "detail": ""})

    window.route("**/v1/searches/**", refuse)
    window.get_by_role("button", name="Save this search").click()
    window.get_by_role("button", name="Save", exact=True).click()
    for _ in range(2):
        dialog = window.get_by_role("dialog", name="Your password, please")
        dialog.get_by_label("Password").fill(seeds.PASSWORD)
        with window.expect_request("**/v1/searches/**"):
            dialog.get_by_role("button", name="Confirm").click()
    expect(window.get_by_text("The search is saved.")).to_be_visible()
    assert len(refused) == 2
