"""Keeps a secret that was typed into a refused form: encrypted, for an hour, for that person and field only.

The form has two fields for it: `new_key`, which never shows anything, and the hidden `kept_key`.
"""

import json
import time

from django.forms import Form, ModelForm
from django.utils.translation import gettext as _

from webchat import encryption

KEPT_FOR = 60 * 60  # seconds


def entered(form: Form | ModelForm, name: str, owner: str) -> str:
    """Return what was entered now, or before the form came back."""
    typed = form.data.get(name, "")
    return typed if typed.strip() else _unsealed(form.data.get(_hidden(name), ""), owner)


def keep(form: Form | ModelForm, name: str, owner: str) -> None:
    """Put what was entered, encrypted, where saving again finds it."""
    secret = entered(form, name, owner)
    form.data = form.data.copy()
    form.data[_hidden(name)] = encryption.seal(json.dumps([owner, int(time.time()), secret])) if secret else ""
    if secret:
        form[name].help_text = _("What you entered is kept: leave this blank, and save.")


def _hidden(name: str) -> str:
    return name.replace("new_", "kept_")


def _unsealed(sealed: str, owner: str) -> str:
    """Return the secret that was kept; "" if there is none, or it isn't theirs, or too old.

    A key from the database is encrypted without an owner, so nobody can submit one that they can't read.
    """
    try:
        whose, since, plain = json.loads(encryption.unseal(sealed))
    except (encryption.CannotUnseal, ValueError, TypeError):
        return ""
    return plain if whose == owner and time.time() - since < KEPT_FOR else ""
