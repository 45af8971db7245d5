"""The tables of the state file."""

APPLICATION_ID = 0x73746F61  # "stoa"
SCHEMA_NUMBER = 1

SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # The EVM's own database: trie nodes, code, headers.
    "CREATE TABLE state (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    # Every block ever mined, including orphans; grants are balances set outside a transaction.
    """CREATE TABLE blocks (hash BLOB PRIMARY KEY, number INTEGER NOT NULL,
       shape TEXT NOT NULL, grants TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE canonical (number INTEGER PRIMARY KEY, hash BLOB NOT NULL)",
    """CREATE TABLE transactions (block BLOB, position INTEGER, hash BLOB NOT NULL,
       raw BLOB NOT NULL, shape TEXT NOT NULL, receipt TEXT NOT NULL,
       PRIMARY KEY (block, position)) WITHOUT ROWID""",
    "CREATE INDEX transaction_hash ON transactions (hash)",
    """CREATE TABLE logs (number INTEGER, block BLOB, position INTEGER, address BLOB NOT NULL,
       shape TEXT NOT NULL, PRIMARY KEY (number, block, position)) WITHOUT ROWID""",
    """CREATE TABLE pool (hash BLOB PRIMARY KEY, arrival INTEGER NOT NULL,
       raw BLOB NOT NULL) WITHOUT ROWID""",
)
