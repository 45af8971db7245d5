"""Favourites, the cart, and its checkout: one consent, one result a line; and wrong paths."""

import re
from concurrent.futures import ThreadPoolExecutor

import browsers
import pytest
from playwright.sync_api import expect

ETHER = 10**18
POT, BOWL, CUP, VASE, STATUE, COLUMN = "Copper pot", "Clay bowl", "Tin cup", "Glass vase", "Marble statue", "Marble column"


@pytest.fixture(scope="module")
def dishes(seeds):
    """Things that only these tests buy. Bo has 100 ETH, and could pay for one of the marbles."""
    for line in seeds.people["bo"].get("cart")["lines"]:
        seeds.people["bo"].ask("DELETE", f"cart/{line['listing']}")
    wanted = {POT: {"price": ETHER // 100}, BOWL: {"price": ETHER // 50, "payment": "direct"}, CUP: {"price": ETHER // 100, "payment": "direct"},
              VASE: {"price": ETHER // 100, "payment": "direct"}, STATUE: {"price": 60 * ETHER, "payment": "direct"},
              COLUMN: {"price": 60 * ETHER, "payment": "direct"}}
    with ThreadPoolExecutor() as pool:
        made = {title: pool.submit(seeds.sell, "ana", title, "home", identifier=f"dish {title}", **more) for title, more in wanted.items()}
    return {title: one.result() for title, one in made.items()}


def put(seeds, *listings):
    """Makes these the cart of Bo."""
    bo = seeds.people["bo"]
    for line in bo.get("cart")["lines"]:
        bo.ask("DELETE", f"cart/{line['listing']}")
    for listing in listings:
        bo.ask("PUT", f"cart/{listing}", {"quantity": 1})


def fill_in(window):
    window.get_by_label("Country").select_option("DE")
    window.get_by_label("Delivery address").fill("Bo Lee\nHauptstr. 5\n10115 Berlin")


def row(window, title):
    return window.get_by_role("listitem").filter(has_text=title)


def test_10_and_11_a_cart_is_paid_by_clicks_and_twenty_of_them_buy_once(visit, seeds, dishes):
    bo = seeds.people["bo"]
    window = visit(f"/listings/{dishes[POT]}", who="bo")
    window.get_by_role("button", name="Put into the cart").click()
    expect(window.get_by_role("link", name="In the cart: go there")).to_be_visible()
    window.goto(f"/listings/{dishes[BOWL]}")
    window.get_by_role("button", name="Put into the cart").click()
    window.get_by_role("link", name="In the cart: go there").click()
    expect(window.get_by_text("2 listings")).to_be_visible()
    window.get_by_role("link", name="Go on to pay").click()
    fill_in(window)
    costs = window.locator(".deal-costs")
    for text in ("Price", "Deposit", "Fee", "2 purchases, at most"):
        expect(costs.get_by_text(text, exact=True)).to_be_visible()
    window.get_by_role("button", name="Look at all and buy").click()
    dialog = window.get_by_role("dialog")
    for title in (POT, BOWL):
        expect(dialog.get_by_role("heading", name=title)).to_be_visible()
    expect(dialog.get_by_text("Total, at most")).to_have_count(2)
    expect(dialog.get_by_text("What comes back").first).to_be_visible()
    before = len(bo.get("operations?limit=100")["items"])
    dialog.get_by_role("button", name="Buy all 2").evaluate("(one) => { for (let count = 0; count < 20; count++) one.click(); }")
    expect(row(window, POT).get_by_role("status")).to_be_visible()
    # A reload goes on with the same purchases.
    window.reload()
    for title in (POT, BOWL):
        expect(row(window, title).get_by_text("Bought", exact=True)).to_be_visible(timeout=60_000)
    assert len(bo.get("operations?limit=100")["items"]) == before + 2
    window.get_by_role("main").get_by_role("link", name="To the cart").click()
    expect(window.get_by_role("heading", name="Your cart is empty")).to_be_visible()


def test_16_a_line_that_fails_says_that_no_money_moved(visit, seeds, dishes):
    put(seeds, dishes[VASE])
    window = visit("/cart/checkout", who="bo")
    fill_in(window)
    window.get_by_role("button", name="Look at all and buy").click()
    dialog = window.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name=VASE)).to_be_visible()
    seeds.people["ana"].do("DELETE", f"listings/{dishes[VASE]}")
    visit.expected.append("Failed to load resource")
    dialog.get_by_role("button", name="Buy it").click()
    line = row(window, VASE)
    expect(line.get_by_text("Not bought")).to_be_visible(timeout=30_000)
    expect(line.get_by_text("No money has moved. It stays in the cart.")).to_be_visible()
    window.get_by_role("main").get_by_role("link", name="To the cart").click()
    expect(window.get_by_text("It cannot be bought now.")).to_be_visible()
    window.get_by_role("button", name="Remove").click()
    expect(window.get_by_role("heading", name="Your cart is empty")).to_be_visible()


