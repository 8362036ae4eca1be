"""Few threads compute at a time; a waiting thread gives up its place, and none is held up for long."""

import threading
import time
from collections.abc import Iterator

import pytest

from outbound import concurrency_limit
from outbound.concurrency_limit import LONGEST_WAIT, computing, waiting


@pytest.fixture(autouse=True)
def one_place() -> Iterator[None]:
    concurrency_limit.set_limit(1)
    yield
    concurrency_limit.set_limit(1)


def in_a_thread(act) -> threading.Thread:
    thread = threading.Thread(target=act)
    thread.start()
    return thread


def most_at_once(threads: int) -> int:
    inside = most = 0

    def compute() -> None:
        nonlocal inside, most
        with computing():
            inside += 1
            most = max(most, inside)
            time.sleep(0.01)
            inside -= 1

    for thread in [in_a_thread(compute) for _ in range(threads)]:
        thread.join()
    return most


@pytest.mark.parametrize("places", [1, 3])
def test_no_more_threads_compute_than_the_limit(places):
    concurrency_limit.set_limit(places)
    assert most_at_once(8) == places


def test_a_thread_that_waits_for_a_server_lets_others_compute_and_queues_again():
    answered, order = threading.Event(), []

    def ask() -> None:
        with computing():
            with waiting():
                answered.wait(5)
            order.append("asked")

    asking = in_a_thread(ask)
    for _ in range(3):
        with computing():
            order.append("computed")
    with computing():
        answered.set()
        time.sleep(LONGEST_WAIT / 5)
        order.append("last")
    asking.join()
    assert order == ["computed", "computed", "computed", "last", "asked"]


def test_a_thread_that_is_stuck_delays_others_only_briefly():
    stuck, go_on = threading.Event(), threading.Event()

    def get_stuck() -> None:
        with computing():
            stuck.set()
            go_on.wait(60)

    thread = in_a_thread(get_stuck)
    stuck.wait()
    started = time.monotonic()
    with computing():
        assert LONGEST_WAIT / 2 <= time.monotonic() - started < 30
    go_on.set()
    thread.join()
    assert most_at_once(4) == 1  # the place that was given up is not counted twice


def test_a_failed_request_releases_its_place_and_waiting_outside_of_a_request_none():
    with pytest.raises(KeyError), computing(), waiting():
        raise KeyError
    assert most_at_once(4) == 1
    with waiting():
        assert most_at_once(4) == 1
