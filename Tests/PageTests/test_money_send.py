"""Sending, receiving, movements and tokens: main paths, what others' users complained about elsewhere, and wrong paths."""

import subprocess
from decimal import Decimal

import browsers
import pytest
from playwright.sync_api import expect

ETHER = 10**18


def fill(window, to, amount):
    window.get_by_label("To", exact=True).fill(to)
    window.get_by_label("Amount", exact=True).fill(amount)
    window.get_by_role("button", name="See the preview").click()


def cost(window, name):
    """An amount of the preview, in whole units."""
    row = window.get_by_role("dialog").locator(".cost-row, .sum-row").filter(has_text=name).first
    text = row.locator(".numbers").get_attribute("title") or row.locator(".numbers").inner_text()
    return Decimal(text.split()[0].replace(",", ""))


def test_money_is_sent_with_the_chosen_fee(visit, seeds):
    window = visit("/wallet", who="bo", width=360)
    window.get_by_role("link", name="Send", exact=True).click()
    fill(window, seeds.people["ana"].address, "0.25")
    dialog = window.get_by_role("dialog")
    # Three prices in one preview.
    expect(dialog.locator(".fees .numbers")).to_have_count(3)
    dialog.get_by_text("Fast", exact=True).click()
    expect(dialog.get_by_label("Fast")).to_be_checked()
    assert cost(window, "Amount") == Decimal("0.25")
    # What is left is rounded down, what is paid is rounded up.
    assert cost(window, "Total, at most") == cost(window, "Amount") + cost(window, "Fee at most")
    assert cost(window, "Left at least") > 0
    fee = cost(window, "Fee at most")
    dialog.get_by_role("button", name="Send").click()
    expect(window.get_by_text("It is done.")).to_be_visible()
    sent = seeds.people["bo"].get("operations?limit=1")["items"][0]
    assert sent["kind"] == "send" and int(sent["feeMax"]) == int(fee * ETHER)
    # The form is empty for the next time.
    window.goto("/wallet/send")
    expect(window.get_by_label("To", exact=True)).to_have_value("")


def test_11_max_leaves_the_fee_out(visit, seeds):
    window = visit("/wallet/send", who="bo")
    window.get_by_label("To", exact=True).fill(seeds.people["ana"].address)
    window.get_by_role("button", name="MAX").click()
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_role("dialog").get_by_text("Left at least")).to_be_visible()
    balance = next(int(one["amount"]) for one in seeds.people["bo"].get("wallet")["balances"] if one["currency"] == "native")
    assert int((cost(window, "Amount") + cost(window, "Fee at most")) * ETHER) == balance
    assert cost(window, "Left at least") == 0
    window.get_by_role("button", name="Not now").click()
    window.get_by_label("Currency").select_option(label="TST")
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_role("dialog").get_by_text("500 TST", exact=True).first).to_be_visible()
    window.get_by_role("dialog").get_by_role("button", name="Send").click()
    expect(window.get_by_text("It is done.")).to_be_visible()
    tokens = [one for one in seeds.people["ana"].get("wallet")["balances"] if one["currency"] != "native"]
    assert tokens[0]["amount"] == "500000000"


