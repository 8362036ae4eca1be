"""Reads documents in a separate process with limited time and memory, so that a hostile file does no harm."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from docbot.content import ReadDocument, Section
from docbot.reading import Directions, Unreadable

ROOT = Path(__file__).resolve().parents[2]
LONGEST_ANSWER = 400_000_000  # bytes of JSON, far above what the longest allowed text takes


class Reader:
    """Reads one document at a time; the process starts on first use and again after it has ended."""

    def __init__(self, seconds: int, megabytes: int) -> None:
        self.seconds, self.megabytes = seconds, megabytes
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, content: bytes, name: str, charset: str = "") -> ReadDocument:
        """Like docbot.reading.read; also raises Unreadable if reading takes too long or too much memory, or crashes.

        `charset`: the one that the server of a page names.
        """
        found = self._request(content, name=name, charset=charset)
        return ReadDocument(**found | {"sections": tuple(Section(**section) for section in found["sections"])})

    def directions(self, content: bytes, url: str, charset: str) -> Directions:
        """Return the directions of the page at `url`. Raises Unreadable like `read`."""
        return Directions(**self._request(content, url=url, charset=charset))

    def _request(self, content: bytes, **order: str) -> dict:
        process = self._running_process()
        try:
            process.stdin.write(json.dumps(order | {"size": len(content)}).encode() + b"\n")
            process.stdin.write(content)
            process.stdin.flush()
            line = process.stdout.readline(LONGEST_ANSWER)
        except BrokenPipeError:
            line = b""
        except BaseException:
            self.close()  # interrupted: the next request would receive this answer
            raise
        if not line.endswith(b"\n"):
            raise self._explain_exit()
        answer = json.loads(line)
        if answer["last"]:
            self.close()
        if "problem" in answer:
            raise Unreadable(answer["problem"])
        return answer["result"]

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            process.stdout.close()
            with suppress(BrokenPipeError):  # unsent data is lost
                process.stdin.close()

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - our own module, with two numbers
                [sys.executable, "-m", "docbot.reading", str(self.seconds), str(self.megabytes)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                # No settings and no keys for the process that reads untrusted files.
                env={name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR") if name in os.environ},
            )
        return self._process

    def _explain_exit(self) -> Unreadable:
        process = self._process
        try:
            # It has closed its output, so it has ended or is about to.
            status = process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            status = 0
        self.close()
        if status == -signal.SIGALRM:
            return Unreadable("reading it takes too long", f"DOCBOT_FILE_SECONDS: {self.seconds}")
        if status == -signal.SIGKILL:
            return Unreadable("reading it takes too much memory")
        return Unreadable("it is damaged: save it again, or in another format")
