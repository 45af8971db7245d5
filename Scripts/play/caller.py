"""A careful client of a node's API: it repeats a request, under the same key, until it gets an answer."""

import json
import threading
import time
import urllib.error
import urllib.request
import uuid

from market import NotHeld

# Temporary problems; a conversation is unknown until the other side's first message has come.
TEMPORARY = {
    "chain_away", "chain_stale", "not_final_yet", "unknown_listing", "unknown_sale", "unknown_recipient",
    "unknown_conversation", "in_progress", "needs_unlock", "shutting_down",
}
PATIENCE = 300


class Refused(Exception):
    def __init__(self, problem):
        super().__init__(f"{problem.get('code')}: {problem.get('detail')}")
        self.code = problem.get("code")


class Unanswered(Exception):
    """No answer came; the node may have done the request all the same."""


class Caller:
    """One account on one node, which may be dead for a while."""

    def __init__(self, name, node, password):
        self.name = name
        self.api = node["api"] + "/v1/"
        self.password = password
        self.address = None
        self.operations = []
        self.collections = 0
        self.purse = threading.Lock()
        self.token = None
        self.door = threading.Lock()
        # Called when the node acknowledged a change.
        self.tell = lambda api: None

    def once(self, method, path, body=None, key=None):
        """Asks once, with a file's bytes or a value as JSON; raises Unanswered if the outcome is unknown."""
        is_file = isinstance(body, bytes)
        headers = {"content-type": "application/octet-stream" if is_file else "application/json"}
        token = self.token
        if token:
            headers["authorization"] = f"Bearer {token}"
        if key:
            headers["idempotency-key"] = key
        data = body if body is None or is_file else json.dumps(body).encode()
        request = urllib.request.Request(self.api + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
            if method != "GET" and path != "sessions":
                self.tell(self.api)
            return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            try:
                problem = json.loads(error.read())
            except (ValueError, OSError) as reason:
                raise Unanswered(str(reason)) from reason
            if problem["code"] == "sign_in_needed" and path != "sessions":
                self.sign_in(token)
                return self.once(method, path, body, key)
            raise Refused(problem) from error
        except (OSError, ValueError) as error:
            # Refused or broken connections, half answers.
            raise Unanswered(str(error)) from error
        except Exception as error:
            if type(error).__module__ == "http.client":
                raise Unanswered(str(error)) from error
            raise

    def sign_in(self, stale=None):
        with self.door:
            if self.token != stale:
                return
            self.token = None
            session = self.once("POST", "sessions", {"account": self.name, "password": self.password})
            self.token, self.address = session["token"], session["account"]["address"]

    def ask(self, method, path, body=None, key=None):
        """Asks until there is a final answer."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self.once(method, path, body, key)
            except Unanswered as error:
                last = f"no answer ({error})"
            except Refused as error:
                if error.code not in TEMPORARY:
                    sent = "" if isinstance(body, bytes) else body or ""
                    raise NotHeld(f"{self.name}: {method} {path} {sent} was refused: {error}") from error
                last = str(error)
            if time.monotonic() > deadline:
                raise NotHeld(f"{self.name}: {method} {path} not within {PATIENCE} seconds: {last}")
            time.sleep(0.25)

    def get(self, path):
        return self.ask("GET", path)

    def all(self, path):
        """Returns all items of a list that comes in pages."""
        mark = "&" if "?" in path else "?"
        page = self.get(f"{path}{mark}limit=100")
        items = page["items"]
        while page.get("next"):
            page = self.get(f"{path}{mark}limit=100&after={page['next']}")
            items += page["items"]
        return items

    def wait(self, what, condition):
        """Checks a condition until it holds, whatever happens to the node meanwhile."""
        deadline = time.monotonic() + PATIENCE
        while True:
            found = condition()
            if found:
                return found
            if time.monotonic() > deadline:
                raise NotHeld(f"{self.name}: not within {PATIENCE} seconds: {what}")
            time.sleep(0.25)

    def create(self):
        made = self.ask("POST", "accounts", {"name": self.name, "password": self.password})
        self.address = made["account"]["address"]

    def do(self, method, path, body=None):
        """Begins an operation and waits for its end; raises if it fails."""
        return self.done(self.ask(method, path, body, key=uuid.uuid4().hex))

    def made(self, sale, move):
        """Waits until the node has made a move that a deadline opened, without being asked to."""
        def found():
            return next((operation for operation in self.all("operations") if operation["kind"] == "move"
                         and operation["subject"] == sale and operation["id"] not in self.operations), None)

        return self.done(self.wait(f"{move} is made in {sale}", found))

    def done(self, operation):
        """Waits for the end of an operation; raises if it fails."""
        self.operations.append(operation["id"])
        ended = self.wait(f"{operation['kind']} ends", lambda: self.ended(operation["id"]))
        if ended["state"] != "done":
            raise NotHeld(f"{self.name}: {ended['kind']} {ended['id']} failed: {ended.get('problem')}")
        return ended

    def ended(self, operation):
        found = self.get(f"operations/{operation}")
        return found if found["state"] in ("done", "failed") else None

    def move(self, sale, name, **more):
        return self.do("POST", f"sales/{sale}/moves", {"move": name, **more})

    def sees(self, sale, phase):
        """Waits until this node's own chain connection shows the sale in this phase, as final."""
        def seen():
            shown = self.get(f"sales/{sale}")
            return shown["phase"] == phase and shown["confirmations"] >= shown["confirmationsNeeded"] and shown

        return self.wait(f"sale {sale} is {phase}", seen)

    def can(self, sale, move):
        """Waits until this node offers the account a move in a sale."""
        return self.wait(f"{move} is open in {sale}", lambda: any(
            action["move"] == move for action in self.get(f"sales/{sale}")["actions"]))

    def collect(self):
        """Collects all credits, if there are any; one collection at a time, because each collects all."""
        with self.purse:
            if self.get("wallet")["credits"]:
                self.do("POST", "wallet/collect", {})
                self.collections += 1

    def upload(self, path, content):
        """Adds a file to the node; returns the answer."""
        return self.ask("POST", path, content)

    def write(self, conversation, text):
        """Sends a message once, however often the answer is lost."""
        self.ask("POST", f"conversations/{conversation}/messages", {"text": text}, key=uuid.uuid4().hex)

    def texts(self, conversation):
        found = self.get(f"conversations/{conversation}/messages?limit=100")
        return [(m["sender"].lower() == self.address.lower(), m["text"], m["state"]) for m in found["items"]]
