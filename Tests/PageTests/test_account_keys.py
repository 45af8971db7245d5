"""Password, phrase, key, sessions and what is left to the node: main paths, and wrong paths."""

import json
from pathlib import Path

import pytest
from caller import Caller, Refused
from playwright.sync_api import expect


@pytest.fixture
def temporary(seeds):
    """Makes accounts without money for one test; returns their phrases."""
    def make(name):
        return Caller(name, seeds.nodes[0], seeds.PASSWORD).ask("POST", "accounts", {"name": name, "password": seeds.PASSWORD})["phrase"]

    return make


def open_key(window, name):
    window.get_by_role("button", name=name).click()
    return window.get_by_role("dialog")


# - From people: a wrong old password, a short new one, a phrase → the fault beside the field
def test_3_the_password_is_changed(visit, seeds, temporary):
    visit.expected.append("Failed to load resource")
    temporary("miru")
    window = visit("/account/keys", who="miru", width=360)
    dialog = open_key(window, "Change Password")

    def change(old, new):
        dialog.get_by_label("Present password", exact=True).fill(old)
        dialog.get_by_label("New password", exact=True).fill(new)
        dialog.get_by_role("button", name="Change", exact=True).click()

    change(seeds.PASSWORD, " ".join(["abandon"] * 12))
    expect(dialog.locator(".field .fault")).to_contain_text("This looks like a recovery phrase.")
    change(seeds.PASSWORD, "short")
    expect(dialog.locator(".field .fault")).to_contain_text("at least 8 characters")
    change("wrong horse", "a better horse")
    expect(dialog.locator(".field .fault")).to_contain_text("password is wrong")
    assert window.evaluate("document.activeElement.name") == "password"
    change(seeds.PASSWORD, "a better horse")
    expect(window.get_by_text("The password is changed.")).to_be_visible()
    # Still signed in here, with the new password.
    window.get_by_role("link", name="Wallet").first.click()
    expect(window.get_by_role("heading", name="Balance")).to_be_visible()
    Caller("miru", seeds.nodes[0], "a better horse").sign_in()


# - From people: words in another order, a wrong password → the fault beside the field, and the password stays
def test_2_the_phrase_is_proved_later(visit, seeds, temporary):
    visit.expected.append("Failed to load resource")
    phrase = temporary("nara").split()
    window = visit("/account/keys", who="nara")
    dialog = open_key(window, "Check Recovery phrase")

    def check(words, password):
        dialog.get_by_label("Recovery phrase", exact=True).fill(words)
        dialog.get_by_label("Password", exact=True).fill(password)
        dialog.get_by_role("button", name="Check").click()

    check(" ".join(phrase[1:]), seeds.PASSWORD)
    expect(dialog.locator(".field .fault")).to_contain_text("this one has 11")
    check("test test test test test test test test test test test junk", seeds.PASSWORD)
    expect(dialog.locator(".fault").first).to_be_visible()
    check(" ".join(phrase), "wrong horse")
    expect(dialog.locator(".field .fault")).to_contain_text("password is wrong")
    check("\n".join(phrase).upper(), seeds.PASSWORD)
    expect(window.get_by_text("The phrase is right: it restores this account.")).to_be_visible()
    Caller("nara", seeds.nodes[0], seeds.PASSWORD).sign_in()


# - From people: a wrong password → the fault beside it, and no file and no key
def test_the_key_is_saved_and_shown_for_a_while(visit, seeds, temporary):
    visit.expected.append("Failed to load resource")
    temporary("dana")
    window = visit("/account/keys", who="dana")
    window.clock.install()
    dialog = open_key(window, "Save the file Keystore file")
    dialog.get_by_label("Password", exact=True).fill("wrong horse")
    dialog.get_by_role("button", name="Save the file").click()
    expect(dialog.locator(".field .fault")).to_contain_text("password is wrong")
    dialog.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    with window.expect_download() as download:
        dialog.get_by_role("button", name="Save the file").click()
    assert json.loads(Path(download.value.path()).read_text())["version"] == 3
    dialog.get_by_role("button", name="Close").click()

    dialog = open_key(window, "Show Private key")
    expect(dialog.get_by_text("can take all your money")).to_be_visible()
    dialog.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    dialog.get_by_role("button", name="Show the key").click()
    expect(dialog.locator("[data-secret]")).to_contain_text("0x")
    window.clock.run_for(61_000)
    expect(dialog.locator("[data-secret]")).to_have_count(0)
    expect(dialog.get_by_text("The key is hidden again.")).to_be_visible()


