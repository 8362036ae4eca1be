"""The process that reads documents for docbot.reading.apart: `python -m docbot.reading SECONDS MEGABYTES`.

For each document it takes a line of JSON and the document's bytes from its input, and gives a line of JSON. A document
with an address is a page of a website: with it come the directions that it gives.
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
from docbot.reading import Unreadable, read

MOST_TEXT = 20_000_000  # characters of one document: all of War and Peace is 3 million

RESTART_ABOVE = 0.6  # of the memory: a process that holds so much of it reads no further document


def main(seconds: int, megabytes: int) -> None:
    # What libraries print must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that trains
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while line := sys.stdin.buffer.readline():
        order = json.loads(line)
        signal.alarm(seconds)  # whose default action ends this process, even inside a library
        answer, is_last = _answer(order, sys.stdin.buffer)
        signal.alarm(0)
        # Memory that a large document has left in pieces must not be the next one's problem.
        is_last = is_last or _address_space() > (megabytes << 20) * RESTART_ABOVE
        answers.write(json.dumps({"last": is_last} | answer).encode() + b"\n")
        answers.flush()
        if is_last:
            return


def _address_space() -> int:
    """Bytes, as RLIMIT_AS counts them. Path not taken: ru_maxrss begins with what the process before exec used."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _answer(order: dict, source: BinaryIO) -> tuple[dict, bool]:
    try:
        content = source.read(order.pop("size"))
        if content.startswith(b"PK"):
            _defuse_xml()
        if "address" not in order:
            return {"document": _to_dict(read(content, **order))}, False
        from docbot.reading.formats import webpage

        directions, document, problem = webpage.read(content, **order)
        found = {"document": _to_dict(document)} if document is not None else {"problem": problem}
        return {"directions": asdict(directions)} | found, False
    except Unreadable as error:
        return {"problem": str(error)}, False
    except defusedxml.DefusedXmlException:
        return {"problem": "it defines XML entities, with which files are made that blow up when they are read"}, False
    except MemoryError:
        return {"problem": "reading it takes too much memory"}, True
    except Exception as error:  # noqa: BLE001 - whatever a library raises on a file means that the file is damaged
        return {"problem": f"it is damaged ({type(error).__name__})"}, False


@cache
def _defuse_xml() -> None:
    """The libraries that read Office files parse with the standard library. Only for them, as it takes a while."""
    defusedxml.defuse_stdlib()


def _to_dict(document: ReadDocument) -> dict:
    if sum(len(section.text) for section in document.sections) > MOST_TEXT:
        raise Unreadable(f"it holds more than {MOST_TEXT:,} characters of text: split it")
    return asdict(document)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
