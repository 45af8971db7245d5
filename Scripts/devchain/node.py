"""The chain with its mempool, clock and index, and every command that changes it."""

import logging
from contextlib import contextmanager
from types import SimpleNamespace

from eth_utils import keccak

from devchain import accounts, admission, evm, limits, ways
from devchain.clock import ChainClock
from devchain.errors import invalid_params, refused
from devchain.events import Events
from devchain.faults import Faults
from devchain.index import Index
from devchain.pool import Pool
from devchain.shapes import header_shape
from devchain.values import as_hex

log = logging.getLogger("devchain")

NO_TRANSACTIONS = SimpleNamespace(best=lambda: None)
TIP_WEI = 10**9


class Node:
    """Owns the state; for one thread only.

    Each command is durable before it returns, and listeners are notified only then.
    """

    def __init__(self, store, settings):
        self.store, self.settings = store, settings
        self.kind = evm.chain_class(settings.fork, settings.chain_id)
        self.builder = evm.FORKS[settings.fork].get_transaction_builder()
        self.keys = accounts.derive(settings.mnemonic, settings.accounts)
        self.faucet = accounts.faucet(settings.mnemonic)
        self.events, self.faults = Events(), Faults()
        self.automine = True
        if store.meta("settings") is None:
            self._create()
        self.chain = evm.reopen(self.kind, store.state)
        self.clock, self.index = ChainClock(store), Index(store)
        self.pool = Pool(store, self.builder.decode)
        self.header = self.header_of(self.index.head_hash)

    def _create(self):
        balances = {bytes.fromhex(a[2:]): accounts.ACCOUNT_WEI for a in self.keys}
        balances[bytes.fromhex(self.faucet.address[2:])] = accounts.FAUCET_WEI
        with self.store.transaction():
            chain = evm.create(self.kind, self.store.state, self.settings.genesis_time,
                               self.settings.gas_limit, balances)
            Index(self.store).append(chain.get_canonical_block_by_number(0), [], {})
            self.store.set_meta("settings", vars(self.settings))

    @contextmanager
    def command(self):
        """Runs one durable step: all of it or nothing, in memory as well."""
        if self.store.depth:
            yield
            return
        try:
            with self.store.transaction():
                yield
        except BaseException:
            self.events.drop()
            if self.store.changed or self.store.state.pending:
                self._reload()
            raise
        self.events.deliver(self.faults)

    def _reload(self):
        self.store.state.forget()
        self.chain = evm.reopen(self.kind, self.store.state)
        self.index.reload()
        self.pool.reload()
        self.clock.reload()
        self.header = self.header_of(self.index.head_hash)

    # Reading

    def header_of(self, block_hash):
        return self.chain.chaindb.get_block_header_by_hash(block_hash)

    def state_at(self, header):
        return self.chain.get_vm(header).state

    def next_nonce(self, account):
        """Returns the nonce of the next transaction of `account`, including the mempool."""
        return self.pool.next_nonce(account, self.state_at(self.header).get_nonce(account))

    def next_header(self):
        """Returns the header that the next block would have, on the head's state."""
        timestamp = self.clock.next_timestamp(self.header.timestamp)
        return self.chain.create_header_from_parent(self.header, timestamp=timestamp)

    # Transactions

    def send(self, raw):
        """Accepts a signed transaction; returns its hash."""
        transaction = admission.decode(self.builder, raw)
        admission.check_signature(transaction, self.settings.chain_id)
        if self.pool.get(transaction.hash) is not None:
            raise refused("already known")
        admission.check(transaction, self.settings.chain_id, self.settings.fork,
                        self.header.gas_limit, self.state_at(self.header))
        ways.check_fee(self.faults.on, transaction)
        with self.command():
            self.pool.add(transaction)
            self.events.note("newPendingTransactions", as_hex(transaction.hash))
            self._mine_what_waits()
        return as_hex(transaction.hash)

    def sign_and_send(self, account, fields):
        """Sends a 1559 transaction of a development account."""
        owner = bytes.fromhex(account.address[2:])
        base_fee = self.chain.header.base_fee_per_gas
        filled = {"type": 2, "chainId": self.settings.chain_id, "nonce": self.next_nonce(owner),
                  "maxFeePerGas": 2 * base_fee + TIP_WEI, "maxPriorityFeePerGas": TIP_WEI}
        return self.send(bytes(account.sign_transaction(filled | fields).raw_transaction))

    def fund(self, address, wei):
        """Pays from the faucet by an ordinary transaction, which a reorg cannot lose."""
        return self.sign_and_send(self.faucet, {"to": address, "value": wei, "gas": 100_000})

    def mint(self, token, receiver, amount):
        """Has a test token make units for an account, by a transaction of the faucet's account."""
        data = keccak(text="mint(address,uint256)")[:4] + receiver.rjust(32, b"\0") + amount.to_bytes(32, "big")
        return self.sign_and_send(self.faucet, {"to": token, "value": 0, "gas": 200_000, "data": data})

    def set_automine(self, on):
        self.automine = on
        with self.command():
            self._mine_what_waits()

    def _mine_what_waits(self):
        while self.automine:
            state = self.state_at(self.header)
            picker = self.pool.picker(self.chain.header.base_fee_per_gas, state.get_nonce)
            if picker.best() is None or not self.mine().results:
                return

    # Blocks

    def mine(self, timestamp=None, grants=None, empty=False):
        """Mines one block from the mempool."""
        with self.command():
            parent = self.header
            time = self.clock.next_timestamp(parent.timestamp, timestamp)
            queue = (lambda *_: NO_TRANSACTIONS) if empty else self.pool.picker
            done = evm.assemble(self.chain, parent, time, queue, grants or {})
            self.clock.used(time, timestamp)
            for transaction, _, _ in done.results:
                self.pool.remove(transaction)
                self.pool.forget_below(transaction.sender, transaction.nonce + 1)
            for transaction, why in done.invalid:
                log.warning("dropped %s: %s", as_hex(transaction.hash), why)
                self.pool.remove(transaction)
            logs = self.index.append(done.block, done.results, grants or {})
            self.header = done.block.header
            self.events.note("newHeads", header_shape(self.header))
            for shape in logs:
                self.events.note("logs", shape)
        return done

    def set_balance(self, account, wei):
        """Mines a block that begins with `account` holding `wei`.

        A reorg with `keep` sets the balance again, before the dropped transactions.
        """
        self.mine(grants={account: wei})

    def reorg(self, depth, keep=True):
        """Replaces the last `depth` blocks with `depth + 1` others.

        `keep`: True mines the dropped transactions again in the last one, "pool" leaves them in
        the mempool, False forgets them as if they had never been sent.
        """
        if not 0 < depth <= min(self.index.head_number, limits.REORG_BLOCKS_MAX):
            raise invalid_params(f"depth must be 1 to {self.index.head_number} "
                                 f"and at most {limits.REORG_BLOCKS_MAX}")
        with self.command():
            transactions, grants = self._rewind(self.index.head_number - depth)
            for transaction in transactions if keep else ():
                self.pool.restore(transaction)
            for _ in range(depth):
                self.mine(timestamp=self.header.timestamp + 1, empty=True)
            self.mine(grants=grants if keep else None, empty=keep == "pool")
        return as_hex(self.index.head_hash)

    def _rewind(self, number):
        """Drops the blocks above `number`; returns their transactions and grants."""
        transactions, grants = [], {}
        while self.index.head_number > number:
            logs, raws, granted = self.index.pop()
            for shape in reversed(logs):
                self.events.note("logs", shape | {"removed": True})
            transactions = [self.builder.decode(raw) for raw in raws] + transactions
            grants = granted | grants
        self.header = self.header_of(self.index.head_hash)
        evm.set_head(self.chain, self.header)
        return transactions, grants

    # Snapshots

    def snapshot(self):
        """Remembers the head, the mempool and the clock; returns the snapshot's number."""
        saved = self.store.meta("snapshots", [])
        if len(saved) >= limits.SNAPSHOTS_MAX:
            raise refused(f"at most {limits.SNAPSHOTS_MAX} snapshots; revert to one first")
        saved.append({"head": self.index.head_hash.hex(), "offset": self.clock.offset,
                      "chosen": self.clock.chosen,
                      "pool": [t.encode().hex() for t in self.pool.all()]})
        with self.command():
            self.store.set_meta("snapshots", saved)
        return len(saved)

    def revert(self, number):
        """Reverts to a snapshot and removes it and the later ones; returns False if it does not exist."""
        saved = self.store.meta("snapshots", [])
        if not 1 <= number <= len(saved):
            return False
        snapshot = saved[number - 1]
        head = bytes.fromhex(snapshot["head"])
        height = self.index.number_of(head)
        with self.command():
            self.store.set_meta("snapshots", saved[:number - 1])
            if self.index.hash_at(height) != head:
                return False
            self._rewind(height)
            raws = [bytes.fromhex(raw) for raw in snapshot["pool"]]
            self.pool.replace_all([self.builder.decode(raw) for raw in raws])
            self.clock.restore(snapshot["offset"], snapshot["chosen"])
        return True
