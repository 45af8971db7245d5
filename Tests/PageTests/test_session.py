"""A session of the page against pages of other addresses in the same browser, and against its stolen halves."""

import http.server
import threading

import browsers
import pytest
from playwright.sync_api import expect

# Everything that a page of another address can try with the browser's cookie; each answers whether it got somewhere.
TRIES = """async (node) => {
  const account = new URL(node).searchParams.get("as");
  const origin = new URL(node).origin;
  const read = async (path, options) => {
    try { const reply = await fetch(origin + path, { credentials: "include", ...options }); return reply.type !== "opaque" && reply.ok; } catch { return false; }
  };
  const socket = () => new Promise((done) => {
    const one = new WebSocket(origin.replace("http", "ws") + "/v1/events?of=account&as=" + account);
    one.onopen = () => done(true);
    one.onclose = () => done(false);
  });
  const picture = () => new Promise((done) => {
    const image = new Image();
    image.onload = () => done(true);
    image.onerror = () => done(false);
    image.src = origin + new URL(node).searchParams.get("picture");
  });
  const frame = () => new Promise((done) => {
    const one = document.createElement("iframe");
    one.onload = () => done(false);
    one.src = origin + "/wallet";
    document.body.append(one);
  });
  return {
    fetch: await read("/v1/wallet"), simple: await read("/v1/rows"), post: await read("/v1/homes", { method: "POST", body: "{}", mode: "no-cors" }),
    remove: await read("/v1/sessions/current", { method: "DELETE" }), socket: await socket(), picture: await picture(), frame: await frame(),
  };
}"""
FORM = """(action) => {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", enctype: "text/plain", action });
  const field = Object.assign(document.createElement("input"), { name: '{"text":"', value: '"}' });
  form.append(field);
  document.body.append(form);
  form.submit();
}"""


@pytest.fixture(scope="module")
def elsewhere():
    """The port of a server of pages that are not the node's."""
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>elsewhere</title><body>")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


# A port is the same site to cookies, another name is another site.
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_pages_of_other_addresses_do_nothing_with_the_session(visit, seeds, elsewhere, host):
    window = visit("/wallet", who="bo")
    browsers.settled(window)
    bo = seeds.people["bo"]
    picture = bo.get(f"listings/{seeds.listings['Red bicycle']}")["content"]["media"][0]["id"]
    other = window.context.new_page()
    other.goto(f"http://{host}:{elsewhere}/")
    got = other.evaluate(TRIES, f"{seeds.page()}/?as={bo.address}&picture=/v1/media/{picture}")
    assert not any(got.values()), got
    # The browser shows its own page in a frame that the node's page refuses.
    assert len(other.frames) == 2 and other.frames[1].locator("#page").count() == 0, other.frames[1].url
    homes = bo.get("homes")
    with other.expect_navigation():
        other.evaluate(FORM, f"{seeds.page()}/v1/homes")
    assert "elsewhere" not in other.title() and bo.get("homes") == homes
    window.reload()
    expect(window.get_by_role("heading", name="Wallet", level=1)).to_be_visible()


def test_neither_half_of_a_session_is_enough(visit, seeds):
    window = visit("/wallet", who="bo")
    browsers.settled(window)
    token = window.evaluate("JSON.parse(sessionStorage.getItem('stoa.session')).token")
    ask = "async (headers) => (await fetch('/v1/wallet', { headers })).status"
    assert window.evaluate(ask, {"Authorization": f"Bearer {token}"}) == 200
    visit.expected.append("Failed to load resource")
    # The cookie without the token, and the token in another browser.
    assert window.evaluate(ask, {}) == 401
    assert visit("/settings").evaluate(ask, {"Authorization": f"Bearer {token}"}) == 401
