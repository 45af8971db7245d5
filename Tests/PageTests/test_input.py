"""Bad input on the page: much at once, cut off, out of order, of another version, and a full storage."""

import contextlib
import os
import socket
import threading
import time
from urllib.parse import urlsplit

import browsers
import pytest
import screens
from playwright.sync_api import expect
from seeds import png

HUGE = "W" * 100_000
FIELDS = "main input:not([type]), main input[type=text], main input[type=search], main input[type=password], main textarea"
# Sends nothing away: what a form finds by itself, or the node refuses.
SENT = {
    "/sell": "See the preview", "/address": "Save", "/account/profile": "Publish", "/report": "Send the report", "/sign-up": "Create an account",
    "/recover": "Recover an account", "/sign-in": "Sign in", "/account/homes": "Add this home", "/check": "Check",
}
# Puts files onto a field as a drop does.
DROP = """(zone, names) => {
  const data = new DataTransfer();
  for (const name of names) data.items.add(new File([new Uint8Array([137, 80, 78, 71])], name, { type: "image/png" }));
  for (const type of ["dragenter", "dragover", "drop"]) zone.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
}"""
FILL_UP = """(kind) => {
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try { for (let count = 0; ; count++) window[kind].setItem(`fill.${size}.${count}`, "x".repeat(size)); } catch { /* It is full for this size. */ }
  }
}"""


@pytest.mark.long
@pytest.mark.parametrize("path", screens.paths())
def test_a_huge_paste_in_each_field_leaves_the_screen_standing(visit, seeds, path):
    visit.expected.append("Failed to load resource")
    who, address = screens.ENTRIES[path]
    window = visit(address(seeds), who=who, width=360)
    browsers.settled(window)
    fields = [one for one in window.locator(FIELDS).all() if one.is_visible()]
    for field in fields:
        field.fill(HUGE)
    for field in window.locator("header input").all():
        field.fill(HUGE)
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, window.evaluate(browsers.OVERFLOW))
    if path in SENT:
        window.get_by_role("button", name=SENT[path], exact=True).first.click()
        expect(window.locator("main .fault, main [role=alert]").first).to_be_visible()
        assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, window.evaluate(browsers.OVERFLOW))
    expect(window.locator("h1")).to_have_count(1)


def test_twenty_one_pictures_that_are_dropped_are_six(visit):
    window = visit("/sell", who="minsu", node=1)
    visit.expected.append("Failed to load resource")
    window.locator(".picture-drop").evaluate(DROP, [f"{number}.png" for number in range(21)])
    expect(window.get_by_text("At most 6 pictures go with it; left out: 15.")).to_be_visible()
    expect(window.locator(".picture-entry")).to_have_count(6)


