"""The seller's ways on the page with what is listed, or not yet: drafts, edits, another price, sharing, selling again."""

import subprocess

import browsers
from playwright.sync_api import expect

ETHER = 10**18


def agree(window, name):
    window.get_by_role("dialog").get_by_role("button", name=name).click()
    expect(window.get_by_text("It is done.")).to_be_visible(timeout=60_000)


def test_several_drafts_are_kept_gone_on_with_and_removed(visit):
    window = visit("/sell", who="minsu", node=1)
    window.get_by_label("Title", exact=True).fill("Half a chair")
    window.get_by_label("Price").fill("0.3")
    window.get_by_role("button", name="Save as a draft").click()
    window.get_by_label("Name of the draft").fill("")
    window.get_by_role("button", name="Save", exact=True).click()
    expect(window.get_by_text("Give it a name.")).to_be_visible()
    window.get_by_label("Name of the draft").fill("chair")
    window.get_by_role("button", name="Save", exact=True).click()
    expect(window).to_have_url(f"{visit.seeds.page(1)}/sell?draft=chair")
    window.get_by_label("Description").fill("With three legs.")
    window.get_by_role("button", name="Save as a draft").click()
    expect(window.get_by_text("The draft is saved.")).to_be_visible()
    window.goto("/sell")
    expect(window.get_by_label("Title", exact=True)).to_have_value("")
    window.get_by_label("Title", exact=True).fill("A lamp")
    window.get_by_role("button", name="Save as a draft").click()
    window.get_by_label("Name of the draft").fill("chair")
    window.get_by_role("button", name="Save", exact=True).click()
    expect(window.get_by_text("You have a draft with this name.")).to_be_visible()
    window.get_by_label("Name of the draft").fill("lamp")
    window.get_by_role("button", name="Save", exact=True).click()
    expect(window).to_have_url(f"{visit.seeds.page(1)}/sell?draft=lamp")
    window.get_by_role("link", name="My listings").click()
    window.get_by_role("link", name="Drafts").click()
    window.get_by_role("button", name="Remove lamp").click()
    window.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(window.get_by_role("link", name="lamp")).to_have_count(0)
    window.get_by_role("link", name="chair").click()
    expect(window.get_by_label("Description")).to_have_value("With three legs.")
    expect(window.get_by_label("Price")).to_have_value("0.3")


def test_a_draft_is_gone_once_it_is_listed(visit):
    window = visit("/sell", who="minsu", node=1)
    for label, value in (("Title", "Clay jug"), ("Description", "Burnt twice."), ("Identifier", "jug 1"), ("Tags", "clay"), ("Price", "0.02")):
        window.get_by_label(label, exact=True).fill(value)
    window.get_by_label("Category").select_option("home")
    window.get_by_role("button", name="Save as a draft").click()
    window.get_by_role("button", name="Save", exact=True).click()
    expect(window).to_have_url(f"{visit.seeds.page(1)}/sell?draft=Clay+jug")
    window.get_by_role("button", name="See the preview").click()
    window.get_by_role("button", name="Put it on sale").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    window.goto("/selling?list=drafts")
    expect(window.locator(".rows, .empty")).to_be_visible()
    expect(window.get_by_role("link", name="Clay jug")).to_have_count(0)


def test_words_and_pictures_are_edited_and_the_rest_is_fixed(visit, seeds):
    listing = seeds.sell("ana", "Blue vase", "home", ETHER // 50, pictures=1)
    window = visit(f"/listings/{listing}", who="ana")
    visit.expected.append("Failed to load resource")
    window.get_by_role("link", name="Edit").click()
    expect(window.get_by_text("What the sale holds stays as it was listed")).to_be_visible()
    window.get_by_label("Title", exact=True).fill("")
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_text("Fill this in.")).to_be_visible()
    window.get_by_label("Title", exact=True).fill("Dark blue vase")
    window.locator(".pictures input[type=file]").set_input_files([browsers.picture("more.png", 3)])
    expect(window.locator(".picture-entry img")).to_have_count(2)
    window.get_by_role("button", name="See the preview").click()
    agree(window, "Change it")
    window.goto(f"/listings/{listing}")
    expect(window.get_by_role("heading", level=1)).to_have_text("Dark blue vase")
    expect(window.locator(".thumb")).to_have_count(2)
    other = visit(f"/listings/{listing}/edit", who="bo")
    expect(other.get_by_text("This is not your listing")).to_be_visible()


