"""JSON-RPC 2.0: turns request bytes into answers. Bad input gets an error, never an exception."""

import json
import logging
import re
import sqlite3

from devchain import limits
from devchain.errors import (INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, RPCError, StateError,
                             invalid_params)

log = logging.getLogger("devchain")

TEXTS = re.compile(r'"(?:[^"\\]|\\.)*"')
BRACKETS = re.compile(r"[\[\]{}]")


def parse(body):
    """Returns the JSON value of a request body; raises RPCError."""
    try:
        text = body.decode("utf-8") if isinstance(body, bytes) else body
        if depth(text) > limits.JSON_DEPTH_MAX:
            raise ValueError(f"nested deeper than {limits.JSON_DEPTH_MAX}")
        value = json.loads(text, parse_constant=refuse_constant)
    except ValueError as error:
        raise RPCError(PARSE_ERROR, f"parse error: {error}") from error
    if isinstance(value, list):
        if not value:
            raise RPCError(INVALID_REQUEST, "empty batch")
        if len(value) > limits.BATCH_REQUESTS_MAX:
            raise RPCError(INVALID_REQUEST, "batch too large")
    return value


def depth(text):
    """Returns how deep arrays and objects are nested; checked first, because the parser would overrun its stack."""
    if text.count("[") + text.count("{") <= limits.JSON_DEPTH_MAX:
        return 0
    now = deepest = 0
    for mark in BRACKETS.findall(TEXTS.sub("", text)):
        now += 1 if mark in "[{" else -1
        deepest = max(deepest, now)
    return deepest


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def names(value):
    """Returns the methods that a parsed body calls."""
    requests = value if isinstance(value, list) else [value]
    return [r["method"] for r in requests
            if isinstance(r, dict) and isinstance(r.get("method"), str)]


def failure(error, identifier=None):
    return {"jsonrpc": "2.0", "id": identifier, "error": error.shape()}


def answers(value, ask):
    """Returns the answer to a parsed body, or None if it contains only notifications.

    `ask(method, arguments)` returns a result or raises.
    """
    if isinstance(value, list):
        found = [answer for request in value if (answer := one(request, ask)) is not None]
        return found or None
    return one(value, ask)


def one(request, ask):
    if not isinstance(request, dict):
        return failure(RPCError(INVALID_REQUEST, "invalid request"))
    identifier = request.get("id")
    if isinstance(identifier, (dict, list, bool)):
        return failure(RPCError(INVALID_REQUEST, "invalid request: id must be a text or number"))
    method = request.get("method")
    if not isinstance(method, str) or request.get("jsonrpc", "2.0") != "2.0":
        return failure(RPCError(INVALID_REQUEST, "invalid request"), identifier)
    try:
        result = ask(method, arguments_of(request))
    except RPCError as error:
        answer = failure(error, identifier)
    except (StateError, sqlite3.Error) as error:
        log.error("%s: %s", method, error)
        answer = failure(RPCError(INTERNAL_ERROR, f"state file: {error}"), identifier)
    except Exception as error:  # a bug here must not stop the chain
        log.exception("%s failed", method)
        answer = failure(RPCError(INTERNAL_ERROR, f"{type(error).__name__}: {error}"), identifier)
    else:
        answer = {"jsonrpc": "2.0", "id": identifier, "result": result}
    return answer if "id" in request else None


def arguments_of(request):
    arguments = request.get("params")
    if arguments is None:
        return []
    if not isinstance(arguments, list):
        raise invalid_params("non-array args")
    return arguments