class Cable:
    """A slow way to a node, whose connections can be cut."""

    def __init__(self, node):
        self.node = (urlsplit(node).hostname, urlsplit(node).port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.ends = []
        self.pause = 0.0
        # A browser tries a request again by itself if its connection ends, so a cut cable takes no new ones.
        self.is_cut = False
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                browser = self.listener.accept()[0]
            except OSError:
                return
            if self.is_cut:
                browser.close()
                continue
            node = socket.create_connection(self.node)
            self.ends += [browser, node]
            for one, other in ((browser, node), (node, browser)):
                threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        try:
            while content := one.recv(16_384):
                time.sleep(self.pause)
                other.sendall(content)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            # It was cut, or the browser has closed it.
            pass

    def cut(self):
        self.is_cut = True
        ends, self.ends = self.ends, []
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def test_an_upload_that_is_cut_off_is_tried_again(visit, seeds):
    visit.expected += ["Failed to load resource", "WebSocket connection"]
    cable = Cable(seeds.page(1))
    window = visit("/sell", who="minsu", origin=cable.origin)
    browsers.settled(window)
    cable.pause = 0.2
    window.locator("input[type=file]").set_input_files([{"name": "big.png", "mimeType": "image/png", "buffer": png(1000, 1000, None, pixels=os.urandom)}])
    entry = window.locator(".picture-entry")
    expect(entry.locator("progress")).to_be_visible()
    cable.cut()
    expect(entry.get_by_role("alert")).to_contain_text("The node does not answer.")
    cable.is_cut, cable.pause = False, 0.0
    entry.get_by_role("button", name="Try again").click()
    expect(entry.locator("img")).to_be_visible(timeout=15_000)
    cable.listener.close()
    cable.cut()


@pytest.mark.long
def test_back_from_each_step_of_a_listing_loses_nothing_and_lists_once(visit, seeds):
    minsu = seeds.people["minsu"]
    before = len(minsu.get("operations?limit=100")["items"])
    window = visit("/settings", who="minsu", node=1)
    window.get_by_role("link", name="Sell").first.click()
    for label, text in (("Title", "Backward bottle"), ("Description", "Blown."), ("Identifier", "mark of it"), ("Tags", "glass"), ("Price", "0.02")):
        window.get_by_label(label, exact=True).fill(text)
    window.get_by_label("Category").select_option("home")
    window.go_back()
    expect(window.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    window.go_forward()
    expect(window.get_by_label("Title", exact=True)).to_have_value("Backward bottle")
    window.get_by_role("button", name="See the preview").click()
    expect(window.get_by_role("heading", name="As others will see it")).to_be_visible()
    window.go_back()
    window.go_forward()
    expect(window.get_by_label("Title", exact=True)).to_have_value("Backward bottle")
    window.get_by_role("button", name="See the preview").click()
    window.get_by_role("button", name="Put it on sale").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    window.go_back()
    window.go_forward()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible()
    assert len(minsu.get("operations?limit=100")["items"]) == before + 1


@pytest.mark.long
def test_back_from_each_step_of_a_purchase_loses_nothing_and_buys_once(visit, seeds):
    bo = seeds.people["bo"]
    listing = seeds.sell("ana", "Backward radio", "electronics", 10**16, payment="direct")
    before = len(bo.get("operations?limit=100")["items"])
    window = visit(f"/listings/{listing}", who="bo")
    window.get_by_role("link", name="Buy").first.click()
    window.get_by_label("Country").select_option("DE")
    window.get_by_label("Delivery address").fill("Bo Lee, half an address")
    window.go_back()
    expect(window.get_by_role("heading", level=1)).to_have_text("Backward radio")
    window.go_forward()
    expect(window.get_by_label("Delivery address")).to_have_value("Bo Lee, half an address")
    window.get_by_role("button", name="Pay ").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    window.go_back()
    expect(window.get_by_role("heading", level=1)).to_have_text("Backward radio")
    window.go_forward()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible()
    assert len(bo.get("operations?limit=100")["items"]) == before + 1


GONE = [
    "/listings/{ana}.{zeros}", "/listings/{ana}.{zeros}/edit", "/listings/{ana}.{zeros}/buy", "/listings/{ana}.{zeros}/offer", "/sales/999999",
    "/sales/999999/review", "/sales/999999/attendance", "/sales/nothing", "/operations/nothing", "/lists/{ana}.{zeros}", "/signatures/nothing",
    "/accounts/0x12", "/accounts/nobody", "/categories/none", "/sell?draft=none", "/report?listing={ana}.{zeros}", "/report", "/check?identifier=%00",
]


@pytest.mark.long
def test_a_link_to_what_is_gone_says_so_and_leads_on(visit, seeds):
    visit.expected.append("Failed to load resource")
    window = visit("/settings", who="bo")
    for path in GONE:
        window.goto(path.format(ana=seeds.people["ana"].address, zeros="0" * 64))
        browsers.settled(window)
        text = window.locator("main").inner_text()
        assert len(text) > 20, (path, text)
        expect(window.get_by_text("This screen could not be shown."), path).to_have_count(0)
        expect(window.locator("main").locator("a, button").first, path).to_be_visible()


@pytest.mark.parametrize("mark", ["#/listings/1", "#!/wallet", "#code=nonsense", "#%E0%A4%A", "#<script>alert(1)</script>"])
def test_an_address_with_a_mark_of_another_version_shows_the_market(visit, mark):
    visit.expected.append("Failed to load resource")
    window = visit(f"/{mark}")
    window.on("dialog", lambda dialog: visit.faults.append(f"a dialog: {dialog.message}"))
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()


def test_a_full_storage_costs_nothing_that_was_typed(visit, seeds):
    window = visit("/sell", who="minsu", node=1)
    window.get_by_label("Title", exact=True).fill("Ol")
    for kind in ("sessionStorage", "localStorage"):
        window.evaluate(FILL_UP, kind)
    window.get_by_label("Title", exact=True).fill("Old bottle in a full cellar")
    window.get_by_label("Description", exact=True).fill("Blown by hand.")
    window.get_by_role("link", name="Stoa", exact=True).click()
    expect(window.get_by_role("link", name="Red bicycle")).to_be_visible()
    window.go_back()
    expect(window.get_by_label("Title", exact=True)).to_have_value("Old bottle in a full cellar")
    expect(window.get_by_label("Description", exact=True)).to_have_value("Blown by hand.")
    window.get_by_role("link", name="Settings").click()
    window.get_by_label("한국어").check(force=True)
    expect(window.get_by_role("heading", level=1)).to_have_text("설정")
