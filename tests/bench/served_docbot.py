"""docbot in processes of its own, in a folder of its own: bots are trained by its command and asked over HTTP."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from tests.browser.site import ROOT, free_port

_NEW_BOT = """
import django
django.setup()
from docbot import keys
from docbot.models import TrainedBot
bot = TrainedBot.objects.create(slug={slug!r}, name={slug!r})
print(bot.index_folder, keys.issue(bot, "bench")[1])
"""


class ServedDocbot:
    """Serves within its `with` block."""

    def __init__(self, folder: Path) -> None:
        self._port = free_port()
        self._log = folder / "log"
        self._environment = os.environ | {
            "DATA_DIR": str(folder / "var"),
            "PORT": str(self._port),
            "DJANGO_SETTINGS_MODULE": "chatsite.settings",
            "LLM_BASE_URL": "",
        }

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        self._python("manage.py", "migrate", "--verbosity", "0")
        with self._log.open("w") as log:
            command = (sys.executable, "-m", "gunicorn", "-c", "chatsite/gunicorn.py", "chatsite.wsgi")
            self._gunicorn = subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )
        end = time.monotonic() + 60
        while time.monotonic() < end and self._gunicorn.poll() is None:
            with contextlib.suppress(OSError):
                self.ask("", "")
                return self
            time.sleep(0.1)
        self.__exit__()
        raise RuntimeError(f"the site doesn't answer:\n{self._log.read_text()}")

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._gunicorn.pid, signal.SIGKILL)
        self._gunicorn.wait()

    def add_bot(self, slug: str, *, documents: Path | None = None, index: Path | None = None) -> str:
        """A key of the new bot, which is trained on the documents, or given an index that is there already."""
        if documents:
            return self._python("manage.py", "train", slug, str(documents), "--new-key").split()[-1]
        folder, key = self._python("-c", _NEW_BOT.format(slug=slug)).split()
        if index:
            shutil.copytree(index, folder)
        return key

    def ask(self, key: str, message: str) -> tuple[int, str, float]:
        """Status, reply and seconds."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        headers = {"Content-Type": "application/json", "X-BOT-API-KEY": key}
        with contextlib.closing(connection):
            began = time.perf_counter()
            connection.request("POST", "/api/public/chat", json.dumps({"message": message}), headers)
            response = connection.getresponse()
            reply = json.loads(response.read())
            return response.status, str(reply.get("message")), time.perf_counter() - began

    def _python(self, *arguments: str) -> str:
        done = subprocess.run(
            (sys.executable, *arguments), cwd=ROOT, env=self._environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{arguments[:2]} failed:\n{done.stdout}{done.stderr}")
        return done.stdout
