"""The form of a file, with its limits and the sentences of its refusals."""

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from webchat.attachments import content
from webchat.attachments.content import Content
from webchat.conversation.forms import OUT_OF_DATE

TOO_LARGE = _("This file is too large. The limit is 10 MB.")
SENTENCES: dict[str, str | Promise] = {
    "TOO_LARGE": TOO_LARGE,
    "TOO_MANY_PIXELS": _("This picture has too many pixels. Send a smaller one."),
    "UNKNOWN_CONTENT": _("We can’t open this file. Send a picture (JPEG, PNG, WebP or GIF) or a PDF."),
}


class FileForm(forms.Form):
    """One file, and the key that makes sending it twice the same as sending it once."""

    file_key = forms.UUIDField(error_messages={"required": OUT_OF_DATE, "invalid": OUT_OF_DATE})
    file = forms.FileField(
        error_messages={name: _("Choose a file first.") for name in ("required", "missing", "invalid", "max_length")}
        | {"empty": SENTENCES["UNKNOWN_CONTENT"]}
    )

    def clean_file(self) -> Content:
        try:
            return content.check(self.cleaned_data["file"])
        except content.Unusable as error:
            raise forms.ValidationError(SENTENCES[error.code], code=error.code) from error