# - From people: another name, a wrong password → the fault beside the field, and the account stays
def test_an_account_is_removed_by_its_name(visit, seeds, temporary):
    visit.expected.append("Failed to load resource")
    temporary("goner")
    window = visit("/account", who="goner")
    window.get_by_role("link", name="Password and key").click()
    window.get_by_role("link", name="Remove it…").click()
    expect(window.get_by_text("are lost")).to_be_visible()

    def remove(name, password):
        window.get_by_label("Type goner to remove the account").fill(name)
        window.get_by_label("Password", exact=True).fill(password)
        window.get_by_role("button", name="Remove for good").click()

    remove("gone", seeds.PASSWORD)
    expect(window.locator(".field .fault")).to_contain_text("exactly as it stands here")
    remove("goner", "wrong horse")
    expect(window.locator(".field .fault")).to_contain_text("password is wrong")
    remove("goner", seeds.PASSWORD)
    expect(window.locator("header").get_by_role("link", name="Sign in")).to_be_visible()
    with pytest.raises(Refused):
        Caller("goner", seeds.nodes[0], seeds.PASSWORD).once("POST", "sessions", {"account": "goner", "password": seeds.PASSWORD})


# - From people: an account with a sale under way → why it stays, and the choice to accept the losses
def test_an_account_with_a_sale_is_not_removed_by_mistake(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/account/remove", who="bo")
    window.get_by_label("Type bo to remove the account").fill("bo")
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.get_by_role("button", name="Remove for good").click()
    expect(window.get_by_role("alert")).to_contain_text("under way")
    expect(window.get_by_label("Remove it although sales or operations")).not_to_be_checked()
    assert any(one["name"] == "bo" for one in seeds.people["bo"].get("accounts"))


def test_sessions_are_seen_and_ended_everywhere(visit, seeds, temporary):
    visit.expected.append("Failed to load resource")
    temporary("hari")
    program = Caller("hari", seeds.nodes[0], seeds.PASSWORD)
    program.sign_in()
    window = visit("/account/sessions", who="hari")
    expect(window.locator(".rows > li")).to_have_count(2)
    expect(window.get_by_role("listitem").filter(has_text="This page in a browser")).to_contain_text("This one")
    expect(window.get_by_role("listitem").filter(has_text="A program")).to_contain_text("Since")
    window.get_by_role("button", name="Sign out everywhere").click()
    window.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(window.locator("header").get_by_role("link", name="Sign in")).to_be_visible()
    with pytest.raises(Refused):
        program.password = "another"
        program.once("GET", "wallet")


# - From people: no move, a wrong password → the fault beside the field, and nothing is left to the node
def test_moves_are_left_to_the_node_and_taken_back(visit, seeds):
    visit.expected.append("Failed to load resource")
    bo = seeds.people["bo"]
    place = f"accounts/{bo.address}/unattended"
    window = visit("/account/unattended", who="bo", width=360)
    expect(window.get_by_text("the node does nothing for you")).to_be_visible()
    expect(window.get_by_text("Whoever takes the node's disk")).to_be_visible()
    window.get_by_role("button", name="Leave it to the node").click()
    expect(window.locator(".field .fault")).to_have_count(2)
    window.get_by_label("Claims what a deadline gives").check()
    window.get_by_label("Takes back what was paid").check()
    window.get_by_label("Password", exact=True).fill("wrong horse")
    window.get_by_role("button", name="Leave it to the node").click()
    expect(window.locator(".field .fault")).to_contain_text("password is wrong")
    assert bo.get(place) == {"moves": []}
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.get_by_role("button", name="Leave it to the node").click()
    expect(window.get_by_role("status")).to_contain_text("Claims what a deadline gives")
    assert bo.get(place)["moves"] == ["claim", "refund"]
    window.get_by_role("button", name="End it now").click()
    expect(window.get_by_text("the node does nothing for you")).to_be_visible()
    assert bo.get(place) == {"moves": []}
