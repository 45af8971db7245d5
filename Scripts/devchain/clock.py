"""Chain time: the wall clock plus the offset set by evm_* calls."""

import time

from devchain import limits
from devchain.errors import invalid_params, refused


class ChainClock:
    """Gives each block its timestamp.

    A block takes the wall clock's second, or its parent's plus one if that second is already
    taken: timestamps grow strictly, as consensus demands, and each block moves time at most one
    second beyond the clock. Only the calls below move the clock itself.
    """

    def __init__(self, store):
        self.store = store
        self.reload()

    def reload(self):
        self.offset = self.store.meta("clock_offset", 0)
        self.chosen = self.store.meta("next_timestamp", None)

    def now(self):
        return int(time.time()) + self.offset

    def next_timestamp(self, parent, asked=None):
        """Returns the next block's timestamp without using it up."""
        chosen = asked if asked is not None else self.chosen
        if chosen is None:
            return max(self.now(), parent + 1)
        if chosen <= parent:
            raise refused(f"timestamp {chosen} must be greater than the parent's {parent}")
        return chosen

    def used(self, timestamp, asked=None):
        """Notes that a block took `timestamp`; a chosen time moves the clock with it."""
        if asked is None and self.chosen is None:
            return
        self._set(offset=self.offset + timestamp - self.now(), chosen=None)

    def increase(self, seconds, head):
        """Moves time forward from the chain's present time; returns the total offset in seconds."""
        if seconds > limits.TIME_JUMP_SECONDS_MAX:
            raise invalid_params(f"at most {limits.TIME_JUMP_SECONDS_MAX} seconds at once")
        base = max(self.offset, head - int(time.time()))
        self._set(offset=base + seconds, chosen=None)
        return self.offset

    def choose(self, timestamp, head):
        if timestamp <= head:
            raise refused(f"timestamp {timestamp} must be greater than the head's {head}")
        if timestamp > self.now() + limits.TIME_JUMP_SECONDS_MAX:
            raise invalid_params(f"at most {limits.TIME_JUMP_SECONDS_MAX} seconds ahead")
        self._set(offset=self.offset, chosen=timestamp)

    def restore(self, offset, chosen):
        self._set(offset=offset, chosen=chosen)

    def _set(self, offset, chosen):
        self.offset, self.chosen = offset, chosen
        self.store.set_meta("clock_offset", offset)
        self.store.set_meta("next_timestamp", chosen)
