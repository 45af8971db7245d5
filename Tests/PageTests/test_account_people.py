"""Profile, names, blocks, lists that hide, reports and homes: main paths, and wrong paths."""

import browsers
import pytest
from playwright.sync_api import expect


# - From people: a file that is no picture, a name like 'you' → the fault beside it
def test_7_a_profile_is_published_and_a_bad_photo_refused_in_place(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/account/profile", who="minsu", node=1)
    window.get_by_label("Public name").fill("you")
    photo = window.locator("input[type=file]")
    photo.set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(window.locator(".pictures .fault")).to_be_visible()
    window.get_by_role("button", name="Remove Picture 1").click()
    window.get_by_role("button", name="Publish").click()
    expect(window.locator(".field .fault")).to_contain_text("cannot be 'you'")
    window.get_by_label("Public name").fill("김민수")
    window.get_by_label("Region").fill("서울")
    window.get_by_label("About you").fill("나무로 만듭니다.")
    photo.set_input_files(browsers.picture("me.png"))
    expect(window.locator(".pictures progress")).to_have_count(0)
    window.get_by_role("button", name="Publish").click()
    expect(window.get_by_text("Your profile is published.")).to_be_visible()
    known = seeds.people["minsu"].get(f"profiles/{seeds.people['minsu'].address}")
    assert (known["name"], known["region"], known["about"]) == ("김민수", "서울", "나무로 만듭니다.") and known["avatar"]["id"]
    expect(window.locator("main .avatar img")).to_be_visible()
    window.get_by_role("button", name="Empty the profile").click()
    window.get_by_role("dialog").get_by_role("button", name="Empty the profile").click()
    expect(window.get_by_text("Your profile is empty now.")).to_be_visible()


# - From people: half an address, the name of an account here → the fault beside the field
def test_a_name_is_given_and_seen_and_money_can_be_sent_to_it(visit, seeds):
    visit.expected.append("Failed to load resource")
    minsu = seeds.people["minsu"].address
    window = visit("/account/names", who="bo")
    window.get_by_role("button", name="Name an account").click()
    dialog = window.get_by_role("dialog")
    dialog.get_by_label("Address of the account").fill("0x12")
    dialog.get_by_label("Your name for it").fill("Carpenter")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".field .fault")).to_contain_text("40 hexadecimal digits")
    dialog.get_by_label("Address of the account").fill(minsu)
    dialog.get_by_label("Your name for it").fill("ana")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".field .fault")).to_contain_text("cannot look like")
    dialog.get_by_label("Your name for it").fill("Carpenter")
    dialog.get_by_role("button", name="Save").click()
    expect(window.get_by_role("link", name="Carpenter")).to_be_visible()
    window.get_by_role("link", name="Carpenter").click()
    expect(window.get_by_role("heading", name="Carpenter", level=1)).to_be_visible()
    window.goto("/wallet/send")
    window.get_by_label("To", exact=True).fill("Carpenter")
    window.get_by_label("Amount", exact=True).fill("0.001")
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_role("dialog").locator("p").first).to_contain_text(f"Carpenter ({minsu[:6]}…{minsu[-4:]})")
    window.goto("/account/names")
    window.get_by_role("button", name="Change Carpenter").click()
    window.get_by_role("dialog").get_by_role("button", name="Remove the name").click()
    expect(window.get_by_text("No names yet")).to_be_visible()


# - From people: an address that is none, the own one → the fault beside the field
def test_an_account_is_blocked_and_unblocked(visit, seeds):
    visit.expected.append("Failed to load resource")
    minsu = seeds.people["minsu"].address
    window = visit(f"/accounts/{minsu}", who="bo")
    window.get_by_role("button", name="Block").click()
    window.get_by_role("dialog").get_by_role("button", name="Block").click()
    expect(window.get_by_role("button", name="Unblock")).to_be_visible()
    assert [one["account"] for one in seeds.people["bo"].get("blocked")] == [minsu]
    window.goto("/account/hidden")
    window.get_by_label("Address of the account").fill("0x12")
    window.get_by_role("button", name="Block", exact=True).click()
    expect(window.locator(".field .fault")).to_contain_text("40 hexadecimal digits")
    window.get_by_role("button", name="Unblock").click()
    expect(window.get_by_text("You block nobody.")).to_be_visible()
    assert seeds.people["bo"].get("blocked") == []


def test_a_followed_list_hides_and_says_why(visit, seeds):
    seeds.hiding_list
    window = visit("/lists", who="bo")
    window.get_by_role("link", name="Not oak").click()
    window.get_by_role("button", name="Follow").click()
    expect(window.get_by_role("button", name="Stop following")).to_be_visible()
    assert seeds.people["bo"].get("hidden")
    window.goto("/account/hidden")
    expect(window.get_by_text("The chairs were not oak.").first).to_be_visible()
    window.get_by_role("link", name="The list").first.click()
    window.get_by_role("button", name="Stop following").click()
    expect(window.get_by_role("button", name="Follow", exact=True)).to_be_visible()
    assert seeds.people["bo"].get("hidden") == []


