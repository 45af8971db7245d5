"""The page from elsewhere: through Debian's nginx with TLS, as Docs/operations.md says, and by plain http."""

import http.client
import os
import ssl
import tempfile
import time
from pathlib import Path

import browsers
import pytest
from playwright.sync_api import expect
from proxy import Proxy, free_port
from seeds import ETHER, png

TLS, PLAIN = ("shop.test", "127.0.0.3"), ("plain.test", "127.0.0.2")


@pytest.fixture(scope="module")
def proxies(seeds):
    """nginx before the first node: with TLS, and without it at a name that browsers do not trust as this machine's own."""
    with tempfile.TemporaryDirectory(prefix="stoa-nginx-") as folder:
        both = []
        for (host, address), has_tls in ((TLS, True), (PLAIN, False)):
            place = Path(folder) / host
            place.mkdir()
            both.append(Proxy(place, seeds.page(), host, free_port(address), has_tls))
        seeds.configure(1, STOA_API_ORIGINS=",".join(one.origin for one in both))
        try:
            for one, address in zip(both, (TLS[1], PLAIN[1])):
                one.start(address)
            yield both
        finally:
            for one in both:
                one.stop()
            del seeds.settings["STOA_API_ORIGINS"]
            seeds.configure(1)


@pytest.fixture(scope="module")
def resolving(playwright):
    """A browser that knows the names of the proxies."""
    rules = ", ".join(f"MAP {host} {address}" for host, address in (TLS, PLAIN))
    browser = browsers.chromium(playwright, f"--host-resolver-rules={rules}")
    yield browser
    browser.close()


@pytest.fixture
def come(resolving, seeds):
    visits = browsers.Visits(resolving, seeds)
    # Without an account the node tells other machines nothing, and browsers ignore a header at plain http.
    visits.expected += ["401 (Unauthorized)", "Cross-Origin-Opener-Policy header has been ignored"]
    yield visits
    visits.end()


def sign_in(window, name, password):
    window.get_by_label("Name of the account").fill(name)
    window.get_by_label("Password", exact=True).fill(password)
    window.get_by_role("button", name="Sign in").click()