# - From people: no receiver, no amount, half an address, the own one, nothing, too much → the fault beside its field
def test_5_what_is_wrong_with_a_payment_is_said_beside_its_field(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/wallet/send", who="bo")
    browsers.settled(window)
    fill(window, "", "much")
    expect(window.locator(".field .fault")).to_have_count(2)
    assert window.evaluate("document.activeElement.name") == "to"

    def refused(to, amount, field, text):
        fill(window, to, amount)
        fault = window.locator(".field").filter(has=window.locator(f"[name={field}]")).locator(".fault")
        expect(fault).to_contain_text(text)
        expect(window.get_by_role("dialog")).to_have_count(0)

    refused(seeds.people["ana"].address[:20], "1", "to", "is not an address")
    refused(seeds.people["bo"].address, "1", "to", "This is the account itself")
    refused(seeds.people["ana"].address, "0", "amount", "Send more than 0.")
    refused(seeds.people["ana"].address, "9000", "amount", "This needs at least 9000 ETH")


@pytest.mark.parametrize("currency", ["ETH", "TST"])
def test_12_a_code_read_back_is_the_request(visit, seeds, tmp_path, currency):
    window = visit("/wallet/receive", who="bo", theme="dark")
    browsers.settled(window)
    window.get_by_label("Currency").select_option(label=currency)
    window.get_by_label("Amount, if you like").fill("12.5")
    shown = window.locator(".receive p.address").last
    expect(shown).to_contain_text("12500000")
    code = window.get_by_role("img", name="QR code of ethereum:")
    code.screenshot(path=tmp_path / "code.png")
    assert read(tmp_path / "code.png") == shown.inner_text()
    assert shown.inner_text().startswith("ethereum:") and seeds.people["bo"].address in shown.inner_text()


def read(picture):
    """The text of a QR code in a picture."""
    command = ["zbarimg", "--quiet", "--raw", "-S*.enable=0", "-Sqrcode.enable=1", str(picture)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


# - From people: an amount that is none → the fault beside it, and a code without an amount
def test_a_request_has_no_wrong_amount(visit, seeds):
    window = visit("/wallet/receive", who="bo")
    window.get_by_label("Amount, if you like").fill("1,5")
    expect(window.locator(".field .fault")).to_contain_text("Write an amount")
    expect(window.locator(".receive p.address").last).to_have_text(f"ethereum:{seeds.people['bo'].address}@31337")


# - From people: a request for another chain → it is no address here
def test_a_pasted_request_fills_in_the_payment(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/wallet/send", who="bo")
    ana = seeds.people["ana"].address
    window.get_by_label("To", exact=True).fill(f"ethereum:{ana}@31337?value=2500000000000000")
    expect(window.get_by_label("To", exact=True)).to_have_value(ana)
    expect(window.get_by_label("Amount", exact=True)).to_have_value("0.0025")
    fill(window, f"ethereum:{ana}@5?value=1", "1")
    expect(window.locator(".field .fault")).to_contain_text("knows no account")


def test_movements_name_their_sale_and_their_fee(visit, seeds):
    window = visit("/wallet", who="bo")
    expect(window.get_by_role("heading", name="Latest movements")).to_be_visible()
    window.goto("/wallet/history")
    bought = window.get_by_role("listitem").filter(has_text="Old radio")
    expect(bought).to_contain_text("Buy")
    expect(bought).to_contain_text("Fee")
    window.get_by_text("Received", exact=True).first.click()
    expect(bought).to_have_count(0)
    expect(window.get_by_role("listitem").filter(has_text="+ 100 ETH")).to_be_visible()
    window.get_by_text("All", exact=True).click()
    bought.get_by_role("link", name="Old radio").click()
    expect(window.get_by_role("heading", name="Old radio")).to_be_visible()


# - From people: no receiver, the own address → the fault beside the field
def test_a_token_is_given_away(visit, seeds):
    visit.expected.append("Failed to load resource")
    bo = seeds.people["bo"]
    seeds.buy("bo", seeds.sell("ana", f"Stamps {len(seeds.listings)}", "books", ETHER // 200, payment="direct"))
    token = bo.wait("Bo owns the stamps", lambda: bo.get("items?own=true"))[0]["token"]
    window = visit("/wallet/tokens", who="bo")
    window.get_by_role("button", name="Give away Stamps").first.click()
    window.get_by_role("button", name="See the preview").click()
    expect(window.locator(".field .fault")).to_contain_text("Say who gets it.")
    window.get_by_label("To", exact=True).fill(bo.address)
    window.get_by_role("button", name="See the preview").click()
    expect(window.locator(".field .fault")).to_be_visible()
    window.get_by_label("To", exact=True).fill(seeds.people["ana"].address)
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_role("dialog").get_by_text("Fee at most")).to_be_visible()
    browsers.settled(window)
    window.get_by_role("dialog").get_by_role("button", name="Give away").click()
    expect(window.get_by_text("It is done.")).to_be_visible()
    assert token in [one["token"] for one in seeds.people["ana"].get("items?own=true")]
