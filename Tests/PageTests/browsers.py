"""Windows of the page in a browser, as somebody would use them."""

import os

from playwright.sync_api import expect
from seeds import png

CHROMIUM = "/usr/bin/chromium"
FIREFOX = "/usr/bin/firefox-esr"
# Puts a session into a window as sign-in does: the token for the script, the cookie for pictures and the socket.
SIGN_IN = """async ([account, password]) => {
  const body = JSON.stringify({ account, password, isPage: true });
  const reply = await fetch("/v1/sessions", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (reply.status !== 201) throw new Error(await reply.text());
  sessionStorage.setItem("stoa.session", await reply.text());
}"""
# Elements beyond the right edge, except those that are scrolled sideways.
OVERFLOW = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".strip, .unseen"))
  .map((one) => `${one.tagName}.${one.className}`).slice(0, 5)"""


def chromium(playwright, *arguments):
    # Chromium's own sandbox does not work for root.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*sandbox, *arguments])


def firefox(playwright):
    return playwright.firefox.launch(channel="moz-firefox", executable_path=FIREFOX)


def picture(name, number=0):
    """A file for a field of pictures, of one colour."""
    return {"name": name, "mimeType": "image/png", "buffer": png(120, 90, bytes((20 + 10 * number, 120, 160)))}


class Visits:
    """The windows of one test."""

    def __init__(self, browser, seeds):
        self.browser = browser
        self.seeds = seeds
        self.contexts = []
        self.faults = []
        # Faults that the test expects: parts of their texts.
        self.expected = []

    def __call__(self, path="/", who=None, width=1280, language="en", theme="light", node=0, origin=None):
        """Opens a window, signed in as somebody if a name is given, and goes to a path of a node's page, or of a proxy's."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 800}, locale=language, color_scheme=theme, has_touch=width < 500,
            reduced_motion="reduce", base_url=origin or self.seeds.page(node), ignore_https_errors=origin is not None,
        )
        self.contexts.append(context)
        window = context.new_page()
        window.set_default_timeout(15_000)
        window.on("console", self.heard)
        window.on("pageerror", lambda error: self.faults.append(str(error)))
        if who is not None:
            window.goto("/settings")
            window.evaluate(SIGN_IN, [who, self.seeds.PASSWORD])
        window.goto(path)
        return window

    def heard(self, message):
        if message.type == "error" and not any(part in message.text for part in self.expected):
            self.faults.append(f"{message.location.get('url', '')}: {message.text}")

    def end(self):
        for context in self.contexts:
            context.close()
        assert not self.faults, self.faults


def settled(window):
    """Waits until the screen shows what it reads."""
    window.wait_for_selector("h1")
    # Not wait_for_function: the page's policy forbids the evaluation of texts.
    expect(window.locator(".loading")).to_have_count(0)
    window.wait_for_load_state("networkidle")
