"""Looking for something on the page: what others' users complained about elsewhere, and wrong paths."""

import browsers
from playwright.sync_api import expect


def test_1_look_around_without_an_account(visit, seeds):
    window = visit("/")
    window.get_by_role("link", name="Red bicycle").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Red bicycle")
    window.get_by_role("link", name="Ana Kim").click()
    expect(window.get_by_text("I mend bicycles.")).to_be_visible()
    window.go_back()
    window.get_by_role("link", name="Sports and bicycles").click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


def test_4_the_deposit_is_said_in_this_sale_s_amounts_before_the_form(visit, seeds):
    window = visit(f"/listings/{seeds.listings['Red bicycle']}")
    expect(window.get_by_text("You pay 1 ETH: the price of 0.5 ETH and your deposit of 0.5 ETH.")).to_be_visible()


def test_14_a_new_listing_appears_without_a_reload(visit, seeds):
    window = visit("/", who="bo")
    browsers.settled(window)
    window.evaluate("window.isSame = true")
    seeds.sell("minsu", "Brass lamp", "home", 10**17)
    expect(window.get_by_role("link", name="Brass lamp")).to_be_visible(timeout=15_000)
    assert window.evaluate("window.isSame")


def test_21_an_error_stands_in_place_of_a_spinner(visit, seeds):
    window = visit("/settings")
    visit.expected.append("Failed to load resource")
    window.route("**/v1/rows?**", lambda route: route.abort())
    window.get_by_role("link", name="Stoa", exact=True).click()
    expect(window.get_by_text("The node does not answer.")).to_be_visible()
    window.unroute("**/v1/rows?**")
    window.get_by_role("button", name="Try again").click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


def test_22_an_empty_search_says_why_and_undoes_it(visit, seeds):
    window = visit("/search?category=sports&payment=direct")
    expect(window.get_by_role("heading", name="Nothing found")).to_be_visible()
    expect(window.get_by_text("Filters are set.")).to_be_visible()
    window.get_by_role("link", name="Remove all filters").last.click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


def test_22_a_misspelt_word_is_said(visit, seeds):
    window = visit("/search?search=bicicle")
    expect(window.get_by_text("Shown instead: bicycle")).to_be_visible()


def test_suggestions_are_chosen_with_the_keyboard(visit, seeds):
    window = visit("/")
    field = window.get_by_role("combobox").first
    field.fill("bic")
    expect(window.get_by_role("option", name="bicycle")).to_be_visible()
    field.press("ArrowDown")
    field.press("Enter")
    expect(window.get_by_role("heading", level=1)).to_have_text("Search for “bicycle”")
    assert window.evaluate("document.activeElement.tagName") == "H1"


def test_a_facet_narrows_and_is_undone(visit, seeds):
    window = visit("/search")
    window.locator(".results-side").get_by_role("link", name="Books and magazines").click()
    expect(window.locator(".card")).to_have_count(1)
    window.get_by_role("link", name="Books and magazines Remove").click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


# - From people: a price that is not a number → the fault beside its field, which has the focus
def test_a_wrong_price_is_said_beside_its_field(visit, seeds):
    window = visit("/search")
    window.get_by_label("From", exact=True).fill("0,5")
    window.get_by_label("To", exact=True).fill("much")
    window.get_by_role("button", name="Apply").click()
    expect(window.get_by_text("Write an amount with digits and a point, such as 0.5.")).to_have_count(2)
    assert window.evaluate("document.activeElement.name") == "priceMin"
    window.get_by_label("From", exact=True).fill("0.3")
    window.get_by_label("To", exact=True).fill("0.6")
    window.get_by_role("button", name="Apply").click()
    expect(window.locator(".card")).to_have_count(1)
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


# - From people: a saved search without a name → the fault beside its field
def test_a_search_is_saved_found_again_and_removed(visit, seeds):
    window = visit("/search?search=bicycle", who="bo")
    window.get_by_role("button", name="Save this search").click()
    window.get_by_label("Name of the search").fill("")
    window.get_by_role("button", name="Save", exact=True).click()
    expect(window.get_by_text("Give it a name.")).to_be_visible()
    window.get_by_label("Name of the search").fill("bicycles")
    window.get_by_role("button", name="Save", exact=True).click()
    window.get_by_role("link", name="Saved searches").click()
    window.get_by_role("link", name="bicycles").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Search for “bicycle”")
    window.go_back()
    window.get_by_role("button", name="Remove").click()
    expect(window.get_by_text("No saved searches yet")).to_be_visible()


def test_a_favourite_stays_one_after_a_reload(visit, seeds):
    window = visit(f"/listings/{seeds.listings['Five novels']}", who="bo")
    window.get_by_role("button", name="Add to favourites").click()
    expect(window.get_by_role("button", name="A favourite")).to_be_visible()
    browsers.settled(window)
    window.reload()
    expect(window.get_by_role("button", name="A favourite")).to_be_visible()
    window.get_by_role("button", name="A favourite").click()
    expect(window.get_by_role("button", name="Add to favourites")).to_be_visible()


# - From people: an address of a listing that is not here → that it is not here, with a way on
def test_a_listing_that_is_not_here_says_so(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit(f"/listings/{seeds.people['ana'].address}.{'0' * 64}")
    expect(window.get_by_role("heading", name="This listing is not here")).to_be_visible()
    window.get_by_role("link", name="All listings").click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


def test_an_identifier_shows_who_offers_it(visit, seeds):
    window = visit("/check")
    window.get_by_role("button", name="Check").click()
    expect(window.get_by_text("Type the identifier.")).to_be_visible()
    window.get_by_label("Identifier").fill("Serial 0")
    window.get_by_role("button", name="Check").click()
    expect(window.get_by_role("heading", name="Listings with this identifier")).to_be_visible()
    window.get_by_label("Identifier").fill("nothing like it")
    window.get_by_role("button", name="Check").click()
    expect(window.get_by_text("No listing and no token here states this identifier.")).to_be_visible()


def test_a_stranger_s_markup_is_only_text(visit, seeds):
    title = "<img src=x onerror=alert(1)> {count} javascript:alert(1)"
    seeds.sell("minsu", title, "art", 10**17, description="<script>document.title = 'taken'</script>\n[a](javascript:alert(1))")
    window = visit("/")
    window.on("dialog", lambda dialog: visit.faults.append(f"a dialog: {dialog.message}"))
    window.get_by_role("link", name=title).click()
    expect(window.get_by_role("heading", level=1)).to_have_text(title)
    expect(window.get_by_text("<script>document.title")).to_be_visible()
    assert window.locator("main img[src='x'], main script").count() == 0
    assert window.title() == f"{title} · Stoa"
