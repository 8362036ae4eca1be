"""Builds a bot's index from all its passages, unless the one that is there was built from the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter

from django.db.models import Count

from docbot import generations, index
from docbot.models import TrainedBot

LONG_DOCUMENT = 4  # passages; of a longer one the title counts less
_LOT = 100  # documents that are read at once


def build(trained_bot: TrainedBot, *, progress: Callable[[int], None]) -> bool:
    """False: there was no need to. `progress` is called with the number of passages that are in."""
    folder, stamp = trained_bot.index_folder, _stamp(trained_bot)
    built_from = folder / "built_from"
    if generations.current(folder) and built_from.exists() and built_from.read_text() == stamp:
        return False
    index.build(folder, passages(trained_bot), progress=progress)
    built_from.write_text(stamp)
    return True


def _stamp(trained_bot: TrainedBot) -> str:
    """Changes whenever an index that is built now would be another one."""
    digest = hashlib.sha256(f"{index.FORMAT} {trained_bot.language}".encode())
    rows = trained_bot.documents.order_by("pk").values_list("pk", "fingerprint", "trained_at", "address")
    for row in rows.iterator():
        digest.update(repr(row).encode())
    return digest.hexdigest()


def passages(trained_bot: TrainedBot) -> Iterator[index.IndexedPassage]:
    """All passages of a bot as the index takes them.

    Lot by lot, and no reading is open in between: SQLite lets nobody write who still reads what others have written
    over since, and a training reports how far it is while visitors' messages are stored.
    """
    usual = _usual_language(trained_bot)
    documents = list(trained_bot.documents.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(documents), _LOT):
        yield from _passages_of(trained_bot, documents[start : start + _LOT], usual)


def _passages_of(trained_bot: TrainedBot, documents: list[int], usual: str) -> Iterator[index.IndexedPassage]:
    fields = ("document_id", "pk", "heading", "text")
    of_document = ("document__title", "document__address", "document__language")
    rows = trained_bot.passages().filter(document__in=documents).order_by("document_id", "position")
    for document_id, found in groupby(list(rows.values_list(*fields, *of_document)), key=itemgetter(0)):
        of_one = list(found)
        for _document_id, pk, heading, text, title, address, language in of_one:
            yield index.IndexedPassage(
                id=pk,
                document_id=document_id,
                title=title,
                heading=heading,
                text=text,
                address=address,
                language=trained_bot.language or language or usual,
                in_long_document=len(of_one) > LONG_DOCUMENT,
            )


def _usual_language(trained_bot: TrainedBot) -> str:
    """That of most documents: some are too short to show theirs."""
    known = trained_bot.documents.exclude(language="").order_by().values_list("language")
    return next((language for language, _count in known.annotate(count=Count("pk")).order_by("-count")), "")
