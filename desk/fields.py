"""Form fields: a time zone, for which a city is enough; an e-mail address; text of several lines; rows of websites."""

import functools
import zoneinfo
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from webchat.conversation.forms import WRONG_EMAIL

LIST = "time-zones"


@functools.cache
def _names() -> dict[str, str]:
    """Map what somebody may type, a city or a whole name in lower case, to the name of the time zone.

    If two continents have a city of that name, the first in the alphabet counts.
    """
    names = sorted(name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/"))
    names = [*names, "UTC"]
    return {name.rpartition("/")[2].lower(): name for name in reversed(names)} | {name.lower(): name for name in names}


class TimeZoneInput(forms.TextInput):
    def render(self, *args: Any, **kwargs: Any) -> SafeString:
        options = format_html_join(
            "", '<option value="{}"></option>', ((name,) for name in sorted(set(_names().values())))
        )
        return format_html('{}<datalist id="{}">{}</datalist>', super().render(*args, **kwargs), LIST, options)


class TimeZoneField(forms.CharField):
    """Cleans a city or a name, in any case, into the name of a time zone."""

    def __init__(self, **kwargs: Any) -> None:
        # The admin names another widget for whatever the model keeps as text.
        super().__init__(**kwargs | {"widget": TimeZoneInput(attrs={"list": LIST, "autocomplete": "off"})})

    def clean(self, value: Any) -> str:
        typed = super().clean(value).strip().replace(" ", "_").lower()
        if typed and typed not in _names():
            raise ValidationError(_("There is no time zone with that name. Write one such as Europe/Berlin."))
        return typed and _names()[typed]


class EmailField(forms.EmailField):
    """Refuses what is no address in the desk's own words."""

    default_error_messages: ClassVar = {"invalid": WRONG_EMAIL}


class LinesField(forms.CharField):
    """Stores lines with "\\n". Browsers send "\\r\\n", which doesn't count as a change."""

    widget = forms.Textarea

    def to_python(self, value: str | None) -> str:
        return super().to_python(value).replace("\r\n", "\n")

    def has_changed(self, initial: str | None, data: str | None) -> bool:
        return super().has_changed(self.to_python(initial), data)


class WebsitesInput(forms.Widget):
    """A row for each line of a text, with a box that removes it and a way to check it, and an empty row to add one."""

    check_url = ""  # of the page that checks a website, set by the form for those who may open it
    wrong = ""  # the invalid line, set by the form that refuses it

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: object = None) -> SafeString:
        lines = (value or "").splitlines()
        rows = [{"value": line, "check": self._check(line), "is_wrong": line.strip() == self.wrong} for line in lines]
        # The field's label and errors lead to one row.
        named = next((row for row in rows if row["is_wrong"]), rows[0] if rows else None)
        rows.append({"value": ""})
        attrs = attrs or {}
        shown = {"name": name, "id": attrs.get("id", ""), "described_by": attrs.get("aria-describedby", "")}
        shown |= {"rows": rows, "named": named or rows[0], "example": "https://www.example.com"}
        return render_to_string("desk/_websites.html", shown)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        """Return the rows as lines, without those that are to be removed."""
        rows, removed = _all_of(data, name), _all_of(data, f"{name}-remove")
        return "\n".join(row for number, row in enumerate(rows) if row.strip() and str(number) not in removed)

    def _check(self, line: str) -> str:
        if not self.check_url or "://" not in line:
            return ""
        return self.check_url if "*" in line else f"{self.check_url}?{urlencode({'page': line})}"


def _all_of(data: Any, name: str) -> list[str]:
    """Return every value of that name, from a submitted form or a plain dict."""
    return data.getlist(name) if hasattr(data, "getlist") else [data[name]] if name in data else []
