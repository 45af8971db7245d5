"""Selling something on the page: the form, its pictures, its faults, the preview and the listing."""

import browsers
from playwright.sync_api import expect


def fill_in(window, title):
    window.get_by_label("Title").fill(title)
    window.get_by_label("Description").fill("Blown by hand, without a scratch.")
    window.get_by_label("Category").select_option("home")
    window.get_by_label("Identifier").fill(f"mark of {title}")
    window.get_by_label("Tags").fill("glass")
    window.get_by_label("Price").fill("0.02")


def test_5_all_faults_stand_beside_their_fields_at_once(visit):
    window = visit("/sell", who="minsu", node=1)
    visit.expected.append("Failed to load resource")
    window.get_by_label("Price").fill("a lot")
    window.get_by_label("Only some countries").check(force=True)
    window.get_by_role("button", name="See the preview").click()
    for name in ("Title", "Description", "Category", "Identifier", "Tags", "Price", "Countries"):
        expect(window.locator(".field", has=window.get_by_label(name, exact=True)).locator(".fault")).to_be_visible()
    assert window.evaluate("document.activeElement.name") == "title"


def test_6_changing_the_way_to_sell_keeps_what_fits(visit):
    window = visit("/sell", who="minsu", node=1)
    fill_in(window, "Green bottle")
    window.get_by_label("Direct sale").check(force=True)
    expect(window.get_by_text("Deposits, times and arbiter")).to_have_count(0)
    window.get_by_label("Escrow").check(force=True)
    expect(window.get_by_label("Title")).to_have_value("Green bottle")
    expect(window.get_by_text("You lock 0.04 ETH, and the buyer 0.02 ETH beside the price.")).to_be_visible()


def test_7_one_bad_picture_of_six_fails_alone(visit):
    window = visit("/sell", who="minsu", node=1)
    visit.expected.append("Failed to load resource")
    good = [browsers.picture(f"{number}.png", number) for number in range(5)]
    window.locator("input[type=file]").set_input_files([*good[:2], {"name": "bad.png", "mimeType": "image/png", "buffer": b"no picture"}, *good[2:]])
    expect(window.locator(".picture-entry img")).to_have_count(5)
    bad = window.locator(".picture-entry", has_text="bad.png")
    expect(bad.get_by_role("alert")).to_be_visible()
    bad.get_by_role("button", name="Remove").click()
    expect(window.get_by_text("5 of 6")).to_be_visible()
    window.reload()
    expect(window.locator(".picture-entry img")).to_have_count(5)


def test_a_document_goes_with_the_pictures(visit):
    window = visit("/sell", who="minsu", node=1)
    fill_in(window, "Documented bottle")
    pdf = b"%PDF-1.4\nxref\n0 0\ntrailer<<>>\nstartxref\n9\n%%EOF\n"
    window.locator("input[type=file]").set_input_files([browsers.picture("bottle.png"), {"name": "papers.pdf", "mimeType": "application/pdf", "buffer": pdf}])
    expect(window.locator(".picture-entry", has_text="papers.pdf").get_by_role("button", name="Remove Document 2")).to_be_visible()
    expect(window.locator(".picture-entry progress")).to_have_count(0)
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_text("Documents: papers.pdf")).to_be_visible()


def test_twenty_one_pictures_are_six(visit):
    window = visit("/sell", who="minsu", node=1)
    window.locator("input[type=file]").set_input_files([browsers.picture(f"{number}.png", number) for number in range(21)])
    expect(window.get_by_text("At most 6 pictures go with it; left out: 15.")).to_be_visible()
    expect(window.locator(".picture-entry")).to_have_count(6)


def test_8_a_half_filled_form_survives_a_reload_and_a_sign_out(visit, seeds):
    window = visit("/sell", who="minsu", node=1)
    fill_in(window, "Brown bottle")
    window.reload()
    expect(window.get_by_label("Title")).to_have_value("Brown bottle")
    window.evaluate("sessionStorage.removeItem('stoa.session')")
    window.goto("/settings")
    window.evaluate(browsers.SIGN_IN, ["minsu", seeds.PASSWORD])
    window.goto("/sell")
    expect(window.get_by_label("Price")).to_have_value("0.02")


