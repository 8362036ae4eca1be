"""Serves the baseline, bare_site.py, under gunicorn with as many processes and threads as the site has."""

import contextlib
import os
import subprocess
import sys
import time
from typing import Self

import requests

from tests.browser.site import API_KEY, Site, free_port


class BareSite:
    def __init__(self, folder: str, upstream: str) -> None:
        self.port = free_port()
        url = f"{upstream}/api/public/chat"
        of_ours = {"BARE_SITE_DATABASE": f"{folder}/db.sqlite3", "BARE_SITE_UPSTREAM": url, "BARE_SITE_KEY": API_KEY}
        variables = os.environ | of_ours
        subprocess.run((sys.executable, "-m", "tests.bench.bare_site"), env=variables, check=True)
        size = ("--worker-class", "gthread", "--workers", "2", "--threads", "512")
        about = ("--bind", f"127.0.0.1:{self.port}", "--no-control-socket", "--log-level", "warning")
        self._gunicorn = subprocess.Popen(
            (sys.executable, "-m", "gunicorn", *size, *about, "tests.bench.bare_site"), env=variables
        )

    workers = Site.workers

    def __enter__(self) -> Self:
        end = time.monotonic() + 60
        while len(self.workers) < 2 or not self._answers():
            if time.monotonic() > end:
                raise TimeoutError("the bare site doesn't answer")
            time.sleep(0.1)
        return self

    def __exit__(self, *_: object) -> None:
        self._gunicorn.terminate()
        self._gunicorn.wait()

    def _answers(self) -> bool:
        with contextlib.suppress(OSError):
            return requests.get(f"http://127.0.0.1:{self.port}/", timeout=5).ok
        return False
