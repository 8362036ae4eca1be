"""How gunicorn serves the site: `gunicorn -c chatsite/gunicorn.py chatsite.wsgi`.

Threads wait for upstream answers, nothing else does; hence many of them, and few processes.
"""

import http.client
import os
import resource
import threading
import time
from http import HTTPStatus
from urllib.parse import urlsplit

from chatsite import environment

bind = f"{environment.text('HOST', '127.0.0.1')}:{environment.number('PORT', 8000, least=1, most=65535)}"
worker_class = "gthread"
workers = environment.number("WEB_PROCESSES", 2, least=1, most=64)
threads = environment.number("WEB_THREADS", 512, least=1, most=4096)
control_socket_disable = True
# A turn that is being asked when the server is told to stop still gets its answer stored.
graceful_timeout = int(environment.number("CHAT_TIMEOUT", 60.0, least=0.5, most=600)) + 20
keepalive = 5
backlog = 2048
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 - heartbeats: no disk, no secrets
loglevel = "warning"


# A thread that waits holds two sockets, the visitor's and the upstream's: more than the usual limit of 1,024.
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (_hard, _hard))


def post_worker_init(worker) -> None:
    """The first worker looks whether the page answers, and then says where."""
    if worker.age == 1:
        threading.Thread(target=_say_where, daemon=True).start()


def _say_where() -> None:
    host, port = bind.rsplit(":", 1)
    here = "127.0.0.1" if host in ("0.0.0.0", "[::]") else host  # noqa: S104 - compared, not bound
    site = environment.origin("SITE_URL") or f"http://{here}:{port}"
    for _attempt in range(100):
        page = http.client.HTTPConnection(here.strip("[]"), int(port), timeout=5)
        try:
            page.request("GET", "/", headers={"Host": urlsplit(site).netloc})
            if page.getresponse().status == HTTPStatus.OK:
                print(f"The chat page answers at {site}/", flush=True)  # noqa: T201 - said to the owner
                return
        except OSError:
            pass  # not yet
        finally:
            page.close()
        time.sleep(0.1)
