"""deploy/webchat.service and .socket: started, updated and restarted under load without losing anything."""

import re
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from chatsite import gunicorn
from tests.browser.site import ROOT
from tests.chatsite.http_visitor import HttpVisitor
from tests.deploy.systemd import directives
from tests.webchat.certificates import Authority


class Crowd:
    """Visitors who send one message after the other inside the `with` block."""

    def __init__(self, url: str, authority: Authority, number: int = 4) -> None:
        self.over = threading.Event()
        self.visitors = [HttpVisitor(url, verify=str(authority.file)) for _ in range(number)]
        self._pool = ThreadPoolExecutor(number)
        self._visits = [self._pool.submit(self._visit, visitor) for visitor in self.visitors]

    def _visit(self, visitor: HttpVisitor) -> int:
        """Return the number of replies; a failed connection or any status but 200 is an error."""
        visitor.open()
        count = 0
        while not self.over.is_set():
            count += 1
            sent = visitor.send_live(f"Message {count}")
            assert (sent.status, sent.turns[0].reply) == (200, f"You said: Message {count}")
        return count

    def finish(self) -> int:
        self.over.set()
        counts = [visit.result(60) for visit in self._visits]
        self._pool.shutdown()
        return sum(counts)


def test_a_reload_replaces_every_worker_and_loses_nothing(service, url, authority, upstream):
    upstream.delay = 0.2
    crowd, before = Crowd(url, authority), set(service.workers)
    upstream.wait_for_requests(6, timeout=30)
    service.reload()
    for _ in range(600):
        if service.workers and not before & set(service.workers):
            break
        threading.Event().wait(0.1)
    seen = len(upstream.requests)
    upstream.wait_for_requests(seen + 6, timeout=30)
    count = crowd.finish()
    assert not before & set(service.workers)
    assert len(upstream.requests) == count  # each message is sent once


def test_a_stop_waits_for_replies_and_new_requests_wait_for_the_start(service, url, authority, upstream):
    arrives = upstream.will_hold("Here I am")
    early, late = (HttpVisitor(url, verify=str(authority.file)) for _ in range(2))
    late.open()
    late = late.twin()  # on a new connection: the stopping service still answers the open ones
    with ThreadPoolExecutor(3) as doing:
        in_flight = doing.submit(early.post_message, "Are you there?")
        upstream.wait_for_requests(1)
        assert service.accepts
        stopping = doing.submit(service.stop)
        while service.accepts:
            threading.Event().wait(0.05)
        coming = doing.submit(late.send_live, "And you?")
        threading.Event().wait(0.5)
        assert not stopping.done()
        assert not coming.done()
        arrives.set()
        assert in_flight.result().turns[0].reply == "Here I am"
        stopping.result()
        assert not coming.done()
        service.start()
        assert coming.result().turns[0].reply == "You said: And you?"
    assert len(upstream.requests) == 2


def test_systemd_accepts_the_units_and_rates_them_as_little_exposed(tmp_path):
    analyze = shutil.which("systemd-analyze")
    if not analyze:
        pytest.skip("needs systemd-analyze")
    for name in ("webchat.service", "webchat.socket"):
        text = (ROOT / "deploy" / name).read_text()
        (tmp_path / name).write_text(text.replace("/srv/webchat", str(ROOT)))
    units = [tmp_path / "webchat.socket", tmp_path / "webchat.service"]
    verified = subprocess.run([analyze, "verify", *units], capture_output=True, text=True, check=False)
    assert [line for line in verified.stderr.splitlines() if "webchat" in line] == []
    exposure = subprocess.run(
        [analyze, "security", "--offline=true", "--no-pager", tmp_path / "webchat.service"],
        capture_output=True,
        text=True,
        check=False,
    )
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", exposure.stdout + exposure.stderr)
    assert level, exposure
    assert float(level[1]) < 2.5


def test_the_unit_contains_the_required_settings():
    unit = directives("webchat.service")
    assert int(unit["TimeoutStopSec"][0]) > gunicorn.graceful_timeout
    assert unit["User"] == ["webchat"]
