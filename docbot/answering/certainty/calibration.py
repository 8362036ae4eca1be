"""Finds out how sure a bot has to be before it quotes: surer than of nearly all messages that are off its subject."""

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from docbot.answering import candidates
from docbot.answering.certainty import estimate
from docbot.retrieval import questions, ranking
from docbot.retrieval.index import Index, open_index

SURE = 0.5  # until it was found out, and in other languages by words, where everyday messages led to about the same
_LEAST, _MOST = 0.01, 0.8
_OFF_TOPIC = Path(__file__).parent / "off_topic"
_REFUSED = 0.93  # of the everyday messages


def calibrate(folder: Path, documents: str, by: str) -> None:
    """Find the limit of the index in this folder and store it; while `documents` stays the same, so does the limit.

    `by`: "words", or the name of an encoder.
    """
    index, file = open_index(folder), _file(folder, by)
    if _read(file).get("documents") == documents:
        return
    scores = sorted(_score(index, *message, by) for message in _messages(index.description.languages[:1], by))
    limit = min(max(scores[int(len(scores) * _REFUSED)], _LEAST), _MOST) if scores else SURE
    file.write_text(json.dumps({"documents": documents, "limit": limit}))


def sure(index: Index, by: str) -> float:
    """Return the least score of a quotation."""
    return _read(_file(index.folder, by)).get("limit", SURE)


def copy(index: Index, folder: Path) -> None:
    """Copy the limits of an index into another one's folder."""
    for file in index.folder.glob("sure_by_*.json"):
        shutil.copy(file, folder)


def _file(folder: Path, by: str) -> Path:
    return folder / f"sure_by_{by}.json"


def _read(file: Path) -> dict[str, Any]:
    try:
        return json.loads(file.read_text())
    except (FileNotFoundError, ValueError):
        return {}


@cache
def _messages(languages: tuple[str, ...], by: str) -> list[tuple[str, str]]:
    """Return everyday messages and the language of each, for documents in the first of these languages."""
    written = {file.stem: file.read_text(encoding="utf-8").splitlines() for file in _OFF_TOPIC.glob("*.txt")}
    if languages == ("en",) and by == "multilingual":  # asked whatever isn't in English
        foreign = sorted(written.keys() - {"en"})
        in_turn = (foreign[number % len(foreign)] for number in range(len(written["en"])))
        return [(written[language][number], language) for number, language in enumerate(in_turn)]
    if by == "words" and languages != ("en",):
        return []
    return [(message, language) for language in languages for message in written.get(language, [])]


def _score(index: Index, message: str, language: str, by: str) -> float:
    question = questions.read(index, message, language)
    meaning = ranking.compare(index, question, language) if by != "words" else None
    best = candidates.candidates(question, ranking.search(index, question, meaning))
    return estimate.score(candidates.of_documents(best), question, index)
