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
from docbot.retrieval.languages import EVERYDAY

SURE = 0.5  # until it was found out, and in other languages by words, where everyday messages led to about the same
_LEAST, _MOST = 0.01, 0.8
_REFUSED = 0.93  # of the everyday messages


def calibrate(folder: Path, documents: str, by: str) -> None:
    """Find the limits of the index in this folder and store them; while `documents` stays the same, so do they.

    `by`: "words", or the name of an encoder.
    """
    index, file = open_index(folder), _file(folder, by)
    if _read(file).get("documents") == documents:
        return
    limits: dict[str, Any] = {"documents": documents}
    for kind, messages in _messages(index.description.languages[:1], by).items():
        scores = sorted(_score(index, *message, by) for message in messages)
        limits[kind] = min(max(scores[int(len(scores) * _REFUSED)], _LEAST), _MOST) if scores else SURE
    file.write_text(json.dumps(limits))


def sure(index: Index, by: str, *, is_foreign: bool) -> float:
    """Return the least score of a quotation; `is_foreign`: to a message in a language that no document is in."""
    limits = _read(_file(index.folder, by))
    return limits.get("foreign" if is_foreign else "limit", limits.get("limit", SURE))


def knows_meaning(index: Index) -> bool:
    """Return whether a limit by meaning was found. Not so just after a bot's first training."""
    return bool({file.stem for file in index.folder.glob("sure_by_*.json")} - {"sure_by_words"})


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
def _messages(languages: tuple[str, ...], by: str) -> dict[str, list[tuple[str, str]]]:
    """Return everyday messages and the language of each, by limit, for documents in the first of these languages."""
    written = {file.stem: file.read_text(encoding="utf-8").splitlines() for file in EVERYDAY.glob("*.txt")}
    own = [(message, language) for language in languages for message in written.get(language, [])]
    if by != "multilingual":
        return {"limit": own if by == "english" or languages == ("en",) else []}
    others = sorted(written.keys() - set(languages))
    in_turn = (others[number % len(others)] for number in range(len(written["en"])))
    foreign = [(written[language][number], language) for number, language in enumerate(in_turn)]
    return {"limit": foreign if languages == ("en",) else own, "foreign": foreign}  # English is left to its encoder


def _score(index: Index, message: str, language: str, by: str) -> float:
    question = questions.read(index, message, language)
    meaning = ranking.compare(index, question, language) if by != "words" else None
    best = candidates.candidates(question, ranking.search(index, question, meaning))
    return estimate.score(candidates.of_documents(best), question, index)