def test_another_price_is_said_in_the_cart_and_among_the_favourites(visit, seeds, dishes):
    put(seeds, dishes[CUP])
    window = visit(f"/listings/{dishes[CUP]}", who="bo")
    window.get_by_role("button", name="Add to favourites").click()
    expect(window.get_by_role("button", name="A favourite")).to_be_visible()
    ana = seeds.people["ana"]
    content = ana.get(f"listings/{dishes[CUP]}")["content"]
    kept = {name: content[name] for name in ("type", "title", "description", "category", "identifier", "tags", "payment", "delivery", "shipsTo")}
    ana.do("PUT", f"listings/{dishes[CUP]}", kept | {"price": {"amount": str(ETHER // 40), "currency": "native"}})
    window.goto("/cart")
    expect(window.get_by_text("It was 0.01 ETH when you put it in.")).to_be_visible(timeout=30_000)
    window.get_by_role("button", name="I have seen it").click()
    expect(window.get_by_text("It was 0.01 ETH when you put it in.")).to_have_count(0)
    window.goto("/favourites")
    line = row(window, CUP)
    expect(line.get_by_text("It was 0.01 ETH when you saved it.")).to_be_visible()
    expect(line.get_by_text("0.025 ETH")).to_be_visible()
    line.get_by_role("button", name="Remove").click()
    expect(row(window, CUP)).to_have_count(0)


def test_an_older_favourite_is_known_on_its_own_screen(visit, seeds, dishes):
    bo = seeds.people["bo"]
    for title in (STATUE, COLUMN):
        bo.ask("PUT", f"favourites/{dishes[title]}")
    window = visit("/", who="bo")
    # Pages of one entry stand for many entries: the node answers each.
    window.route(re.compile(r"/v1/favourites\?"), lambda route: route.continue_(url=route.request.url.replace("limit=100", "limit=1")))
    window.goto(f"/listings/{dishes[STATUE]}")
    expect(window.get_by_role("button", name="A favourite")).to_be_visible()
    for title in (STATUE, COLUMN):
        bo.ask("DELETE", f"favourites/{dishes[title]}")


def test_11_what_is_missing_for_all_is_said_and_one_is_left_out(visit, seeds, dishes):
    put(seeds, dishes[STATUE], dishes[COLUMN])
    window = visit("/cart/checkout", who="bo")
    fill_in(window)
    expect(window.locator(".deal-costs .notice.fault").get_by_text(re.compile("ETH is missing"))).to_be_visible()
    window.get_by_role("button", name="Look at all and buy").click()
    expect(window.get_by_text("The account has too little for all of them.")).to_be_visible()
    window.get_by_label(COLUMN).uncheck()
    expect(window.locator(".deal-costs .notice.fault")).to_have_count(0)
    window.get_by_role("button", name="Look at all and buy").click()
    dialog = window.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name=STATUE)).to_be_visible()
    expect(dialog.get_by_role("heading", name=COLUMN)).to_have_count(0)
    window.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


# - From people: no country for what is shipped → the fault beside its field, which has the focus
def test_5_a_country_that_is_left_out_is_said_beside_its_field(visit, seeds, dishes):
    put(seeds, dishes[STATUE])
    window = visit("/cart/checkout", who="bo")
    expect(window.locator(".deal-costs").get_by_text("One purchase, at most")).to_be_visible()
    window.get_by_role("button", name="Look at all and buy").click()
    expect(window.locator(".field", has=window.get_by_label("Country")).locator(".fault")).to_be_visible()
    assert window.evaluate("document.activeElement.name") == "shipTo"


def test_21_the_cart_says_that_the_node_is_away_and_tries_again(visit, seeds):
    window = visit("/account", who="bo")
    browsers.settled(window)
    visit.expected.append("Failed to load resource")
    window.route("**/v1/cart", lambda route: route.abort())
    window.get_by_role("banner").get_by_role("link", name="Cart").click()
    expect(window.get_by_text("The node does not answer.")).to_be_visible()
    window.unroute("**/v1/cart")
    window.get_by_role("button", name="Try again").click()
    expect(window.get_by_text("The node does not answer.")).to_have_count(0)
    expect(window.get_by_role("heading", level=1)).to_have_text("Cart")


def test_a_checkout_of_another_tab_leads_back(visit, seeds):
    window = visit("/cart/checkout?run=0123", who="bo")
    expect(window.get_by_role("heading", name="This checkout is not known in this tab")).to_be_visible()
    window.get_by_role("main").get_by_role("link", name="To the cart").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Cart")