def test_8_a_half_filled_form_survives_a_lock_and_being_offline(visit, seeds):
    window = visit("/sell", who="minsu", node=1)
    visit.expected += ["Failed to load resource", "WebSocket connection"]
    fill_in(window, "Grey bottle")
    window.context.set_offline(True)
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_text("The node does not answer.").first).to_be_visible()
    window.get_by_label("Price").fill("0.03")
    window.context.set_offline(False)
    window.get_by_role("link", name="Account minsu").click()
    window.get_by_role("button", name="Lock").click()
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.get_by_role("button", name="Unlock").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("minsu")
    window.goto("/sell")
    expect(window.get_by_label("Title")).to_have_value("Grey bottle")
    expect(window.get_by_label("Price")).to_have_value("0.03")


def test_8_what_an_older_page_kept_fills_in_what_still_fits(visit):
    window = visit("/sell", who="minsu", node=1)
    fill_in(window, "Old bottle")
    # An older version had other fields, and one of another form.
    window.evaluate("""() => {
      const name = Object.keys(sessionStorage).find((one) => one.startsWith("stoa.form.") && one.endsWith(".sell"));
      const { payment, days, ...kept } = JSON.parse(sessionStorage.getItem(name));
      sessionStorage.setItem(name, JSON.stringify({ ...kept, days: 12, colour: "green" }));
    }""")
    window.reload()
    expect(window.get_by_label("Title")).to_have_value("Old bottle")
    expect(window.get_by_label("On sale for")).to_have_value("30")
    expect(window.get_by_label("Escrow")).to_be_checked()


def test_a_thing_is_listed_by_clicks_alone(visit):
    window = visit("/sell", who="minsu", node=1)
    fill_in(window, "White bottle")
    window.locator("input[type=file]").set_input_files([browsers.picture("bottle.png")])
    expect(window.locator(".picture-entry img")).to_have_count(1)
    window.get_by_label("Only some countries").check(force=True)
    window.get_by_label("Countries", exact=True).select_option("KR")
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_role("heading", name="As others will see it")).to_be_visible()
    for text in ("Deposit", "Total, at most", "What comes back"):
        expect(window.locator(".deal-costs").get_by_text(text).first).to_be_visible()
    window.get_by_role("button", name="Back to the form").click()
    expect(window.get_by_label("Title")).to_have_value("White bottle")
    window.get_by_role("button", name="See the preview").click()
    window.get_by_role("button", name="Put it on sale").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    window.get_by_role("link", name="To the listing").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("White bottle")
    window.goto("/sell")
    expect(window.get_by_label("Title")).to_have_value("")


def test_11_nothing_is_listed_before_its_costs_are_shown(visit, seeds):
    minsu = seeds.people["minsu"]
    window = visit("/sell", who="minsu", node=1)
    visit.expected.append("Failed to load resource")
    fill_in(window, "Slow bottle")
    window.get_by_role("button", name="See the preview").click()
    expect(window.locator(".deal-costs").get_by_text("Total, at most")).to_be_visible()
    before = minsu.get("operations?limit=1")["items"][0]["id"]
    fast = "**/v1/listings/preview?feeSpeed=fast"
    window.route(fast, lambda route: route.abort())
    window.get_by_text("Fast", exact=True).click()
    fault = window.locator(".deal-costs").get_by_role("alert")
    expect(fault).to_be_visible()
    window.get_by_role("button", name="Put it on sale").click()
    expect(window.locator("form").get_by_role("alert")).to_be_visible()
    assert minsu.get("operations?limit=1")["items"][0]["id"] == before
    # The first click after that shows the costs, the second one agrees to them.
    window.unroute(fast)
    window.get_by_role("button", name="Put it on sale").click()
    expect(fault).to_have_count(0)
    assert minsu.get("operations?limit=1")["items"][0]["id"] == before
    window.get_by_role("button", name="Put it on sale").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
