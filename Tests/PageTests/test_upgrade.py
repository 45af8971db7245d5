"""A node that is replaced by one with another page while this one is open."""

import re
from pathlib import Path

import browsers
import pytest
from playwright.sync_api import expect

BUILT = Path(__file__).resolve().parents[2] / ".build" / "page"


@pytest.fixture(scope="module")
def other_page(tmp_path_factory):
    """The page's files as another version has them: with other hashes in their names."""
    folder = tmp_path_factory.mktemp("page")
    hashed = {file.name: re.sub(r"-([A-Z0-9]{8})\.", lambda found: f"-{found[1][::-1]}.", file.name) for file in (BUILT / "assets").iterdir()}
    assert all(old != new for old, new in hashed.items())
    for file in (one for one in BUILT.rglob("*") if one.is_file()):
        there = folder / file.relative_to(BUILT).with_name(hashed.get(file.name, file.name))
        there.parent.mkdir(exist_ok=True)
        content = file.read_bytes()
        if file.suffix in {".js", ".css", ".html"}:
            content = re.sub(rb"[\w.]+-[A-Z0-9]{8}\.\w+", lambda found: hashed.get(found[0].decode(), found[0].decode()).encode(), content)
        there.write_bytes(content)
    return folder


@pytest.fixture
def upgrade(seeds, other_page):
    """Replaces the first node by one with another page."""
    yield lambda: seeds.configure(1, STOA_PAGE_FOLDER=str(other_page))
    seeds.settings.pop("STOA_PAGE_FOLDER", None)
    seeds.configure(1)


def script_of(window):
    return window.locator("script[type=module]").get_attribute("src")


def test_8_23_a_form_survives_a_new_version_that_is_said(visit, seeds, upgrade):
    visit.expected += ["Failed to load resource", "WebSocket connection"]
    window = visit("/sell", who="ana")
    window.get_by_label("Title").fill("Half a bottle")
    window.get_by_label("Price").fill("0.02")
    window.evaluate("window.isSame = true")
    old = script_of(window)
    upgrade()
    expect(window.get_by_text("The node has a newer page.")).to_be_visible()
    # A node forgets its sessions when it ends; the form waits for the next one.
    expect(window.get_by_role("heading", name="Your session has ended")).to_be_visible()
    assert window.evaluate("window.isSame") and script_of(window) == old
    window.locator("main").get_by_role("link", name="Sign in").click()
    window.get_by_label("Name of the account").fill("ana")
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.get_by_role("button", name="Sign in").click()
    expect(window.get_by_label("Title")).to_have_value("Half a bottle")
    expect(window.get_by_label("Price")).to_have_value("0.02")
    assert script_of(window) != old
    expect(window.get_by_text("The node has a newer page.")).to_have_count(0)


def test_23_a_screen_that_was_not_loaded_comes_from_the_new_version(visit, upgrade):
    visit.expected += ["Failed to load resource", "Failed to fetch dynamically imported module"]
    window = visit("/settings")
    browsers.settled(window)
    old = script_of(window)
    upgrade()
    window.get_by_role("link", name="Licences").click()
    expect(window.get_by_role("heading", name="Licences", level=1)).to_be_visible()
    assert script_of(window) != old
    window.go_back()
    expect(window.get_by_role("heading", name="Settings", level=1)).to_be_visible()


def test_23_another_language_that_the_node_no_longer_has_is_said(visit, upgrade):
    visit.expected += ["Failed to load resource", "Failed to fetch dynamically imported module"]
    window = visit("/settings")
    browsers.settled(window)
    upgrade()
    window.get_by_label("한국어").check(force=True)
    expect(window.get_by_text("The node has a newer page.")).to_be_visible()
    expect(window.get_by_text("Some texts of the page could not be loaded.")).to_be_visible()
    window.get_by_role("button", name="Reload the page").first.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("설정")
