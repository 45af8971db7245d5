"""Coming in, locking, going out, recovering: what others' users complained about elsewhere, and wrong paths."""

import json

import browsers
import pytest
from playwright.sync_api import expect


def sign_up(window, name, password):
    window.get_by_label("Name of the account").fill(name)
    window.get_by_label("Password", exact=True).fill(password)
    window.get_by_role("button", name="Create an account").click()


def asked(window):
    """The numbers of the words that the proof asks for."""
    expect(window.get_by_role("heading", name="Three words")).to_be_visible()
    return [int(text.removeprefix("Word ")) for text in window.locator("main form label").all_inner_texts()]


# - From people: words of the phrase in the wrong order, a word of no phrase, none → the fault beside each word
def test_2_the_phrase_is_proved(visit, seeds):
    window = visit("/sign-up?to=/wallet", width=360)
    sign_up(window, "nari", seeds.PASSWORD)
    expect(window.get_by_role("heading", name="Recovery phrase")).to_be_visible()
    phrase = window.locator(".phrase li").all_inner_texts()
    assert len(phrase) == 12
    expect(window.get_by_text("Without them nobody can restore it.")).to_be_visible()
    window.get_by_role("button", name="I have written them down").click()
    expect(window.locator(".phrase")).to_have_count(0)
    first, second, _ = asked(window)
    window.get_by_label(f"Word {first}", exact=True).fill(phrase[second - 1])
    window.get_by_label(f"Word {second}", exact=True).fill("bicycle shop")
    window.get_by_role("button", name="Confirm and sign in").click()
    expect(window.locator(".field .fault")).to_have_count(3)
    expect(window.get_by_text(f"This is not word {second} of your phrase.")).to_be_visible()
    assert window.evaluate("document.activeElement.name") == f"word{first - 1}"
    # Looking again keeps the phrase; leaving the screen and coming back does too.
    window.get_by_role("button", name="Show the words again").click()
    assert window.locator(".phrase li").all_inner_texts() == phrase
    window.get_by_role("link", name="Stoa", exact=True).click()
    window.go_back()
    assert window.locator(".phrase li").all_inner_texts() == phrase
    window.get_by_role("button", name="I have written them down").click()
    for number in asked(window):
        window.get_by_label(f"Word {number}", exact=True).fill(f" {phrase[number - 1].upper()} ")
    window.get_by_role("button", name="Confirm and sign in").click()
    expect(window.get_by_role("heading", name="Wallet", level=1)).to_be_visible()
    assert not any(phrase[0] in text and phrase[1] in text for text in window.evaluate("Object.values(sessionStorage)"))


# - From people: a recovery phrase as a password → that it is one, and nothing is sent
def test_3_password_and_phrase_are_never_confused(visit, seeds):
    window = visit("/sign-in")
    sent = []
    window.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    window.get_by_label("Name of the account").fill("bo")
    window.get_by_label("Password", exact=True).fill(" ".join(["abandon"] * 11 + ["about"]))
    window.keyboard.press("Enter")
    expect(window.get_by_text("This looks like a recovery phrase.")).to_be_visible()
    window.goto("/sign-up")
    sign_up(window, "nobody", " ".join(["abandon"] * 11 + ["about"]))
    expect(window.get_by_text("This looks like a recovery phrase.")).to_be_visible()
    assert not sent


