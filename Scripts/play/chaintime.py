"""The chain's time for people who trade at once: it passes only while all of them wait for it."""

import threading
import time


class ChainTime:
    """Moves the chain's time forward when each trader waits, so that no other trader's deadline passes.

    A trader calls `pass_until` within a trade, `rest` between two trades, and `leave` after the last one.
    """

    def __init__(self, chain, traders):
        self.chain = chain
        self.traders = traders
        self.change = threading.Condition()
        self.wanted = []
        self.resting = 0
        self.moves = 0

    def now(self):
        """Returns the time of the newest block, in seconds since 1970."""
        return self.ask(lambda: int(self.chain.call("eth_getBlockByNumber", "latest", False)["timestamp"], 16))

    def pass_until(self, moment):
        """Waits until the newest block is at least as late as `moment`."""
        with self.change:
            self.wanted.append(moment)
            self.settle()
            while moment in self.wanted:
                self.change.wait(1)

    def rest(self):
        """Waits for the time to pass if somebody wants it to."""
        with self.change:
            if not self.wanted:
                return
            self.resting += 1
            before = self.moves
            self.settle()
            while before == self.moves and self.wanted:
                self.change.wait(1)
            self.resting -= 1

    def leave(self):
        """Ends a trader's part: nobody waits for this trader any more."""
        with self.change:
            self.traders -= 1
            self.settle()

    def settle(self):
        """Moves the time to the earliest moment that is wanted if all traders wait."""
        if not self.wanted or len(self.wanted) + self.resting < self.traders:
            return
        moment = min(self.wanted)
        if self.now() < moment:
            self.ask(lambda: self.move_to(moment))
        self.wanted = [other for other in self.wanted if other > moment]
        self.moves += 1
        self.change.notify_all()

    def move_to(self, moment):
        self.chain.call("evm_mine", moment)

    def ask(self, question):
        """Asks the chain, which may be dead for a while; a block that is mined twice does no harm."""
        for _ in range(600):
            try:
                return question()
            except (OSError, ValueError):
                time.sleep(0.5)
            except KeyError:
                # The block was mined by a request whose answer was lost.
                return None
        return question()
