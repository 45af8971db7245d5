"""The command line, and the settings that a state file remembers."""

import argparse
import time
from dataclasses import dataclass

from devchain import accounts, limits
from devchain.errors import StateError
from devchain.evm import FORKS

DEFAULTS = {
    "chain_id": 31_337, "fork": "prague", "accounts": 10, "gas_limit": 30_000_000,
    "mnemonic": accounts.MNEMONIC, "genesis_time": None,
}


@dataclass(frozen=True)
class Settings:
    """The settings that a chain is created with; they never change."""

    chain_id: int
    fork: str
    accounts: int
    gas_limit: int
    mnemonic: str
    genesis_time: int


def bounded(low, high):
    def parse(text):
        number = int(text, 0)
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"must be {low} to {high}")
        return number
    return parse


def block_time(text):
    seconds = float(text)
    if seconds and not 0.01 <= seconds <= 3_600:
        raise argparse.ArgumentTypeError("must be 0, or 0.01 to 3600 seconds")
    return int(seconds) if seconds.is_integer() else seconds


def parser():
    command = argparse.ArgumentParser(
        prog="devchain", description="An Ethereum development chain on 127.0.0.1.")
    add = command.add_argument
    add("--port", type=bounded(0, 65_535), default=8545, help="0 lets the system choose")
    add("--block-time", type=block_time, default=0,
        help="mine at this interval in seconds instead of at each transaction")
    add("--no-automine", action="store_true", help="mine on evm_mine only")
    add("--legacy-fees", action="store_true",
        help="no base fee, no fee history, and no transactions of type 2")
    add("--private-port", type=bounded(0, 65_535), metavar="N",
        help="a second port, whose mempool passes nothing on; 0 lets the system choose")
    add("--state", metavar="FILE", help="keep the chain in this file; without it, in memory")
    add("--in-memory", action="store_true",
        help="begin with what the state file holds, and leave the file as it is")
    add("--chain-id", type=bounded(1, 2**53 - 1), help="default 31337")
    add("--fork", type=str.lower, choices=list(FORKS), help="default prague")
    add("--accounts", type=bounded(0, limits.ACCOUNTS_MAX), help="default 10")
    add("--gas-limit", type=bounded(100_000, 2**40), help="of a block; default 30000000")
    add("--genesis-time", type=bounded(1, 2**40), help="Unix seconds; default a second ago")
    add("--mnemonic", help="the accounts' recovery phrase")
    add("--nursery", action="store_true",
        help="fork chains as standard input asks; the other options come with each request")
    return command


def settled(options, stored):
    """Returns the chain's settings: the stored ones, if the command line does not contradict them."""
    named = {name: getattr(options, name) for name in DEFAULTS}
    if stored is None:
        values = {name: default if named[name] is None else named[name]
                  for name, default in DEFAULTS.items()}
        if values["genesis_time"] is None:
            values["genesis_time"] = int(time.time()) - 1
        check_phrase(values["mnemonic"])
        return Settings(**values)
    for name, value in named.items():
        if value is not None and value != stored[name]:
            raise StateError(
                f"devchain: the state file was made with --{name.replace('_', '-')} "
                f"{stored[name]}, not {value}. Leave the option out, or name another file.")
    return Settings(**stored)


def check_phrase(mnemonic):
    try:
        accounts.derive(mnemonic, 1)
    except Exception as error:  # eth-account's own kinds
        raise StateError(f"devchain: --mnemonic is no recovery phrase: {error}") from error
