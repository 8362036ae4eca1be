"""The gate: one thread works at a time, who waits for an upstream is outside, nobody is held up by one that sleeps."""

import io
import threading
import time

import pytest

from chatsite import gate
from webchat import signals
from webchat.models import Turn


class Site:
    """A WSGI application that says how many are inside at once; each request does what its path says."""

    def __init__(self, at_a_time: int = 1) -> None:
        self.inside = self.most = 0
        self.go_on = threading.Event()
        self.bodies: list[bytes] = []
        self.application = gate.put_before(self, at_a_time=at_a_time)

    def __call__(self, environ, start_response):
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.bodies.append(environ["wsgi.input"].read())
        match environ["PATH_INFO"]:
            case "/works":
                time.sleep(0.01)
            case "/waits for an upstream":
                signals.waiting.send(Turn)
                self.inside -= 1
                self.go_on.wait(5)
                self.inside += 1
                signals.waited.send(Turn)
            case "/sleeps":
                self.go_on.wait(5)
            case "/breaks":
                self.inside -= 1
                raise RuntimeError
        self.inside -= 1
        return [b"done"]

    def ask(self, path: str, body: bytes = b"", **more: object) -> list[bytes]:
        environ = {"PATH_INFO": path, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body), **more}
        return self.application(environ, lambda *_: None)

    def ask_in_the_background(self, *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=self.ask, args=arguments)
        thread.start()
        return thread


@pytest.fixture
def site(request):
    site = Site(getattr(request, "param", 1))
    yield site
    site.go_on.set()
    for signal in (signals.waiting, signals.waited):
        signal.disconnect(dispatch_uid="gate")


@pytest.mark.parametrize(("site", "most"), [(1, 1), (3, 3)], indirect=["site"])
def test_so_many_work_at_a_time(site: Site, most: int):
    crowd = [site.ask_in_the_background("/works") for _ in range(8)]
    for one in crowd:
        one.join(5)
    assert (site.most, len(site.bodies)) == (most, 8)


def test_whoever_waits_for_an_upstream_is_in_nobodys_way(site: Site):
    waiting = [site.ask_in_the_background("/waits for an upstream") for _ in range(5)]
    while len(site.bodies) < 5:
        time.sleep(0.001)
    assert site.ask("/works") == [b"done"]
    site.go_on.set()
    for one in waiting:
        one.join(5)
    assert site.most == 1


def test_who_does_not_get_on_is_gone_around(site: Site):
    site.ask_in_the_background("/sleeps")
    while not site.bodies:
        time.sleep(0.001)
    assert site.ask("/works") == [b"done"]


def test_an_error_leaves_the_gate_open(site: Site):
    with pytest.raises(RuntimeError):
        site.ask("/breaks")
    assert [site.ask("/works") for _ in range(2)] == [[b"done"]] * 2
    assert site.most == 1


class SlowBody(io.BytesIO):
    """A visitor who types byte by byte; says who was inside meanwhile."""

    def __init__(self, site: Site, body: bytes) -> None:
        super().__init__(body)
        self.site = site
        self.was_alone: list[bool] = []

    def read(self, *size: int) -> bytes:
        other = self.site.ask_in_the_background("/works")
        other.join(5)
        self.was_alone.append(not other.is_alive())
        return super().read(*size)


@pytest.mark.parametrize("length", [10, gate.READ_AHEAD + 1])
def test_nobody_waits_for_a_slow_visitors_body(site: Site, length: int):
    body = SlowBody(site, b"x" * length)
    site.ask("/works", b"x" * length, **{"wsgi.input": body})
    assert body.was_alone == [True]
    assert b"x" * length in site.bodies


@pytest.mark.parametrize("length", ["-1", "abc", "١٢", ""])
def test_an_odd_length_is_left_to_django(site: Site, length: str):
    assert site.ask("/works", CONTENT_LENGTH=length) == [b"done"]
