"""A market of two nodes with a few listings, and browsers, that the tests of the page share."""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "Scripts" / "play")]

import browsers  # noqa: E402
from seeds import Seeds  # noqa: E402

PROGRAM = os.environ.get("STOA_PROGRAM", str(ROOT / ".build" / "debug" / "stoa"))


def pytest_configure(config):
    config.addinivalue_line("markers", "long: it runs only if STOA_LONG_TESTS is set, as Scripts/check page does")


def pytest_collection_modifyitems(config, items):
    if "STOA_LONG_TESTS" in os.environ:
        return
    late = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=late)
    items[:] = [item for item in items if item not in late]


@pytest.fixture(scope="session")
def seeds():
    """The market: two nodes, accounts with money, and things on sale."""
    # Keystores that open at once: passwords are not what is tried here.
    os.environ["STOA_KEYSTORE_SCRYPT_COST"] = "1024"
    with tempfile.TemporaryDirectory(prefix="stoa-page-") as folder, Seeds(PROGRAM, folder) as seeds:
        yield seeds


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    browser = browsers.chromium(playwright)
    yield browser
    browser.close()


@pytest.fixture
def visit(chromium, seeds):
    """Opens windows of the page; each must end without a fault in the console."""
    visits = browsers.Visits(chromium, seeds)
    yield visits
    visits.end()
