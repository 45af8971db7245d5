"""Reviews of a sale and the history of an item on the page; and wrong paths."""

import browsers
import screens
from playwright.sync_api import expect

ETHER = 10**18
# Words of a stranger, of which nothing runs or is loaded.
HOSTILE = "<img src=//evil.example/x onerror=alert(1)>" + "W" * 200


def test_a_sale_is_reviewed_with_stars_words_and_a_picture(visit, seeds):
    screens.to_review(seeds)
    window = visit("/sales?list=to_review", who="ana")
    window.get_by_role("link", name="Tin whistle").click()
    window.get_by_role("link", name="Write a review").click()
    # - From people: no stars → said there, and the focus goes to the stars
    window.get_by_role("button", name="Publish the review").click()
    expect(window.get_by_text("Choose one to five stars.")).to_be_visible()
    assert window.evaluate("document.activeElement.name") == "stars"
    window.get_by_label("4 of 5 stars").check(force=True)
    window.get_by_label("Your words").fill(f"Paid at once. {HOSTILE}")
    window.locator("input[type=file]").set_input_files([browsers.picture("parcel.png")])
    expect(window.locator(".picture-entry img")).to_have_count(1)
    expect(window.get_by_text("You cannot change or withdraw it.")).to_be_visible()
    expect(window.get_by_text("You publish 4 of 5 stars about")).to_be_visible()
    window.reload()
    expect(window.get_by_label("Your words")).to_have_value(f"Paid at once. {HOSTILE}")
    window.get_by_role("button", name="Publish the review").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Tin whistle")
    expect(window.get_by_text("Paid at once.")).to_be_visible()
    expect(window.get_by_role("link", name="Write a review")).to_have_count(0)
    anybody = visit(f"/accounts/{seeds.people['bo'].address}", width=360)
    anybody.on("request", lambda request: "evil" in request.url and visit.faults.append(request.url))
    review = anybody.locator(".review").filter(has_text="Paid at once.")
    expect(review.get_by_label("4 of 5 stars")).to_be_visible()
    assert anybody.evaluate("document.documentElement.scrollWidth <= innerWidth"), anybody.evaluate(browsers.OVERFLOW)
    review.get_by_role("button", name="Enlarge: Picture 1 of the review").click()
    expect(anybody.get_by_role("dialog").get_by_role("img")).to_be_visible()
    anybody.keyboard.press("Escape")
    anybody.goto(f"/listings/{seeds.listings['Tin whistle']}")
    expect(anybody.get_by_text("Paid at once.")).to_be_visible()


# - From people: the review of a sale that is not over, or that was written → that there is none to write, with a way on
def test_what_cannot_be_reviewed_is_said(visit, seeds):
    window = visit(f"/sales/{seeds.sales['Old radio']}/review", who="bo")
    expect(window.get_by_role("heading", name="There is nothing to review now")).to_be_visible()
    window.get_by_role("link", name="To the sale").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Old radio")


def test_the_history_of_an_item_that_is_sold_again(visit, seeds):
    screens.to_review(seeds)
    bo = seeds.people["bo"]
    content = bo.get(f"sales/{seeds.sales['Tin whistle']}/resale")
    content |= {"payment": "direct", "price": {"amount": str(ETHER // 50), "currency": "native"}, "shipsTo": ["DE"]}
    again = bo.do("POST", "listings", content)["subject"]
    window = visit(f"/listings/{again}", who="ana")
    expect(window.get_by_text("This is a resale. First made by:")).to_be_visible(timeout=30_000)
    history = window.locator("section", has=window.get_by_role("heading", name="History of this item"))
    expect(history.get_by_text("Sold before: this is a resale.")).to_be_visible()
    expect(history.get_by_text("0.01 ETH")).to_be_visible()
    history.get_by_role("listitem").get_by_role("link", name="Sold").first.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Tin whistle")
