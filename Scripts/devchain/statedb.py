"""The EVM's key-value database, as a table of the state file."""

from collections import OrderedDict

from eth.db.backends.base import BaseDB
from eth_utils import keccak

from devchain import limits

HASH_BYTES = 32


class StateDB(BaseDB):
    """Buffers a command's writes until its transaction ends; caches reads.

    Trie nodes, code and headers are stored under their hash. Reads from disk are checked
    against it, so a damaged file is noticed instead of executed.
    """

    def __init__(self, store):
        self.store = store
        self.pending = {}
        self.cache = OrderedDict()

    def __getitem__(self, key):
        value = self._find(bytes(key))
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        self.pending[bytes(key)] = bytes(value)

    def __delitem__(self, key):
        self[key]
        self.pending[bytes(key)] = None

    def _exists(self, key):
        return self._find(bytes(key)) is not None

    def _find(self, key):
        if key in self.pending:
            return self.pending[key]
        if key in self.cache:
            self.cache.move_to_end(key)
            return self.cache[key]
        row = self.store.row("SELECT value FROM state WHERE key=?", key)
        if row is None:
            return None
        if len(key) == HASH_BYTES and keccak(row[0]) != key:
            raise self.store.damaged(f"state entry {key.hex()} does not match its hash")
        self._remember(key, row[0])
        return row[0]

    def _remember(self, key, value):
        self.cache[key] = value
        if len(self.cache) > limits.STATE_CACHE_ENTRIES_MAX:
            self.cache.popitem(last=False)

    def flush(self):
        """Writes the buffer into the open transaction."""
        kept = [(k, v) for k, v in self.pending.items() if v is not None]
        gone = [(k,) for k, v in self.pending.items() if v is None]
        if kept:
            self.store.write_many("INSERT OR REPLACE INTO state VALUES (?, ?)", kept)
        if gone:
            self.store.write_many("DELETE FROM state WHERE key=?", gone)
        for key, value in kept:
            self._remember(key, value)
        for (key,) in gone:
            self.cache.pop(key, None)
        self.pending.clear()

    def forget(self):
        """Drops the buffer and the cache, which a failed commit may have filled."""
        self.pending.clear()
        self.cache.clear()
