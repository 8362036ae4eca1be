"""Tries an answer before it is taught, in a copy of the bot's index that answers nobody else."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from docbot.answering.answers import Answer, answer
from docbot.answering.certainty import calibration
from docbot.models import TaughtAnswer
from docbot.retrieval import languages
from docbot.retrieval.index import Index, IndexedPassage, build_with, open_index

Ask = Callable[[str], Answer]
_FIRST_ID = 2**53  # beyond every passage's


@contextmanager
def trial(taught: TaughtAnswer) -> Iterator[tuple[Ask, Ask]]:
    """Yield two functions that answer: as the bot does now, and with the taught answer. Raises IndexMissing."""
    from docbot.retrieval.meaning import encoders, vectors  # numpy, which a process that tries nothing doesn't need

    index = open_index(taught.trained_bot.index_folder)
    used = encoders.encoders_for(index.description.languages) if settings.DOCBOT_MEANING else ()
    with tempfile.TemporaryDirectory(prefix="trial-", dir=taught.trained_bot.index_folder) as name:
        folder, passages = Path(name), _passages(taught, index)
        with_it = build_with(folder, index, passages, taught.document.pk if hasattr(taught, "document") else None)
        calibration.copy(index, folder)
        try:
            for encoder in used:
                if (old := vectors.open_vectors(index.folder, encoder)) is not None:
                    vectors.build_with(folder, old, passages, encoder)
            ask = partial(answer, by_meaning=settings.DOCBOT_MEANING)
            yield partial(ask, index), partial(ask, with_it)
        finally:
            for encoder in used:
                vectors.forget(folder, encoder)


def _passages(taught: TaughtAnswer, index: Index) -> list[IndexedPassage]:
    usual = next(iter(index.description.languages), "")
    language = taught.trained_bot.language or languages.detect(taught.text) or usual
    day = timezone.localdate().isoformat()
    return [
        IndexedPassage(_FIRST_ID + number, 0, phrasing, "", taught.text, language=language, taught_on=day)
        for number, phrasing in enumerate(taught.phrasings)
    ]
