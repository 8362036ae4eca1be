"""Encodes the meaning of what bots were trained on. It runs after an index is built, which answers meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Thread

from django.conf import settings

from docbot.answering.certainty import calibration
from docbot.models import TrainedBot
from docbot.retrieval.index import open_index
from docbot.training import indexing, launching
from docbot.training.file_lock import alone_with


def is_outdated(trained_bot: TrainedBot) -> bool:
    """Whether the bot has an index whose sentences have not been encoded yet."""
    built_from = indexing.content_of(trained_bot.index_folder / indexing.BUILT_FROM)
    return settings.DOCBOT_MEANING and built_from not in ("", indexing.content_of(_encoded_from(trained_bot)))


def encode(trained_bot: TrainedBot, progress: Callable[[int], None] = lambda done: None) -> bool:
    """Encode what is new; return False if nothing was, or if another process of this machine is encoding."""
    with _alone() as is_alone:
        if not is_alone or not is_outdated(trained_bot):
            return False
        while is_outdated(trained_bot):  # again if the bot was trained meanwhile
            _encode(trained_bot, progress)
        return True


def _encode(trained_bot: TrainedBot, progress: Callable[[int], None]) -> None:
    from docbot.retrieval.meaning import encoders, vectors  # numpy, which a process that only looks doesn't need

    folder = trained_bot.index_folder
    built_from = (folder / indexing.BUILT_FROM).read_text()
    for encoder in encoders.encoders_for(open_index(folder).description.languages):
        vectors.build(folder, indexing.passages(trained_bot), encoder, progress=progress)
        calibration.calibrate(folder, indexing.documents_of(built_from), encoder.NAME)
    _encoded_from(trained_bot).write_text(built_from)


def encode_outdated() -> None:
    """Periodic task on each machine: start `manage.py encode` when there is something to do and nobody does it."""
    if not settings.DOCBOT_MEANING or not any(map(is_outdated, TrainedBot.objects.all())):
        return
    with _alone() as is_alone:
        if not is_alone:
            return
    Thread(target=launching.start("encode").wait, daemon=True).start()  # ends with the site


def _alone() -> AbstractContextManager[bool]:
    return alone_with(Path(settings.DATA_DIR) / "docbot" / "encoding.lock")


def _encoded_from(trained_bot: TrainedBot) -> Path:
    return trained_bot.index_folder / "encoded_from"
