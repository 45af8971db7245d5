"""A time limit for calls, as in geth."""

import signal
from contextlib import contextmanager

from devchain.errors import refused


class OutOfPatience(BaseException):
    """Raised at the time limit; no Exception, so the EVM does not take it for a failure of the contract."""


def expire(*_):
    raise OutOfPatience


@contextmanager
def at_most(seconds):
    """Ends the body after `seconds` of wall time; only for the main thread, and for reading.

    The alarm can interrupt anywhere, so the body must leave no state behind.
    """
    before = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except OutOfPatience:
        raise refused(f"execution aborted (timeout = {seconds}s)") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
