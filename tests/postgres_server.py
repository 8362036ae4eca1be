"""A private PostgreSQL server, which tests may stop and restart."""

import contextlib
import glob
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self
from urllib.parse import quote

import psycopg

PLACES = [os.environ.get("PATH", ""), *sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)]  # Debian's


def program(name: str) -> str | None:
    return shutil.which(name, path=os.pathsep.join(PLACES))


def is_installed() -> bool:
    return bool(program("initdb") and program("pg_ctl"))


class PostgresServer:
    """Runs from construction to the end of the `with` block, reachable by a socket in the server's own folder."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="postgres-"))
        self._owner = "postgres" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        if self._owner:
            shutil.chown(self.folder, self._owner)
        self._run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8")
        self.start()

    @property
    def socket(self) -> Path:
        return self.folder / ".s.PGSQL.5432"

    @property
    def url(self) -> str:
        return f"postgres://postgres@{quote(str(self.folder), safe='')}/postgres"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):  # a test may have stopped it
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def make_database(self, name: str) -> str:
        """Create a database and return its URL."""
        with psycopg.connect(self.url, autocommit=True) as server:
            server.execute(f'CREATE DATABASE "{name}"')
        return self.url.removesuffix("postgres") + name

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off -c max_connections=200"
        self._run("pg_ctl", "start", "-w", "-l", str(self.folder / "log"), "-o", options)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server: `fast` ends all connections; `immediate` is like a power cut."""
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    def _run(self, name: str, *arguments: str) -> None:
        subprocess.run(
            [program(name), *arguments, "-D", str(self.folder / "data")],
            user=self._owner,
            cwd=self.folder,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
