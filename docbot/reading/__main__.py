"""The process that reads documents for sandboxed_reader: `python -m docbot.reading SECONDS MEGABYTES`.

For each document it reads a line of JSON and the document's bytes from standard input and writes a line of JSON. A
request with an address is for a web page; its answer includes the page's directions.
"""

import json
import os
import resource
import signal
import sys
from dataclasses import asdict
from functools import cache
from typing import BinaryIO

import defusedxml

from docbot.content import ReadDocument
from docbot.reading import DAMAGED, Unreadable, read

MOST_TEXT = 20_000_000  # characters of one document: all of War and Peace is 3 million

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
            _defuse_xml()
        if "url" not in order:
            return {"document": _to_dict(read(content, **order))}, False
        from docbot.reading.formats import webpage

        directions, document, problem = webpage.read(content, **order)
        found = {"document": _to_dict(document)} if document is not None else {"problem": problem}
        return {"directions": asdict(directions)} | found, False
    except Unreadable as error:
        return {"problem": str(error)}, False
    except defusedxml.DefusedXmlException:
        return {"problem": "it defines XML entities, which can make a small file expand to gigabytes"}, False
    except MemoryError:
        return {"problem": "reading it takes too much memory"}, True
    except Exception:  # noqa: BLE001 - any exception of a library means a damaged file
        return {"problem": DAMAGED}, False


@cache
def _defuse_xml() -> None:
    """Make the standard library's XML parsers safe, for the Office libraries; only when needed, because it is slow."""
    defusedxml.defuse_stdlib()


def _to_dict(document: ReadDocument) -> dict:
    if sum(len(section.text) for section in document.sections) > MOST_TEXT:
        raise Unreadable(f"it holds more than {MOST_TEXT:,} characters of text: split it")
    return asdict(document)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
