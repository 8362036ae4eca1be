"""A form's field for a secret, which is never shown.

When the form is shown again, what was typed is in a hidden field beside it: encrypted, valid for an hour, and for that
person and field only.
"""

import json
import time
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from webchat import encryption

KEPT_FOR = 60 * 60  # seconds


class SecretInput(forms.PasswordInput):
    """The box for the secret and, once something was typed, the hidden field: `kept_key` beside `new_key`."""

    owner = ""  # whose form and which field it is, set by the form

    def __init__(self, attrs: dict[str, str] | None = None) -> None:
        super().__init__({"autocomplete": "off", "data-secret": True} | (attrs or {}))

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: object = None) -> SafeString:
        box = super().render(name, None, attrs, renderer)
        if not value:
            return box
        sealed = encryption.seal(json.dumps([self.owner, int(time.time()), value]))
        return format_html('{}<input type="hidden" name="{}" value="{}">', box, _hidden(name), sealed)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        """Return what was entered now, or before the form came back."""
        typed = data.get(name, "")
        return typed if typed.strip() else _unsealed(data.get(_hidden(name), ""), self.owner)

    def use_required_attribute(self, initial: object) -> bool:
        return False


class SecretField(forms.CharField):
    widget = SecretInput

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        bound = super().get_bound_field(form, field_name)
        if bound.data:
            bound.help_text = _("What you entered is kept: leave this blank, and save.")
        return bound


def _hidden(name: str) -> str:
    return name.replace("new_", "kept_")


def _unsealed(sealed: str, owner: str) -> str:
    """Return the secret that was kept; "" if there is none, it is too old, or not this owner's.

    A key from the database is encrypted without an owner, so nobody can submit one that they can't read.
    """
    try:
        whose, since, plain = json.loads(encryption.unseal(sealed))
    except (encryption.CannotUnseal, ValueError, TypeError):
        return ""
    return plain if whose == owner and time.time() - since < KEPT_FOR else ""
