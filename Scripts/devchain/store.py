"""The state file: one SQLite database that holds the chain, its index and the mempool.

Every command is one SQLite transaction in WAL mode with synchronous=FULL: it is on disk before
it is answered, and after a kill at any instant the file contains only whole commands. SQLite's WAL
frames carry checksums, so a torn last one is dropped at the next start.
"""

import json
import sqlite3
from contextlib import contextmanager

from devchain.errors import StateError
from devchain.schema import APPLICATION_ID, SCHEMA, SCHEMA_NUMBER
from devchain.statedb import StateDB

DAMAGED = ("devchain: the state file {path} is damaged ({why}). "
           "Restore it from a copy, or delete it together with {path}-wal to start a new chain.")


class Store:
    """Owns the database file. One process at a time; one command at a time."""

    def __init__(self, path=None):
        self.path = path or ":memory:"
        self.changed = False
        self.depth = 0
        try:
            self.connection = sqlite3.connect(
                self.path, timeout=0, isolation_level=None, cached_statements=256)
            self._prepare()
        except sqlite3.Error as error:
            raise self._explained(error) from error
        self.state = StateDB(self)

    def _prepare(self):
        run = self.connection.execute
        run("PRAGMA locking_mode=EXCLUSIVE")
        run("PRAGMA journal_mode=WAL")
        run("PRAGMA synchronous=FULL")
        run("PRAGMA cache_size=-16000")
        run("PRAGMA wal_autocheckpoint=4000")
        run("BEGIN IMMEDIATE")  # takes the lock that keeps other processes out
        fresh = not run("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
        if fresh:
            for statement in SCHEMA:
                run(statement)
            run(f"PRAGMA application_id={APPLICATION_ID}")
            run(f"PRAGMA user_version={SCHEMA_NUMBER}")
        elif run("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StateError(f"devchain: {self.path} is a database of another program. "
                             "Name another file with --state.")
        elif (found := run("PRAGMA user_version").fetchone()[0]) != SCHEMA_NUMBER:
            raise StateError(f"devchain: {self.path} has schema {found}, this program writes "
                             f"{SCHEMA_NUMBER}. Delete the file to start a new chain.")
        run("COMMIT")
        self.fresh = fresh
        if not fresh and (why := run("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise StateError(DAMAGED.format(path=self.path, why=why))

    def _explained(self, error):
        text = str(error)
        if "locked" in text or "busy" in text:
            return StateError(f"devchain: the state file {self.path} is in use by another process. "
                              "Stop that one, or name another file with --state.")
        if "unable to open" in text or "readonly" in text:
            return StateError(f"devchain: the state file {self.path} cannot be opened ({text}). "
                              "Check that its folder exists and that you may write there.")
        return StateError(DAMAGED.format(path=self.path, why=text))

    def damaged(self, why):
        return StateError(DAMAGED.format(path=self.path, why=why))

    @contextmanager
    def transaction(self):
        """Makes everything written inside durable at its end, or nothing if it raises."""
        self.depth += 1
        try:
            if self.depth == 1:
                self.changed = False
                self.connection.execute("BEGIN IMMEDIATE")
            yield
            if self.depth == 1:
                self.state.flush()
                self.connection.execute("COMMIT")
        except BaseException:
            if self.depth == 1:
                self.state.forget()
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
            raise
        finally:
            self.depth -= 1

    def write(self, statement, *values):
        self.changed = True
        return self.connection.execute(statement, values)

    def write_many(self, statement, rows):
        self.changed = True
        self.connection.executemany(statement, rows)

    def rows(self, statement, *values):
        return self.connection.execute(statement, values)

    def row(self, statement, *values):
        return self.connection.execute(statement, values).fetchone()

    def meta(self, key, default=None):
        row = self.row("SELECT value FROM meta WHERE key=?", key)
        return json.loads(row[0]) if row else default

    def set_meta(self, key, value):
        self.write("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, json.dumps(value))

    def in_memory(self):
        """Returns a copy in memory, and closes this one."""
        copy = Store()
        self.connection.backup(copy.connection)
        self.close()
        return copy

    def close(self):
        self.connection.close()
