"""Texts of strangers that do what texts can, and windows that notice if one is more than a text."""

import browsers
from playwright.sync_api import expect

MARKUP = "<img src=//evil.example/x onerror=alert(1)><a href=javascript:alert(1)>x</a>"
SCRIPT = "<script>document.title='taken'</script> javascript:alert(1) stoa:pay?to=0x0 //evil.example <svg onload=alert(1)>"
LONG = "W" * 60
COMBINING = "e" + "\u0301" * 30
# From right to left; the protocol refuses the marks that turn a whole line around.
HEBREW = "\u05e9\u05dc\u05d5\u05dd"
# For fields of one line, and for those of several.
LINE = f"{LONG}{HEBREW}{MARKUP[:40]}"
TEXT = f"{MARKUP}\n{SCRIPT}\n{HEBREW}\n{LONG * 20}\n{COMBINING * 5}"


def text(bytes_max, seed=TEXT):
    """A hostile text of as many bytes as are permitted, 10,000 at most."""
    repeated = (seed + "\n") * (10_000 // len(seed) + 1)
    return repeated.encode()[:min(bytes_max, 10_000)].decode(errors="ignore").strip()


class Watch:
    """Windows that show such texts: nothing in them may run, or be asked of another address."""

    def __init__(self, visit):
        self.visit = visit

    def __call__(self, who=None, width=360, node=0):
        window = self.visit("/settings", who=who, width=width, node=node)
        own = "/".join(window.url.split("/")[:3])
        # Also said in the console, where each error is a fault of the test.
        window.add_init_script("addEventListener('securitypolicyviolation', (one) => console.error('policy', one.violatedDirective, one.blockedURI))")
        window.on("dialog", lambda dialog: self.visit.faults.append(f"a dialog: {dialog.message}"))
        window.on("popup", lambda popup: self.visit.faults.append(f"a window: {popup.url}"))
        window.on("request", lambda request: request.url.startswith((own, "blob:", "data:")) or self.visit.faults.append(request.url))
        return window

    def show(self, window, path, shown=LONG[:40]):
        """Shows a screen, with such texts unless none is named; they must only be texts and leave the layout as it is."""
        window.goto(path)
        browsers.settled(window)
        if shown is not None:
            expect(window.get_by_text(shown).first, path).to_be_visible(timeout=20_000)
        assert window.locator("a[href^='javascript'], a[href^='stoa:'], [src*='evil'], [href*='evil'], main script, svg[onload], [onerror]").count() == 0, path
        assert "taken" not in window.title(), path
        assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, window.evaluate(browsers.OVERFLOW))
