"""The dashboard's forms with their limits and error messages."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import URLValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from docbot.dashboard.pages import translated
from docbot.models import ApiKey, TrainedBot
from docbot.reading import KINDS, Unreadable, folders


def safe_name(name: str) -> str:
    """Return a name for an uploaded file, which Django has freed of its path: not hidden, at most 200 bytes."""
    return name.lstrip(".").encode()[-200:].decode(errors="ignore")


class SeveralFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """A field for several files; the form checks each, so that one bad file doesn't reject the rest."""

    def __init__(self, **kwargs: Any) -> None:
        widget = SeveralFilesInput(attrs={"accept": ",".join(sorted(KINDS))})
        super().__init__(widget=widget, allow_empty_file=True, **kwargs)

    def clean(self, data: list[UploadedFile], initial: object = None) -> list[UploadedFile]:
        return [super(SeveralFilesField, self).clean(one, initial) for one in data or [None]]


class UploadForm(forms.Form):
    files = SeveralFilesField(label=_("Files"))
    refusals: Sequence[str] = ()  # a sentence for each file that is rejected

    def clean_files(self) -> list[UploadedFile]:
        """Return the accepted files; `refusals` tells of the others. Raises ValidationError if none is left."""
        good, self.refusals = [], []
        for file in self.cleaned_data["files"]:
            try:
                folders.check(file.name, file.size)
                good.append(file)
            except Unreadable as error:
                self.refusals.append(f"“{file.name}”: {translated(str(error))}")
        if not good:
            raise forms.ValidationError(self.refusals)
        return good

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
