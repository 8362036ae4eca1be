"""Sources of documents: files, folders, uploads and websites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from docbot.models import Document, TrainedBot
from docbot.reading import folders, websites


class NothingGiven(Exception):
    """A given source doesn't exist, or none was given and the bot has no earlier sources."""


@dataclass(frozen=True)
class Source:
    """A file, a folder or a website; `given` is its normalized path or URL."""

    given: str
    kind: Document.Kind
    path: Path | None = None  # None: a website

    @property
    def origin(self) -> str:
        return "" if self.kind == Document.Kind.UPLOAD else self.given

    def holds(self, document: Document) -> bool:
        if document.kind != self.kind:
            return False
        return Path(document.location).is_relative_to(self.path) if self.path else document.origin == self.given


def is_website(given: str | Path) -> bool:
    return str(given).lower().startswith(("http://", "https://"))


def sources(trained_bot: TrainedBot, given: Sequence[str | Path]) -> list[Source]:
    """Return the given sources or, if none are given, all that the bot was trained on before. Raises NothingGiven."""
    if given:
        return [_source(trained_bot, one) for one in given]
    origins = trained_bot.documents.exclude(origin="").values_list("origin", flat=True).distinct().order_by("origin")
    known = [_source(trained_bot, origin) for origin in origins if is_website(origin) or Path(origin).exists()]
    if trained_bot.upload_folder.exists():
        known.append(_source(trained_bot, trained_bot.upload_folder))
    if not known:
        raise NothingGiven(_("This bot has not been trained on anything yet: name a file, a folder or a website."))
    return known


def _source(trained_bot: TrainedBot, given: str | Path) -> Source:
    if is_website(given):
        url = websites.normalize_url(str(given))
        if not url:
            raise NothingGiven(_("%(url)s is not the address of a website.") % {"url": given})
        return Source(url, Document.Kind.WEBSITE)
    path = Path(given).expanduser().absolute()
    if not path.exists():
        raise NothingGiven(_("There is no file or folder %(path)s.") % {"path": given})
    is_upload = path.is_relative_to(trained_bot.upload_folder.absolute())
    kind = Document.Kind.UPLOAD if is_upload else Document.Kind.FOLDER
    return Source(folders.location_of(path), kind, path)
