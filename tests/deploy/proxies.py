"""Runs nginx or Caddy; `python -m tests.deploy.proxies` downloads what is missing into .venv, from Debian."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / ".venv" / "proxies"
NAMES = ("nginx", "caddy")


class Proxy:
    """Serves https on loopback inside its `with` block; a subclass starts the process."""

    port: int
    log: Path
    process: subprocess.Popen

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def __enter__(self) -> Self:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return self
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.05)
        raise RuntimeError(self.log.read_text())

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()


def find(name: str) -> str | None:
    places = [os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin", str(OWN / "usr/sbin"), str(OWN / "usr/bin")]
    return shutil.which(name, path=os.pathsep.join(places))


def missing(name: str) -> str:
    return f"{name} is missing: what it alone can show is not tested. Install it: apt-get install {name}"


def fetch(name: str) -> str:
    """Put Debian's package into .venv, which needs no root. Return apt-get's errors."""
    if not shutil.which("apt-get"):
        return "there is no apt-get"
    with tempfile.TemporaryDirectory() as aside:
        for lists in ("lists/partial", "archives/partial"):
            (Path(aside) / lists).mkdir(parents=True)
        own = {"Dir::State::Lists": f"{aside}/lists", "Dir::Cache": aside, "APT::Sandbox::User": "root"}
        own_lists = [*(f"-o{option}={value}" for option, value in own.items()), "-oDebug::NoLocking=1"]
        said = []
        # With the machine's package lists if they are current, else with new ones.
        for command in (["download", name], [*own_lists, "update"], [*own_lists, "download", name]):
            done = subprocess.run(["apt-get", "-qq", *command], cwd=aside, capture_output=True, text=True, check=False)
            said.append(done.stderr)
            for package in Path(aside).glob(f"{name}_*.deb"):
                subprocess.run(["dpkg-deb", "-x", package, OWN], check=True)
                return ""
    return "".join(said).strip()


if __name__ == "__main__":
    for name in NAMES:
        said = "" if find(name) else fetch(name)
        if not find(name):
            print(f"{missing(name)}\n{said}", file=sys.stderr)
