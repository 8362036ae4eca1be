"""Serves docbot from its own folder: bots are trained by its command and asked over HTTP."""

import contextlib
import http.client
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from tests.browser.site import ROOT, free_port

TEACH = """
import json
from docbot.models import TaughtAnswer, TrainedBot
slug, answers = json.loads({taught!r})
bot = TrainedBot.objects.get(slug=slug)
for text, (question, *paraphrases) in answers.items():
    TaughtAnswer.objects.create(trained_bot=bot, question=question, paraphrases=paraphrases, text=text)
"""


class ServedDocbot:
    """Serves within its `with` block."""

    def __init__(self, folder: Path) -> None:
        self._port = free_port()
        self._log = folder / "log"
        self.environment = os.environ | {
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
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
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

    def add_bot(self, slug: str, documents: Path) -> str:
        """Train a new bot on the documents; return its key."""
        return self._python("manage.py", "train", slug, str(documents), "--new-key").split()[-1]

    def teach(self, slug: str, answers: dict[str, list[str]]) -> None:
        """Teach a bot answers, each with the wordings of its question, as its team does."""
        taught = json.dumps([slug, answers])
        self._python("manage.py", "shell", "-c", TEACH.format(taught=taught))
        self._python("manage.py", "train", slug)

    @property
    def processor_seconds(self) -> float:
        """Return the processor time of all training processes that have ended."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    @property
    def most_memory(self) -> float:
        """Return the largest memory of any training process, in MB."""
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000

    def ask(self, key: str, message: str) -> tuple[int, str, float]:
        """Ask; return status, reply and seconds."""
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
            (sys.executable, *arguments), cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{arguments[:2]} failed:\n{done.stdout}{done.stderr}")
        return done.stdout
