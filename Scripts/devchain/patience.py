"""A bound on how long a call may run, as geth has one."""

import signal
from contextlib import contextmanager

from devchain.errors import refused


class OutOfPatience(BaseException):
    """Not an Exception, so that nothing in the EVM takes it for a failure of the contract."""


def expire(*_):
    raise OutOfPatience


@contextmanager
def at_most(seconds):
    """Ends what runs inside after `seconds` of wall time; for the main thread, and reading only.

    The alarm may strike anywhere: what runs inside must leave nothing behind that matters.
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
