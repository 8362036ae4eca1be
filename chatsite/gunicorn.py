"""How gunicorn serves the site: `gunicorn -c chatsite/gunicorn.py chatsite.wsgi`.

Threads wait for upstream answers, nothing else does; hence many of them, and few processes.
"""

import contextlib
import errno
import gc
import http.client
import os
import resource
import select
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from gunicorn.glogging import Logger
from gunicorn.workers.gthread import ThreadWorker

from chatsite import environment, logs

bind = f"{environment.text('HOST', '127.0.0.1')}:{environment.number('PORT', 8000, least=1, most=65535)}"
workers = environment.number("WEB_PROCESSES", 2, least=1, most=64)
threads = environment.number("WEB_THREADS", 512, least=1, most=4096)
control_socket_disable = True
# A turn that is being asked when the server is told to stop still gets its answer stored.
graceful_timeout = int(environment.number("CHAT_TIMEOUT", 60.0, least=0.5, most=600)) + 20
keepalive = 5
backlog = 2048
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 - heartbeats: no disk, no secrets
loglevel = "warning"


class logger_class(Logger):
    """gunicorn's own lines, formatted as the site's."""

    def setup(self, cfg) -> None:
        super().setup(cfg)
        kind = environment.one_of("LOG_FORMAT", "TEXT", ("TEXT", "JSON"))
        for handler in self.error_log.handlers:
            handler.setFormatter(logs.formatter(kind))


STOPPING = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
SOON = 100  # milliseconds, about the way to a visitor and back
_may_stay = threading.Semaphore(threads // 32)  # the others are for those who have something to say


class worker_class(ThreadWorker):
    """gunicorn's own, which may be told to stop at any moment, also while it starts or takes a request.

    In a terminal Ctrl-C reaches the workers beside the master's own word to them to quit. gunicorn's would heed both,
    in the midst of what they interrupt, and can wait for themselves for ever.
    """

    def handle(self, conn):
        """Stays with a visitor whose next request comes at once, as a waiting line's does after its message.

        Left to gunicorn, the connection goes back to the main thread and from there to another one, and each of them
        has to wait for Python's lock first.
        """
        keeps = super().handle(conn)
        while keeps is True and self._has_more(conn):
            keeps = super().handle(conn)
        return keeps

    def _has_more(self, conn) -> bool:
        if conn.parser.unreader.buf.getvalue():
            return True
        if not self.alive or not _may_stay.acquire(blocking=False):
            return False
        try:
            next_request = select.poll()
            next_request.register(conn.sock, select.POLLIN)
            return bool(next_request.poll(SOON))
        finally:
            _may_stay.release()

    def init_signals(self) -> None:
        super().init_signals()
        signal.signal(signal.SIGINT, self.handle_ctrl_c)
        _let_signals_come()

    def handle_ctrl_c(self, sig, frame) -> None:
        """The first is left to the master; at the second nobody wants to wait for replies that are under way."""
        signal.signal(signal.SIGINT, lambda *_: os._exit(1))

    def handle_quit(self, sig, frame) -> None:
        """The master's word: what is being asked still gets its reply stored; who sees nothing happen is told why."""
        if not self.booted:
            os._exit(0)  # nothing is being asked
        signal.signal(signal.SIGALRM, self.handle_alarm)
        signal.alarm(1)  # by then the process is gone if there is nothing to wait for
        self.handle_exit(sig, frame)
        self.method_queue.defer(self.murder_keepalived, True)  # which ask for nothing

    def handle_alarm(self, sig, frame) -> None:
        _say("Waiting for replies that are under way. Ctrl-C again stops at once.")


# A thread that waits holds two sockets, the visitor's and the upstream's: more than the usual limit of 1,024.
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (_hard, _hard))


def on_starting(server) -> None:
    _make_room_for_metrics()
    _look_at_port()
    os.register_at_fork(after_in_parent=_let_signals_come)


def pre_fork(server, worker) -> None:
    """A worker that has just been forked would take the master's word to stop for a word to a master."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    worker.processor = _processor_for_another(server)


def _processor_for_another(server) -> int | None:
    """The one that the fewest workers keep to; None where they can't be shared out evenly, which Linux does better."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    processors = os.sched_getaffinity(0)
    if server.num_workers % len(processors):
        return None
    taken = [getattr(worker, "processor", None) for worker in server.WORKERS.values()]
    return min(sorted(processors), key=taken.count)


def _let_signals_come() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)


def on_exit(server) -> None:
    if os.environ.get(METRICS_FOLDER, "").endswith(f"-{os.getpid()}"):
        shutil.rmtree(os.environ[METRICS_FOLDER], ignore_errors=True)


