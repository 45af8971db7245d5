"""The EVM: one fork from genesis on, headers, and block assembly."""

import os
from dataclasses import dataclass, field

from eth import constants
from eth.chains.base import MiningChain
from eth.db.atomic import AtomicDB
from eth.vm import forks
from eth_utils import ValidationError

FORKS = {
    "london": forks.LondonVM,
    "paris": forks.ParisVM,
    "shanghai": forks.ShanghaiVM,
    "cancun": forks.CancunVM,
    "prague": forks.PragueVM,
}
BASE_FEE_AT_GENESIS = 10**9


@dataclass
class Assembled:
    """A mined block with the results of its transactions, and the transactions found invalid."""

    block: object
    results: list = field(default_factory=list)  # (transaction, receipt, computation)
    invalid: list = field(default_factory=list)  # (transaction, reason)


def chain_class(fork, identifier):
    """Returns a py-evm chain class that runs `fork` from the first block and keeps its gas limit."""

    class DevelopmentChain(MiningChain):
        chain_id = identifier
        vm_configuration = ((0, FORKS[fork]),)

        def create_header_from_parent(self, parent, **fields):
            return super().create_header_from_parent(
                parent, **{"gas_limit": parent.gas_limit, **fields})

    return DevelopmentChain


def create(kind, database, timestamp, gas_limit, balances):
    """Writes the genesis block."""
    header = dict(
        coinbase=constants.ZERO_ADDRESS, difficulty=0, extra_data=b"", gas_limit=gas_limit,
        mix_hash=constants.ZERO_HASH32, nonce=b"\0" * 8, timestamp=timestamp,
        base_fee_per_gas=BASE_FEE_AT_GENESIS)
    state = {account: dict(balance=wei, nonce=0, code=b"", storage={})
             for account, wei in balances.items()}
    return kind.from_genesis(AtomicDB(database), header, state)


def reopen(kind, database):
    """Opens the chain in the database."""
    return kind(AtomicDB(database))


def set_head(chain, header):
    """Makes `header` the canonical head; its descendants stay stored as orphans."""
    database = chain.chaindb.db
    chain.chaindb._set_as_canonical_chain_head(database, header, constants.GENESIS_PARENT_HASH)
    chain.header = chain.create_header_from_parent(header)


def assemble(chain, parent, timestamp, queue, grants):
    """Mines one block on `parent`.

    `queue` is a function of (base fee, nonce lookup) that returns a picker of transactions with
    `best()`, `took()` and `passed()`; `grants` are balances set before the first transaction.
    """
    header = chain.create_header_from_parent(
        parent, timestamp=timestamp, coinbase=constants.ZERO_ADDRESS, mix_hash=os.urandom(32))
    vm = chain.get_vm(header)
    for account, wei in grants.items():
        vm.state.set_balance(account, wei)
    done = Assembled(block=None)
    picker = queue(header.base_fee_per_gas, vm.state.get_nonce)
    while (transaction := picker.best()) is not None:
        if header.gas_used + transaction.gas > header.gas_limit:
            picker.passed()
            continue
        try:
            receipt, computation = vm.apply_transaction(header, transaction)
        except ValidationError as error:
            done.invalid.append((transaction, str(error)))
            picker.passed()
            continue
        header = vm.add_receipt_to_header(header, receipt)
        done.results.append((transaction, receipt, computation))
        picker.took()
    filled = vm.set_block_transactions_and_withdrawals(
        vm.get_block(), header,
        tuple(t for t, _, _ in done.results), tuple(r for _, r, _ in done.results))
    done.block = vm.mine_block(filled).block
    chain.chaindb.persist_block(done.block)
    chain.header = chain.create_header_from_parent(done.block.header)
    return done
