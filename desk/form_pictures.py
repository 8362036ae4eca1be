"""Pictures in the desk's forms: how a stored one is shown, and how a refused form keeps a new one."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.widgets import AdminFileWidget
from django.core.files.base import File
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _


@dataclass(frozen=True)
class StoredPicture:
    """What Django's file inputs show of a stored picture: a word instead of the meaningless file name, and a link."""

    url: str

    def __str__(self) -> str:
        return _("Show")


class PictureInput(AdminFileWidget):
    """The file input; in a form that comes back refused, the picture is in a field, ticked: `kept_face`."""

    kept: Callable[[], File] | None = None  # draws what was chosen, set by the form once it is known to be a picture

    def format_value(self, value: Any) -> StoredPicture | None:
        # The file's own URL isn't served.
        return StoredPicture(getattr(value.instance, f"{value.field.name}_url")) if self.is_initial(value) else None

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: object = None) -> SafeString:
        box = super().render(name, value, attrs, renderer)
        if self.kept is None:
            return box
        kept = base64.b64encode(self.kept().read()).decode()
        said = _("Use the picture that you chose")
        ticked = '{}<label class="kept"><input type="checkbox" name="kept_{}" value="{}" checked> {}</label>'
        return format_html(ticked, box, name, kept, said)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return what was chosen now, or before the form came back."""
        given = super().value_from_datadict(data, files, name)
        kept = data.get(f"kept_{name}")
        if given is not None or not kept:
            return given
        try:
            return SimpleUploadedFile(f"{name}.webp", base64.b64decode(kept))
        except ValueError:  # not Base64: not from this form
            return None
