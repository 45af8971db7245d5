"""A trade on the page, by clicks alone: buying, sending, a dispute and its settlement; and wrong paths."""

import re

import browsers
import pytest
from playwright.sync_api import expect

NAMES = {"paid": "Blue kettle", "late": "Grey kettle", "poor": "Golden kettle", "whole": "Walnut table"}
ETHER = 10**18


@pytest.fixture(scope="module")
def kettles(seeds):
    """Things that only these tests buy."""
    listings = {key: seeds.sell("ana", NAMES[key], "home", ETHER // 100, pictures=1) for key in ("paid", "late", "whole")}
    # Bo has 100 ETH, and would pay 180.
    listings["poor"] = seeds.sell("ana", NAMES["poor"], "home", 90 * ETHER, terms={"sellerDeposit": str(30 * ETHER)})
    return listings


def fill_in(window):
    """Fills in where it is to be sent."""
    window.get_by_label("Country").select_option("DE")
    window.get_by_label("Delivery address").fill("Bo Lee\nHauptstr. 5\n10115 Berlin")


def buy(visit, listing):
    """Buys as Bo; returns the window once it is done."""
    window = visit(f"/listings/{listing}/buy", who="bo")
    fill_in(window)
    window.get_by_role("button", name=re.compile("^Pay ")).click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    return window


def test_11_price_deposit_fee_total_and_what_comes_back_are_shown(visit, kettles):
    window = visit(f"/listings/{kettles['late']}/buy", who="bo")
    fill_in(window)
    costs = window.locator(".deal-costs")
    for text in ("Price", "Deposit", "Fee", "What comes back", "once you confirm"):
        expect(costs.get_by_text(text).first).to_be_visible()
    expect(costs.get_by_text("Total, at most")).to_be_visible()
    expect(window.get_by_role("button", name=re.compile(r"^Pay ≈? ?0\.02\d* ETH$"))).to_be_visible()


def test_11_what_is_missing_is_said(visit, kettles):
    window = visit(f"/listings/{kettles['poor']}/buy", who="bo")
    fill_in(window)
    # How much is missing, or what is needed and what is there.
    expect(window.locator(".deal-costs .notice.fault").get_by_text(re.compile("ETH is missing|needs at least 180 ETH"))).to_be_visible()
    window.get_by_role("button", name=re.compile("^Pay ")).click()
    expect(window.locator("form .notice.fault")).to_be_visible()


def test_a_country_that_is_left_out_is_said_beside_its_field(visit, kettles):
    window = visit(f"/listings/{kettles['late']}/buy", who="bo")
    window.get_by_role("button", name=re.compile("^(Pay|Buy)")).click()
    expect(window.locator(".field", has=window.get_by_label("Country")).locator(".fault")).to_have_text("The seller ships only to DE, KR.")
    assert window.evaluate("document.activeElement.name") == "shipTo"


def test_8_a_half_filled_purchase_survives_a_reload(visit, kettles):
    window = visit(f"/listings/{kettles['late']}/buy", who="bo")
    fill_in(window)
    window.reload()
    expect(window.get_by_label("Delivery address")).to_have_value("Bo Lee\nHauptstr. 5\n10115 Berlin")


def test_9_and_10_twenty_clicks_are_one_purchase_and_its_phases_stay(visit, seeds, kettles):
    bo = seeds.people["bo"]
    window = visit(f"/listings/{kettles['paid']}/buy", who="bo")
    fill_in(window)
    button = window.get_by_role("button", name=re.compile("^Pay "))
    # It waits for the costs of what was just typed.
    expect(button).not_to_have_attribute("aria-disabled", "true")
    before = len(bo.get("operations?limit=100")["items"])
    button.evaluate("(one) => { for (let count = 0; count < 20; count++) one.click(); }")
    expect(window.get_by_role("list", name="Your purchase")).to_be_visible()
    window.reload()
    expect(window.get_by_role("heading", name=re.compile("Your purchase|It is done")).first).to_be_visible()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    assert len(bo.get("operations?limit=100")["items"]) == before + 1
    window.get_by_role("link", name="To the sale").click()
    expect(window.get_by_role("heading", level=1)).to_have_text(NAMES["paid"])


def test_a_trade_with_dispute_and_settlement_by_clicks_alone(visit, kettles):
    bo = buy(visit, kettles["whole"])
    bo.get_by_role("link", name="To the sale").click()
    expect(bo.get_by_role("heading", level=1)).to_have_text(NAMES["whole"])
    ana = visit("/sales", who="ana")
    ana.get_by_role("link", name=NAMES["whole"]).click()
    # 13: whose turn it is stands first on the sale, with the time and what follows.
    turn = ana.locator(".turn")
    expect(turn.get_by_role("heading")).to_have_text("It is your turn")
    expect(turn).to_contain_text("After that:")
    expect(ana.get_by_text("10115 Berlin")).to_be_visible(timeout=30_000)
    ana.get_by_role("button", name="Say that it was sent").click()
    dialog = ana.get_by_role("dialog")
    dialog.get_by_label("Note to the other side").fill("DHL 0034")
    dialog.get_by_role("button", name="Say that it was sent").click()
    # 14: both sides change without a reload.
    expect(bo.locator(".turn").get_by_role("heading")).to_have_text("It is your turn", timeout=60_000)
    expect(bo.get_by_text("DHL 0034")).to_be_visible(timeout=60_000)
    # 17: before the dispute the page offers to settle.
    bo.get_by_role("button", name="Dispute it").click()
    dialog = bo.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Propose to divide the price")).to_be_visible()
    dialog.get_by_label("What is wrong").fill("One leg is broken.")
    dialog.locator("input[type=file]").set_input_files([browsers.picture("leg.png")])
    expect(dialog.locator("progress")).to_have_count(0)
    dialog.get_by_role("button", name="Dispute it").click()
    expect(bo.locator(".turn")).to_contain_text("both sides", timeout=60_000)
    expect(ana.get_by_text("One leg is broken.")).to_be_visible(timeout=60_000)
    ana.get_by_role("button", name="Propose to divide the price").click()
    dialog = ana.get_by_role("dialog")
    slider = dialog.get_by_role("slider")
    slider.fill("7000")
    expect(dialog.get_by_text("The seller gets 70 % of the price")).to_be_visible()
    expect(dialog.get_by_text("The buyer gets 30 % of the price")).to_be_visible()
    assert slider.get_attribute("aria-valuetext") == "seller 0.007 ETH, buyer 0.003 ETH"
    dialog.get_by_role("button", name="Propose to divide the price").click()
    bo.get_by_role("button", name="Accept the proposal").click(timeout=60_000)
    dialog = bo.get_by_role("dialog")
    expect(dialog.get_by_text(re.compile("the seller gets 70 %"))).to_be_visible()
    dialog.get_by_role("button", name="Accept the proposal").click()
    expect(bo.locator(".turn")).to_contain_text("Settled", ignore_case=True, timeout=60_000)
    expect(ana.locator(".turn")).to_contain_text("Settled", ignore_case=True, timeout=60_000)
    ana.goto("/sales?list=sold")
    expect(ana.get_by_role("link", name=NAMES["whole"])).to_be_visible()


def test_escape_leaves_a_move_and_the_focus_returns(visit, seeds, kettles):
    window = visit("/sales?list=postings", who="ana")
    window.get_by_role("link", name=NAMES["late"]).click()
    window.get_by_role("button", name="Take it off the market").press("Enter")
    expect(window.get_by_role("dialog")).to_be_visible()
    window.keyboard.press("Escape")
    expect(window.get_by_role("dialog")).to_have_count(0)
    assert window.evaluate("document.activeElement.textContent") == "Take it off the market"


def test_a_sale_that_is_not_there_is_said(visit, seeds):
    window = visit("/settings", who="bo")
    visit.expected.append("Failed to load resource")
    window.goto(f"/sales/0x{'5' * 64}")
    expect(window.get_by_role("alert")).to_be_visible()
