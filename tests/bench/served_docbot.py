"""Serves docbot from its own folder: bots are trained by its command and asked over HTTP."""

import contextlib
import http.client
import json
import resource
import time
from pathlib import Path

from tests.browser.site import Site
from tests.databases import copy_migrated

TEACH = """
import json
from docbot.models import TaughtAnswer, TrainedBot
slug, answers = json.loads({taught!r})
bot = TrainedBot.objects.get(slug=slug)
for text, (question, *paraphrases) in answers.items():
    TaughtAnswer.objects.create(trained_bot=bot, question=question, paraphrases=paraphrases, text=text)
"""


class ServedDocbot(Site):
    """A site without any bot, and not trained on the manual."""

    answers_at = "/healthz"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "docbot://in-process", [], DOCBOT_MEANING=1, LLM_BASE_URL="")

    def _prepare(self, bots: list[dict[str, object]]) -> None:
        copy_migrated(self.folder / "var")

    def add_bot(self, slug: str, documents: Path) -> str:
        """Train a new bot on the documents; return its key."""
        return self._manage("train", self.folder / "var", slug, documents, "--new-key").split()[-1]

    def teach(self, slug: str, answers: dict[str, list[str]]) -> None:
        """Teach a bot answers, each with the wordings of its question, as its team does."""
        taught = json.dumps([slug, answers])
        self._manage("shell", self.folder / "var", "-c", TEACH.format(taught=taught))
        self._manage("train", self.folder / "var", slug)

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
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json", "X-BOT-API-KEY": key}
        with contextlib.closing(connection):
            began = time.perf_counter()
            connection.request("POST", "/api/public/chat", json.dumps({"message": message}), headers)
            response = connection.getresponse()
            reply = json.loads(response.read())
            return response.status, str(reply.get("message")), time.perf_counter() - began
