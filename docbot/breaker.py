"""Lets a model server rest that fails again and again, so that visitors don't wait for what won't come."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

FAILURES = 3  # in a row
REST, LONGEST_REST = 30.0, 300.0  # seconds; twice as long after each probe that fails


class Resting(Exception):
    """The server isn't asked now."""


class Failed(Exception):
    """Raised within `asking`: the server gave no answer, or none that a working one gives."""


class Breaker:
    """What one process knows of one server; after a rest one request at a time finds out whether it works again.

    Path not taken: to share it between processes. It would be a write for each failure, to spare a few waits.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._rest = REST
        self._until: float | None = None  # None: it works, as far as is known
        self._probing = False

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Around each request to the server. Raises Resting. A block that raises Failed counts, one that ends heals."""
        is_probe = self._begin()
        try:
            yield
        except Failed:
            self._fail(is_probe)
            raise
        except BaseException:
            with self._lock:
                self._probing = self._probing and not is_probe
            raise
        self._heal()

    def _begin(self) -> bool:
        with self._lock:
            if self._until is None:
                return False
            if self._probing or self._clock() < self._until:
                raise Resting
            self._probing = True
            return True

    def _fail(self, is_probe: bool) -> None:
        with self._lock:
            self._failures += 1
            if is_probe:
                self._probing = False
                self._rest = min(LONGEST_REST, self._rest * 2)
            elif self._until is not None or self._failures < FAILURES:
                return  # one of those that were under way when it began to rest
            self._until = self._clock() + self._rest

    def _heal(self) -> None:
        with self._lock:
            self._failures, self._rest, self._until, self._probing = 0, REST, None, False