def test_another_price_shows_both_deposits_and_keeps_the_listing(visit, seeds):
    listing = seeds.sell("ana", "Tin box", "home", ETHER // 50)
    window = visit(f"/listings/{listing}", who="ana")
    window.get_by_role("button", name="Change the price").click()
    for typed, fault in (("a lot", "Write an amount"), ("0.02", "This is the price already.")):
        window.get_by_label("New price").fill(typed)
        window.get_by_role("button", name="See the preview").click()
        expect(window.get_by_text(fault)).to_be_visible()
    window.get_by_label("New price").fill("0.03")
    window.get_by_role("button", name="See the preview").click()
    dialog = window.get_by_role("dialog")
    # The new deposit leaves, and the old one comes back.
    expect(dialog.get_by_text("0.06 ETH").first).to_be_visible()
    expect(dialog.get_by_text("0.04 ETH").first).to_be_visible()
    agree(window, "Change the price")
    window.goto(f"/listings/{listing}")
    expect(window.locator(".price").first).to_have_text("0.03 ETH")
    window.get_by_role("button", name="Withdraw").click()
    agree(window, "Withdraw")


def test_12_the_code_of_a_listing_is_read_back(visit, seeds, tmp_path):
    listing = seeds.listings["Red bicycle"]
    window = visit(f"/listings/{listing}", who="bo")
    window.get_by_role("button", name="Share").click()
    dialog = window.get_by_role("dialog")
    link = f"stoa:listing/{listing}"
    expect(dialog.locator(".share-text")).to_contain_text("Red bicycle")
    expect(dialog.locator(".share-text")).to_contain_text(link)
    dialog.get_by_role("img").screenshot(path=tmp_path / "code.png")
    read = subprocess.run(["zbarimg", "--quiet", "--raw", tmp_path / "code.png"], capture_output=True, text=True, check=True)
    assert read.stdout.strip() == link


def test_a_similar_one_begins_with_the_words_of_a_listing(visit, seeds):
    window = visit(f"/listings/{seeds.listings['Red bicycle']}", who="ana")
    window.get_by_role("link", name="Sell a similar one").click()
    expect(window.get_by_label("Title", exact=True)).to_have_value("Red bicycle")
    expect(window.get_by_label("Identifier", exact=True)).to_have_value("")
    expect(window.locator(".picture-entry img")).to_have_count(2)


def test_what_was_bought_is_sold_again_and_its_identifier_stays(visit, seeds):
    sale = seeds.buy("bo", seeds.sell("ana", "Silver ring", "jewellery", ETHER // 50, payment="direct", pictures=1))
    window = visit(f"/sales/{sale}", who="bo")
    window.get_by_role("link", name="Sell it again").click()
    expect(window.get_by_text("You are reselling what you bought.")).to_be_visible()
    expect(window.get_by_label("Title", exact=True)).to_have_value("Silver ring")
    expect(window.get_by_label("Identifier", exact=True)).to_have_count(0)
    window.get_by_label("Price", exact=True).fill("0.03")
    window.get_by_role("button", name="See the preview").click()
    window.get_by_role("button", name="Put it on sale").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    window.get_by_role("link", name="To the listing").click()
    expect(window.get_by_text("This is a resale. First made by:")).to_be_visible()


def test_what_ended_without_a_buyer_is_listed_again(visit, seeds):
    listing = seeds.sell("ana", "Copper pan", "home", ETHER // 50)
    ana = seeds.people["ana"]
    ana.do("POST", f"sales/{ana.get(f'listings/{listing}')['anchor']['sale']}/moves", {"move": "abort"})
    window = visit("/selling?list=over", who="ana")
    window.get_by_role("link", name="Copper pan").click()
    window.get_by_role("button", name="List it again").click()
    agree(window, "List it again")
    window.goto("/selling")
    expect(window.locator("li", has=window.get_by_role("link", name="Copper pan"))).to_contain_text("For sale")
