"""Each screen of the page's list opens by its address, keeps WCAG, and fits a phone in every language."""

import json
from pathlib import Path

import browsers
import pytest
import screens
from axe_playwright_python.sync_playwright import Axe

LANGUAGES = [file.stem for file in (Path(__file__).resolve().parents[2] / "Texts").glob("*.json")]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


def test_every_screen_has_an_entry():
    assert set(screens.paths()) == set(screens.ENTRIES)


@pytest.mark.parametrize("path", screens.paths())
def test_a_screen_opens_keeps_wcag_and_fits_a_phone(visit, seeds, path):
    who, address = screens.ENTRIES[path]
    window = visit(address(seeds), who=who, width=360, theme="dark")
    for language in LANGUAGES:
        window.evaluate("(tag) => localStorage.setItem('stoa.language', tag)", language)
        window.reload()
        browsers.settled(window)
        assert window.locator("html").get_attribute("lang") == language
        assert window.locator("h1").count() == 1
        assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), window.evaluate(browsers.OVERFLOW)
        check(window)
    window.set_viewport_size({"width": 1280, "height": 800})
    window.emulate_media(color_scheme="light")
    check(window)


def check(window):
    found = Axe().run(window, options=RULES).response["violations"]
    faults = [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
    assert not faults, json.dumps(faults, indent=1, ensure_ascii=False)


def test_an_address_without_a_screen_leads_back(visit):
    window = visit("/no/such/screen")
    browsers.settled(window)
    window.get_by_role("link", name="To the market").click()
    window.wait_for_selector(".card")
    assert window.evaluate("location.pathname") == "/"


def test_the_language_and_the_theme_are_kept(visit):
    window = visit("/settings")
    window.get_by_label("한국어").check(force=True)
    window.wait_for_selector("h1:has-text('설정')")
    window.get_by_label("어둡게").check(force=True)
    assert window.locator("html").get_attribute("data-theme") == "dark"
    window.reload()
    window.wait_for_selector("h1:has-text('설정')")
    assert window.locator("html").get_attribute("data-theme") == "dark"
