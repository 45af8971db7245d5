"""Faults for testing clients: an endpoint that lies, stalls or breaks.

All are off until `dev_fault(kind, options)` turns one on; several can be on at once;
`dev_fault("none")` clears all. Requests that contain dev_fault itself are never disturbed.

Lies (see `LIES`): `stale_head` freezes the visible chain at the present head (or at `number`), while
mining continues; `chain_id` answers another `id`; `drop_logs` hides logs from eth_getLogs, filters
and subscriptions (only those of `address`, if given); `empty_logs` leaves the logs of block `number` out of
each eth_getLogs that asks for it, the first `times` times (default: always).
Breakage (see `BREAKAGE`): `delay` (`ms`) · `hang` (does not answer until cleared) ·
`http_status` (`status`) · `garbage` (200 with bytes that are not JSON) · `cut` (closes the
connection in the middle of the answer) · `wrong_id` · `error` (`code`, `message`).
Breakage takes `methods` (a list; default: all) and `times` (after which it clears itself).
`provider` (`shape`, `host`) answers as providers do: see providers.py.
Ways of other nodes are in ways.py, and are turned on and cleared like faults.
"""

from devchain import ways
from devchain.errors import invalid_params
from devchain.providers import Provider
from devchain.values import address, octets

LIES = {
    "stale_head": {"number"}, "chain_id": {"id"}, "drop_logs": {"address"},
    "empty_logs": {"number", "times"},
}
BREAKAGE = {
    "delay": {"ms"}, "hang": set(), "http_status": {"status"}, "garbage": set(), "cut": set(),
    "wrong_id": set(), "error": {"code", "message"},
}
PROVIDER = {"provider": {"shape", "host"}}
SCOPE = {"methods", "times"}
DELAY_MS_MAX = 600_000


class Faults:
    """The faults that are on."""

    def __init__(self):
        self.on = {}
        self.cleared = []  # events that hanging answers wait for, set when faults are cleared

    def set(self, kind, options, head):
        """Turns `kind` on; `head` is the present height."""
        if kind == "none":
            self.on.clear()
            for event in self.cleared:
                event.set()
            self.cleared.clear()
            return
        kinds = LIES | PROVIDER | ways.WAYS | {name: fields | SCOPE for name, fields in BREAKAGE.items()}
        if not isinstance(kind, str) or kind not in kinds:
            raise invalid_params(f"unknown fault {kind!r}; one of: none, " + ", ".join(kinds))
        known = kinds[kind]
        if not isinstance(options, dict) or (unknown := set(options) - known):
            raise invalid_params(f"fault {kind} takes an object with: {', '.join(sorted(known))}"
                                 + (f"; not {min(unknown)!r}" if isinstance(options, dict) else ""))
        self.on[kind] = (ways.checked(kind, options) if kind in ways.WAYS
                         else checked(kind, options, head))

    def visible(self, head):
        """Returns the height shown as the head."""
        frozen = self.on.get("stale_head")
        return min(head, frozen["number"]) if frozen else head

    def chain_id(self, true):
        lie = self.on.get("chain_id")
        return lie["id"] if lie else true

    def provider(self, headers):
        """Returns the provider that answers a request with these headers, or None."""
        played = self.on.get("provider")
        return played["played"] if played and played["played"].concerns(headers) else None

    def shown(self, logs):
        return [log for log in logs if not self._drops(log)]

    def answered(self, logs, first, last):
        """Returns what eth_getLogs answers for these blocks, and counts one use of `empty_logs`."""
        lie = self.on.get("empty_logs")
        if lie is None or not first <= lie["number"] <= last:
            return self.shown(logs)
        self._use("empty_logs")
        return self.shown([log for log in logs if int(log["blockNumber"], 16) != lie["number"]])

    def hides(self, kind):
        """Returns whether events of `kind` are hidden."""
        return "stale_head" in self.on

    def _drops(self, log):
        lie = self.on.get("drop_logs")
        return lie is not None and lie.get("address") in (None, octets(log["address"]))

    def breakage(self, methods):
        """Returns the faults that disturb an answer to these methods, and counts one use of each."""
        if "dev_fault" in methods:
            return {}
        found = {}
        for kind in [kind for kind in self.on if kind in BREAKAGE]:
            options = self.on[kind]
            if "methods" in options and not set(methods) & set(options["methods"]):
                continue
            found[kind] = options
            self._use(kind)
        return found

    def _use(self, kind):
        """Counts one use of a fault, and ends one that has had all its times."""
        options = self.on[kind]
        if "times" in options:
            options["times"] -= 1
            if options["times"] == 0:
                del self.on[kind]


def whole(options, name, default, low, high):
    value = options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise invalid_params(f"{name} must be a whole number from {low} to {high}")
    return value


def checked(kind, options, head):
    """Returns the options with defaults filled in."""
    result = dict(options)
    if "times" in options:
        result["times"] = whole(options, "times", 1, 1, 1_000_000)
    if "methods" in options:
        names = options["methods"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise invalid_params("methods must be a list of method names")
    if kind == "stale_head":
        result["number"] = whole(options, "number", head, 0, head)
    elif kind == "chain_id":
        result["id"] = whole(options, "id", 1, 0, 2**64 - 1)
    elif kind == "provider":
        result["played"] = Provider(options.get("shape"), options.get("host"))
    elif kind == "empty_logs":
        if "number" not in options:
            raise invalid_params("empty_logs needs the number of a block")
        result["number"] = whole(options, "number", head, 0, 2**62)
    elif kind == "drop_logs" and "address" in options:
        result["address"] = address(options["address"])
    elif kind == "delay":
        result["ms"] = whole(options, "ms", 1_000, 0, DELAY_MS_MAX)
    elif kind == "http_status":
        result["status"] = whole(options, "status", 500, 400, 599)
    elif kind == "error":
        result["code"] = whole(options, "code", -32005, -99_999, 99_999)
        result["message"] = str(options.get("message", "limit exceeded"))
    return result
