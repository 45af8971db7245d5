"""eth_subscribe on one WebSocket connection."""

import asyncio
import json
import os

from devchain import limits, ways
from devchain.errors import RPCError, METHOD_NOT_FOUND, refused
from devchain.legacy import without_base_fee
from devchain.logquery import LogQuery
from devchain.methods import Method
from devchain.values import as_hex

KINDS = ("newHeads", "logs", "newPendingTransactions")


class Connection:
    """The answers and events of one connection, in one bounded queue that keeps their order."""

    def __init__(self, methods, headers=None):
        self.methods, self.headers, self.subscriptions = methods, headers or {}, {}
        self.outbox = asyncio.Queue(limits.OUTBOX_MESSAGES_MAX)
        self.overrun = asyncio.Event()
        self.own = {"eth_subscribe": Method(self._subscribe),
                    "eth_unsubscribe": Method(self._unsubscribe)}

    def ask(self, name, arguments):
        if name in self.own:
            return self.own[name](arguments)
        return self.methods.answer(name, arguments)

    def say(self, message):
        """Queues a message; disconnects a reader that is too slow for its queue."""
        try:
            self.outbox.put_nowait(json.dumps(message))
        except asyncio.QueueFull:
            self.overrun.set()

    def heard(self, kind, shape):
        for identifier, (wanted, query) in self.subscriptions.items():
            if wanted != kind:
                continue
            if kind == "logs" and not (query.matches(shape)
                                       and self.methods.node.faults.shown([shape])):
                continue
            result = shape if self.methods.has_base_fee else without_base_fee(shape)
            if kind == "newHeads":
                result = ways.announced(self.methods.node.faults.on, result)
            provider = self.methods.node.faults.provider(self.headers)
            if provider is not None and kind == "newHeads":
                result = provider.announced(result)
            self.say({"jsonrpc": "2.0", "method": "eth_subscription",
                      "params": {"subscription": identifier, "result": result}})

    def _subscribe(self, kind, query=None):
        if kind not in KINDS:
            raise RPCError(METHOD_NOT_FOUND, f'no "{kind}" subscription in eth namespace')
        if len(self.subscriptions) >= limits.SUBSCRIPTIONS_PER_CONNECTION_MAX:
            raise refused("too many subscriptions: at most "
                          f"{limits.SUBSCRIPTIONS_PER_CONNECTION_MAX} on a connection")
        parsed = LogQuery(query or {}) if kind == "logs" else None
        identifier = as_hex(os.urandom(16))
        self.subscriptions[identifier] = (kind, parsed)
        return identifier

    def _unsubscribe(self, identifier):
        if not isinstance(identifier, str) or self.subscriptions.pop(identifier, None) is None:
            raise refused("subscription not found")
        return True
