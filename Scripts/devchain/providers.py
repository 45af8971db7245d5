"""Plays how providers of endpoints really answer: what they refuse, and in which form.

`providers.json` is the table of the shapes. Each rule says which requests it concerns (all its
conditions must hold) and what is answered instead. Docs/operations.md (5.9) says what a node does.
"""

import json
from pathlib import Path

from devchain.errors import RPCError, invalid_params
from devchain.logquery import LogQuery
from devchain.values import quantity

SHAPES = {shape["name"]: shape
          for shape in json.loads((Path(__file__).parent / "providers.json").read_text())}
# Where the parameters name the block, by method.
BLOCK_PLACE = {"eth_getBlockByNumber": 0, "eth_call": 1, "eth_getBalance": 1,
               "eth_getTransactionCount": 1}
# What tests and their operator ask for is never refused.
CONTROL = ("dev_", "evm_")


class Provider:
    """Answers as one of the shapes, for requests to one of the server's names if `host` is given."""

    def __init__(self, name, host=None):
        if name not in SHAPES:
            raise invalid_params(f"unknown shape {name!r}; one of: {', '.join(SHAPES)}")
        self.shape, self.host = SHAPES[name], host

    def concerns(self, headers):
        return self.host is None or headers.get("Host", "").split(":")[0] == self.host

    def answer(self, value, ask, reading, headers):
        """Returns (answer, HTTP status, text instead of an answer) to a parsed body."""
        calls = value if isinstance(value, list) else [value]
        names = [call.get("method", "") for call in calls if isinstance(call, dict)]
        if any(name.startswith(CONTROL) for name in names):
            return None
        for rule in self.shape.get("rules", []):
            if self._refuses_all(rule, value, headers):
                return refusal(rule, value)
        if not isinstance(value, list) and isinstance(value, dict):
            rule = self._rule(value.get("method"), value.get("params") or [], reading)
            return rule and refusal(rule, value)
        return None

    def asking(self, ask, reading):
        """Returns `ask` with the refusals of single calls, for the calls of a batch."""
        def answered(name, arguments):
            rule = self._rule(name, arguments, reading)
            if rule is None:
                return self._newest(name, arguments, ask(name, arguments))
            if "error" not in rule:
                return rule.get("result")
            raise RPCError(**rule["error"])
        return answered

    def _newest(self, name, arguments, answer):
        """Returns an answer; if it is the newest block, with the fields of the shape in it."""
        if name == "eth_getBlockByNumber" and arguments[:1] == ["latest"]:
            return answer | self.shape.get("newest", {})
        return answer

    def announced(self, header):
        return header | self.shape.get("heads", {})

    def _refuses_all(self, rule, value, headers):
        if "method" in rule:
            return False
        if "batch_over" in rule:
            return isinstance(value, list) and len(value) > rule["batch_over"]
        if "unless_header" in rule:
            name, wanted = rule["unless_header"]
            return headers.get(name) != wanted
        return True

    def _rule(self, method, arguments, reading):
        return next((rule for rule in self.shape.get("rules", [])
                     if rule.get("method") == method and holds(rule, method, arguments, reading)),
                    None)


def holds(rule, method, arguments, reading):
    """Returns whether the conditions of a rule hold for a call."""
    if method == "eth_getLogs" and {"blocks_over", "before", "results_over", "results_under"} & set(rule):
        query = LogQuery(arguments[0])
        first, last = (height(tag, reading) for tag in (query.first, query.last))
        if "blocks_over" in rule:
            return last - first + 1 > rule["blocks_over"]
        if "before" in rule:
            return first < rule["before"]
        found = len(reading.logs_of(query))
        return found > rule.get("results_over", found) or found < rule.get("results_under", 0)
    place = BLOCK_PLACE.get(method)
    if place is None:
        return True
    number = height(arguments[place] if len(arguments) > place else None, reading)
    if "before" in rule:
        return number < rule["before"]
    return "behind" not in rule or number + rule["behind"] < reading.head_number()


def height(tag, reading):
    found = reading.find(tag)
    return quantity(tag, 64) if found is None else found[0]


def refusal(rule, value):
    if "text" in rule:
        return None, rule["http"], rule["text"]
    calls = value if isinstance(value, list) else [value]
    identifier = None if isinstance(value, list) and not rule.get("list") else calls[0].get("id")
    answer = {"jsonrpc": "2.0", "id": identifier}
    answer |= {"error": rule["error"]} if "error" in rule else {"result": rule["result"]}
    return [answer] if rule.get("list") else answer, rule.get("http", 200), None
