"""Lets few threads of a process compute at a time; a thread that waits for another server lets others compute.

Python runs one thread at a time anyway. Without the limit all threads with something to do take turns at each query:
with 500 turns in flight the median reply came 800 ms later and a turn took a quarter more processor time.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST_WAIT = 0.1  # seconds; then one more thread computes, so that a slow query doesn't hold up all others

_queue = threading.Lock()  # its holder is next
_thread = threading.local()
_places = threading.Semaphore(1)


def set_limit(threads: int) -> None:
    """Set how many threads may compute at a time. Call it once, before any of them does."""
    global _places
    _places = threading.Semaphore(threads)


@contextmanager
def computing() -> Iterator[None]:
    """Hold a place while a request computes; queue for it if all are taken."""
    with _queue:
        _thread.has_place = _places.acquire(timeout=LONGEST_WAIT)
    try:
        yield
    finally:
        if _thread.has_place:
            _places.release()
        del _thread.has_place


@contextmanager
def waiting() -> Iterator[None]:
    """Give the place to others during the block; do nothing in a thread that holds none."""
    if not getattr(_thread, "has_place", False):
        yield
        return
    _places.release()
    try:
        yield
    finally:
        with _queue:
            _thread.has_place = _places.acquire(timeout=LONGEST_WAIT)
