"""One of the machines that serve the same site, with its own folder, processes, clock and database connection."""

import contextlib
import email.utils
import http.client
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

from tests.browser.site import ROOT, Site
from tests.cluster.relay import Relay

WRONG_CLOCK = Path(__file__).with_name("wrong_clock")
ENDPOINT = "/api/public/chat"


class Machine(Site):
    """A machine: killing it kills everything on it. All machines share the uploads in `shared`."""

    answers_at = "/healthz"  # the pages expect https, which nginx provides

    def __init__(
        self, folder: Path, upstream_url: str, rows: list[dict[str, object]], relay: Relay, shared: Path, **more: object
    ) -> None:
        (folder / "var").mkdir(parents=True, mode=0o700)
        (folder / "var" / "media").symlink_to(shared)
        self.name, self.relay = folder.name, relay
        self._clock = folder / "clock"
        self._clock.write_bytes(struct.pack("d", 0))
        self._commands: set[subprocess.Popen] = set()
        self._is_up = threading.Event()
        self._is_up.set()
        settings = {"DATABASE_URL": relay.url, "PYTHONPATH": WRONG_CLOCK, "CLOCK_FILE": self._clock}
        super().__init__(folder, upstream_url, rows, **settings, **more)

    def go_down(self) -> None:
        self._is_up.clear()
        super().go_down()
        for command in list(self._commands):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(command.pid, signal.SIGKILL)

    def come_back(self) -> None:
        if not self._is_up.is_set():
            super().come_back()
            self._is_up.set()

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a manage.py command on this machine once it is up; it dies with the machine."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
        self._is_up.wait()
        command = subprocess.Popen((sys.executable, "manage.py", *arguments), cwd=ROOT, env=self.environment, **pipes)
        self._commands.add(command)
        said, complained = command.communicate()
        self._commands.discard(command)
        return subprocess.CompletedProcess(arguments, command.returncode, said, complained)

    # --- Its clock ----------------------------------------------------------------------------------------------------

    def move_clock(self, seconds: float) -> None:
        """Set this machine's clock so many seconds ahead of the true time."""
        with open(self._clock, "r+b") as file:
            file.write(struct.pack("d", seconds))

    def clock_is_ahead_by(self) -> float:
        """Return the seconds by which the Date headers of its responses are ahead."""
        answer, _ = self._ask("GET", self.answers_at)
        return email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp() - time.time()

    # --- Its docbot ---------------------------------------------------------------------------------------------------

    def ask_docbot(self, key: str, question: str) -> str:
        """Ask this machine directly; return "" without a reply."""
        headers = {"Content-Type": "application/json", "X-BOT-API-KEY": key}
        answer, body = self._ask("POST", ENDPOINT, json.dumps({"message": question}), headers)
        return json.loads(body)["message"] if answer.status == 200 else ""

    def _ask(self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> tuple:
        """Ask as nginx would."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(connection):
            connection.request(
                method, path, body, {"Host": "localhost", "X-Forwarded-Proto": "https"} | (headers or {})
            )
            answer = connection.getresponse()
            return answer, answer.read()
