"""How a form names a stored picture: by a word, as the name of its file says nothing."""

from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True)
class StoredPicture:
    """What Django's file inputs show of a value: its text and where it leads."""

    url: str

    def __str__(self) -> str:
        return _("Show")
