"""Every way to sell on the page: an auction, a digital work, a course, several pieces, and one form for all."""

from datetime import datetime, timedelta

import browsers
from playwright.sync_api import expect


def choose(window, *names):
    for name in names:
        window.get_by_label(name, exact=True).check(force=True)


def fill(window, **values):
    """Fills in fields by the first words of their labels."""
    for label, value in values.items():
        window.get_by_label(label.replace("_", " "), exact=True).fill(value)


def fill_goods(window, title):
    fill(window, Title=title, Description="Made by hand.", Identifier=f"mark of {title}", Tags="wood", Price="0.02")
    window.get_by_label("Category").select_option("home")


def add_picture(window):
    window.locator(".pictures input[type=file]").set_input_files([browsers.picture("one.png")])
    expect(window.locator(".picture-entry img")).to_have_count(1)


def put_on_sale(window):
    """From the form through the preview to the listing."""
    window.get_by_role("button", name="See the preview").click()
    window.get_by_role("button", name="Put it on sale").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    window.get_by_role("link", name="To the listing").click()


def fault_of(window, label):
    return window.locator(".field", has=window.get_by_label(label, exact=True)).locator(".fault")


def in_days(days):
    """A time so many days ahead, as a field for day and time takes it."""
    return (datetime.now() + timedelta(days=days)).strftime("%Y-%m-%dT10:00")


def test_6_changing_the_kind_keeps_what_fits(visit):
    window = visit("/sell", who="minsu", node=1)
    fill_goods(window, "Ash bowl")
    add_picture(window)
    choose(window, "Course")
    expect(window.get_by_label("Title", exact=True)).to_have_value("Ash bowl")
    fill(window, Seats="12")
    choose(window, "Digital work", "Auction")
    expect(window.get_by_label("Identifier", exact=True)).to_have_count(0)
    fill(window, **{"People can bid for": "9"})
    choose(window, "Goods")
    for label, value in (("Title", "Ash bowl"), ("Identifier", "mark of Ash bowl"), ("First bid", "0.02"), ("People can bid for", "9")):
        expect(window.get_by_label(label, exact=True)).to_have_value(value)
    expect(window.get_by_label("Category")).to_have_value("home")
    expect(window.locator(".picture-entry img")).to_have_count(1)
    choose(window, "Course")
    expect(window.get_by_label("Seats", exact=True)).to_have_value("12")


def test_5_all_faults_of_a_course_stand_in_their_order(visit):
    window = visit("/sell", who="minsu", node=1)
    visit.expected.append("Failed to load resource")
    choose(window, "Course", "At a place")
    window.get_by_role("button", name="Add a session").click()
    window.get_by_label("What it is about").fill("Without a title.")
    fill(window, Seats="many")
    window.get_by_role("button", name="See the preview").click()
    for label in ("Title", "Description", "Seats", "Start", "End", "Price of a seat", "Place"):
        expect(fault_of(window, label)).to_be_visible()
    expect(window.get_by_text("Give each session a title.")).to_be_visible()
    assert window.evaluate("document.activeElement.name") == "title"


def test_an_auction_is_listed_by_clicks_alone(visit):
    window = visit("/sell", who="minsu", node=1)
    fill_goods(window, "Oak table")
    choose(window, "Auction")
    expect(window.get_by_text("Title and description cannot be changed once it is listed.")).to_be_visible()
    fill(window, **{"Each bid is higher by at least": "80"})
    window.get_by_role("button", name="See the preview").click()
    expect(fault_of(window, "Each bid is higher by at least")).to_be_visible()
    fill(window, **{"Each bid is higher by at least": "7.5"})
    put_on_sale(window)
    expect(window.get_by_role("heading", level=1)).to_have_text("Oak table")
    expect(window.get_by_text("Auction").first).to_be_visible()


def test_a_digital_work_is_listed_with_its_file(visit):
    window = visit("/sell", who="ana")
    visit.expected.append("Failed to load resource")
    choose(window, "Digital work", "Direct sale")
    fill(window, Title="A song", Description="Three minutes.", Tags="music", Price="0.01")
    window.get_by_role("button", name="See the preview").click()
    expect(fault_of(window, "File for sale")).to_be_visible()
    expect(window.get_by_text("A digital work needs one picture as its preview.")).to_be_visible()
    window.get_by_label("Add a file").first.set_input_files([{"name": "song.flac", "mimeType": "audio/flac", "buffer": b"la la la" * 500}])
    expect(window.get_by_label("File for sale").locator("option:checked")).to_have_text("song.flac")
    add_picture(window)
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_text("Once listed, title, description, kind")).to_be_visible()
    window.get_by_role("button", name="Back to the form").click()
    put_on_sale(window)
    expect(window.get_by_role("heading", level=1)).to_have_text("A song")
    window.goto("/selling?list=works")
    window.get_by_role("button", name="Rename song.flac").click()
    window.get_by_label("Name of the file").fill("evening song.flac")
    window.get_by_role("button", name="Save").click()
    window.get_by_role("button", name="Remove evening song.flac").click()
    window.get_by_role("dialog").get_by_role("button", name="Remove").click()
    # A sale needs it.
    expect(window.get_by_role("dialog").get_by_role("alert")).to_be_visible()


def test_a_course_is_listed_with_its_sessions(visit):
    window = visit("/sell", who="minsu", node=1)
    choose(window, "Course")
    fill(window, Title="Knots", Description="Ten knots.", Subject="sailing", For_whom="everyone", Period="weekend", Seats="12", Start=in_days(9),
         End=in_days(8), **{"Price of a seat": "0.01"})
    for number, title in enumerate(("Bowline", "Sheet bend"), start=1):
        window.get_by_role("button", name="Add a session").click()
        fill(window, **{f"Session {number}": title})
    window.get_by_role("button", name="Move up Session 2").click()
    expect(window.get_by_label("Session 1", exact=True)).to_have_value("Sheet bend")
    window.get_by_role("button", name="See the preview").click()
    expect(fault_of(window, "End")).to_be_visible()
    fill(window, End=in_days(20))
    window.get_by_role("button", name="See the preview").click()
    expect(window.locator(".curriculum li").first).to_contain_text("Sheet bend")
    window.get_by_role("button", name="Back to the form").click()
    put_on_sale(window)
    expect(window.get_by_role("heading", level=1)).to_have_text("Knots")
    expect(window.get_by_text("weekend")).to_be_visible()


def test_several_pieces_say_their_deposits_before_and_change_later(visit):
    window = visit("/sell", who="minsu", node=1)
    fill_goods(window, "Spoons")
    fill(window, Pieces="5")
    expect(window.get_by_text("5 pieces are 5 sales. You lock 0.2 ETH for all of them.")).to_be_visible()
    fill(window, Pieces="21")
    window.get_by_role("button", name="See the preview").click()
    expect(fault_of(window, "Pieces")).to_be_visible()
    fill(window, Pieces="2")
    put_on_sale(window)
    expect(window.get_by_text("2 of 2 left", exact=True)).to_be_visible()
    address = window.url
    for choice, button, left in (("List more", "List more", "3 of 3 left"), ("Withdraw some", "Withdraw some", "2 of 2 left")):
        window.goto(address)
        window.get_by_role("button", name="Number of pieces").click()
        choose(window, choice)
        window.get_by_role("button", name="See the preview").click()
        window.get_by_role("dialog").get_by_role("button", name=button).click()
        expect(window.get_by_text("It is done.")).to_be_visible(timeout=60_000)
        window.goto(address)
        expect(window.get_by_text(left, exact=True)).to_be_visible()
