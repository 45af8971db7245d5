"""Texts of strangers: nothing in them runs or is loaded, and they do not break the layout of a phone."""

import browsers
import pytest
from playwright.sync_api import expect

MARKUP = "<img src=//evil.example/x onerror=alert(1)><a href=javascript:alert(1)>x</a>"
LONG = "W" * 60
COMBINING = "e" + "\u0301" * 30
HEBREW = "\u05e9\u05dc\u05d5\u05dd"


def show(window, path):
    """Shows a screen with the hostile texts, which must only be texts and leave the layout as it is."""
    window.goto(path)
    browsers.settled(window)
    expect(window.get_by_text(LONG[:40]).first).to_be_visible()
    assert window.locator("main a[href^='javascript'], main img[src*='evil'], main script").count() == 0
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, window.evaluate(browsers.OVERFLOW))


@pytest.fixture(scope="module")
def hostile(seeds):
    """A listing of somebody whose every text is hostile."""
    minsu = seeds.people["minsu"]
    minsu.ask("PUT", "profile", {"name": f"{MARKUP[:30]}{HEBREW}", "about": f"{MARKUP}\n{LONG * 5}{COMBINING}", "region": LONG[:40]})
    return seeds.sell("minsu", f"{LONG}{HEBREW}{MARKUP[:40]}", "art", 10**38 + 1, payment="direct", description=f"{MARKUP}\n{LONG * 60}\n{COMBINING * 20}",
                      tags=[LONG[:30].lower(), HEBREW], delivery="pickup", pickupPlace=MARKUP, shipsTo=[])


@pytest.mark.parametrize("width", [360, 1280])
def test_hostile_texts_are_only_texts_and_the_layout_holds(visit, seeds, hostile, width):
    ana = seeds.people["ana"]
    ana.wait("the profile is here", lambda: ana.get(f"profiles/{seeds.people['minsu'].address}")["region"] == LONG[:40])
    window = visit("/settings", width=width)
    window.on("dialog", lambda dialog: visit.faults.append(f"a dialog: {dialog.message}"))
    window.on("request", lambda request: "evil" in request.url and visit.faults.append(request.url))
    for path in ("/", "/search?search=WWW", f"/listings/{hostile}", f"/accounts/{seeds.people['minsu'].address}"):
        show(window, path)


def test_offers_for_hostile_texts_are_only_texts(visit, seeds, hostile):
    seeds.offer("bo", hostile, 10**37)
    window = visit("/offers", who="bo", width=360)
    window.on("request", lambda request: "evil" in request.url and visit.faults.append(request.url))
    for path in ("/offers", f"/listings/{hostile}/offer"):
        show(window, path)


@pytest.fixture(scope="module")
def hostile_course(seeds):
    """A course of the same kind, in which Bo has a seat."""
    listing = seeds.course("minsu", f"{LONG}{MARKUP[:30]}", description=MARKUP, tags=[LONG[:30].lower(), HEBREW], delivery="pickup",
                           pickupPlace=f"{MARKUP}{LONG[:40]}", curriculum=[{"title": MARKUP, "content": f"{LONG * 3}{COMBINING}"}])
    seeds.buy("bo", listing)
    return listing


@pytest.mark.parametrize("width", [360, 1280])
def test_hostile_texts_hold_in_cart_favourites_and_courses(visit, seeds, hostile, hostile_course, width):
    bo = seeds.people["bo"]
    bo.ask("PUT", f"cart/{hostile}", {"quantity": 1})
    bo.ask("PUT", f"favourites/{hostile}")
    window = visit("/settings", who="bo", width=width)
    window.on("dialog", lambda dialog: visit.faults.append(f"a dialog: {dialog.message}"))
    window.on("request", lambda request: "evil" in request.url and visit.faults.append(request.url))
    sale = seeds.sales[next(name for name, known in seeds.listings.items() if known == hostile_course)]
    for path in ("/cart", "/cart/checkout", "/favourites", "/courses", "/courses/mine", f"/listings/{hostile_course}", f"/sales/{sale}"):
        show(window, path)
