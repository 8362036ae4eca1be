"""Run several things at the same moment, each in a thread with its own database connection."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

Result = TypeVar("Result")


def run_concurrently(*actions: Callable[[], Result]) -> list[Result]:
    """Run the actions concurrently and return their results in order; an exception in one is raised here."""
    start = threading.Barrier(len(actions))

    def act(action: Callable[[], Result]) -> Result:
        start.wait(10)
        try:
            return action()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(act, actions))


def run_in_background(action: Callable[[], Result]) -> Callable[[], Result]:
    """Start the action in a thread and return a function that waits for its result."""
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
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
