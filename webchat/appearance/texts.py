"""A short text of the owner's in the further languages: one field of a form, with a box for each language."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _


def in_language(text: str, texts: dict[str, str]) -> str:
    """Return the text in the page's language; the default where it is missing."""
    return texts.get(translation.get_language() or "") or text


class TextsWidget(forms.Widget):
    languages: list[str] = []
    default = ""  # what is read where a text is missing

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: object = None) -> SafeString:
        attrs, names = attrs or {}, dict(settings.LANGUAGES)
        box = (
            '<label class="text-box"><span>{}{}</span>'
            '<input type="text" class="vTextField" name="{}" id="{}" value="{}" lang="{}" dir="auto"></label>'
        )
        boxes = [
            (names[code], self._mark(value, code), f"{name}-{code}", f"{attrs.get('id', name)}-{code}", text, code)
            for code, text in ((code, (value or {}).get(code, "")) for code in self.languages)
        ]
        inner = format_html_join("", box, boxes)
        return format_html('<div class="texts" role="group" aria-label="{}">{}</div>', _("In more languages"), inner)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> dict[str, str]:
        return {code: data.get(f"{name}-{code}", "").strip() for code in self.languages}

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return not self.languages

    def id_for_label(self, id_: str) -> str:
        return f"{id_}-{self.languages[0]}" if self.languages else id_

    def _mark(self, value: Any, code: str) -> SafeString | str:
        is_missing = self.default and not (value or {}).get(code)
        return format_html(' <span class="missing">{}</span>', _("Missing")) if is_missing else ""


class TextsField(forms.Field):
    widget = TextsWidget

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        super().__init__(label=_("In more languages"), required=False, **kwargs)
        self.max_length = max_length

    def offer(self, languages: list[str], default: str) -> None:
        self.widget.languages, self.widget.default = languages, default

    def clean(self, value: dict[str, str]) -> dict[str, str]:
        if any(len(text) > self.max_length for text in value.values()):
            raise ValidationError(_("At most %(number)d characters each."), params={"number": self.max_length})
        return {code: text for code, text in value.items() if text}

    def has_changed(self, initial: dict[str, str] | None, data: dict[str, str]) -> bool:
        before = initial or {}
        return any(before.get(code, "") != text for code, text in data.items())
