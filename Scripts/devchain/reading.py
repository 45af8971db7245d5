"""Block tags, and the queries answered from the index or the state."""

from devchain import limits, pool, ways
from devchain.errors import RPCError, LIMIT_EXCEEDED, invalid_params, refused
from devchain.logquery import LogQuery
from devchain.shapes import transaction_shape
from devchain.values import address, as_hex, as_word, flag, octets, quantity, slot

# How far behind the head the tags are, in blocks.
BEHIND = {"latest": 0, "pending": 0, "safe": 8, "finalized": 16}
TAGS = (None, "earliest", *BEHIND)


class Reading:
    """Answers queries about mined blocks; a fault may hide the newest blocks."""

    def __init__(self, node):
        self.node, self.index = node, node.index

    def head_number(self):
        return self.node.faults.visible(self.index.head_number)

    def find(self, tag):
        """Returns the (number, hash) of a tag, number or {blockHash}/{blockNumber}, or None."""
        if tag is None:
            tag = "latest"
        if isinstance(tag, dict):
            return self._find_named(tag)
        if tag == "earliest":
            return 0, self.index.hash_at(0)
        if isinstance(tag, str) and tag in BEHIND:
            number = max(0, self.head_number() - BEHIND[tag])
        elif isinstance(tag, str) and len(tag) == 66:
            return self._by_hash(octets(tag, 32))
        else:
            number = quantity(tag, 64)
        if number > self.head_number():
            return None
        return number, self.index.hash_at(number)

    def _find_named(self, tag):
        if unknown := set(tag) - {"blockHash", "blockNumber", "requireCanonical"}:
            raise invalid_params(f"invalid argument: unknown block field {min(unknown)!r}")
        if tag.get("blockHash") is None:
            return self.find(tag.get("blockNumber"))
        found = self._by_hash(octets(tag["blockHash"], 32))
        if found is None:
            raise refused("header for hash not found")
        if tag.get("requireCanonical") and self.index.hash_at(found[0]) != found[1]:
            raise refused("hash is not currently canonical")
        return found

    def _by_hash(self, block_hash):
        number = self.index.number_of(block_hash)
        return None if number is None or number > self.head_number() else (number, block_hash)

    def need(self, tag):
        found = self.find(tag)
        if found is None:
            raise refused("header not found")
        return found

    def header(self, tag):
        """Returns the header whose state and context `tag` names; for "pending" the next block's."""
        if tag == "pending" and self.head_number() == self.index.head_number:
            return self.node.next_header()
        header = self.node.header_of(self.need(tag)[1])
        ways.check_state(self.node.faults.on, header, self.head_number())
        return header

    def state(self, tag):
        return self.node.state_at(self.header(tag))

    # Accounts

    def balance(self, account, tag="latest"):
        return hex(self.state(tag).get_balance(address(account)))

    def transaction_count(self, account, tag="latest"):
        if tag == "pending" and self.head_number() == self.index.head_number:
            return hex(self.node.next_nonce(address(account)))
        return hex(self.state(tag).get_nonce(address(account)))

    def code(self, account, tag="latest"):
        return as_hex(self.state(tag).get_code(address(account)))

    def storage(self, account, position, tag="latest"):
        return as_word(self.state(tag).get_storage(address(account), slot(position)))

    # Blocks and transactions

    def block(self, tag, full=False):
        found = self.find(tag)
        return found and self.index.block(found[1], flag(full))

    def block_by_hash(self, block_hash, full=False):
        found = self._by_hash(octets(block_hash, 32))
        return found and self.index.block(found[1], flag(full))

    def transactions_in(self, tag):
        block = self.block(tag)
        return block and hex(len(block["transactions"]))

    def transaction(self, transaction_hash):
        wanted = octets(transaction_hash, 32)
        mined = self.index.mined(wanted, "shape", self.head_number())
        if mined is not None:
            return mined
        waiting = self.node.pool.get(wanted)
        return ways.found(self.node.faults.on, waiting and self.pending_shape(waiting))

    def pending_shape(self, transaction):
        return transaction_shape(transaction, self.node.chain.header.base_fee_per_gas)

    def transaction_in(self, tag, position):
        found = self.find(tag)
        return found and self.index.transaction_at(found[1], quantity(position, 32))

    def receipt(self, transaction_hash):
        mined = self.index.mined(octets(transaction_hash, 32), "receipt", self.head_number())
        return ways.found(self.node.faults.on, mined)

    def receipts(self, tag):
        return self.index.block_column(self.need(tag)[1], "receipt")

    # Logs

    def logs(self, query):
        query = LogQuery(query)
        first, last, found = self._found(query)
        return self.node.faults.answered(found, first, last)

    def logs_of(self, query):
        return self.node.faults.shown(self._found(query)[2])

    def _found(self, query):
        """Returns the blocks that a query asks for, as their first and last height, and its logs."""
        if query.block_hash is not None:
            found = self._by_hash(octets(query.block_hash, 32))
            if found is None:
                raise refused("unknown block")
            return found[0], found[0], self.index.logs(found[0], found[0], found[1], query)
        first, last = self._height(query.first), self._height(query.last)
        if first > last and query.last not in TAGS and query.first not in TAGS:
            raise invalid_params("invalid block range params")
        ways.check_range(self.node.faults.on, last, self.head_number())
        last = min(last, self.head_number())
        if last - first >= limits.LOG_RANGE_BLOCKS_MAX:
            raise RPCError(LIMIT_EXCEEDED,
                           f"query exceeds max block range {limits.LOG_RANGE_BLOCKS_MAX}")
        return first, last, self.index.logs(first, last, None, query)

    def _height(self, tag):
        if tag in TAGS:
            return self.find(tag)[0]
        return min(quantity(tag, 64), 2**62)

    # The mempool

    def nonce_of(self, account):
        return self.node.state_at(self.node.header).get_nonce(account)

    def pool_status(self):
        return pool.status(self.node.pool, self.nonce_of)

    def pool_content(self):
        return pool.content(self.node.pool, self.nonce_of, self.pending_shape)