# - From people: no reason, something that is no address → the fault beside the field
def test_an_own_list_is_published_changed_and_withdrawn(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/lists", who="bo")
    window.get_by_role("button", name="New list").click()
    dialog = window.get_by_role("dialog")
    dialog.get_by_label("Name of the list").fill("Copies")
    dialog.get_by_label("What to hide").fill("the bicycle")
    dialog.get_by_role("button", name="See the preview").click()
    expect(dialog.locator(".field .fault")).to_contain_text("Give a reason.")
    dialog.get_by_label("Reason").fill("It is a copy.")
    dialog.get_by_role("button", name="See the preview").click()
    expect(dialog.locator(".field .fault")).to_contain_text("is not an address")
    dialog.get_by_label("What to hide").fill(f"{seeds.page()}/listings/{seeds.listings['Five novels']}")
    dialog.get_by_role("button", name="See the preview").click()
    expect(dialog.get_by_text("You publish the list")).to_be_visible()
    dialog.get_by_role("button", name="Publish").click()
    expect(window.get_by_role("heading", name="Copies", level=1)).to_be_visible()
    expect(window.get_by_text("It is a copy.")).to_be_visible()
    window.get_by_role("button", name="Add an entry").click()
    dialog.get_by_label("What to hide").fill(seeds.people["minsu"].address)
    dialog.get_by_label("Reason").fill("Sells copies.")
    dialog.get_by_role("button", name="See the preview").click()
    dialog.get_by_role("button", name="Publish").click()
    expect(window.get_by_text("Sells copies.")).to_be_visible()
    window.get_by_role("button", name="Remove").first.click()
    dialog.get_by_role("button", name="Publish").click()
    expect(window.get_by_text("It is a copy.")).to_have_count(0)
    window.get_by_role("button", name="Withdraw the list").click()
    dialog.get_by_role("button", name="Withdraw the list").click()
    expect(window.get_by_text("You have none.")).to_be_visible()


# - From people: no text, one's own listing → the fault, and nothing is sent
def test_a_report_is_sent_and_its_answer_seen(visit, seeds):
    visit.expected.append("Failed to load resource")
    minsu = seeds.people["minsu"]
    window = visit(f"/listings/{seeds.listings['Five novels']}", who="bo")
    window.get_by_role("link", name="Report this listing").click()
    expect(window.get_by_role("link", name="Five novels")).to_be_visible()
    window.get_by_role("button", name="Send the report").click()
    expect(window.locator(".field .fault")).to_contain_text("Say what is wrong.")
    window.get_by_label("What is wrong").fill("Pages are missing.")
    window.get_by_role("button", name="Send the report").click()
    expect(window.get_by_text("Your report is sent.")).to_be_visible()
    entry = window.get_by_role("listitem").filter(has_text="Pages are missing.")
    expect(entry).to_contain_text("No answer yet")
    report = minsu.wait("the report came", lambda: minsu.get("reports")["items"])[0]
    minsu.ask("POST", f"conversations/{report['conversation']}/messages", {"text": "We have asked Ana."}, key="answer to Bo")
    expect(entry).to_contain_text("We have asked Ana.", timeout=20_000)
    window = visit(f"/report?listing={seeds.listings['Five novels']}", who="ana")
    window.get_by_label("What is wrong").fill("It is mine.")
    window.get_by_role("button", name="Send the report").click()
    expect(window.get_by_role("alert")).to_contain_text("This is your own.")


def test_a_review_is_reported(visit, seeds):
    sale = seeds.buy("bo", seeds.sell("ana", f"Maps {len(seeds.listings)}", "books", 10**16, payment="direct"))
    seeds.people["bo"].ask("POST", "reviews", {"sale": sale, "stars": 2, "text": "They were copies."})
    ana = seeds.people["ana"]
    ana.wait("the review is here", lambda: ana.get(f"reviews?account={ana.address}")["items"])
    window = visit(f"/accounts/{ana.address}", who="ana")
    window.get_by_role("link", name="Report this review").first.click()
    window.get_by_label("What is wrong").fill("They were no copies.")
    window.get_by_role("button", name="Send the report").click()
    expect(window.get_by_role("listitem").filter(has_text="They were no copies.")).to_contain_text("A review")


# - From people: a text that is no address of a node → the fault beside the field
def test_a_home_is_added_and_removed(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/account/homes", who="bo")
    expect(window.get_by_role("heading", name="Found on this node")).to_be_visible()
    window.get_by_label("Address of a node").fill("the other node")
    window.get_by_role("button", name="Add this home").click()
    expect(window.locator(".field .fault")).to_contain_text("Give another node's address")
    window.get_by_label("Address of a node").fill(seeds.nodes[1]["address"])
    window.get_by_role("button", name="Add this home").click()
    expect(window.get_by_text("That node keeps your mail now.")).to_be_visible()
    assert len(seeds.people["bo"].get("homes")) == 2
    window.get_by_role("button", name="Remove 16Uiu").click()
    window.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(window.get_by_role("button", name="Remove 16Uiu")).to_have_count(0)
    assert len(seeds.people["bo"].get("homes")) == 1


@pytest.mark.parametrize("path", ["/lists/nothing", "/signatures/0x12"])
def test_what_is_not_here_says_so(visit, path):
    visit.expected.append("Failed to load resource")
    window = visit(path, who="bo")
    expect(window.get_by_role("alert")).to_be_visible()
