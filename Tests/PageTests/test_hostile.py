"""Texts of strangers: nothing in them runs or is loaded, and they do not break the layout of a phone."""

import urllib.parse

import pytest
from seeds import ETHER
from strangers import COMBINING, HEBREW, LINE, LONG, MARKUP, Watch, text


@pytest.fixture
def watch(visit):
    return Watch(visit)


@pytest.fixture(scope="module")
def hostile(seeds):
    """A listing of somebody whose every text is hostile."""
    minsu = seeds.people["minsu"]
    minsu.ask("PUT", "profile", {"name": f"{MARKUP[:30]}{HEBREW}", "about": text(2048), "region": LONG[:40]})
    ana = seeds.people["ana"]
    listing = seeds.sell("minsu", LINE, "art", 10**38 + 1, payment="direct", description=text(8192), tags=[LONG[:30].lower(), HEBREW],
                         delivery="pickup", pickupPlace=MARKUP, shipsTo=[])
    ana.wait("the profile is here", lambda: ana.get(f"profiles/{minsu.address}")["region"] == LONG[:40])
    return listing


@pytest.mark.parametrize("width", [360, 1280])
def test_hostile_texts_are_only_texts_and_the_layout_holds(watch, seeds, hostile, width):
    window = watch(width=width)
    for path in ("/", "/search?search=WWW", f"/listings/{hostile}", f"/accounts/{seeds.people['minsu'].address}"):
        watch.show(window, path)


def test_offers_for_hostile_texts_are_only_texts(watch, seeds, hostile):
    seeds.offer("bo", hostile, 10**37)
    window = watch("bo")
    for path in ("/offers", f"/listings/{hostile}/offer"):
        watch.show(window, path)


@pytest.fixture(scope="module")
def hostile_course(seeds):
    """A course of the same kind, in which Bo has a seat."""
    listing = seeds.course("minsu", f"{LONG}{MARKUP[:30]}", description=MARKUP, tags=[LONG[:30].lower(), HEBREW], delivery="pickup",
                           pickupPlace=f"{MARKUP}{LONG[:40]}", curriculum=[{"title": MARKUP, "content": f"{LONG * 3}{COMBINING}"}])
    seeds.buy("bo", listing)
    return listing


@pytest.mark.parametrize("width", [360, 1280])
def test_hostile_texts_hold_in_cart_favourites_and_courses(watch, seeds, hostile, hostile_course, width):
    bo = seeds.people["bo"]
    bo.ask("PUT", f"cart/{hostile}", {"quantity": 1})
    bo.ask("PUT", f"favourites/{hostile}")
    window = watch("bo", width=width)
    sale = seeds.sales[next(name for name, known in seeds.listings.items() if known == hostile_course)]
    for path in ("/cart", "/cart/checkout", "/favourites", "/courses", "/courses/mine", f"/listings/{hostile_course}", f"/sales/{sale}"):
        watch.show(window, path)


