"""Digital works: bought, released, delivered and fetched; and wrong paths."""

import pytest
from playwright.sync_api import expect

ETHER = 10**18
SONG = "Song of the kettle"
TEXT = ("la " * 40_000).encode()


@pytest.fixture(scope="module")
def song(seeds):
    """A file that is sold by escrow, so that its seller releases it."""
    return seeds.buy("bo", seeds.work("ana", SONG, TEXT, name="Lied%20%E2%99%AB.txt", price=ETHER // 100, payment="escrow"))


def get(window, title=None):
    """Presses the button, of a row if it is named; returns the name and the bytes of the file."""
    place = window if title is None else window.get_by_role("listitem").filter(has_text=title)
    with window.expect_download() as download:
        place.get_by_role("button", name="Get the file").click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def test_a_file_that_was_bought_directly_is_fetched_under_its_name(visit, seeds):
    window = visit("/account", who="bo")
    window.get_by_role("link", name="Bought files").click()
    line = window.get_by_role("listitem").filter(has_text="Rain on the roof")
    expect(line.get_by_text("rain.txt").first).to_be_visible(timeout=30_000)
    assert get(window, "Rain on the roof") == ("rain.txt", b"plip plop")
    expect(window.get_by_text("rain.txt is in your downloads.")).to_be_visible()
    line.get_by_role("link", name="Rain on the roof", exact=True).click()
    expect(window.get_by_role("heading", name="The file")).to_be_visible()
    expect(window.get_by_role("link", name="Sell it again")).to_have_attribute("href", f"/sell?sale={seeds.sales['Rain on the roof']}")


def test_13_and_14_the_seller_releases_a_file_and_the_buyer_gets_it(visit, seeds, song):
    bo = visit(f"/sales/{song}", who="bo")
    expect(bo.get_by_text("The seller has to release the file.")).to_be_visible()
    expect(bo.get_by_role("button", name="Get the file")).to_have_count(0)
    ana = visit(f"/sales/{song}", who="ana")
    expect(ana.locator(".turn").get_by_role("heading")).to_have_text("It is your turn")
    ana.get_by_role("button", name="Release the file").click()
    ana.get_by_role("dialog").get_by_role("button", name="Release the file").click()
    expect(ana.get_by_text("Your node sends the key to the buyer by itself")).to_be_visible(timeout=60_000)
    # Without a reload.
    expect(bo.get_by_text("Lied ♫.txt").first).to_be_visible(timeout=60_000)
    assert get(bo) == ("Lied ♫.txt", TEXT)
    bo.goto("/works")
    names = []
    bo.on("download", lambda download: names.append(download.suggested_filename))
    bo.get_by_role("button", name="Get all files").click()
    for name in ("Lied ♫.txt", "rain.txt"):
        expect(bo.get_by_text(f"{name} is in your downloads.")).to_be_visible()
    assert sorted(names) == ["Lied ♫.txt", "rain.txt"]


def test_16_a_download_that_fails_says_so_until_it_works(visit, seeds):
    window = visit("/works", who="bo")
    visit.expected.append("Failed to load resource")
    window.route("**/work?**", lambda route: route.abort())
    line = window.get_by_role("listitem").filter(has_text="Rain on the roof")
    line.get_by_role("button", name="Get the file").click()
    expect(line.get_by_text("The node does not answer.")).to_be_visible()
    window.unroute("**/work?**")
    with window.expect_download():
        line.get_by_role("button", name="Try again").click()
    expect(line.get_by_text("The node does not answer.")).to_have_count(0)


def test_who_bought_no_file_is_led_to_some(visit, seeds):
    window = visit("/works", who="ana")
    expect(window.get_by_role("heading", name="You have bought no files")).to_be_visible()
    window.get_by_role("main").get_by_role("link", name="Digital works").click()
    expect(window.get_by_role("link", name="Rain on the roof")).to_have_count(0)
