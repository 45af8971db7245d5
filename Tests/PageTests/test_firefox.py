"""Firefox plays the main path."""

import browsers
import pytest
from playwright.sync_api import expect


@pytest.fixture
def window(playwright, seeds):
    browser = browsers.firefox(playwright)
    window = browser.new_page(base_url=seeds.page())
    yield window
    browser.close()


def test_firefox_looks_around_signs_in_and_saves_a_favourite(window, seeds):
    window.goto("/")
    window.get_by_role("link", name="Red bicycle").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Red bicycle")
    window.evaluate(browsers.SIGN_IN, ["bo", seeds.PASSWORD])
    window.reload()
    window.get_by_role("button", name="Add to favourites").click()
    expect(window.get_by_role("button", name="A favourite")).to_be_visible()
    window.get_by_role("button", name="A favourite").click()
    expect(window.get_by_role("button", name="Add to favourites")).to_be_visible()
    # Typed letter by letter: a text that Playwright fills in at once comes with a loss of the focus here.
    window.get_by_role("combobox").first.press_sequentially("bic")
    window.get_by_role("option", name="bicycle").click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()
