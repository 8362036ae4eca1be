"""Reads subtitles (VTT, SRT), which is how a video is read: cues joined into sentences, with the time as heading."""

import html
import re
from collections.abc import Iterator

import pysubs2

from docbot.content import ReadDocument
from docbot.reading.structure.blocks import Block, Heading, Paragraph, assemble
from docbot.reading.structure.encodings import decode

WORDS = 130  # after so many a new section begins with the next sentence
MOST_WORDS = 180  # and after so many in any case: automatic subtitles have no full stops
ENDS = re.compile(r"[.!?…。！？؟।][\"'”’»)]*$")
TAG = re.compile(r"<[^<>]{0,200}>")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
LETTERS_A_WORD = 2  # of scripts without spaces


def read(content: bytes, name: str) -> ReadDocument:
    return assemble(_sections(_lines(pysubs2.SSAFile.from_string(decode(content)))), name=name)


def _lines(cues: pysubs2.SSAFile) -> Iterator[tuple[int, str]]:
    """Yield each line with the time when it is shown; automatic subtitles show each line again above the next one."""
    last: list[str] = []
    for cue in sorted(cues, key=lambda cue: cue.start):
        lines = [" ".join(html.unescape(TAG.sub("", line)).split()) for line in cue.plaintext.split("\n")]
        lines = [line for line in lines if line]
        for line in lines:
            if line not in last:
                yield cue.start, line
        last = lines or last


def _sections(lines: Iterator[tuple[int, str]]) -> Iterator[Block]:
    parts: list[str] = []
    words = 0
    for start, line in lines:
        ended = bool(parts) and ENDS.search(parts[-1])
        if not parts or (words >= WORDS and ended) or words >= MOST_WORDS:
            if parts:
                yield Paragraph(_joined(parts))
            yield Heading(2, _time(start))
            parts, words = [], 0
        parts.append(re.sub(r"^(?:-|>>)\s*", "", line))
        words += len(line.split()) + len(CJK.findall(line)) // LETTERS_A_WORD
    if parts:
        yield Paragraph(_joined(parts))


def _joined(parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text += part if CJK.match(text[-1:]) and CJK.match(part) else " " + part
    return text


def _time(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
