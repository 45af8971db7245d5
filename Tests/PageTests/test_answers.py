"""Answers that no node gives, but a broken one or a server before it: the page says why and what to do.

The answers themselves are tried here, so they do not come from a node.
"""

import browsers
import pytest
from playwright.sync_api import expect

AWAY = "The node does not answer. Check that it is running, and try again."
UNREADABLE = "The node's answer could not be read. Try again;"
LARGE = "This is too large for a server between this browser and the node."
ANSWERS = {
    "500 with a text": ({"status": 500, "body": "Internal Server Error"}, UNREADABLE),
    "500 with a page": ({"status": 500, "body": "<html><script>alert(1)</script></html>", "content_type": "text/html"}, UNREADABLE),
    "502 of a proxy": ({"status": 502, "body": "<html>Bad Gateway</html>", "content_type": "text/html"}, AWAY),
    "413 of a proxy": ({"status": 413, "body": "<html>Too Large</html>", "content_type": "text/html"}, LARGE),
    "an empty body": ({"status": 200, "body": ""}, UNREADABLE),
    "half of a body": ({"status": 200, "body": '{"items": [{"id": "0x', "content_type": "application/json"}, UNREADABLE),
    "no object": ({"status": 200, "body": "null", "content_type": "application/json"}, UNREADABLE),
    "a problem without a code": ({"status": 500, "body": '{"title": "Oops"}', "content_type": "application/json"}, UNREADABLE),
    "a closed connection": (None, AWAY),
}


def answered(window, calls, given):
    """Answers calls so until the test says otherwise."""
    window.unroute_all()
    window.route(calls, lambda route: route.abort("connectionclosed") if given is None else route.fulfill(**given))


@pytest.fixture
def odd(visit):
    """Opens windows whose node answers oddly, at which nothing may run."""
    visit.expected.append("Failed to load resource")

    def opened(*arguments, **options):
        window = visit(*arguments, **options)
        browsers.settled(window)
        window.on("dialog", lambda dialog: visit.faults.append(f"a dialog: {dialog.message}"))
        return window

    return opened


def test_a_list_says_that_its_answer_is_odd_and_comes_back(odd):
    window = odd("/settings")
    for name, (given, text) in ANSWERS.items():
        answered(window, "**/v1/rows?**", given)
        window.goto("/search")
        expect(window.get_by_role("alert").first, name).to_contain_text(text)
        window.unroute_all()
        window.get_by_role("button", name="Try again").first.click()
        expect(window.get_by_role("link", name="Red bicycle"), name).to_be_visible()


def test_a_form_says_that_its_answer_is_odd_and_keeps_what_was_typed(odd):
    window = odd("/address", who="bo")
    window.get_by_label("Name and address").fill("Bo Lee")
    window.get_by_label("Country", exact=True).select_option("KR")
    for name, (given, text) in ANSWERS.items():
        answered(window, "**/v1/address", given)
        window.get_by_role("button", name="Save").click()
        expect(window.locator("main").get_by_text(text).first, name).to_be_visible()
        expect(window.get_by_label("Name and address"), name).to_have_value("Bo Lee")


@pytest.mark.long
def test_an_upload_says_that_its_answer_is_odd_and_is_tried_again(odd):
    window = odd("/sell", who="minsu", node=1)
    for number, (name, (given, text)) in enumerate(ANSWERS.items()):
        answered(window, "**/v1/media", given)
        window.locator("input[type=file]").set_input_files([browsers.picture(f"{number}.png", number)])
        entry = window.locator(".picture-entry")
        expect(entry.get_by_role("alert"), name).to_contain_text(text)
        window.unroute_all()
        entry.get_by_role("button", name="Try again").click()
        expect(window.locator(".picture-entry img"), name).to_have_count(1)
        entry.get_by_role("button", name="Remove").click()


def test_an_answer_of_another_shape_leaves_the_page_standing(odd, visit):
    # The screen that reads it cannot be drawn, and React reports that.
    visit.expected.append("TypeError")
    window = odd("/settings")
    answered(window, "**/v1/rows?**", {"status": 200, "body": '{"items": 7}', "content_type": "application/json"})
    window.get_by_role("link", name="Stoa", exact=True).click()
    expect(window.get_by_text("This screen could not be shown.")).to_be_visible()
    expect(window.get_by_role("combobox")).to_be_visible()
    # The search field is on every screen.
    answered(window, "**/v1/listings/suggestions?**", {"status": 200, "body": '{"items": 7}', "content_type": "application/json"})
    window.get_by_role("combobox").fill("bicy")
    expect(window.get_by_role("combobox")).to_have_count(0)
    expect(window.get_by_text("This screen could not be shown.")).to_be_visible()
    window.unroute_all()
    window.get_by_role("button", name="Reload the page").click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()
    visit.faults[:] = [fault for fault in visit.faults if "is not a function" not in fault]


def test_an_answer_that_never_ends_becomes_a_fault(visit):
    window = visit("/settings")
    visit.expected.append("Failed to load resource")
    browsers.settled(window)
    window.clock.install()
    window.route("**/v1/rows?**", lambda route: None)
    with window.expect_request("**/v1/rows?**"):
        window.get_by_role("link", name="Stoa", exact=True).click()
    window.clock.run_for(21_000)
    expect(window.get_by_role("alert").first).to_contain_text(AWAY)
    window.unroute("**/v1/rows?**")
    window.get_by_role("button", name="Try again").first.click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


def test_an_upload_whose_answer_never_ends_becomes_a_fault(visit):
    window = visit("/sell", who="minsu", node=1)
    visit.expected.append("Failed to load resource")
    browsers.settled(window)
    window.clock.install()
    window.route("**/v1/media", lambda route: None)
    with window.expect_request("**/v1/media"):
        window.locator("input[type=file]").set_input_files([browsers.picture("one.png")])
    window.clock.run_for(61_000)
    expect(window.locator(".picture-entry").get_by_role("alert")).to_contain_text(AWAY)


@pytest.mark.long
def test_a_script_or_texts_that_do_not_come_leave_no_white_screen(visit):
    visit.expected += ["Failed to load resource", "Failed to fetch dynamically imported module"]
    window = visit("/settings")
    window.route("**/assets/en-*", lambda route: route.fulfill(status=404))
    window.goto("/")
    expect(window.get_by_text("The page could not be loaded.")).to_be_visible()
    window.unroute_all()
    window.route("**/assets/main-*.js", lambda route: route.fulfill(status=404))
    window.goto("/")
    expect(window.get_by_text("The page could not be started.")).to_be_visible(timeout=15_000)
