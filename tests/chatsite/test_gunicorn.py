"""How a worker serves: who stays with a visitor, and which processor it keeps to."""

import socket
import threading
from collections.abc import Iterator
from io import BytesIO
from types import SimpleNamespace

import pytest

from chatsite import gunicorn

QUICKLY = 60  # seconds that a busy machine may need for what takes less than one

# --- A visitor whose next request comes at once -----------------------------------------------------------------------


class Connection:
    """A visitor's, as far as a worker asks about it: each byte is a request."""

    def __init__(self) -> None:
        self.sock, self.visitor = socket.socketpair()
        self.parser = SimpleNamespace(unreader=SimpleNamespace(buf=BytesIO()))
        self.served = b""
        self.answered = threading.Semaphore(0)


@pytest.fixture
def connection(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    def serve(worker: gunicorn.worker_class, connection: Connection) -> bool:
        request = connection.parser.unreader.buf.read(1) or connection.sock.recv(1)
        connection.parser.unreader.buf = BytesIO(connection.parser.unreader.buf.read())
        connection.served += request
        connection.answered.release()
        return request not in (b"", b"!")  # an end, and the last one

    monkeypatch.setattr(gunicorn.ThreadWorker, "handle", serve)
    monkeypatch.setattr(gunicorn, "SOON", 60_000)
    connection = Connection()
    with connection.sock, connection.visitor:
        yield connection


@pytest.fixture
def worker() -> gunicorn.worker_class:
    worker = gunicorn.worker_class.__new__(gunicorn.worker_class)
    worker.alive = True
    return worker


def test_the_same_thread_serves_what_follows(connection: Connection, worker: gunicorn.worker_class):
    serving = threading.Thread(target=worker.handle, args=(connection,), daemon=True)
    serving.start()
    for request in (b"1", b"2", b"3", b"!"):
        connection.visitor.send(request)
        assert connection.answered.acquire(timeout=QUICKLY)
    serving.join(QUICKLY)
    assert not serving.is_alive()
    assert connection.served == b"123!"


def test_what_does_not_come_soon_is_left_to_the_main_thread(connection, worker, monkeypatch):
    monkeypatch.setattr(gunicorn, "SOON", 1)
    connection.visitor.send(b"1")
    assert worker.handle(connection) is True
    assert connection.served == b"1"


def test_what_has_been_read_already_is_served(connection, worker, monkeypatch):
    monkeypatch.setattr(gunicorn, "SOON", 1)
    connection.parser.unreader.buf = BytesIO(b"12")
    assert worker.handle(connection) is True
    assert connection.served == b"12"


def test_a_visitor_who_leaves_is_noticed(connection, worker):
    connection.visitor.send(b"1")
    connection.visitor.shutdown(socket.SHUT_WR)
    assert worker.handle(connection) is False
    assert connection.served == b"1"


def test_only_some_stay(connection, worker, monkeypatch):
    monkeypatch.setattr(gunicorn, "_may_stay", threading.Semaphore(0))
    connection.visitor.send(b"12")
    assert worker.handle(connection) is True
    assert connection.served == b"1"


def test_nobody_stays_in_a_process_that_is_to_stop(connection, worker):
    worker.alive = False
    connection.visitor.send(b"12")
    assert worker.handle(connection) is True
    assert connection.served == b"1"


def test_who_has_stayed_lets_another_stay(connection, worker, monkeypatch):
    monkeypatch.setattr(gunicorn, "_may_stay", threading.Semaphore(1))
    for _round in range(3):
        connection.visitor.send(b"12!")
        assert worker.handle(connection) is False
    assert connection.served == b"12!" * 3


# --- Its processor ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("workers", "processors", "taken", "chosen"),
    [
        (2, {0, 1}, [], 0),
        (2, {0, 1}, [0], 1),
        (2, {0, 1}, [1], 0),
        (2, {0, 1}, [0, 1], 0),  # while those are replaced
        (2, {0, 1}, [0, 1, 0], 1),
        (2, {0, 1}, [None, None, 0], 1),  # before an upgrade they kept to none
        (4, {2, 5}, [2, 5, 2], 5),
        (1, {3}, [], 3),
        (3, {0, 1}, [], None),
        (1, {0, 1}, [], None),
        (2, {0, 1, 2, 3}, [], None),
    ],
)
def test_processors_are_shared_out_evenly_or_not_at_all(workers, processors, taken, chosen, monkeypatch):
    monkeypatch.setattr(gunicorn.os, "sched_getaffinity", lambda process: processors)
    others = {number: SimpleNamespace(processor=processor) for number, processor in enumerate(taken)}
    server = SimpleNamespace(num_workers=workers, WORKERS=others)
    assert gunicorn._processor_for_another(server) == chosen


def test_a_system_that_knows_of_no_processors_is_left_alone(monkeypatch):
    monkeypatch.delattr(gunicorn.os, "sched_getaffinity")
    assert gunicorn._processor_for_another(SimpleNamespace(num_workers=1, WORKERS={})) is None
