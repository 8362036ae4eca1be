"""One thread of a process works at a time, or a few; hundreds wait, for upstreams or at this gate.

Python runs one thread at a time anyhow. Left to itself it goes round among all that have something to do, and each
query gives up its place: with 500 turns in flight a reply came .8 s later in the median, and cost a fifth more
processor time, than with everybody in line. Whoever waits for an upstream is outside. Whoever stays inside without
getting on (a view that asks another server, a slow disk) is gone around after a moment. With a database on the network
a few work at a time: while one waits for its rows, another has something to do.
"""

import io
import threading
from collections.abc import Callable, Iterable
from typing import Any

from webchat import signals

A_MOMENT = 0.1  # seconds
READ_AHEAD = 64 * 1024  # bytes: larger bodies may come as slowly as they like, so they are read outside


class Gate:
    """`with gate:` lets so many threads in at a time; `step_out` and `step_in` are for who waits in between."""

    def __init__(self, at_a_time: int) -> None:
        self._at_a_time = at_a_time
        self._line = threading.Lock()  # whoever has it is the next; the others sleep
        self._open()
        self._here = threading.local()

    def _open(self) -> None:
        self._inside = threading.Lock() if self._at_a_time == 1 else threading.Semaphore(self._at_a_time)

    def __enter__(self) -> None:
        self.step_in()

    def __exit__(self, *_: object) -> None:
        self.step_out()

    def step_in(self) -> None:
        with self._line:
            while not self._inside.acquire(timeout=A_MOMENT):
                self._open()  # anew, beside those who are inside and don't get on
            self._here.inside = self._inside

    def step_out(self) -> None:
        """Nothing for a thread that isn't inside."""
        inside = getattr(self._here, "inside", None)
        if inside:
            self._here.inside = None
            inside.release()


def put_before(application: Callable, *, at_a_time: int) -> Callable:
    """The WSGI application behind a gate of its own."""
    gate = Gate(at_a_time)

    def step_out(**kwargs: Any) -> None:
        gate.step_out()

    def step_in(**kwargs: Any) -> None:
        gate.step_in()

    signals.waiting.connect(step_out, weak=False, dispatch_uid="gate")
    signals.waited.connect(step_in, weak=False, dispatch_uid="gate")

    def behind_the_gate(environ: dict[str, Any], start_response: Callable) -> Iterable[bytes]:
        if not _read_ahead(environ):
            return application(environ, start_response)
        with gate:
            return application(environ, start_response)

    return behind_the_gate


def _read_ahead(environ: dict[str, Any]) -> bool:
    """So that nobody inside waits for a slow visitor's body. False for one that is too long for that."""
    if environ.get("HTTP_TRANSFER_ENCODING"):
        return False
    length = environ.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdecimal()) or int(length) > READ_AHEAD:
        return False
    if int(length):
        environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(int(length)))
    return True
