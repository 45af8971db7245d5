"""Places on the page: a town is typed and chosen, or a point on a map; nobody types degrees."""

import re

import browsers
import test_screens
from playwright.sync_api import expect

POTSDAM = {"metres": 50_000, "place": "Potsdam", "point": {"latitude": 52.4, "longitude": 13.06}}


def side(window):
    return window.locator(".results-side")


def test_a_town_is_chosen_with_the_keyboard_and_searched_near(visit, seeds):
    seeds.sell("minsu", "Green boat", "sports", 10**17, shipsTo=[], shipsWithin=POTSDAM)
    window = visit("/search")
    field = side(window).get_by_label("Town")
    field.press_sequentially("berl")
    expect(window.get_by_role("option", name="Berlin, Germany", exact=True)).to_be_visible()
    test_screens.check(window)
    field.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", re.compile("-0$"))
    field.press("Enter")
    expect(field).to_have_value("Berlin, Germany")
    side(window).get_by_label("At most this far").select_option("50")
    side(window).get_by_role("button", name="Show what is near").press("Enter")
    expect(window.locator(".card")).to_have_count(1)
    expect(window.get_by_text(re.compile(r"^2\d km away$"))).to_be_visible()
    expect(window.get_by_label("Order")).to_have_value("nearest")
    window.get_by_role("link", name="Within 50 km of Berlin, Germany Remove").click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()
    assert "within" not in window.url and "nearest" not in window.url


def test_a_town_is_found_by_its_korean_name(visit):
    window = visit("/search", language="ko-KR")
    side(window).get_by_label("도시").fill("서우")
    window.get_by_role("option", name="서울, 대한민국").click()
    expect(side(window).get_by_label("도시")).to_have_value("서울, 대한민국")


# - From people: a search near a town without a town, or with an unknown one → the fault beside its field
def test_a_place_that_is_no_town_is_said_beside_its_field(visit):
    window = visit("/search")
    side(window).get_by_label("Town").fill("qqqq")
    expect(window.get_by_text("No town of this name is known.")).to_be_visible()
    side(window).get_by_role("button", name="Show what is near").click()
    expect(window.get_by_text("Choose a town from the list, or on the map.")).to_be_visible()
    assert window.evaluate("document.activeElement.getAttribute('role')") == "combobox"
    window.goto("/search?near=1000,here&within=x&sort=nearest")
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


def test_a_point_is_chosen_on_the_map_with_the_pointer(visit):
    window = visit("/search")
    side(window).get_by_role("button", name="Choose on a map").click()
    world = window.get_by_role("img", name="Map of the world")
    box = world.bounding_box()
    world.click(position={"x": box["width"] * 0.853, "y": box["height"] * 0.33})
    expect(window.get_by_text(re.compile("^Nearest town: .*South Korea$"))).to_be_visible()
    for _ in range(2):
        world.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    expect(world.locator(".nearest")).to_have_count(1)
    test_screens.check(window)
    window.get_by_role("button", name="Use this town").click()
    expect(side(window).get_by_label("Town")).to_have_value(re.compile("South Korea$"))


def test_the_map_is_used_with_the_keyboard_on_a_phone(visit):
    window = visit("/sell", who="minsu", node=1, width=360)
    window.get_by_label("Only around a town").check(force=True)
    window.get_by_role("button", name="Choose on a map").press("Enter")
    for name in ("East", "North", "Closer", "South", "West", "Farther away"):
        window.get_by_role("button", name=name, exact=True).press("Enter")
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), window.evaluate(browsers.OVERFLOW)
    window.get_by_role("button", name="Use this point").press("Enter")
    expect(window.get_by_label("Town", exact=True)).not_to_have_value("")
    test_screens.check(window)


def test_a_seller_ships_around_a_town_or_names_where_to_collect(visit):
    window = visit("/sell", who="minsu", node=1)
    visit.expected.append("Failed to load resource")
    for label, text in (("Title", "Yellow lamp"), ("Description", "It works."), ("Identifier", "lamp of places"), ("Tags", "lamp"), ("Price", "0.1")):
        window.get_by_label(label).fill(text)
    window.get_by_label("Category").select_option("home")
    window.get_by_label("Only around a town").check(force=True)
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_text("Choose a town from the list, or on the map.")).to_be_visible()
    window.get_by_label("Town", exact=True).fill("potsd")
    window.get_by_role("option", name="Potsdam, Brandenburg, Germany").click()
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_text("within 50 km of Potsdam, Brandenburg, Germany")).to_be_visible()
    window.get_by_role("button", name="Back to the form").click()
    window.get_by_label("Pickup", exact=True).check(force=True)
    window.get_by_label("Pickup place").fill("The mill, Potsdam")
    expect(window.get_by_label("Pickup place")).to_have_value("The mill, Potsdam")
