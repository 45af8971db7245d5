"""Arbiters on the page: registering, a case with both sides' words, and the decision; and wrong paths."""

import pytest
from playwright.sync_api import expect

ETHER = 10**18


@pytest.fixture(scope="module")
def judge(seeds):
    return seeds.guest("judge")


# - From people: a fee that is no amount and a time that is none → both beside their fields
def test_5_a_registration_that_is_not_taken_is_said_beside_its_fields(visit, judge):
    visit.expected.append("Failed to load resource")
    window = visit("/arbiter", who="judge")
    window.get_by_label("Lowest fee for a dispute").fill("little")
    window.get_by_label("For how long").fill("for ever")
    window.get_by_role("button", name="See the preview").click()
    for name in ("Lowest fee for a dispute", "For how long"):
        expect(window.locator(".field", has=window.get_by_label(name)).locator(".fault")).to_be_visible()
    window.get_by_label("Lowest fee for a dispute").fill("0.001")
    window.get_by_label("For how long").fill("9000")
    window.get_by_role("button", name="See the preview").click()
    expect(window.locator(".field", has=window.get_by_label("For how long")).locator(".fault")).to_contain_text("at most 3,650 days")


def test_a_dispute_is_taken_and_decided_by_clicks_alone(visit, seeds, judge):
    window = visit("/account", who="judge")
    window.get_by_role("link", name="Arbiter").click()
    window.get_by_label("Lowest fee for a dispute").fill("0.001")
    window.get_by_role("button", name="See the preview").click()
    dialog = window.get_by_role("dialog")
    expect(dialog.get_by_text("for a fee of at least 0.001 ETH each")).to_be_visible()
    dialog.get_by_role("button", name="Register as an arbiter").click()
    expect(window.get_by_text("It is done.")).to_be_visible(timeout=60_000)
    ana, bo = seeds.people["ana"], seeds.people["bo"]
    lamp = seeds.sell("ana", "Copper lamp", "home", ETHER // 10, terms={"arbiter": judge.address, "arbiterFee": str(ETHER // 1000)})
    sale = seeds.buy("bo", lamp)
    ana.sees(sale, "paid")
    ana.move(sale, "transfer", note="DHL 0034, in good order")
    bo.sees(sale, "transferred")
    bo.move(sale, "dispute", note="The shade is broken.", pictures=[seeds.picture(bo, 2)])
    judge.sees(sale, "disputed")
    window.goto("/arbiter")
    expect(window.get_by_text("Fee from 0.001 ETH")).to_be_visible()
    window.get_by_role("link", name="Copper lamp").click()
    expect(window.locator(".turn").get_by_role("heading")).to_have_text("You can take this dispute")
    window.get_by_role("button", name="Take the dispute").click()
    window.get_by_role("dialog").get_by_role("button", name="Take the dispute").click()
    # Both sides' words and pictures.
    expect(window.get_by_text("The shade is broken.")).to_be_visible(timeout=90_000)
    expect(window.get_by_text("DHL 0034, in good order")).to_be_visible(timeout=60_000)
    expect(window.get_by_role("button", name="Enlarge: Picture 1")).to_be_visible(timeout=60_000)
    seller = visit(f"/sales/{sale}", who="ana")
    window.get_by_role("button", name="Decide the dispute").click(timeout=60_000)
    dialog = window.get_by_role("dialog")
    dialog.get_by_role("slider").fill("3000")
    expect(dialog.get_by_text("the seller gets 30 % (0.03 ETH), the buyer 70 % (0.07 ETH)")).to_be_visible()
    expect(dialog.get_by_text("the arbiter 0.001 ETH")).to_be_visible()
    dialog.get_by_label("Note to both sides").fill("It was packed badly.")
    dialog.get_by_role("button", name="Decide the dispute").click()
    expect(window.locator(".turn").get_by_role("heading")).to_have_text("Ruled by the arbiter", timeout=60_000)
    # 14: the seller sees it without a reload.
    expect(seller.locator(".turn").get_by_role("heading")).to_have_text("Ruled by the arbiter", timeout=60_000)
    expect(seller.get_by_text("It was packed badly.")).to_be_visible(timeout=60_000)


def test_an_arbiter_resigns(visit, judge):
    window = visit("/arbiter", who="judge")
    window.get_by_role("button", name="Resign").click()
    window.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(window.get_by_text("It is done.")).to_be_visible(timeout=60_000)
    window.goto("/arbiter")
    expect(window.get_by_role("heading", name="Become an arbiter")).to_be_visible()
