"""An auction on the page: bidding, being outbid, its end for all who took part; and wrong paths."""

import datetime
import re

import browsers
import pytest
from playwright.sync_api import expect

ETHER = 10**18
TERMS = {"durationSeconds": 1200, "extensionSeconds": 60}


@pytest.fixture(scope="module")
def auctions(seeds):
    """Two auctions of Ana, and a second bidder."""
    seeds.guest("cho")
    titles = {"telescope": "Brass telescope", "drum": "Tin drum"}
    return {key: seeds.sell("ana", title, "home", ETHER // 10, pictures=1, payment="auction", auction=TERMS) for key, title in titles.items()}


def bid(window, amount):
    """Bids on the form, and waits until it is done."""
    window.get_by_label("Your bid").fill(amount)
    window.get_by_label("Country").select_option("DE")
    window.get_by_role("button", name="Bid", exact=True).click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)


def sale_of(seeds, listing):
    return seeds.people["bo"].get(f"listings/{listing}")["anchor"]["sale"]


def test_the_countdown_is_on_the_chain_s_clock(visit, auctions):
    window = visit(f"/listings/{auctions['telescope']}")
    expect(window.get_by_role("timer")).to_have_text(re.compile(r"^1\d min \d+ s$"))
    # A computer whose clock is a day ahead shows the same.
    window.clock.set_system_time(datetime.datetime.now() + datetime.timedelta(days=1))
    window.reload()
    expect(window.get_by_role("timer")).to_have_text(re.compile(r"^1\d min \d+ s$"))
    expect(window.get_by_text("First bid from")).to_be_visible()


# - From people: a bid that is no amount, then one below the lowest, then none for a country → each beside its field
def test_a_bid_that_is_not_taken_is_said_beside_its_field(visit, auctions):
    window = visit(f"/listings/{auctions['telescope']}", who="bo")
    window.get_by_role("link", name="Bid", exact=True).click()
    field = window.locator(".field", has=window.get_by_label("Your bid"))
    window.get_by_label("Your bid").fill("a lot")
    window.get_by_role("button", name="Bid", exact=True).click()
    expect(field.locator(".fault")).to_contain_text("Write an amount")
    window.get_by_label("Your bid").fill("0.01")
    window.get_by_role("button", name="Bid", exact=True).click()
    expect(field.locator(".fault")).to_have_text("The minimum bid is 0.1 ETH now.")
    expect(window.locator(".field", has=window.get_by_label("Country")).locator(".fault")).to_be_visible()
    assert window.evaluate("document.activeElement.name") == "bid"


def test_14_bids_appear_without_a_reload_and_an_outbid_one_is_raised(visit, seeds, auctions):
    listing = auctions["telescope"]
    anybody = visit(f"/listings/{listing}")
    cho = visit(f"/listings/{listing}", who="cho")
    cho.get_by_role("link", name="Bid", exact=True).click()
    bid(cho, "0.12")
    cho.get_by_role("link", name="To the sale").click()
    expect(cho.get_by_text("You lead")).to_be_visible()
    seeds.people["bo"].do("POST", "sales", {"listing": listing, "bid": str(13 * ETHER // 100), "shipTo": "DE"})
    expect(cho.get_by_text("You are outbid")).to_be_visible(timeout=30_000)
    expect(cho.get_by_text("Yours again: 0.12 ETH.")).to_be_visible()
    expect(cho.get_by_text("2 bids · next bid from 0.1365 ETH")).to_be_visible()
    # Somebody who has not bid sees it too.
    expect(anybody.get_by_text("2 bids · next bid from 0.1365 ETH")).to_be_visible(timeout=30_000)
    cho.get_by_role("link", name="Bid more").click()
    expect(cho.get_by_label("Pay with 0.12 ETH of my earlier bids")).to_be_checked()
    cho.get_by_label("Your bid").fill("0.2")
    # Only the difference leaves the account.
    expect(cho.locator(".deal-costs .costs").get_by_text("0.08 ETH").first).to_be_visible()
    expect(cho.locator(".deal-costs")).to_contain_text("0.12 ETH of it comes from your credit")
    bid(cho, "0.2")


def test_outbid_money_is_taken_back(visit, seeds, auctions):
    window = visit("/sales?list=bids", who="bo")
    expect(window.get_by_role("listitem").filter(has_text="Brass telescope").get_by_text("You are outbid")).to_be_visible(timeout=30_000)
    window.get_by_role("link", name="Brass telescope").click()
    window.get_by_role("button", name="Take it back").click()
    dialog = window.get_by_role("dialog")
    expect(dialog.get_by_text("0.13 ETH").first).to_be_visible()
    dialog.get_by_role("button", name="Collect").click()
    expect(window.get_by_text("It is done.")).to_be_visible(timeout=60_000)


def test_the_end_for_the_winner_the_others_and_the_seller(visit, seeds, auctions):
    sale, unsold = (sale_of(seeds, auctions[key]) for key in ("telescope", "drum"))
    cho, bo, ana = (visit(f"/sales/{sale}", who=name) for name in ("cho", "bo", "ana"))
    for window in (cho, bo, ana):
        expect(window.get_by_role("heading", name="Bidding runs")).to_be_visible()
        # An auction has no dispute and no arbiter.
        expect(window.get_by_text(re.compile("dispute|arbiter", re.IGNORECASE))).to_have_count(0)
    end = max(seeds.people["bo"].get(f"sales/{one}")["auction"]["endsAt"] for one in (sale, unsold))
    seeds.chain.call("evm_mine", int(datetime.datetime.fromisoformat(end.replace("Z", "+00:00")).timestamp()) + 1)
    expect(cho.get_by_text("You have won")).to_be_visible(timeout=60_000)
    expect(bo.get_by_text("You did not win")).to_be_visible(timeout=60_000)
    # 13: what the winner has to do stands first.
    expect(cho.locator(".turn").get_by_role("heading")).to_have_text("Tell the seller where to send it", timeout=60_000)
    cho.get_by_role("button", name="Tell the seller where to send it").click()
    dialog = cho.get_by_role("dialog")
    dialog.get_by_label("Delivery address").fill("Cho Park, Hauptstr. 9, 10115 Berlin")
    dialog.get_by_role("button", name="Tell the seller where to send it").click()
    expect(ana.get_by_text("Cho Park, Hauptstr. 9")).to_be_visible(timeout=60_000)
    seeds.people["ana"].sees(sale, "sold")
    ana.get_by_role("button", name="Say that it was sent").click()
    dialog = ana.get_by_role("dialog")
    dialog.get_by_label("Note to the buyer").fill("DHL 0077")
    dialog.get_by_role("button", name="Say that it was sent").click()
    expect(cho.get_by_text("DHL 0077")).to_be_visible(timeout=60_000)
    seeds.people["ana"].sees(unsold, "unsold")
    ana.goto(f"/sales/{unsold}")
    expect(ana.locator(".turn").get_by_role("heading")).to_have_text("Unsold")
    browsers.settled(ana)
    expect(ana.get_by_role("list", name="How far the sale is").get_by_text("Unsold")).to_be_visible()
