"""Finds out how sure a bot has to be before it quotes: surer than of nearly all messages that are off its subject."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from docbot.answering import candidates
from docbot.answering.certainty import estimate
from docbot.retrieval import questions, ranking
from docbot.retrieval.index import Index, open_index

SURE = 0.5  # until it was found out, and where the everyday messages are in another language
_LEAST, _MOST = 0.01, 0.8
_REFUSED = 0.93  # of the everyday messages
_LANGUAGE = "en"


def calibrate(folder: Path, documents: str, *, by_meaning: bool) -> None:
    """Find the limit of the index in this folder and store it; while `documents` stays the same, so does the limit."""
    index, file = open_index(folder), _file(folder, by_meaning=by_meaning)
    if _read(file).get("documents") == documents:
        return
    limit = SURE
    if index.description.languages[:1] == (_LANGUAGE,):
        scores = sorted(_score(index, message, by_meaning=by_meaning) for message in _messages())
        limit = min(max(scores[int(len(scores) * _REFUSED)], _LEAST), _MOST)
    file.write_text(json.dumps({"documents": documents, "limit": limit}))


def sure(index: Index, *, has_meaning: bool) -> float:
    """Return the least score of a quotation."""
    return _read(_file(index.folder, by_meaning=has_meaning)).get("limit", SURE)


def copy(index: Index, folder: Path) -> None:
    """Copy the limits of an index into another one's folder."""
    for by_meaning in (False, True):
        if known := _read(_file(index.folder, by_meaning=by_meaning)):
            _file(folder, by_meaning=by_meaning).write_text(json.dumps(known))


def _file(folder: Path, *, by_meaning: bool) -> Path:
    return folder / f"sure_by_{'meaning' if by_meaning else 'words'}.json"


def _read(file: Path) -> dict[str, Any]:
    try:
        return json.loads(file.read_text())
    except (FileNotFoundError, ValueError):
        return {}


@cache
def _messages() -> list[str]:
    return (Path(__file__).parent / "off_topic.txt").read_text(encoding="utf-8").splitlines()


def _score(index: Index, message: str, *, by_meaning: bool) -> float:
    question = questions.read(index, message)
    meant = ranking.compare(index, question) if by_meaning else None
    best = candidates.candidates(question, ranking.search(index, question, meant))
    return estimate.score(candidates.of_documents(best), question, index)
