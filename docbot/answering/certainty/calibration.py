"""How sure a bot has to be before it quotes: surer than of nearly all messages that have nothing to do with it.

Documents differ in how easily a chance message finds something in them, so each bot has its own limit, found out after
training by asking it everyday messages.
"""

from functools import cache
from pathlib import Path

from docbot.answering import windows
from docbot.answering.certainty import estimate
from docbot.retrieval import atomic_directory, questions, ranking
from docbot.retrieval.index import Index, open_index
from docbot.retrieval.meaning import messages as meaning
from docbot.retrieval.meaning.vectors import FOLDER

SURE = 0.5  # until it was found out, and where the everyday messages are in another language
_LEAST, _MOST = 0.01, 0.6
_REFUSED = 0.93  # of the everyday messages
_LANGUAGE = "en"
_FILE = "sure"
_SEARCHED, _READ = 20, 10


def calibrate(folder: Path, *, by_meaning: bool) -> None:
    """Find out the limit of the index in this folder, with its vectors or without them, and store it beside them."""
    index = open_index(folder)
    if index.description.languages[:1] != (_LANGUAGE,):
        return
    scores = sorted(_score(index, message, by_meaning=by_meaning) for message in _messages())
    limit = min(max(scores[int(len(scores) * _REFUSED)], _LEAST), _MOST)
    (_place(index, by_meaning=by_meaning) / _FILE).write_text(str(limit))


def sure(index: Index, *, has_meaning: bool) -> float:
    """The least score of a quotation."""
    return _read(_place(index, by_meaning=has_meaning) / _FILE)


def _place(index: Index, *, by_meaning: bool) -> Path:
    vectors = atomic_directory.current(index.folder / FOLDER) if by_meaning else None
    return vectors or index.generation


def _read(file: Path) -> float:
    try:
        return float(file.read_text())
    except FileNotFoundError:
        return SURE


@cache
def _messages() -> list[str]:
    return (Path(__file__).parent / "off_topic.txt").read_text(encoding="utf-8").splitlines()


def _score(index: Index, message: str, *, by_meaning: bool) -> float:
    question = questions.read(index, message)
    meant = meaning.read(index, question) if by_meaning else None
    found = ranking.search(index, question, meant, [], _SEARCHED, _READ)
    best = windows.best_windows(question, found)
    return estimate.score(best, question, index) if best else 0.0
