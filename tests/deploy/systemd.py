"""Runs deploy/webchat.service and webchat.socket as systemd does: the site is handed the open port."""

import contextlib
import os
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.commands import ROOT, owners_environment
from tests.databases import copy_migrated

# systemd hands a socket over as file descriptor 3, with the process id in LISTEN_PID.
HAND_OVER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.execvpe(sys.argv[2], sys.argv[2:], os.environ | {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())})
"""


def directives(name: str) -> dict[str, list[str]]:
    """Return the directives of a unit in deploy/, with this checkout in place of /srv/webchat."""
    found: dict[str, list[str]] = {}
    for line in (ROOT / "deploy" / name).read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            directive, _, value = line.partition("=")
            found.setdefault(directive, []).append(value.replace("/srv/webchat", str(ROOT)))
    return found


class Service:
    """The site as the unit starts it; its settings stand for /etc/webchat/settings."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.unit = directives("webchat.service")
        self.folder, self.log = folder, folder / "log"
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=int(directives("webchat.socket")["Backlog"][0]))
        self.port = self.socket.getsockname()[1]
        self.settings = settings
        copy_migrated(folder / "data")
        self._notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notices.bind(str(folder / "notify"))
        self._notices.settimeout(60)

    @property
    def environment(self) -> dict[str, str]:
        own = dict(pair.split("=", 1) for line in self.unit["Environment"] for pair in shlex.split(line))
        data = {"DATA_DIR": self.folder / "data", "PORT": self.port}
        return owners_environment(**{"DOCBOT_MEANING": 0, **own, **data, **self.settings})

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.main.pid, signal.SIGKILL)
        self.main.wait()
        self.socket.close()
        self._notices.close()

    def start(self) -> None:
        """Start the site and wait until it reports that it is ready, as systemd does with Type=notify."""
        self._run(*self.unit["ExecStartPre"])
        (command,) = self.unit["ExecStart"]
        handing_over = [sys.executable, "-c", HAND_OVER, str(self.socket.fileno()), *shlex.split(command)]
        with self.log.open("a") as log:
            self.main = subprocess.Popen(
                handing_over,
                cwd=ROOT,
                env=self.environment | {"NOTIFY_SOCKET": str(self.folder / "notify")},
                pass_fds=[self.socket.fileno()],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        assert b"READY=1" in self._notices.recv(4096)

    def reload(self) -> None:
        self._run(*self.unit["ExecReload"])

    def stop(self) -> None:
        """Stop it as KillMode=mixed does: signal the main process, kill what is left after TimeoutStopSec."""
        assert self.unit["KillMode"] == ["mixed"]
        self.main.terminate()
        self.main.wait(int(self.unit["TimeoutStopSec"][0]))

    @property
    def workers(self) -> list[int]:
        return [int(each) for each in Path(f"/proc/{self.main.pid}/task/{self.main.pid}/children").read_text().split()]

    @property
    def accepts(self) -> bool:
        """Return whether a worker still waits for connections: whether the port is in its epoll set."""
        port = f"socket:[{os.fstat(self.socket.fileno()).st_ino}]"
        return any(_waits_for(port, worker) for worker in self.workers)

    def _run(self, *commands: str) -> None:
        for command in commands:
            words = shlex.split(command.replace("$MAINPID", str(self.main.pid) if "$MAINPID" in command else ""))
            subprocess.run(words, cwd=ROOT, env=self.environment, check=True, stdout=subprocess.DEVNULL)


def _waits_for(file: str, process: int) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended or closed a file
        fds = {fd.name: os.readlink(fd) for fd in Path(f"/proc/{process}/fd").iterdir()}
        sets = [Path(f"/proc/{process}/fdinfo/{fd}") for fd, its in fds.items() if its == "anon_inode:[eventpoll]"]
        waited_for = {line.split()[1] for each in sets for line in each.read_text().splitlines() if "tfd:" in line}
        return any(its == file and fd in waited_for for fd, its in fds.items())
    return False