@pytest.mark.long
def test_a_hostile_auction_holds_on_the_screens_of_its_bidder(watch, seeds, hostile):
    listing = seeds.sell("minsu", f"Auction {LINE}"[:150], "art", ETHER // 100, pictures=1, payment="auction", description=text(8192),
                         auction={"durationSeconds": 1200, "extensionSeconds": 60})
    bo = seeds.people["bo"]
    sale = bo.get(f"listings/{listing}")["anchor"]["sale"]
    bo.do("POST", "sales", {"listing": listing, "sale": sale, "bid": str(ETHER // 50), "shipTo": "DE"})
    window = watch("bo")
    for path in (f"/listings/{listing}", f"/listings/{listing}/buy", f"/sales/{sale}"):
        watch.show(window, path)
    for path in ("/sales?list=purchases", "/operations", "/wallet"):
        watch.show(window, path, shown=None)


@pytest.mark.long
def test_a_hostile_work_holds_with_the_name_of_its_file(watch, seeds, hostile):
    name = f"{LONG}{HEBREW} javascript:alert(1) <svg onload=alert(1)>.exe"
    listing = seeds.work("minsu", f"Work {LINE}"[:150], b"plip", name=urllib.parse.quote(name), description=text(8192))
    seeds.buy("bo", listing)
    seeds.people["bo"].sees(seeds.sales[f"Work {LINE}"[:150]], "sold")
    window = watch("bo")
    for path in ("/works", f"/listings/{listing}", f"/sales/{seeds.sales[f'Work {LINE}'[:150]]}"):
        watch.show(window, path)
    own = watch("minsu", node=1)
    for path in ("/selling", "/selling?list=works"):
        watch.show(own, path)


@pytest.mark.long
def test_hostile_notes_of_a_sale_hold_for_the_buyer_and_the_arbiter(watch, seeds, hostile):
    judge, minsu, bo = seeds.guest("judge"), seeds.people["minsu"], seeds.people["bo"]
    judge.do("POST", "arbitration", {"currency": "native", "feeMin": str(ETHER // 1000), "until": seeds.chain_time() + 365 * 86_400})
    listing = seeds.sell("minsu", f"Case {LINE}"[:150], "art", ETHER // 10, description=text(8192),
                         terms={"arbiter": judge.address, "arbiterFee": str(ETHER // 1000)})
    sale = seeds.buy("bo", listing)
    minsu.sees(sale, "paid")
    minsu.move(sale, "transfer", note=text(1000))
    bo.sees(sale, "transferred")
    bo.move(sale, "dispute", note=text(1000))
    judge.sees(sale, "disputed")
    window = watch("bo")
    for path in (f"/sales/{sale}", f"/check?identifier={urllib.parse.quote(bo.get(f'listings/{listing}')['content']['identifier'])}"):
        watch.show(window, path)
    watch.show(window, "/wallet", shown=None)
    arbiter = watch("judge")
    for path in ("/arbiter", f"/sales/{sale}"):
        watch.show(arbiter, path)


@pytest.mark.long
def test_hostile_reviews_lists_answers_and_names_are_only_texts(watch, seeds, hostile):
    bo, minsu = seeds.people["bo"], seeds.people["minsu"]
    title = f"Review {LINE}"[:150]
    listing = seeds.sell("minsu", title, "art", ETHER // 100, payment="direct", description=text(8192))
    sale = seeds.buy("bo", listing)
    minsu.sees(sale, "sold")
    minsu.ask("POST", "reviews", {"sale": sale, "stars": 1, "text": text(2000)})
    bo.ask("PUT", f"contacts/{minsu.address}", {"name": MARKUP[:50]})
    entries = [{"listing": seeds.listings["Red bicycle"], "reason": f"{LONG}{MARKUP}"}, {"account": seeds.people["ana"].address, "reason": LONG}]
    curation = minsu.ask("POST", "curations", {"name": f"{LONG[:40]}{MARKUP[:20]}", "about": LINE, "entries": entries})["id"]
    bo.wait("the review is here", lambda: bo.get(f"reviews?account={bo.address}")["items"])
    bo.wait("the list is here", lambda: curation in str(bo.get("curations")))
    window = watch("bo")
    for path in (f"/accounts/{bo.address}", f"/sales/{sale}", f"/listings/{listing}", f"/sales/{sale}/review", "/lists", f"/lists/{curation}",
                 f"/report?listing={listing}"):
        watch.show(window, path)
    for path in ("/wallet/history", f"/listings/{listing}/buy"):
        watch.show(window, path, shown=None)
    watch.show(window, "/account/names", MARKUP[:40])
    bo.ask("POST", "subscriptions", {"list": curation})
    try:
        watch.show(window, "/account/hidden")
    finally:
        bo.ask("DELETE", f"subscriptions/{curation}")
    bo.ask("POST", "reports", {"listing": listing, "text": "It is a copy."}, key="a report about hostile texts")
    report = minsu.wait("the report came", lambda: [one for one in minsu.get("reports")["items"] if "a copy" in one["text"]])[0]
    minsu.ask("POST", f"conversations/{report['conversation']}/messages", {"text": text(4000)}, key="a hostile answer")
    bo.wait("the answer came", lambda: any(LONG in str(one) for one in bo.get("reports?sent=true")["items"]))
    watch.show(window, "/account/reports")


@pytest.mark.long
def test_a_hostile_student_holds_in_the_list_of_the_teacher(watch, seeds, hostile):
    minsu, ana = seeds.people["minsu"], seeds.people["ana"]
    listing = seeds.listings["Watercolour in three evenings"]
    minsu.wait("the course is here", lambda: minsu.get(f"listings/{listing}")["state"] == "open")
    seeds.buy("minsu", listing)
    sale = seeds.sales["Watercolour in three evenings"]
    ana.wait("the student is here", lambda: minsu.address.lower() in str(ana.get(f"sales/{sale}")).lower())
    window = watch("ana")
    watch.show(window, f"/sales/{sale}", shown=None)
    watch.show(window, f"/sales/{sale}/attendance", MARKUP[:30])
