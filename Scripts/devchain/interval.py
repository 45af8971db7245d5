"""Interval mining: a block at a fixed interval, on the second, without drift."""

import asyncio
import logging
import math
import time

from devchain import limits
from devchain.errors import RPCError, invalid_params

log = logging.getLogger("devchain")

SECONDS_MAX = 3_600


class Interval:
    """Mines on multiples of the interval on the wall clock.

    A slow block does not delay later ones: turns that passed meanwhile are skipped and the
    next is kept. Use whole seconds; below one second chain time runs ahead of the clock.
    """

    def __init__(self, node):
        self.node, self.seconds = node, 0
        self.changed = asyncio.Event()

    def set(self, seconds):
        if (isinstance(seconds, bool) or not isinstance(seconds, (int, float))
                or not math.isfinite(seconds) or not 0 <= seconds <= SECONDS_MAX
                or 0 < seconds < 0.01):
            raise invalid_params(f"the interval is 0 (off) or 0.01 to {SECONDS_MAX} seconds")
        self.seconds = seconds
        self.changed.set()

    async def run(self):
        """Mines until cancelled."""
        while True:
            self.changed.clear()
            if not self.seconds:
                await self.changed.wait()
                continue
            if await self._waited_until(next_turn(time.time(), self.seconds)):
                await self._mine()

    async def _waited_until(self, moment):
        """Returns True once `moment` has come; False if the interval was changed before."""
        while (left := moment - time.time()) > 0:
            try:
                await asyncio.wait_for(self.changed.wait(), min(left, self.seconds))
                return False
            except TimeoutError:
                if moment - time.time() > self.seconds:
                    return False  # the wall clock was set back: compute the turn again
        return True

    async def _mine(self):
        """Mines one block, as soon as the second after its parent's has come."""
        node = self.node
        if node.clock.chosen is None and self.seconds >= 1:
            lead = node.header.timestamp + 1 - node.clock.now()
            if 0 < lead <= limits.LEAD_WAIT_SECONDS_MAX:
                return
        try:
            node.mine()
        except RPCError as error:
            log.warning("no block: %s", error.message)


def next_turn(now, seconds):
    """Returns the next multiple of `seconds` after `now`."""
    return (math.floor(now / seconds) + 1) * seconds
