"""Blocks, transactions, receipts and logs as JSON shapes in the state file, ready to answer."""

import json

from devchain import limits
from devchain.errors import RPCError, LIMIT_EXCEEDED
from devchain.shapes import block_shape, receipt_shapes, transaction_shape
from devchain.values import octets


class Index:
    """The data that is looked up rather than computed."""

    def __init__(self, store):
        self.store = store
        self.reload()

    def reload(self):
        row = self.store.row("SELECT number, hash FROM canonical ORDER BY number DESC LIMIT 1")
        self.head_number, self.head_hash = row or (-1, None)

    def append(self, block, results, grants):
        """Stores a block as the new head; returns the shapes of its logs."""
        header = block.header
        receipts = receipt_shapes(header, results)
        grants = {account.hex(): hex(wei) for account, wei in grants.items()}
        write = self.store.write
        write("INSERT INTO blocks VALUES (?, ?, ?, ?)", header.hash, header.block_number,
              json.dumps(block_shape(block)), json.dumps(grants))
        write("INSERT INTO canonical VALUES (?, ?)", header.block_number, header.hash)
        self.store.write_many(
            "INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?)",
            [(header.hash, i, t.hash, t.encode(),
              json.dumps(transaction_shape(t, header.base_fee_per_gas, header, i)),
              json.dumps(receipts[i])) for i, (t, _, _) in enumerate(results)])
        logs = [log for receipt in receipts for log in receipt["logs"]]
        self.store.write_many(
            "INSERT INTO logs VALUES (?, ?, ?, ?, ?)",
            [(header.block_number, header.hash, i, octets(log["address"]), json.dumps(log))
             for i, log in enumerate(logs)])
        self.head_number, self.head_hash = header.block_number, header.hash
        return logs

    def pop(self):
        """Removes the head from the canonical chain; returns its logs, raw transactions, grants."""
        block = self.head_hash
        logs = [json.loads(shape) for (shape,) in self.store.rows(
            "SELECT shape FROM logs WHERE number=? AND block=? ORDER BY position",
            self.head_number, block)]
        raws = [raw for (raw,) in self.store.rows(
            "SELECT raw FROM transactions WHERE block=? ORDER BY position", block)]
        grants = json.loads(self.store.row("SELECT grants FROM blocks WHERE hash=?", block)[0])
        self.store.write("DELETE FROM canonical WHERE number=?", self.head_number)
        self.reload()
        return logs, raws, {bytes.fromhex(a): int(wei, 16) for a, wei in grants.items()}

    def hash_at(self, number):
        row = self.store.row("SELECT hash FROM canonical WHERE number=?", number)
        return row[0] if row else None

    def number_of(self, block_hash):
        """Returns the height of a block ever mined, including orphans, or None."""
        row = self.store.row("SELECT number FROM blocks WHERE hash=?", block_hash)
        return row[0] if row else None

    def block(self, block_hash, full=False):
        row = self.store.row("SELECT shape FROM blocks WHERE hash=?", block_hash)
        if row is None:
            return None
        shape = json.loads(row[0])
        if full:
            shape["transactions"] = self.block_column(block_hash, "shape")
        return shape

    def block_column(self, block_hash, column):
        """Returns the `shape` or `receipt` of each transaction of a block, in order."""
        return [json.loads(text) for (text,) in self.store.rows(
            f"SELECT {column} FROM transactions WHERE block=? ORDER BY position", block_hash)]

    def transaction_at(self, block_hash, position):
        row = self.store.row("SELECT shape FROM transactions WHERE block=? AND position=?",
                             block_hash, position)
        return json.loads(row[0]) if row else None

    def mined(self, transaction_hash, column, highest):
        """Returns the `shape` or `receipt` of a canonical transaction up to height `highest`."""
        row = self.store.row(
            f"""SELECT t.{column} FROM transactions t
                JOIN blocks b ON b.hash = t.block
                JOIN canonical c ON c.number = b.number AND c.hash = b.hash
                WHERE t.hash = ? AND b.number <= ?""", transaction_hash, highest)
        return json.loads(row[0]) if row else None

    def logs(self, first, last, block_hash, query):
        """Returns the logs of the canonical blocks `first…last`, or of one block given by its hash."""
        where, values = "", []
        if query.addresses:
            where = f" AND l.address IN ({','.join('?' * len(query.addresses))})"
            values = sorted(query.addresses)
        if block_hash is not None:
            rows = self.store.rows(
                f"""SELECT l.shape FROM logs l WHERE l.number = ? AND l.block = ?{where}
                    ORDER BY l.position""", first, block_hash, *values)
        else:
            rows = self.store.rows(
                f"""SELECT l.shape FROM canonical c
                    JOIN logs l ON l.number = c.number AND l.block = c.hash
                    WHERE c.number BETWEEN ? AND ?{where}
                    ORDER BY l.number, l.position""", first, last, *values)
        found = []
        for (shape,) in rows:
            log = json.loads(shape)
            if not query.matches(log):
                continue
            if len(found) == limits.LOG_RESULTS_MAX:
                raise RPCError(LIMIT_EXCEEDED,
                               f"query returned more than {limits.LOG_RESULTS_MAX} results")
            found.append(log)
        return found
