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


@pytest.mark.long
@pytest.mark.parametrize("path", screens.paths())
def test_24_the_keyboard_reaches_everything_and_large_text_fits(visit, seeds, path):
    who, address = screens.ENTRIES[path]
    window = visit(address(seeds), who=who)
    browsers.settled(window)
    wanted = window.evaluate(FOCUSABLE)
    assert wanted > 5
    reached = set()
    for _ in range(wanted + 30):
        window.keyboard.press("Tab")
        number, is_seen = window.evaluate(FOCUSED)
        assert number < 0 or is_seen, window.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        reached.add(number)
    assert reached >= set(range(wanted)), window.evaluate(MISSED, sorted(reached))
    window.evaluate("document.documentElement.style.fontSize = '200%'")
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), window.evaluate(browsers.OVERFLOW)


# Of radio buttons with one name the Tab key reaches one: the others belong to the arrow keys.
LISTED = """const listed = () => {
  const names = new Set();
  return [...document.querySelectorAll("a[href], button:not(:disabled), input, select, textarea, [tabindex='0']")].filter((one) => {
    if (one.getClientRects().length === 0 || one.closest("[inert], details:not([open]) > :not(summary)")) return false;
    if (one.type !== "radio") return true;
    const group = [...document.getElementsByName(one.name)];
    return one.checked || (!group.some((other) => other.checked) && one === group[0]);
  });
};"""
FOCUSABLE = f"() => {{ {LISTED} return listed().length; }}"
FOCUSED = f"""() => {{ {LISTED}
  const focused = document.activeElement;
  const shown = focused.matches(".unseen") ? focused.closest("label") : focused;
  return [listed().indexOf(focused), getComputedStyle(shown).outlineStyle !== "none"];
}}"""
MISSED = f"(reached) => {{ {LISTED} return listed().filter((_, index) => !reached.includes(index)).map((one) => one.outerHTML.slice(0, 120)); }}"
