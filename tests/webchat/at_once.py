"""Does several things at the same moment, each in a thread with a database connection of its own."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

Result = TypeVar("Result")


def at_once(*actions: Callable[[], Result]) -> list[Result]:
    """Their results in order; raises what one of them raises."""
    start = threading.Barrier(len(actions))

    def act(action: Callable[[], Result]) -> Result:
        start.wait(10)
        try:
            return action()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(act, actions))


def in_the_background(action: Callable[[], Result]) -> Callable[[], Result]:
    """Begins it; the function that comes back waits for its result."""
    pool = ThreadPoolExecutor(1)

    def act() -> Result:
        try:
            return action()
        finally:
            connections.close_all()

    future = pool.submit(act)
    pool.shutdown(wait=False)
    return lambda: future.result(20)


def wait_until(condition: Callable[[], object], seconds: float = 15) -> None:
    """For what another thread does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
