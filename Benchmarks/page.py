"""Measures the page in Chromium: what it loads, how soon it answers, what its sockets and events cost.

page.py --stoa PROGRAM [--market FOLDER] [--listings N] [--sales N] [--events N] [NAME…]
One node serves the page and trades on a development chain; every listing and sale is made over its API. FOLDER keeps
them, since making them takes a quarter to half an hour; later runs use them again.
"""

import argparse
import asyncio
import itertools
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Scripts/play"), str(ROOT / "Tests/PageTests")]

import browsers  # noqa: E402
import websockets  # noqa: E402
from market import say  # noqa: E402
from page_market import COLOURS, SELLERS, FilledMarket  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from screens import paths  # noqa: E402

# Of these each account may have sixteen: two a page.
PAGES_A_SELLER = 8
LARGEST_PAINT = """() => new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true });
})"""
# What the page has loaded: name, bytes as they came, and bytes once decompressed.
LOADED = """() => performance.getEntriesByType("resource")
  .map((one) => [new URL(one.name).pathname, one.encodedBodySize, one.decodedBodySize])"""
ROWS = """() => document.querySelectorAll(".cards > *, .rows > *").length"""
# Going back by the browser's own button is no interaction for the observer.
INTERACTIONS = """
  window.interactions = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (one.interactionId) window.interactions.push(one.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  addEventListener("popstate", () => {
    const start = performance.now();
    requestAnimationFrame(() => setTimeout(() => window.interactions.push(performance.now() - start)));
  });
"""
# When each title was painted, on the clock of this machine.
TITLES = """() => {
  window.titles = {};
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
    window.titles[document.querySelector("h1").textContent] ??= performance.timeOrigin + performance.now();
  }))).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


class Report:
    """The figures beside their goals."""

    def __init__(self):
        say("\n| | measured | goal | of the goal | |\n|---|---|---|---|---|")

    def __call__(self, what, measured, goal, unit):
        verdict = "reached" if measured <= goal else "missed"
        say(f"| {what} | {measured:.4g} {unit} | {goal} {unit} | {measured / goal:.2f} | {verdict} |")


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def measure_loads(market, visits, report, _):
    """The compressed files of a first visit, and what each other screen adds."""
    window = visits("/")
    browsers.settled(window)

    def assets():
        return {name: encoded for name, encoded, _ in window.evaluate(LOADED) if name.startswith("/assets/")}

    first = assets()
    late = sum(size for name, size in first.items() if ".late-" in name)
    report("first load of home: scripts, style, texts, compressed", (sum(first.values()) - late) / 1000, 150, "kB")
    say(f"| the texts of refusals, loaded afterwards | {late / 1000:.4g} kB | | | |")
    sale = market.ana.get("sales?list=purchases&limit=1")["items"][0]["id"]
    ids = {"listings": market.listings[0], "sales": sale, "accounts": market.ana.address, "categories": "sports"}
    further, window = {}, visits("/", who="ana")
    for path in paths():
        window.goto(path.replace(":id", ids.get(path.split("/")[1], "none")))
        browsers.settled(window)
        further[path] = sum(size for name, size in assets().items() if name not in first)
    largest = max(further, key=further.get)
    report(f"a further screen at most ({largest})", further[largest] / 1000, 40, "kB")


def measure_paint(_market, visits, report, _):
    """The largest paint of home, in new browsers and in those that have been there."""
    cold, warm = [], []
    for _ in range(9):
        window = visits("/")
        browsers.settled(window)
        cold.append(window.evaluate(LARGEST_PAINT))
        window.goto("about:blank")
        window.goto("/")
        browsers.settled(window)
        warm.append(window.evaluate(LARGEST_PAINT))
    report("largest paint of home, first visit, median of 9", statistics.median(cold), 1_000, "ms")
    report("largest paint of home, later, median of 9", statistics.median(warm), 300, "ms")


def measure_calls(_market, visits, report, _):
    """The calls by which an open page shows listings."""
    window = visits("/")
    browsers.settled(window)
    window.evaluate("() => performance.clearResourceTimings()")
    window.get_by_role("link", name="Show all").click()
    browsers.settled(window)
    calls = [one for one in window.evaluate(LOADED) if one[0].startswith("/v1/") and not one[0].startswith("/v1/media/")]
    shown = window.evaluate(ROWS)
    report(f"calls to show a page of {shown} listings, without pictures", len(calls), 1, "")
    report("their JSON, decompressed", sum(one[2] for one in calls) / 1000, 60, "kB")
    say(f"| the same as sent | {sum(one[1] for one in calls) / 1000:.4g} kB | | | |")


class Hands:
    """Somebody at the keyboard and the mouse, who does one thing after the other."""

    def __init__(self, window):
        self.window = window
        self.actions = 0
        self.rows = 0

    def settle(self):
        browsers.settled(self.window)
        self.rows = max(self.rows, self.window.evaluate(ROWS))

    def click(self, place):
        place.click()
        self.actions += 1
        self.settle()

    def press(self, key):
        self.window.keyboard.press(key)
        self.actions += 1

    def back(self):
        self.window.go_back()
        self.actions += 1
        self.settle()

    def link(self, name):
        self.click(self.window.get_by_role("link", name=name, exact=True).first)

    def round(self, colour):
        """Searches, sorts, pages, opens, goes back, asks a question, and looks through the sales."""
        window = self.window
        self.click(window.get_by_role("combobox", name="Search the market"))
        for letter in colour:
            self.press(letter)
            window.wait_for_timeout(60)
        self.press("Enter")
        self.settle()
        window.get_by_label("Order").focus()
        for _ in range(3):
            self.press("ArrowDown")
            self.settle()
        self.link("Next page")
        self.click(window.locator(".card a").first)
        self.back()
        self.click(window.get_by_role("button", name="Save this search"))
        self.press("Escape")
        for name in ("Sales", "Purchases"):
            self.link(name)
        self.click(window.get_by_role("button", name="Next page"))
        self.click(window.locator(".row a").first)
        self.back()
        self.link("Running")


def measure_interactions(_market, visits, report, _):
    """How long after each of 200 actions the screen is painted again."""
    window = visits("/", who="ana")
    window.context.add_init_script(INTERACTIONS)
    window.goto("/")
    hands = Hands(window)
    hands.settle()
    for colour in itertools.cycle(COLOURS):
        if hands.actions >= 200:
            break
        hands.round(colour)
    report(f"interaction to next paint, worst of {hands.actions}", max(window.evaluate("() => window.interactions")), 200, "ms")
    report("rows in the document at most", hands.rows, 60, "")


def measure_events(market, visits, report, _):
    """From a seller's call until a buyer's screen is painted with the change."""
    window = visits(f"/listings/{market.listings[7]}", who="ana")
    browsers.settled(window)
    window.evaluate(TITLES)
    begun = {}
    for turn in range(120):
        mark = f" no {turn} {uuid.uuid4().hex[:4]}"
        title = market.content(7, mark)["title"]
        begun[title] = time.time() * 1000
        market.edit(7, mark)
        # An answer is read once a second at most.
        window.wait_for_timeout(1_200)
    painted = window.evaluate("() => window.titles")
    waited = [painted.get(title, math.inf) - start for title, start in begun.items()]
    report(f"event to changed screen, p50 of {len(waited)}", percentile(waited, 0.5), 300, "ms")
    report("event to changed screen, p99", percentile(waited, 0.99), 300, "ms")


def measure_memory(market, visits, report, options):
    """What a page holds after so many events: a stand-in for 8 hours."""
    window = visits("/", who="ana")
    browsers.settled(window)
    client = window.context.new_cdp_session(window)
    client.send("Performance.enable")

    def heap():
        client.send("HeapProfiler.collectGarbage")
        found = {one["name"]: one["value"] for one in client.send("Performance.getMetrics")["metrics"]}
        return found["JSHeapUsedSize"] / 2**20

    # A reload with the ear at the socket from its beginning.
    heard = []
    window.on("websocket", lambda socket: socket.on("framereceived", lambda _: heard.append(None)))
    window.reload()
    browsers.settled(window)
    mark, before, begun, sent = uuid.uuid4().hex[:4], heap(), time.monotonic(), 0
    with ThreadPoolExecutor(4) as pool:
        while len(heard) < options.events:
            run = range(sent, sent + 100)
            list(pool.map(lambda turn: market.edit(turn % len(market.listings), f" {mark} {turn}"), run))
            sent += 100
            window.wait_for_timeout(50)
    window.wait_for_timeout(3_000)
    took = time.monotonic() - begun
    report(f"memory of an open page after {len(heard)} events in {took:.0f} s: growth", heap() - before, 20, "MiB")


def measure_sockets(market, _visits, report, _options):
    """What the pages of 200 browsers cost the node. They are sockets with a page's cookie and origin, without a browser."""
    # Playwright has this thread's event loop.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, open_pages(market, report, SELLERS * PAGES_A_SELLER)).result()


