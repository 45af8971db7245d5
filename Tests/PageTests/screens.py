"""The addresses at which the tests open each screen of the page."""

import re
from pathlib import Path

from seeds import ETHER

LIST = Path(__file__).resolve().parents[2] / "Web" / "shared" / "screens.ts"


def with_offer(seeds):
    """The offers of Bo, with one at least."""
    if not seeds.people["bo"].get("offers"):
        seeds.offer("bo", seeds.listings["Red bicycle"], 4 * ETHER // 10)
    return "/offers"


def to_review(seeds):
    """A sale without escrow, so that both sides can review it at once."""
    if "Tin whistle" not in seeds.sales:
        seeds.buy("bo", seeds.sell("ana", "Tin whistle", "books", ETHER // 100, payment="direct", pictures=1))
        seeds.people["bo"].sees(seeds.sales["Tin whistle"], "sold")
    return f"/sales/{seeds.sales['Tin whistle']}/review"


# By the path of the screen: who opens it (None for somebody without an account), and where.
ENTRIES = {
    "/": (None, lambda seeds: "/"),
    "/search": (None, lambda seeds: "/search?search=bicycle"),
    "/searches": ("bo", lambda seeds: "/searches"),
    "/categories/:id": (None, lambda seeds: "/categories/sports"),
    "/listings/:id": ("bo", lambda seeds: f"/listings/{seeds.listings['Red bicycle']}"),
    "/accounts/:id": (None, lambda seeds: f"/accounts/{seeds.people['ana'].address}"),
    "/check": (None, lambda seeds: "/check?identifier=serial%200"),
    "/favourites": ("bo", lambda seeds: "/favourites"),
    "/cart": ("bo", lambda seeds: "/cart"),
    "/cart/checkout": ("bo", lambda seeds: "/cart/checkout"),
    "/works": ("bo", lambda seeds: "/works"),
    "/courses": ("bo", lambda seeds: "/courses"),
    "/courses/mine": ("bo", lambda seeds: "/courses/mine"),
    "/sales/:id/attendance": ("ana", lambda seeds: f"/sales/{seeds.sales['Watercolour in three evenings']}/attendance"),
    "/wallet": ("ana", lambda seeds: "/wallet"),
    "/wallet/send": ("bo", lambda seeds: "/wallet/send"),
    "/wallet/receive": ("bo", lambda seeds: "/wallet/receive"),
    "/wallet/history": ("bo", lambda seeds: "/wallet/history"),
    "/wallet/tokens": ("ana", lambda seeds: "/wallet/tokens"),
    "/operations": ("ana", lambda seeds: "/operations"),
    "/operations/:id": ("ana", lambda seeds: f"/operations/{seeds.people['ana'].get('operations?limit=1')['items'][0]['id']}"),
    "/signatures": ("young", lambda seeds: seeds.waiting and "/signatures"),
    "/signatures/:id": ("young", lambda seeds: f"/signatures/{seeds.waiting}"),
    "/sign-in": (None, lambda seeds: "/sign-in?to=/wallet"),
    "/sign-up": (None, lambda seeds: "/sign-up"),
    "/recover": (None, lambda seeds: "/recover"),
    "/account": ("bo", lambda seeds: "/account"),
    "/external": (None, lambda seeds: "/external"),
    "/account/profile": ("ana", lambda seeds: "/account/profile"),
    "/account/keys": ("bo", lambda seeds: "/account/keys"),
    "/account/remove": ("bo", lambda seeds: "/account/remove"),
    "/account/sessions": ("bo", lambda seeds: "/account/sessions"),
    "/account/unattended": ("bo", lambda seeds: "/account/unattended"),
    "/account/homes": ("bo", lambda seeds: "/account/homes"),
    "/account/names": ("bo", lambda seeds: "/account/names"),
    "/account/hidden": ("bo", lambda seeds: "/account/hidden"),
    "/account/reports": ("bo", lambda seeds: "/account/reports"),
    "/report": ("bo", lambda seeds: f"/report?listing={seeds.listings['Red bicycle']}"),
    "/lists": ("bo", lambda seeds: "/lists"),
    "/lists/:id": ("bo", lambda seeds: f"/lists/{seeds.hiding_list}"),
    "/address": ("bo", lambda seeds: "/address"),
    "/sell": ("ana", lambda seeds: "/sell"),
    "/selling": ("ana", lambda seeds: "/selling"),
    "/listings/:id/edit": ("ana", lambda seeds: f"/listings/{seeds.listings['Red bicycle']}/edit"),
    "/listings/:id/buy": ("bo", lambda seeds: f"/listings/{seeds.listings['Red bicycle']}/buy"),
    "/listings/:id/offer": ("bo", lambda seeds: f"/listings/{seeds.listings['Red bicycle']}/offer"),
    "/offers": ("bo", with_offer),
    "/sales": ("ana", lambda seeds: "/sales?list=postings"),
    "/sales/:id": ("bo", lambda seeds: f"/sales/{seeds.sales['Old radio']}"),
    "/sales/:id/review": ("bo", to_review),
    "/arbiter": ("bo", lambda seeds: "/arbiter"),
    "/settings": (None, lambda seeds: "/settings"),
    "/licences": (None, lambda seeds: "/licences"),
    "/welcome": (None, lambda seeds: "/welcome"),
}


def paths():
    """The paths of all screens, in the page's own order."""
    found = re.findall(r'\{ path: "([^"]+)"(?:, needsAccount: true)?, load:', LIST.read_text())
    assert len(found) == LIST.read_text().count("load: () => import("), "screens.ts has an entry of another form"
    return found
