"""Our hooks in gunicorn's master process: metrics folder, port check and log format.

Imports nothing else of the site: workers inherit the master's modules, so a reload would keep old code.
"""

import errno
import os
import shutil
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

IN_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 - no secrets, and a folder of our own
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX = f"webchat-metrics-{os.getuid()}-"


def logging_config(log_format: str) -> dict[str, Any]:
    """Return the logging configuration of the master; workers use the site's LOGGING."""
    formatter: dict[str, Any] = {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}
    if log_format.upper() == "JSON":
        names = {"asctime": "time", "levelname": "level", "name": "logger"}
        factory = "pythonjsonlogger.json.JsonFormatter"
        formatter = {"()": factory, "fmt": formatter["format"], "rename_fields": names}
    logger = {"level": "WARNING", "handlers": ["error_console"], "propagate": False}
    return {"formatters": {"generic": formatter}, "loggers": {"gunicorn.error": logger}}


def check_port(host: str, port: int) -> None:
    """Exit with a clear message if the port can't be used; gunicorn would retry for five seconds first."""
    if os.environ.get("LISTEN_FDS") or os.environ.get("GUNICORN_FD"):
        return  # the socket comes from systemd, or from the process that this one replaces
    try:
        family, kind, protocol, _, sockaddr = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(sockaddr)
            probe.listen(1)  # two sockets may bind to one port, but only one listens
    except OSError as error:
        match error.errno:
            case errno.EADDRINUSE:
                sys.exit(f"Port {port} is taken. Stop the program that uses it, or run: PORT={port + 1} make run")
            case errno.EACCES:
                sys.exit(f"Port {port} is for root only. Use one from 1024 on: PORT=8000 make run")
            case _:
                sys.exit(f"HOST is {host!r}, which is not an address of this machine. Set it to 127.0.0.1 or 0.0.0.0.")


def make_metrics_folder() -> None:
    """Create the folder for metrics, in memory: on a full disk, writing to memory-mapped files kills the process."""
    if not os.environ.get("METRICS_TOKEN"):
        return
    parent = Path(IN_MEMORY or tempfile.gettempdir())
    for folder in parent.glob(f"{_PREFIX}*"):
        if not Path(f"/proc/{folder.name.removeprefix(_PREFIX)}").exists():  # of a master that was killed
            shutil.rmtree(folder, ignore_errors=True)
    folder = parent / f"{_PREFIX}{os.getpid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    os.environ[METRICS_FOLDER] = str(folder)


def forget_metrics_of(worker: int) -> None:
    """Drop the gauges of a dead worker; its counters stay."""
    if METRICS_FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker)


def remove_metrics_folder() -> None:
    folder = Path(os.environ.get(METRICS_FOLDER, ""))
    if folder.name == f"{_PREFIX}{os.getpid()}":
        shutil.rmtree(folder, ignore_errors=True)
