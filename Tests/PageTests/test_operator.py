"""The link of 'stoa node page', which opens the page as the operator."""

import pytest
from playwright.sync_api import expect

IN = "The node's operator is signed in on this tab."
OVER = "This link for the operator is of no use any longer"


@pytest.fixture
def link(seeds):
    """A link for the first node's operator, without the node's address."""
    return "/#code=" + seeds.stoa.ask("node", "page", "--data", seeds.nodes[0]["data"])["code"]


# - From people: a link for the operator a second time → that it is of no use any longer
def test_a_link_signs_the_operator_in_once(visit, link):
    visit.expected.append("Failed to load resource")
    window = visit(link)
    expect(window.get_by_text(IN)).to_be_visible()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()
    assert "code" not in window.url and not window.evaluate("location.hash")
    window.reload()
    expect(window.get_by_text(IN)).to_be_visible()
    again = visit(link)
    expect(again.get_by_text(OVER)).to_be_visible()
    assert "code" not in again.url
    window.get_by_role("button", name="Sign the operator out").click()
    expect(window.get_by_text(IN)).to_have_count(0)
    window.reload()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()
    expect(window.get_by_text(IN)).to_have_count(0)


def test_a_link_that_is_over_leaves_an_account_signed_in(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/", who="bo")
    window.evaluate("location.hash = '#code=00'")
    expect(window.get_by_text(OVER)).to_be_visible()
    expect(window.get_by_role("link", name="Account bo")).to_be_visible()
    expect(window.get_by_text("Your session has ended")).to_have_count(0)
