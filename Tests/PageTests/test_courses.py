"""Courses by clicks: the catalogue, enrolling and leaving, a round from its begin to its rating; and wrong paths."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect
from seeds import HOUR

ETHER = 10**18
KNOTS, BREAD, SONGS = "Knots for beginners", "Bread in a day", "Songs by the sea"


@pytest.fixture(scope="module")
def courses(seeds):
    """Courses of Ana: one to leave, one that begins within two hours, and one that is cancelled."""
    wanted = {KNOTS: {"tags": ["rope", "short"]}, BREAD: {"starts": 2 * HOUR, "tags": ["kitchen"]}, SONGS: {"tags": ["music"]}}
    with ThreadPoolExecutor() as pool:
        made = {title: pool.submit(seeds.course, "ana", title, **more) for title, more in wanted.items()}
    listings = {title: one.result() for title, one in made.items()}
    for title in (BREAD, SONGS):
        seeds.buy("bo", listings[title])
    return listings


def row(window, title):
    return window.get_by_role("listitem").filter(has_text=title)


def test_the_catalogue_says_rating_students_and_own_part(visit, courses):
    window = visit("/courses", who="bo")
    expect(row(window, SONGS).get_by_text("You are enrolled")).to_be_visible()
    expect(row(window, SONGS).get_by_text("one student")).to_be_visible()
    expect(row(window, KNOTS).get_by_text("No rating yet")).to_be_visible()
    expect(row(window, KNOTS).get_by_text("Seats free: 5")).to_be_visible()


def test_22_a_tag_narrows_the_catalogue_and_an_empty_one_undoes_it(visit, courses):
    window = visit("/courses")
    window.locator(".results-side").get_by_role("link", name="rope").click()
    expect(window.get_by_text("one course")).to_be_visible()
    expect(window.get_by_role("link", name=KNOTS)).to_be_visible()
    window.goto("/courses?tag=nobody-has-this")
    expect(window.get_by_role("heading", name="Nothing found")).to_be_visible()
    window.get_by_role("link", name="Remove all filters").click()
    expect(window.get_by_role("link", name=KNOTS)).to_be_visible()


def test_21_the_catalogue_says_that_the_node_is_away_and_tries_again(visit, courses):
    window = visit("/settings")
    visit.expected.append("Failed to load resource")
    window.route("**/v1/rows?**", lambda route: route.abort())
    window.goto("/courses")
    expect(window.get_by_text("The node does not answer.")).to_be_visible()
    window.unroute("**/v1/rows?**")
    window.get_by_role("button", name="Try again").click()
    expect(window.get_by_role("link", name=KNOTS)).to_be_visible()


def test_11_a_seat_is_taken_and_given_back_by_clicks(visit, seeds, courses):
    window = visit("/courses", who="bo")
    window.get_by_role("link", name=KNOTS).click()
    expect(window.get_by_role("heading", name="Curriculum")).to_be_visible()
    expect(window.get_by_text("You can leave and get 0.05 ETH back.")).to_be_visible()
    window.get_by_role("link", name="Enrol").click()
    costs = window.locator(".deal-costs")
    for text in ("Price", "What comes back", "Total, at most"):
        expect(costs.get_by_text(text).first).to_be_visible()
    window.get_by_role("button", name="Enrol").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    window.get_by_role("link", name="To the sale").click()
    expect(window.get_by_text("Enrolled", exact=True)).to_be_visible()
    window.get_by_role("button", name="Leave and be paid back").click()
    dialog = window.get_by_role("dialog")
    expect(dialog.get_by_text(re.compile("credited 0.05 ETH")).first).to_be_visible()
    dialog.get_by_role("button", name="Leave and be paid back").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    expect(window.get_by_text("Enrolled", exact=True)).to_have_count(0)


def test_a_round_begins_is_attended_and_rated_by_clicks(visit, seeds, courses):
    ana = visit("/courses/mine?list=teaching", who="ana")
    ana.get_by_role("link", name=BREAD).click()
    ana.get_by_role("link", name="Attendance").click()
    ana.get_by_role("checkbox").check()
    expect(ana.get_by_text("1 of 1 present")).to_be_visible()
    expect(ana.get_by_text("present in 1 of 3 sessions")).to_be_visible()
    ana.get_by_role("button", name="Write a note").click()
    ana.get_by_role("dialog").get_by_label("Note").fill("Brings flour.")
    ana.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(ana.get_by_text("Brings flour.")).to_be_visible()
    seeds.chain.call("evm_increaseTime", 2 * HOUR)
    ana.get_by_role("main").get_by_role("link", name=BREAD).click()
    ana.get_by_role("button", name="Begin the round").click(timeout=60_000)
    ana.get_by_role("dialog").get_by_role("button", name="Begin the round").click()
    bo = visit("/courses/mine", who="bo")
    bo.get_by_role("link", name=BREAD).click()
    bo.get_by_role("button", name="Rate the round").click(timeout=60_000)
    dialog = bo.get_by_role("dialog")
    # 5: all faults at once.
    dialog.get_by_role("button", name="Rate the round").click()
    expect(dialog.get_by_text("Choose one.")).to_have_count(5)
    for question, points in zip(dialog.get_by_role("group").all(), (60, 80, 100, 80, 100)):
        question.get_by_label(f"{points} %", exact=True).check(force=True)
    expect(dialog.get_by_text("Average: 84 of 100")).to_be_visible()
    expect(dialog.get_by_text(re.compile("It is final and public"))).to_be_visible()
    dialog.get_by_role("button", name="Rate the round").click()
    expect(bo.get_by_text("84 of 100, by one student")).to_be_visible(timeout=60_000)
    expect(ana.get_by_text("84 of 100, by one student")).to_be_visible(timeout=60_000)


def test_5_a_cancelled_course_is_repeated_with_all_faults_said_at_once(visit, seeds, courses):
    ana = visit("/courses/mine?list=teaching", who="ana")
    ana.get_by_role("link", name=SONGS).click()
    ana.get_by_role("button", name="Cancel the round").click()
    ana.get_by_role("dialog").get_by_role("button", name="Cancel the round").click()
    ana.get_by_role("button", name="Open a new round").click(timeout=60_000)
    dialog = ana.get_by_role("dialog")
    dialog.get_by_label("Seats").fill("many")
    dialog.get_by_role("button", name="Open a new round").click()
    expect(dialog.get_by_text("Write a whole number.")).to_be_visible()
    expect(dialog.get_by_text("Choose day and time.")).to_have_count(2)
    assert ana.evaluate("document.activeElement.name") == "seats"
    start = datetime.now() + timedelta(days=9)
    dialog.get_by_label("Seats").fill("3")
    dialog.get_by_label("Starts").fill(start.strftime("%Y-%m-%dT%H:%M"))
    dialog.get_by_label("Ends").fill((start + timedelta(hours=5)).strftime("%Y-%m-%dT%H:%M"))
    expect(dialog.get_by_text(re.compile("You open round 1 with 3 seats"))).to_be_visible()
    dialog.get_by_role("button", name="Open a new round").click()
    expect(ana.get_by_text("3 of 3 seats free")).to_be_visible(timeout=60_000)
    # The node of the student takes the price back by itself, if the student is not quicker.
    bo = visit(f"/sales/{seeds.sales[SONGS]}", who="bo")
    expect(bo.get_by_text(re.compile("^(Refunded|Get the price back)$")).first).to_be_visible(timeout=60_000)


# - From people: an applicant without an address and a note → both faults at once
def test_5_an_applicant_needs_an_account_and_a_note(visit, seeds):
    window = visit(f"/sales/{seeds.sales['Watercolour in three evenings']}/attendance", who="ana")
    window.get_by_role("button", name="Note an applicant").click()
    dialog = window.get_by_role("dialog")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Type the name of the account.")).to_be_visible()
    expect(dialog.get_by_text("Fill this in.")).to_be_visible()
    dialog.get_by_label("Account").fill(seeds.people["minsu"].address)
    dialog.get_by_label("Note").fill("Asks for the next round.")
    dialog.get_by_role("button", name="Save").click()
    expect(window.get_by_text("Asks for the next round.")).to_be_visible()
    expect(window.get_by_text("Applicant without a seat")).to_be_visible()


# - From people: the list of another teacher → that it is not theirs
def test_who_is_not_the_teacher_sees_no_attendance(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit(f"/sales/{seeds.sales['Watercolour in three evenings']}/attendance", who="bo")
    expect(window.get_by_role("alert")).to_contain_text("Only the teacher of this course keeps this list.")
