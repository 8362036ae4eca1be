"""The process that reads documents for sandboxed_reader: `python -m docbot.reading SECONDS MEGABYTES`.

For each request it reads a line of JSON and a document's bytes from standard input, and writes a line of JSON with the
result or the problem. A request with a URL is for that page's directions, else for the document.
"""

import json
import os
import resource
import signal
import sys
from dataclasses import asdict
from typing import BinaryIO

import defusedxml

from docbot.reading import Unreadable, read
from docbot.reading.structure.encodings import in_utf8

RESTART_ABOVE = 0.6  # share of the memory limit above which the process ends after the current document


def main(seconds: int, megabytes: int) -> None:
    # Keep what libraries print out of the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the training process
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while line := sys.stdin.buffer.readline():
        order = json.loads(line)
        signal.alarm(seconds)  # ends this process, even inside a library
        answer, is_last = _answer(order, sys.stdin.buffer)
        signal.alarm(0)
        # Memory fragmented by a large document must not fail the next one.
        is_last = is_last or _virtual_memory() > (megabytes << 20) * RESTART_ABOVE
        answers.write(json.dumps({"last": is_last} | answer).encode() + b"\n")
        answers.flush()
        if is_last:
            return


def _virtual_memory() -> int:
    """Return the bytes that RLIMIT_AS counts. Path not taken: ru_maxrss, which includes the process before exec."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _answer(order: dict, source: BinaryIO) -> tuple[dict, bool]:
    try:
        content = source.read(order.pop("size"))
        if content.startswith(b"PK"):
            defusedxml.defuse_stdlib()  # for the Office libraries; only now, because it takes long the first time
        content = in_utf8(content, order.pop("charset"))
        if "url" in order:
            from docbot.reading.formats.webpage import directions

            return {"result": asdict(directions(content, **order))}, False
        return {"result": asdict(read(content, **order))}, False
    except Unreadable as error:
        return {"problem": str(error)}, False
    except defusedxml.DefusedXmlException:
        problem = Unreadable("it defines XML entities, which can make a small file expand to gigabytes")
        return {"problem": str(problem)}, False
    except MemoryError:
        return {"problem": str(Unreadable("reading it takes too much memory"))}, True
    except Exception:  # noqa: BLE001 - any exception of a library means a damaged file
        return {"problem": str(Unreadable("it is damaged: save it again, or in another format"))}, False


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
