"""Offers at other prices on the page: made, accepted, paid, withdrawn, and taken on other terms; and wrong paths."""

import browsers
import pytest
from playwright.sync_api import expect

ETHER = 10**18


@pytest.fixture(scope="module")
def desks(seeds):
    """Things on which only these tests make offers."""
    titles = {"paid": "Oak desk", "other": "Pine desk"}
    return {key: seeds.sell("ana", title, "home", ETHER // 10, pictures=1) for key, title in titles.items()}


def test_an_offer_is_made_accepted_and_paid_by_clicks_alone(visit, seeds, desks):
    bo = visit(f"/listings/{desks['paid']}", who="bo")
    bo.get_by_role("link", name="Offer another price").click()
    bo.get_by_label("Your price").fill("0.08")
    bo.get_by_label("Your time to pay, once accepted").select_option(label="12 hours")
    expect(bo.get_by_text("You offer 0.08 ETH for 'Oak desk' instead of 0.1 ETH.")).to_be_visible()
    expect(bo.get_by_text("then you have 12 hours to pay")).to_be_visible()
    bo.get_by_role("button", name="Send the offer").click()
    expect(bo.get_by_role("heading", name="Made by you")).to_be_visible()
    ana = visit("/offers", who="ana")
    entry = ana.get_by_role("listitem").filter(has_text="Oak desk")
    entry.get_by_role("button", name="Accept the offer").click(timeout=30_000)
    dialog = ana.get_by_role("dialog")
    # What is reserved, until when, and what happens if it is not paid.
    expect(dialog.get_by_text("has not paid by")).to_be_visible()
    expect(dialog.get_by_text("this node lists it again by itself at 0.1 ETH")).to_be_visible()
    dialog.get_by_role("button", name="Accept the offer").click()
    expect(ana.get_by_text("It is done.")).to_be_visible(timeout=60_000)
    pay = bo.get_by_role("listitem").filter(has_text="Oak desk").get_by_role("link", name="Pay 0.08 ETH")
    # 14: the buyer's screen changes without a reload.
    expect(pay).to_be_visible(timeout=30_000)
    # Nobody else is asked to buy it.
    minsu = visit(f"/listings/{desks['paid']}", who="minsu", node=1)
    expect(minsu.get_by_text("0.08 ETH").first).to_be_visible(timeout=30_000)
    expect(minsu.get_by_role("link", name="Buy", exact=True)).to_have_count(0)
    pay.click()
    bo.get_by_label("Country").select_option("DE")
    bo.get_by_label("Delivery address").fill("Bo Lee, Hauptstr. 5, 10115 Berlin")
    bo.get_by_role("button", name="Pay 0.16 ETH").click()
    expect(bo.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    ana.goto("/offers")
    expect(entry.get_by_text("Paid", exact=True)).to_be_visible(timeout=30_000)


def test_differences_are_shown_and_agreed_to_before_it_is_paid(visit, seeds, desks):
    visit.expected.append("Failed to load resource")
    listing = desks["other"]
    ana, bo = seeds.people["ana"], seeds.people["bo"]
    seeds.offer("bo", listing, 8 * ETHER // 100)
    ana.wait("the offer is here", lambda: any(one["listing"] == listing for one in ana.get("offers")))
    content = ana.get(f"listings/{listing}")["content"]
    content["price"]["amount"] = str(8 * ETHER // 100)
    content["terms"] = content["terms"] | {"buyer": bo.address, "shipSeconds": 10 * 86_400}
    content["terms"].pop("offerUntil")
    ana.do("PUT", f"listings/{listing}", content)
    window = visit("/offers", who="bo")
    entry = window.get_by_role("listitem").filter(has_text="Pine desk")
    expect(entry.get_by_text("The seller has not accepted your offer")).to_be_visible(timeout=30_000)
    expect(entry.get_by_text("10 days instead of 3 days")).to_be_visible()
    entry.get_by_role("link", name="See the preview").click()
    window.get_by_label("Country").select_option("DE")
    expect(window.locator("form").get_by_text("10 days instead of 3 days")).to_be_visible()
    window.get_by_role("button", name="Pay").click()
    agreed = window.get_by_label("I have read these differences")
    expect(window.locator("form .fault").first).to_be_visible()
    agreed.check()
    expect(window.locator("form").get_by_text("10 days instead of 3 days")).to_be_visible()
    expect(window.get_by_role("button", name="Pay 0.18 ETH")).to_be_visible()


def test_an_offer_is_withdrawn(visit, seeds):
    listing = seeds.listings["Five novels"]
    seeds.offer("bo", listing, ETHER // 100)
    window = visit(f"/listings/{listing}", who="bo")
    expect(window.get_by_text("Your offer: 0.01 ETH")).to_be_visible()
    window.get_by_role("main").get_by_role("link", name="Price offers").click()
    entry = window.get_by_role("listitem").filter(has_text="Five novels")
    entry.get_by_role("button", name="Withdraw the offer").click()
    window.get_by_role("dialog").get_by_role("button", name="Withdraw the offer").click()
    expect(entry).to_have_count(0)


# - From people: an offer above the price, then one that is no amount → each beside its field
def test_an_offer_that_is_not_sent_is_said_beside_its_field(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit(f"/listings/{seeds.listings['Five novels']}/offer", who="bo")
    field = window.locator(".field", has=window.get_by_label("Your price"))
    window.get_by_label("Your price").fill("5")
    window.get_by_role("button", name="Send the offer").click()
    expect(field.locator(".fault")).to_have_text("Its price is not above that. Buy it at its price.")
    window.get_by_label("Your price").fill("much less")
    window.get_by_role("button", name="Send the offer").click()
    expect(field.locator(".fault")).to_contain_text("Write an amount")
    browsers.settled(window)