def post_fork(server, worker) -> None:
    """Takes this site's code from the disk, not from the master's memory: a reload (SIGHUP) takes an update over."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "chatsite"]:
        del sys.modules[name]


def child_exit(server, worker) -> None:
    """What a process counted stays counted; what it had in flight has ended with it."""
    if METRICS_FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)


METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def _make_room_for_metrics() -> None:
    """In memory: a count on a disk that is full would be the end of the process (the files are mapped)."""
    if not environment.text("METRICS_TOKEN"):
        return
    place = Path(worker_tmp_dir or tempfile.gettempdir())
    for left in place.glob(f"webchat-metrics-{os.getuid()}-*"):
        if not Path(f"/proc/{left.name.rpartition('-')[2]}").exists():  # of a site that was killed
            shutil.rmtree(left, ignore_errors=True)
    folder = place / f"webchat-metrics-{os.getuid()}-{os.getpid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    os.environ[METRICS_FOLDER] = str(folder)


def _look_at_port() -> None:
    """A port that can't be had is one sentence; gunicorn itself would try for five seconds, and speak of sockets."""
    if os.environ.get("LISTEN_FDS") or os.environ.get("GUNICORN_FD"):
        return  # the socket is handed over by systemd, or by the process whose place this one takes
    host, port = _address()
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)  # two may bind to one port, but only one listens
    except OSError as error:
        match error.errno:
            case errno.EADDRINUSE:
                sys.exit(f"Port {port} is taken. Stop what listens there, or use another: PORT={port + 1} make run")
            case errno.EACCES:
                sys.exit(f"Port {port} is for root only. Use one from 1024 on: PORT=8000 make run")
            case _:
                sys.exit(f"HOST is {host!r}, which is no address of this machine. Set it to 127.0.0.1 or 0.0.0.0.")


def post_worker_init(worker) -> None:
    """The first worker looks whether the page answers, and then says where."""
    if worker.age == 1:
        threading.Thread(target=_say_where, daemon=True).start()
    _look_after_the_log()
    _start_chores()
    _warm_up()
    _settle_memory()
    _keep_to(worker.processor)


def _keep_to(processor: int | None) -> None:
    """All threads that serve. Only one of them gets on at a time: the next one finds in the caches what it needs too.

    Those that are there already, the chores among them, and what they start may go anywhere.
    """
    if processor is not None:
        with contextlib.suppress(OSError):  # taken away meanwhile
            os.sched_setaffinity(0, {processor})


def _settle_memory() -> None:
    """What was loaded stays for good: Python's collector need not look at it again and again, nor come that often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def _look_after_the_log() -> None:
    """SQLite's, so that no visitor has to."""
    from django.db import connection

    if connection.vendor == "sqlite":
        from chatsite.sqlite import log

        log.look_after(connection.settings_dict["NAME"])


def _start_chores() -> None:
    """After the fork and after Django's set-up, which the application's import has done."""
    from django.conf import settings

    from webchat import periodic_tasks

    if settings.CHORES_WHILE_SERVING and settings.CHORES:
        periodic_tasks.start()


def _warm_up() -> None:
    """A model's client library takes a second to load, which no visitor has to wait for."""
    from django.conf import settings

    from docbot.answering import model_server

    if settings.LLM_BASE_URL:
        threading.Thread(target=model_server.warm_up, name="warm-up", daemon=True).start()


def _say(sentence: str) -> None:
    """To the owner; not by print, whose lock would be held for ever by a thread that the process's end stops in it."""
    os.write(sys.stdout.fileno(), f"{sentence}\n".encode())


def _address() -> tuple[str, int]:
    host, port = bind.rsplit(":", 1)
    return host.strip("[]"), int(port)


def _site() -> str:
    """The address that visitors open, as far as the settings tell."""
    host, port = _address()
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    names = [name.removeprefix(".") for name in environment.words("ALLOWED_HOSTS") if name != "*"]
    name = names[0] if names else f"[{here}]" if ":" in here else here
    return environment.origin("SITE_URL") or f"http://{name}:{port}"


def _say_where() -> None:
    host, port = _address()
    site = _site()
    for _attempt in range(100):
        page = http.client.HTTPConnection(host, port, timeout=5)
        try:
            page.request("GET", "/", headers={"Host": urlsplit(site).netloc})
            if page.getresponse().status == HTTPStatus.OK:
                _say(f"The chat page answers at {site}/")
                return
        except OSError:
            pass  # not yet
        finally:
            page.close()
        time.sleep(0.1)
