"""Wallet and operations: what others' users complained about elsewhere, and wrong paths."""

from decimal import Decimal

import browsers
import pytest
from playwright.sync_api import expect

ETHER = 10**18
# Clicks the button of the dialog 20 times, and returns after how many milliseconds the steps are shown.
CLICKS = """async () => {
  const button = [...document.querySelectorAll("dialog button")].find((one) => one.textContent === "Collect");
  const began = performance.now();
  for (let count = 0; count < 20; count++) button.click();
  while (document.querySelector(".meter") === null) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


@pytest.fixture
def credit(seeds):
    """Ana has sold something, and has not collected the price."""
    listing = seeds.sell("ana", f"Postcards {len(seeds.listings)}", "books", ETHER // 100, payment="direct")
    seeds.people["bo"].do("POST", "sales", {"listing": listing, "shipTo": "DE"})
    ana = seeds.people["ana"]
    return ana.wait("Ana has credit", lambda: ana.get("wallet")["credits"])


def amounts(texts):
    return [Decimal(text.split()[0].removeprefix("≈").strip()) for text in texts]


def test_15_locked_money_by_sale_adds_up(visit, seeds):
    window = visit("/wallet", who="ana")
    browsers.settled(window)
    section = window.locator("section").filter(has=window.get_by_role("heading", name="Locked in sales"))
    row = section.get_by_role("listitem").filter(has_text="Red bicycle")
    expect(row).to_contain_text("For sale")
    shown = amounts(section.locator(".row-end .numbers").all_inner_texts())
    assert sum(shown) == amounts(section.locator(".sum-row .numbers").all_inner_texts())[0]
    locked = seeds.people["ana"].get("wallet")["locked"]
    assert sum(shown) * ETHER == sum(int(one["money"]["amount"]) for one in locked)


def test_9_10_phases_show_at_once_and_twenty_clicks_are_one_operation(visit, seeds, credit):
    ana = seeds.people["ana"]
    before = {one["id"] for one in ana.all("operations")}
    window = visit("/wallet", who="ana")
    window.get_by_role("button", name="Collect").click()
    expect(window.get_by_role("dialog").get_by_text("Fee at most")).to_be_visible()
    expect(window.get_by_role("dialog").get_by_role("heading", name="Comes to you")).to_be_visible()
    browsers.settled(window)
    taken = window.evaluate(CLICKS)
    # 200 ms on a quiet machine; other tests run beside this one.
    assert taken < 1_000, f"{taken} ms"
    window.reload()
    expect(window.locator(".meter")).to_be_visible()
    expect(window.get_by_text("It is done.")).to_be_visible()
    assert len({one["id"] for one in ana.all("operations")} - before) == 1
    window.get_by_role("main").get_by_role("link", name="Wallet").click()
    expect(window.get_by_role("heading", name="Latest movements")).to_be_visible()
    expect(window.get_by_role("heading", name="Yours to collect")).to_have_count(0)


# - From people: a node that is away at the moment of consent → that it is not known, and a reload asks again, once
def test_9_a_click_while_the_node_is_away_is_asked_again_after_a_reload(visit, seeds, credit):
    visit.expected.append("Failed to load resource")
    window = visit("/wallet", who="ana")
    window.get_by_role("button", name="Collect").click()
    browsers.settled(window)
    window.route("**/v1/wallet/collect?*", lambda route: route.abort())
    window.get_by_role("dialog").get_by_role("button", name="Collect").click()
    expect(window.get_by_text("Whether it has begun is not known yet.")).to_be_visible()
    window.unroute("**/v1/wallet/collect?*")
    window.reload()
    expect(window.get_by_text("It is done.")).to_be_visible()


# - From people: an agreement to what has happened meanwhile → why it is refused, and that no money has moved
def test_16_a_failure_says_whether_money_moved_and_goes_with_it(visit, seeds, credit):
    visit.expected.append("Failed to load resource")
    window = visit("/wallet", who="ana")
    window.get_by_role("button", name="Collect").click()
    browsers.settled(window)
    # The window does not hear of it.
    window.route("**/v1/wallet?*", lambda route: route.abort())
    seeds.people["ana"].collect()
    window.get_by_role("dialog").get_by_role("button", name="Collect").click()
    expect(window.get_by_role("alert")).to_contain_text("No money has moved.")
    window.unroute("**/v1/wallet?*")
    window.get_by_role("button", name="Back").click()
    expect(window.get_by_role("heading", name="Wallet", level=1)).to_be_visible()
    expect(window.get_by_role("alert")).to_have_count(0)


def test_25_the_preview_is_the_same_in_both_languages(visit, seeds, credit):
    shown = []
    for language, collect in (("en", "Collect"), ("ko", "정산금 받기")):
        window = visit("/wallet", who="ana", language=language)
        window.get_by_role("button", name=collect).click()
        expect(window.get_by_role("dialog").locator(".costs").first).to_be_visible()
        shown.append(window.get_by_role("dialog").locator(".costs").last.locator(".numbers").all_inner_texts())
    assert shown[0] and shown[0] == shown[1]
    seeds.people["ana"].collect()


def test_an_operation_is_found_in_the_list(visit, seeds):
    window = visit("/operations", who="ana")
    window.get_by_role("link", name="Listing").first.click()
    expect(window.get_by_text("It is done.")).to_be_visible()
    window.get_by_role("link", name="To the listing").click()
    expect(window.get_by_role("heading", level=1)).to_be_visible()


# - From people: an address of an operation that is not this account's → that it is not here, with a way on
def test_an_operation_of_another_account_is_not_shown(visit, seeds):
    visit.expected.append("Failed to load resource")
    other = seeds.people["ana"].get("operations?limit=1")["items"][0]["id"]
    window = visit(f"/operations/{other}", who="bo")
    expect(window.get_by_role("alert")).to_contain_text("This account has no operation")
    window.get_by_role("link", name="All operations").click()
    expect(window.get_by_role("heading", name="Operations", level=1)).to_be_visible()


# - From people: a chain that the node does not follow, in the address → the first one that it follows
def test_a_wallet_of_an_unknown_chain_shows_a_known_one(visit, seeds):
    window = visit("/wallet?chain=5", who="bo")
    expect(window.get_by_role("heading", name="Balance")).to_be_visible()
    expect(window.get_by_text("ETH").first).to_be_visible()