# - From people: a short password, a name that this node has → the fault beside its field
def test_a_refused_new_account_says_why_beside_its_field(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/sign-up")
    window.get_by_role("button", name="Create an account").click()
    expect(window.locator(".field .fault")).to_have_count(2)
    sign_up(window, "ana", seeds.PASSWORD)
    expect(window.get_by_text("This node has an account 'ana' already.")).to_be_visible()
    assert window.evaluate("document.activeElement.name") == "name"
    sign_up(window, "sora", "short")
    expect(window.get_by_text("A password must have at least 8 characters.")).to_be_visible()
    assert window.evaluate("document.activeElement.name") == "password"


# - From people: a wrong password → the fault beside it; a node that is away → that it is, and the form stays
def test_a_sign_in_says_what_is_wrong_and_leads_where_it_was_asked_for(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/wallet")
    window.locator("main").get_by_role("link", name="Sign in").click()
    window.get_by_label("Name of the account").fill("bo")
    window.get_by_label("Password", exact=True).fill("wrong horse")
    window.keyboard.press("Enter")
    expect(window.locator(".field .fault")).to_have_text("The account or its password is wrong.")
    window.route("**/v1/sessions", lambda route: route.abort())
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.keyboard.press("Enter")
    expect(window.get_by_role("alert")).to_contain_text("The node does not answer.")
    window.unroute("**/v1/sessions")
    window.get_by_role("button", name="Sign in").click()
    expect(window.get_by_role("heading", name="Wallet", level=1)).to_be_visible()


@pytest.mark.parametrize("to", ["https://example.org/", "//example.org", "/\\example.org"])
def test_a_sign_in_leads_to_no_other_site(visit, seeds, to):
    window = visit(f"/sign-in?to={to}")
    window.get_by_label("Name of the account").fill("bo")
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.keyboard.press("Enter")
    expect(window.get_by_role("link", name="Account bo")).to_be_visible()
    assert window.url.rstrip("/") == seeds.page().rstrip("/")


def test_8_a_lock_keeps_what_was_typed_and_a_sign_out_forgets_it(visit, seeds):
    window = visit("/address", who="bo")
    window.get_by_label("Name and address").fill("Bo Lee, half an address")
    window.goto("/account")
    window.get_by_role("button", name="Lock").click()
    expect(window.get_by_role("heading", name="Locked")).to_be_visible()
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.keyboard.press("Enter")
    window.get_by_role("link", name="Sending address").click()
    expect(window.get_by_label("Name and address")).to_have_value("Bo Lee, half an address")
    window.goto("/account")
    window.get_by_role("button", name="Sign out").click()
    window.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(window.locator("header").get_by_role("link", name="Sign in")).to_be_visible()
    assert not any("half an address" in text for text in window.evaluate("Object.values(sessionStorage)"))


# - From people: an address without a country, a city without its state → the fault beside the field
def test_a_sending_address_is_saved_and_removed(visit, seeds):
    window = visit("/address", who="minsu", node=1)
    window.get_by_label("Name and address").fill("김민수\n종로구 세종대로 1")
    window.get_by_role("button", name="Save").click()
    expect(window.get_by_text("Choose the country.")).to_be_visible()
    window.get_by_label("Country", exact=True).select_option("KR")
    window.get_by_label("City").fill("Seoul")
    window.get_by_role("button", name="Save").click()
    expect(window.get_by_text("A city needs its state or province.")).to_be_visible()
    window.get_by_label("City").fill("")
    window.get_by_role("button", name="Save").click()
    expect(window.get_by_text("The address is saved.")).to_be_visible()
    assert seeds.people["minsu"].get("address") == {"text": "김민수\n종로구 세종대로 1", "place": "KR"}
    window.reload()
    expect(window.get_by_label("Country", exact=True)).to_have_value("KR")
    window.get_by_role("button", name="Remove the address").click()
    expect(window.get_by_text("The address is removed.")).to_be_visible()
    assert seeds.people["minsu"].get("address") == {}


# - From people: a phrase whose words are in the wrong order, a text that is no key, a file that is no keystore → the
#   fault beside the field
def test_an_account_is_recovered_from_phrase_key_and_keystore(visit, seeds, tmp_path):
    visit.expected.append("Failed to load resource")
    ana = seeds.people["ana"]
    made = ana.ask("POST", "accounts", {"name": "hana", "password": seeds.PASSWORD})
    phrase = made["phrase"].split()
    window = visit("/recover", node=1)

    def recover(name):
        window.get_by_label("Name of the account").fill(name)
        window.get_by_label("New password for this node", exact=True).fill(seeds.PASSWORD)
        window.get_by_role("button", name="Recover an account").click()

    window.get_by_label("Recovery phrase", exact=True).last.fill(" ".join(phrase[1:]))
    recover("hana-phrase")
    expect(window.locator(".field .fault")).to_contain_text("this one has 11")
    window.get_by_label("Recovery phrase", exact=True).last.fill("\n".join(phrase))
    recover("hana-phrase")
    expect(window.get_by_role("heading", name="hana-phrase")).to_be_visible()
    expect(window.get_by_text(made["account"]["address"])).to_be_visible()

    key = key_of(seeds, "hana")
    window.goto("/recover")
    window.get_by_label("Private key", exact=True).check(force=True)
    window.locator("input[name=privateKey]").fill("0x1234")
    recover("hana-key")
    expect(window.locator(".field .fault")).to_contain_text("This is not a private key.")
    window.locator("input[name=privateKey]").fill(key)
    recover("hana-key")
    # The key is on this node already, under another name.
    expect(window.get_by_text("or set a new password with the recovery phrase")).to_be_visible()

    file = tmp_path / "keystore.json"
    file.write_text(json.dumps({"version": 3}))
    window.get_by_label("Keystore file", exact=True).first.check(force=True)
    window.locator("input[name=keystore]").set_input_files(file)
    window.locator("input[name=keystorePassword]").fill(seeds.PASSWORD)
    recover("hana-file")
    expect(window.locator(".field .fault")).to_contain_text("The file is not a keystore")


def key_of(seeds, name):
    """The private key of an account on the first node."""
    from caller import Caller

    person = Caller(name, seeds.nodes[0], seeds.PASSWORD)
    person.sign_in()
    address = next(one["address"] for one in person.get("accounts") if one["name"] == name)
    return person.ask("POST", f"accounts/{address}/key", {"password": seeds.PASSWORD})["privateKey"]
