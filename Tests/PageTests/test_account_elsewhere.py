"""Accounts that sign elsewhere: added by clicks, and their transactions signed by a wallet outside the node."""

import json

from eth_account import Account
from playwright.sync_api import expect


# - From people: half an address, a signature that is none → the fault beside the field
def test_an_account_of_another_wallet_is_added(visit, seeds):
    visit.expected.append("Failed to load resource")
    wallet = Account.create()
    window = visit("/sign-in")
    window.get_by_role("link", name="Account of another wallet").click()
    window.get_by_label("Name of the account").fill("abroad")
    window.get_by_label("Address in your wallet").fill(wallet.address[:12])
    window.get_by_role("button", name="Next").click()
    expect(window.locator(".field .fault")).to_be_visible()
    window.get_by_label("Address in your wallet").fill(wallet.address)
    window.get_by_role("button", name="Next").click()
    statement = json.loads(window.get_by_role("region", name="Data to sign").last.inner_text())
    assert wallet.address in window.locator(".notice").inner_text()
    window.get_by_label("Signature").fill("0x12")
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.get_by_role("button", name="Add the account").click()
    expect(window.locator(".field .fault")).to_contain_text("A signature has 130")
    window.get_by_label("Signature").fill(digits(Account.sign_typed_data(wallet.key, full_message=statement).signature))
    window.get_by_role("button", name="Add the account").click()
    expect(window.get_by_role("heading", name="abroad", level=1)).to_be_visible()
    expect(window.get_by_text("This account signs elsewhere.")).to_be_visible()
    expect(window.get_by_role("link", name="Homes")).to_have_count(0)
    window.get_by_role("link", name="Password and key").click()
    expect(window.get_by_role("button", name="Show Private key")).to_have_count(0)


# - From people: bytes that are no transaction, one that sends more → the fault beside the field, and nothing is sent
def test_25_a_payment_is_signed_by_the_wallet(visit, seeds):
    visit.expected.append("Failed to load resource")
    person, key = seeds.external("outsider")
    window = visit("/wallet/send", who="outsider")
    window.get_by_label("To", exact=True).fill(seeds.people["ana"].address)
    window.get_by_label("Amount", exact=True).fill("0.002")
    window.get_by_role("button", name="See the preview").click()
    window.get_by_role("dialog").get_by_role("button", name="Send").click()
    window.get_by_role("link", name="Sign with your wallet").click()
    expect(window.get_by_text("0.002 ETH").first).to_be_visible()
    given = json.loads(window.get_by_role("region", name="The same in JSON").last.inner_text())
    transaction = {name: value for name, value in given.items() if value is not None} | {"type": 2}
    transaction |= {name: int(transaction[name]) for name in ("value", "maxFeePerGas", "maxPriorityFeePerGas")}

    def give(text):
        window.locator("textarea[name=text]").fill(text)
        window.get_by_role("button", name="Give it to the node").click()

    give("0x1234")
    expect(window.locator(".field .fault")).to_be_visible()
    give(signed(transaction | {"value": 2 * transaction["value"]}, key))
    expect(window.locator(".field .fault")).to_be_visible()
    give(signed(transaction, key))
    expect(window.get_by_text("It is done.")).to_be_visible()
    assert person.get("operations?limit=1")["items"][0]["state"] == "done"


def signed(transaction, key):
    return digits(Account.sign_transaction(transaction, key.key).raw_transaction)


def digits(data):
    return "0x" + bytes(data).hex()
