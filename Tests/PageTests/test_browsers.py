"""The browsers that the other tests drive start, and their versions tell a change of theirs from a fault of the page."""

import browsers
import pytest


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_browser_starts_and_names_its_version(playwright, name):
    browser = getattr(browsers, name)(playwright)
    try:
        window = browser.new_page()
        window.set_content("<p>ready</p>")
        assert window.inner_text("p") == "ready"
        print(f"{name} {browser.version}")
    finally:
        browser.close()
