"""Polled filters: new blocks, new pending transactions, logs."""

from collections import deque
from dataclasses import dataclass, field

from devchain import limits
from devchain.errors import refused
from devchain.logquery import LogQuery


@dataclass
class Filter:
    kind: str
    query: LogQuery | None = None
    changes: deque = field(default_factory=deque)


class Filters:
    """The filters, in memory as in geth; a new one replaces the least recently used one."""

    def __init__(self, node):
        self.node, self.open, self.made = node, {}, 0
        node.events.listeners.append(self.heard)

    def add(self, kind, query=None):
        while len(self.open) >= limits.FILTERS_MAX:
            del self.open[next(iter(self.open))]
        self.made += 1
        self.open[hex(self.made)] = Filter(kind, query)
        return hex(self.made)

    def get(self, identifier):
        found = self.open.pop(identifier, None) if isinstance(identifier, str) else None
        if found is None:
            raise refused("filter not found")
        self.open[identifier] = found
        return found

    def changes(self, identifier):
        found = self.get(identifier)
        answer = list(found.changes)
        found.changes.clear()
        return self.node.faults.shown(answer) if found.kind == "logs" else answer

    def remove(self, identifier):
        return isinstance(identifier, str) and self.open.pop(identifier, None) is not None

    def heard(self, kind, shape):
        for identifier, one in list(self.open.items()):
            if one.kind != kind or (kind == "logs" and not one.query.matches(shape)):
                continue
            if len(one.changes) >= limits.FILTER_CHANGES_MAX:
                del self.open[identifier]  # nobody polls it: remove it instead of losing some entries silently
                continue
            one.changes.append(shape["hash"] if kind == "newHeads" else shape)