async def open_pages(market, report, pages):
    origin = market.page()
    address = origin.replace("http", "ws", 1) + "/v1/events"
    before = market.kilobytes()
    cookies = []
    for number in range(pages):
        seller = market.sellers[number % SELLERS]
        cookies.append((seller.address, await asyncio.to_thread(page_session, seller)))
    sockets = []
    for account, cookie in cookies:
        for of in ("account", "records"):
            sockets.append(await websockets.connect(
                f"{address}?of={of}&as={account}", origin=origin, additional_headers={"Cookie": cookie}))
    await asyncio.sleep(2)
    each = (market.kilobytes() - before) / pages
    report(f"the node's memory for each of {pages} pages, a session and two sockets", each, 200, "KiB")
    records = sockets[1::2]
    waited = []
    for turn in range(5):
        number = 11 + turn
        begun = time.monotonic()
        heard = [asyncio.create_task(until(socket, market.listings[number])) for socket in records]
        await asyncio.to_thread(market.edit, number, f" to all {uuid.uuid4().hex[:6]}")
        await asyncio.gather(*heard)
        waited.append((time.monotonic() - begun) * 1000)
    report(f"an event until all {pages} pages have it, worst of 5", max(waited), 1_000, "ms")
    for socket in sockets:
        await socket.close()


