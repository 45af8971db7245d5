"""Starts the development chain and prints one ready line; see README.md."""

import asyncio
import json
import logging
import os
import signal
import sys
from pathlib import Path

if __package__ in (None, ""):  # run as a file: import the package, not the files beside this one
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from devchain.errors import StateError
from devchain.interval import Interval
from devchain.methods import Methods
from devchain.node import Node
from devchain.nursery import chain_arguments
from devchain.server import HOST, Server
from devchain.settings import parser, settled
from devchain.store import Store
from devchain.values import as_hex


def main():
    # Threads that block signals may have started this program, which inherits that.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    logging.basicConfig(level=logging.WARNING, format="devchain: %(levelname)s: %(message)s")
    logging.getLogger("eth").setLevel(logging.ERROR)
    options = parser().parse_args()
    if options.nursery:
        open_node(Store(), options)  # the chains begin with the accounts that it derived
        options = parser().parse_args(chain_arguments())
    try:
        asyncio.run(run(options))
    except (StateError, OSError) as error:
        sys.exit(str(error) if isinstance(error, StateError)
                 else f"devchain: cannot listen on {HOST}:{options.port}: {error.strerror}. "
                      "Name another --port, or 0 for a free one.")


async def run(options):
    store = open_store(options)
    node = open_node(store, options)
    node.automine = not (options.no_automine or options.block_time)
    interval = Interval(node)
    has_base_fee = not options.legacy_fees
    server = Server(Methods(node, interval, has_base_fee))
    private = Server(Methods(node, interval, has_base_fee, is_private=True))
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    port = await server.start(options.port)
    private_port = (None if options.private_port is None
                    else await private.start(options.private_port))
    interval.set(options.block_time)
    mining = asyncio.create_task(interval.run())
    mining.add_done_callback(lambda _: stopped.set())
    announce(node, port, private_port)
    await stopped.wait()
    failed = mining.exception() if mining.done() else None
    mining.cancel()
    await server.stop()
    if private_port is not None:
        await private.stop()
    store.close()
    if failed is not None:
        raise StateError(f"devchain: mining stopped: {failed}") from failed


def open_store(options):
    if not options.in_memory:
        return Store(options.state)
    if not Path(options.state or "").is_file():
        raise StateError("devchain: --in-memory begins with a state file. "
                         "Name one that exists with --state.")
    return Store(options.state).in_memory()


def open_node(store, options):
    """Opens the node of a state file; reports any damage found meanwhile as damage."""
    settings = settled(options, store.meta("settings"))
    try:
        return Node(store, settings)
    except StateError:
        raise
    except Exception as error:
        raise store.damaged(f"{type(error).__name__}: {error}") from error


def announce(node, port, private_port):
    ready = {
        "port": port, **addresses(port),
        "chainId": node.settings.chain_id, "fork": node.settings.fork,
        "head": node.index.head_number, "genesis": as_hex(node.index.hash_at(0)),
        "pool": len(node.pool), "faucet": node.faucet.address, "pid": os.getpid(),
    }
    if private_port is not None:
        ready["private"] = addresses(private_port)
    print("devchain ready " + json.dumps(ready), flush=True)


def addresses(port):
    return {"http": f"http://{HOST}:{port}", "ws": f"ws://{HOST}:{port}"}


if __name__ == "__main__":
    main()
