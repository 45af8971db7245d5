"""Many sales of all kinds at once, in ether and in a token, between three accounts on three nodes.

parallel.py --stoa PROGRAM [--sales N] [SEED…]; without a seed it chooses one and prints it. Exit code 0 if, for every
seed, all sales come to their end, no transaction fails or waits, and every wei is where it belongs.
"""

import random
import sys
import threading
import time

from chaintime import ChainTime
from market import NotHeld, say, step
from torture import Torture, main
from trades import KINDS


class Parallel(Torture):
    at_once = True

    def __init__(self, stoa, seed, sales):
        super().__init__(stoa, seed, 0)
        self.sales = sales

    def everything(self):
        step(f"Seed {self.seed}: a chain and three nodes")
        self.bring_up()
        self.time = ChainTime(self.chain, self.sales)
        chance = random.Random(self.seed)
        for number in range(self.sales):
            first = number % len(self.people)
            people = self.people[first:] + self.people[:first]
            kind = KINDS[number // len(self.people) % len(KINDS)]
            own = random.Random(chance.random())
            trade = kind(people, f"thing {number}", own, self.time, own.choice(self.currencies), talks=False)
            trade.ending = own.choice([ending for ending in trade.endings if ending != "withdraw"])
            self.trades.append(trade)
        step(f"{self.sales} sales at once: {self.counted()}")
        begun = time.monotonic()
        threads = [threading.Thread(target=self.play, args=(trade,)) for trade in self.trades]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for reason in self.failures:
            raise NotHeld(f"seed {self.seed}: {reason}") from reason
        say(f"   all {self.sales} have ended, after {time.monotonic() - begun:.0f} seconds")
        self.check()

    def counted(self):
        names = [f"{trade.kind} {self.called(trade.currency)}" for trade in self.trades]
        return ", ".join(f"{names.count(name)} {name}" for name in sorted(set(names)))

    def play(self, trade):
        try:
            if not self.failures:
                trade.play()
                say(f"   {trade.title} by {trade.kind} {self.called(trade.currency)}: {trade.ending}")
        except Exception as reason:
            self.failures.append(reason)
        finally:
            self.time.leave()


if __name__ == "__main__":
    sys.exit(main(Parallel, __doc__, ("--sales", 100, "how many sales at once")))
