"""The mempool: accepted transactions that are not mined yet. It is kept in the state file."""

import heapq

from devchain import limits
from devchain.errors import refused
from devchain.values import as_hex


class Pool:
    """The transactions by sender and nonce; of each the one that pays most."""

    def __init__(self, store, decode):
        self.store, self.decode = store, decode
        self.reload()

    def reload(self):
        self.senders, self.hashes, self.arrivals, self.arrival = {}, {}, {}, 0
        for arrival, raw in self.store.rows("SELECT arrival, raw FROM pool ORDER BY arrival"):
            self._hold(self.decode(raw), arrival)

    def __len__(self):
        return len(self.hashes)

    def get(self, transaction_hash):
        return self.hashes.get(transaction_hash)

    def all(self):
        """Returns every transaction, in order of arrival."""
        return sorted(self.hashes.values(), key=lambda t: self.arrivals[t.hash])

    def next_nonce(self, sender, nonce):
        """Returns the first nonce from `nonce` on that no transaction here uses."""
        held = self.senders.get(sender, {})
        while nonce in held:
            nonce += 1
        return nonce

    def add(self, transaction):
        """Adds a transaction; it must outbid one with the same nonce by 10 percent."""
        old = self.senders.get(transaction.sender, {}).get(transaction.nonce)
        if old is not None:
            if not outbids(transaction, old):
                raise refused("replacement transaction underpriced")
            self.remove(old)
        elif len(self.hashes) >= limits.POOL_TRANSACTIONS_MAX:
            raise refused("txpool is full")
        self._put(transaction)

    def restore(self, transaction):
        """Puts back a transaction that a reorg dropped, unless another one uses its nonce."""
        if transaction.nonce not in self.senders.get(transaction.sender, {}):
            self._put(transaction)

    def replace_all(self, transactions):
        for transaction in self.all():
            self.remove(transaction)
        for transaction in transactions:
            self._put(transaction)

    def remove(self, transaction):
        held = self.senders.get(transaction.sender, {})
        if held.get(transaction.nonce) is not transaction:
            return
        del held[transaction.nonce]
        if not held:
            del self.senders[transaction.sender]
        del self.hashes[transaction.hash], self.arrivals[transaction.hash]
        self.store.write("DELETE FROM pool WHERE hash=?", transaction.hash)

    def forget_below(self, sender, nonce):
        """Drops the transactions of `sender` that can no longer be mined."""
        for old in [n for n in self.senders.get(sender, {}) if n < nonce]:
            self.remove(self.senders[sender][old])

    def picker(self, base_fee, nonce_of):
        return Picker(self, base_fee, nonce_of)

    def _put(self, transaction):
        self._hold(transaction, self.arrival + 1)
        self.store.write("INSERT INTO pool VALUES (?, ?, ?)", transaction.hash,
                         self.arrivals[transaction.hash], transaction.encode())

    def _hold(self, transaction, arrival):
        self.senders.setdefault(transaction.sender, {})[transaction.nonce] = transaction
        self.hashes[transaction.hash] = transaction
        self.arrivals[transaction.hash] = self.arrival = arrival


class Picker:
    """Yields the pool's transactions, best tip first, each sender's in order of nonces."""

    def __init__(self, pool, base_fee, nonce_of):
        self.pool, self.base_fee, self.heap = pool, base_fee, []
        for sender in list(pool.senders):
            self._offer(sender, nonce_of(sender))

    def best(self):
        return self.heap[0][-1] if self.heap else None

    def took(self):
        """Notes that the best one was applied: its sender's next one follows."""
        transaction = heapq.heappop(self.heap)[-1]
        self._offer(transaction.sender, transaction.nonce + 1)

    def passed(self):
        """Notes that the best one cannot go into this block, nor its sender's later ones."""
        heapq.heappop(self.heap)

    def _offer(self, sender, nonce):
        transaction = self.pool.senders.get(sender, {}).get(nonce)
        if transaction is None or transaction.max_fee_per_gas < self.base_fee:
            return
        tip = min(transaction.max_priority_fee_per_gas,
                  transaction.max_fee_per_gas - self.base_fee)
        heapq.heappush(self.heap, (-tip, self.pool.arrivals[transaction.hash], transaction))


def outbids(new, old):
    """Returns whether both the fee cap and the tip are 10 percent above the old ones."""
    percent = 100 + limits.REPLACEMENT_BUMP_PERCENT
    return (new.max_fee_per_gas * 100 >= old.max_fee_per_gas * percent
            and new.max_priority_fee_per_gas * 100 >= old.max_priority_fee_per_gas * percent)


def status(pool, nonce_of):
    """Returns how many could be mined now (pending) and how many wait for a nonce (queued)."""
    pending = sum(pool.next_nonce(s, nonce_of(s)) - nonce_of(s) for s in pool.senders)
    return {"pending": hex(pending), "queued": hex(len(pool) - pending)}


def content(pool, nonce_of, shape):
    """Returns the pool by sender and nonce, like geth's txpool_content."""
    groups = {"pending": {}, "queued": {}}
    for sender, held in pool.senders.items():
        end = pool.next_nonce(sender, nonce_of(sender))
        for nonce, transaction in sorted(held.items()):
            group = groups["pending" if nonce < end else "queued"]
            group.setdefault(as_hex(sender), {})[str(nonce)] = shape(transaction)
    return groups
