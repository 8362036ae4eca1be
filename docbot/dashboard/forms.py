"""The dashboard's forms with their limits and error messages."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import URLValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from docbot.models import ApiKey, TrainedBot
from docbot.reading import KINDS, can_read
from docbot.reading.folders import OLD_OFFICE

MOST_NAMED = 5  # files in one sentence
UNSAFE = re.compile(r"[\x00-\x1f\x7f/\\:]")


def safe_name(name: str) -> str:
    """Return a safe name for an uploaded file: no path, not hidden, at most 200 bytes."""
    plain = UNSAFE.sub("_", name.rpartition("/")[2]).lstrip(".")
    return plain.encode()[-200:].decode(errors="ignore")


class SeveralFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """A field for several files; the form checks each, so that one bad file doesn't reject the rest."""

    def __init__(self, **kwargs: Any) -> None:
        widget = SeveralFilesInput(attrs={"accept": ",".join(sorted(KINDS))})
        super().__init__(widget=widget, allow_empty_file=True, **kwargs)

    def clean(self, data: list[UploadedFile], initial: object = None) -> list[UploadedFile]:
        return [super(SeveralFilesField, self).clean(one, initial) for one in data or [None]]


def _refusal(file: UploadedFile) -> str:
    """Return what to say of a file that is rejected, or ""; `%(names)s` stands for it and for others like it."""
    if other := OLD_OFFICE.get(Path(file.name).suffix.lower()):
        return _("Save %(names)s as %(kind)s, then upload again.") % {"names": "%(names)s", "kind": other}
    if not can_read(file.name):
        return _("Can’t read %(names)s. Upload PDF, Word, Excel, PowerPoint, e-books, web pages or plain text.")
    if not file.size:
        return _("There is nothing in %(names)s.")
    if file.size > settings.DOCBOT_FILE_MAX_MB << 20:
        limit = settings.DOCBOT_FILE_MAX_MB
        return _("%(names)s: larger than %(limit)s MB.") % {"names": "%(names)s", "limit": limit}
    return ""


class UploadForm(forms.Form):
    files = SeveralFilesField(label=_("Files"))

    def clean_files(self) -> list[UploadedFile]:
        """Return the accepted files; `refusals` lists the others. Raises ValidationError if none is left."""
        good = [file for file in self.cleaned_data["files"] if not _refusal(file)]
        if not good:
            raise forms.ValidationError(self.refusals)
        return good

    @property
    def refusals(self) -> list[str]:
        """Return a sentence for each reason, with the names of the files."""
        names = defaultdict(list)
        for file in self.files.getlist("files"):
            names[str(_refusal(file))].append(f"“{file.name}”")
        return [
            sentence % {"names": ", ".join([*named[:MOST_NAMED], *["…"] * (len(named) > MOST_NAMED)])}
            for sentence, named in names.items()
            if sentence
        ]

    def save_to(self, folder: Path) -> str:
        """Write the files into the folder, replacing files of the same name; return a sentence to show."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        files = self.cleaned_data["files"]
        for file in files:
            name = safe_name(file.name)
            aside = folder / f".{name}.part"  # hidden, so that a running training doesn't read half a file
            with open(aside, "wb") as whole:
                whole.writelines(file.chunks())
            aside.replace(folder / name)
        return ngettext("%(count)d file has been uploaded.", "%(count)d files have been uploaded.", len(files)) % {
            "count": len(files)
        }


class WebField(forms.URLField):
    default_validators = (URLValidator(["http", "https"]),)


class WebsiteForm(forms.Form):
    url = WebField(
        label=_("Website"),
        max_length=2000,
        assume_scheme="https",
        error_messages={"invalid": _("Enter the website’s address, such as https://www.example.com.")},
        widget=forms.URLInput(attrs={"placeholder": "https://www.example.com/"}),
        help_text=_("Reads the pages that its links and sitemap lead to, if its robots.txt allows that."),
    )


class ReadAgainForm(forms.ModelForm):
    class Meta:
        model = TrainedBot
        fields = ("reads_again",)

    def save(self, commit: bool = True) -> TrainedBot:
        """Count from now: whoever wants it at once trains again by hand."""
        self.instance.read_again_at = timezone.now()
        return super().save(commit)


class KeyForm(forms.ModelForm):
    class Meta:
        model = ApiKey
        fields = ("name",)


class TryForm(forms.Form):
    message = forms.CharField(
        label=_("Message"),
        max_length=settings.DOCBOT_MESSAGE_MAX_LENGTH,
        widget=forms.TextInput(attrs={"placeholder": _("Ask what a visitor would ask")}),
        error_messages={"required": _("Type a message first.")},
    )