def test_tls_gives_the_session_a_cookie_that_only_https_sees(come, seeds, proxies):
    window = come("/sign-in?to=/searches", origin=proxies[0].origin)
    sockets = []
    window.on("websocket", lambda socket: sockets.append(socket))
    sign_in(window, "bo", seeds.PASSWORD)
    expect(window.get_by_role("heading", name="Saved searches", level=1)).to_be_visible()
    cookie, = window.context.cookies()
    assert cookie["name"].startswith("__Host-") and cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Strict", cookie
    window.goto("/")
    browsers.settled(window)
    seeds.sell("ana", "Proxied bell", "sports", ETHER // 100)
    expect(window.get_by_role("link", name="Proxied bell")).to_be_visible()
    assert sockets and all(socket.url.startswith(f"wss://{TLS[0]}:") and not socket.is_closed() for socket in sockets[-2:])


@pytest.mark.long
def test_a_thing_with_a_picture_is_listed_through_a_proxy(come, seeds, proxies):
    window = come("/sign-in?to=/sell", origin=proxies[0].origin)
    sign_in(window, "ana", seeds.PASSWORD)
    for label, text in (("Title", "Proxied bottle"), ("Description", "Blown by hand."), ("Identifier", "mark of a proxied bottle"), ("Tags", "glass"),
                        ("Price", "0.02")):
        window.get_by_label(label, exact=True).fill(text)
    window.get_by_label("Category").select_option("home")
    # A slow line: the proxy keeps what has come, and hands it on when it has all.
    line = window.context.new_cdp_session(window)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", {"offline": False, "latency": 20, "downloadThroughput": -1, "uploadThroughput": 100_000})
    began = time.monotonic()
    window.locator("input[type=file]").set_input_files([{"name": "bottle.png", "mimeType": "image/png", "buffer": noise(300_000)}])
    expect(window.locator(".picture-entry img")).to_be_visible(timeout=30_000)
    assert time.monotonic() - began > 2
    line.detach()
    window.get_by_role("button", name="See the preview").click()
    window.get_by_role("button", name="Put it on sale").click()
    expect(window.get_by_role("heading", name="It is done")).to_be_visible(timeout=60_000)
    window.get_by_role("link", name="To the listing").click()
    expect(window.locator(".listing-pictures .picture img").first).to_be_visible()


def noise(size):
    """A picture of about so many bytes."""
    side = int((size / 3) ** 0.5)
    return png(side, side, None, pixels=os.urandom)


@pytest.mark.long
def test_the_largest_work_comes_through_a_proxy(come, seeds, proxies):
    window = come("/sign-in?to=/sell", origin=proxies[0].origin)
    sign_in(window, "ana", seeds.PASSWORD)
    window.get_by_label("Digital work", exact=True).check(force=True)
    largest = 15 * 1024 * 1024 - 28
    window.get_by_label("Add a file").first.set_input_files([{"name": "long.flac", "mimeType": "audio/flac", "buffer": os.urandom(largest)}])
    expect(window.get_by_label("File for sale").locator("option:checked")).to_have_text("long.flac", timeout=30_000)


# - From people: a new account from another machine → that only the node's own machine makes one
def test_a_new_account_is_made_on_the_nodes_own_machine(come, seeds, proxies):
    come.expected.append("403 (Forbidden)")
    window = come("/", origin=proxies[0].origin)
    # Without an account nobody looks around from another machine.
    expect(window.get_by_role("link", name="Sign in").first).to_be_visible()
    window.goto("/sign-up")
    window.get_by_label("Name of the account").fill("tara")
    window.get_by_label("Password", exact=True).fill(seeds.PASSWORD)
    window.get_by_role("button", name="Create an account").click()
    expect(window.get_by_text("This is done on the node's own machine.")).to_be_visible()


@pytest.mark.parametrize("path, method", [("/v1/sessions", "POST"), ("/v1/rows", "GET"), ("/v1/events", "GET")])
def test_another_site_is_refused_through_a_proxy(seeds, proxies, path, method):
    at = proxies[0]
    for origin, is_refused in (("https://evil.test", True), (f"http://{at.host}:{at.port}", True), (f"https://{at.host}", True), (at.origin, False)):
        connection = http.client.HTTPSConnection(TLS[1], at.port, context=ssl._create_unverified_context(), timeout=20)
        headers = {"Host": f"{at.host}:{at.port}", "Origin": origin, "Content-Type": "application/json"}
        if path == "/v1/events":
            headers |= {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        body = '{"account": "bo", "password": "wrong horse", "isPage": true}' if method == "POST" else None
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert (answer.status == 403) == is_refused, (origin, answer.status, text)


def test_plain_http_says_what_it_cannot_do_and_works_otherwise(come, seeds, proxies):
    window = come("/sign-in?to=/searches", origin=proxies[1].origin)
    assert not window.evaluate("isSecureContext")
    expect(window.get_by_text("This address has no encryption.")).to_be_visible()
    sign_in(window, "bo", seeds.PASSWORD)
    expect(window.get_by_role("heading", name="Saved searches", level=1)).to_be_visible()
    cookie, = window.context.cookies()
    assert not cookie["secure"] and cookie["httpOnly"]
    window.goto(f"/accounts/{seeds.people['ana'].address}")
    window.get_by_role("button", name="Copy the address").click()
    expect(window.get_by_role("status").get_by_text(seeds.people["ana"].address)).to_be_visible()
    seeds.sell("ana", "Plain bell", "sports", ETHER // 100)
    expect(window.get_by_role("link", name="Plain bell")).to_be_visible()
    # Another tab of the browser hears by itself, and is signed in too.
    other = window.context.new_page()
    other.goto("/searches")
    expect(other.get_by_role("heading", name="Saved searches", level=1)).to_be_visible()


@pytest.mark.long
def test_a_proxy_whose_node_is_away_is_said(come, seeds, proxies):
    come.expected.append("Failed to load resource")
    window = come("/sign-in", origin=proxies[0].origin)
    browsers.settled(window)
    node, proxies[0].node = proxies[0].node, f"http://127.0.0.1:{free_port('127.0.0.1')}"
    try:
        proxies[0].stop()
        proxies[0].start(TLS[1])
        sign_in(window, "bo", seeds.PASSWORD)
        expect(window.get_by_role("alert")).to_contain_text("The node does not answer.")
    finally:
        proxies[0].node = node
        proxies[0].stop()
        proxies[0].start(TLS[1])
