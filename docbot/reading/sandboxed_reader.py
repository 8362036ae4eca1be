"""Reads documents in a process of its own, whose time and memory are bounded, so that a hostile file harms nobody."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from docbot.content import ReadDocument, Section
from docbot.reading import Directions, Unreadable

ROOT = Path(__file__).resolve().parents[2]
LONGEST_ANSWER = 400_000_000  # bytes of JSON, far above what the most text of one document takes


class Reader:
    """Reads one document after the other; the process starts with the first one, and again after it was lost."""

    def __init__(self, *, seconds: int, megabytes: int) -> None:
        self.seconds, self.megabytes = seconds, megabytes
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def read(self, content: bytes, name: str) -> ReadDocument:
        """What docbot.reading.read gives, or Unreadable when it takes too long, too much memory, or breaks down."""
        answer = self._request({"name": name}, content)
        if "problem" in answer:
            raise Unreadable(answer["problem"])
        return _document(answer)

    def read_page(
        self, content: bytes, name: str, *, charset: str, address: str
    ) -> tuple[Directions, ReadDocument | None, str]:
        """What docbot.reading.formats.webpage.read gives; the last is the problem, if there is no document."""
        try:
            answer = self._request({"name": name, "charset": charset, "address": address}, content)
        except Unreadable as error:
            return Directions(), None, str(error)
        said = answer.get("directions", {})
        directions = Directions(**said | {"links": tuple(said.get("links", ()))})
        return directions, _document(answer) if "document" in answer else None, answer.get("problem", "")

    def _request(self, order: dict[str, str], content: bytes) -> dict:
        process = self._running_process()
        try:
            process.stdin.write(json.dumps(order | {"size": len(content)}).encode() + b"\n")
            process.stdin.write(content)
            process.stdin.flush()
            line = process.stdout.readline(LONGEST_ANSWER)
        except BrokenPipeError:
            line = b""
        except BaseException:
            self.close()  # interrupted between question and answer: the next answer would be this one's
            raise
        if not line.endswith(b"\n"):
            raise Unreadable(self._explain_exit())
        answer = json.loads(line)
        if answer["last"]:
            self.close()
        return answer

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            process.stdout.close()
            with suppress(BrokenPipeError):  # what was left to be sent has nobody to take it
                process.stdin.close()

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - our own module, with two numbers
                [sys.executable, "-m", "docbot.reading", str(self.seconds), str(self.megabytes)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                # No settings, above all no keys: what reads strangers' files shall know nothing.
                env={name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR") if name in os.environ},
            )
        return self._process

    def _explain_exit(self) -> str:
        process = self._process
        try:
            # It has closed its end, so it has ended or is just ending.
            status = process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            status = 0
        self.close()
        if status == -signal.SIGALRM:
            return f"reading it takes longer than {self.seconds} seconds"
        if status == -signal.SIGKILL:
            return "reading it takes too much memory"
        return f"it is damaged: the reader broke down (status {status})"


def _document(answer: dict) -> ReadDocument:
    found = answer["document"]
    return ReadDocument(**found | {"sections": tuple(Section(**section) for section in found["sections"])})
