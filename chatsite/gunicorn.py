"""gunicorn's configuration: `gunicorn -c chatsite/gunicorn.py chatsite.wsgi`.

Threads wait for upstream answers and nothing else does: many threads, few processes. The application is not preloaded,
and the master imports nothing of the site but `serving.master`: workers started by a reload (SIGHUP) run the new code.
`chatsite/settings.py` checks HOST, PORT, WEB_PROCESSES, WEB_THREADS and CHAT_TIMEOUT before this file reads them.
"""

import os
import resource
import signal
from concurrent.futures import ThreadPoolExecutor

from gunicorn.glogging import Logger
from gunicorn.workers.gthread import ThreadWorker

from chatsite.serving import master

bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or 8000}"
workers = int(os.environ.get("WEB_PROCESSES") or 2)
threads = int(os.environ.get("WEB_THREADS") or 512)
# A turn that is being asked when the server stops still gets its answer stored.
graceful_timeout = int(float(os.environ.get("CHAT_TIMEOUT") or 60)) + 20
keepalive = 5
worker_connections = threads + 2048  # pages that poll keep their connection; gunicorn's 1,000 would leave 488
backlog = 2048
limit_request_line = 8190  # nginx's limit: longer ones would get gunicorn's own plain error
forwarder_headers = ""  # ignore a client's SCRIPT_NAME: the site is always at the root of its host
control_socket_disable = True
worker_tmp_dir = master.IN_MEMORY  # heartbeats never wait for a disk
logconfig_dict = master.logging_config(os.environ.get("LOG_FORMAT") or "TEXT")

# A thread that waits holds two sockets, the visitor's and the upstream's: more than the usual limit of 1,024.
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (_hard, _hard))


class logger_class(Logger):
    """gunicorn's logger without its access log: building a line takes .06 ms, even if nobody reads it."""

    def access(self, *request: object) -> None:
        """Write nothing: the proxy in front keeps an access log."""


STOP_SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


class worker_class(ThreadWorker):
    """gunicorn's thread worker, which treats the master's SIGQUIT like SIGTERM: finish open requests, then stop.

    gunicorn's own handler shuts the thread pool down in the middle of whatever it interrupts; when that holds the
    pool's lock, the worker waits for itself until it is killed.
    """

    def get_thread_pool(self) -> ThreadPoolExecutor:
        from chatsite.serving.slow_clients import WatchedThreadPool  # only a worker imports it

        return WatchedThreadPool(threads)

    def handle_quit(self, sig: int, frame: object) -> None:
        if sig == signal.SIGINT:  # a terminal sends Ctrl-C to all processes; then the master sends SIGQUIT
            signal.signal(signal.SIGINT, lambda *_: os._exit(0))  # a second Ctrl-C waits for nothing
            return
        signal.signal(signal.SIGALRM, self.explain_wait)
        signal.alarm(4)  # idle connections are closed after 2 seconds
        self.handle_exit(sig, frame)

    def explain_wait(self, sig: int, frame: object) -> None:
        # Not print: the thread that this interrupts may hold its lock.
        os.write(1, b"Waiting for replies that are under way. Ctrl-C again stops at once.\n")


def on_starting(server) -> None:
    master.make_metrics_folder()
    master.check_port(*server.address[0])
    os.register_at_fork(after_in_parent=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS))


def pre_fork(server, worker) -> None:
    """Block stop signals until the new worker has its own handlers; without them it would lose the signals."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)


def post_worker_init(worker) -> None:
    from chatsite.serving import worker_start

    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    worker_start.start(is_first=worker.age == 1)


def child_exit(server, worker) -> None:
    master.forget_metrics_of(worker.pid)


def on_exit(server) -> None:
    master.remove_metrics_folder()