async def until(socket, subject):
    while json.loads(await socket.recv())["subject"] != subject:
        pass


def page_session(person):
    """Signs in as the page does; returns the browser's cookie."""
    body = json.dumps({"account": person.name, "password": FilledMarket.PASSWORD, "isPage": True}).encode()
    headers = {"content-type": "application/json", "origin": person.api.removesuffix("/v1/")}
    request = urllib.request.Request(person.api + "sessions", body, headers, method="POST")
    with urllib.request.urlopen(request) as answer:
        return answer.headers["set-cookie"].split(";")[0]


def measure_build(_market, _visits, report, _options):
    """A whole build of the page with its checks, of which nothing is kept from the last one."""
    shutil.rmtree(ROOT / ".build/web", ignore_errors=True)
    begun = time.monotonic()
    subprocess.run([ROOT / "Scripts/page"], check=True, stdout=subprocess.DEVNULL)
    report("build of the page", time.monotonic() - begun, 15, "s")


MEASURES = {
    "loads": measure_loads, "paint": measure_paint, "calls": measure_calls, "interactions": measure_interactions,
    "events": measure_events, "sockets": measure_sockets, "memory": measure_memory, "build": measure_build,
}


def main():
    usage = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    usage.add_argument("--stoa", required=True, help="the program")
    usage.add_argument("--market", default=str(ROOT / ".build/bench-page"), help="a folder that keeps the market")
    usage.add_argument("--listings", type=int, default=10_000)
    usage.add_argument("--sales", type=int, default=1_000)
    usage.add_argument("--events", type=int, default=10_000)
    usage.add_argument("names", nargs="*", metavar="NAME", help=f"what is measured, by default all: {', '.join(MEASURES)}")
    options = usage.parse_args()
    if unknown := [name for name in options.names if name not in MEASURES]:
        usage.error(f"there is no {unknown[0]}")
    os.environ["STOA_KEYSTORE_SCRYPT_COST"] = "1024"
    Path(options.market).mkdir(parents=True, exist_ok=True)
    with FilledMarket(options.stoa, options.market, options.listings, options.sales) as market, sync_playwright() as playwright:
        browser = browsers.chromium(playwright)
        say(f"\n{options.listings} listings, {options.sales} sales of one account; {options.stoa}; Chromium {browser.version}")
        report = Report()
        for name in options.names or MEASURES:
            visits = browsers.Visits(browser, market)
            MEASURES[name](market, visits, report, options)
            for context in visits.contexts:
                context.close()
        browser.close()


main()
