"""A second endpoint of the chain with a mempool of its own (option --private-port).

What it is sent waits there: it is mined, and the first endpoint sees it, only once `dev_passOn` hands
it over. Of the first endpoint's waiting transactions it knows nothing. The blocks of both are the same.
"""

from devchain import admission, limits, ways
from devchain.errors import refused
from devchain.values import address, as_hex, octets


class PrivatePool:
    """The transactions that only this endpoint knows, by hash; they are not kept in a state file."""

    def __init__(self, node, reading):
        self.node, self.reading, self.held = node, reading, {}

    def methods(self):
        """Returns the methods that this endpoint answers in its own way."""
        return {
            "eth_sendRawTransaction": lambda raw: self.send(octets(raw)),
            "eth_getTransactionByHash": self.transaction,
            "eth_getTransactionCount": self.transaction_count,
            "txpool_status": lambda: {"pending": hex(len(self._waiting())), "queued": "0x0"},
            "txpool_content": lambda: {"pending": {}, "queued": {}},
            "dev_passOn": self.pass_on,
        }

    def send(self, raw):
        """Accepts a signed transaction and keeps it; returns its hash."""
        node = self.node
        transaction = admission.decode(node.builder, raw)
        admission.check_signature(transaction, node.settings.chain_id)
        if transaction.hash in self.held:
            raise refused("already known")
        admission.check(transaction, node.settings.chain_id, node.settings.fork,
                        node.header.gas_limit, node.state_at(node.header))
        ways.check_fee(node.faults.on, transaction)
        if len(self.held) >= limits.POOL_TRANSACTIONS_MAX:
            raise refused("txpool is full")
        self.held[transaction.hash] = transaction
        return as_hex(transaction.hash)

    def transaction(self, transaction_hash):
        waiting = self.held.get(octets(transaction_hash, 32))
        mined = self.reading.index.mined(
            octets(transaction_hash, 32), "shape", self.reading.head_number())
        if mined is None and waiting is not None:
            return self.reading.pending_shape(waiting)
        return ways.found(self.node.faults.on, mined)

    def transaction_count(self, account, tag="latest"):
        if tag != "pending":
            return self.reading.transaction_count(account, tag)
        sender = address(account)
        nonce = self.reading.nonce_of(sender)
        held = {t.nonce for t in self._waiting() if t.sender == sender}
        while nonce in held:
            nonce += 1
        return hex(nonce)

    def pass_on(self):
        """Hands what waits here to the first endpoint; returns how many transactions that were."""
        waiting = sorted(self._waiting(), key=lambda t: t.nonce)
        for transaction in waiting:
            if self.node.pool.get(transaction.hash) is None:
                self.node.send(transaction.encode())
            del self.held[transaction.hash]
        return len(waiting)

    def _waiting(self):
        return [t for t in self.held.values() if t.nonce >= self.reading.nonce_of(t.sender)]
