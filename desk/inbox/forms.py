"""The forms of the inbox: what is written, the member's profile, and canned replies."""

import uuid

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from desk.access.rights import bots_of
from desk.fields import LinesField
from desk.form_pictures import StoredPicture
from webchat.appearance import pictures
from webchat.attachments import content
from webchat.attachments.content import Content
from webchat.attachments.forms import SENTENCES
from webchat.models import CannedReply, TeamMember

MOST_TEXT = 10_000  # characters


class WriteForm(forms.Form):
    """A message to the visitor or a note; `key` makes sending it twice the same message."""

    key = forms.UUIDField()
    kind = forms.ChoiceField(choices=[("message", _("Reply")), ("note", _("Internal note"))])
    text = forms.CharField(
        required=False,
        max_length=MOST_TEXT,
        error_messages={
            "max_length": _("This is too long: at most 10,000 characters."),
        },
    )

    file = forms.FileField(
        required=False, error_messages=dict.fromkeys(("empty", "max_length"), SENTENCES["UNKNOWN_CONTENT"])
    )

    def clean_file(self) -> Content | None:
        given = self.cleaned_data["file"]
        try:
            return content.check(given) if given else None
        except content.Unusable as error:
            raise ValidationError(SENTENCES[error.code]) from error

    def clean(self) -> dict[str, object]:
        given = super().clean()
        if not self.errors and given.get("file") and given["kind"] == "note":
            raise ValidationError(_("A note can’t have a file. Send it as a reply, or write the note without it."))
        if not self.errors and not given.get("text") and not given.get("file"):
            raise ValidationError({"text": _("Write something first.")})
        return given

    @property
    def fresh_key(self) -> str:
        """Return the key of the page's next message: the same one after a refusal."""
        may_keep = self.errors and "key" not in self.errors
        return self.data["key"] if may_keep else str(uuid.uuid4())

    @property
    def refusal(self) -> str:
        """Return the first error."""
        return next((message for messages in self.errors.values() for message in messages), "")


class OwnPictureInput(forms.ClearableFileInput):
    def format_value(self, value: object) -> StoredPicture | None:
        return StoredPicture(reverse("admin:inbox_picture")) if self.is_initial(value) else None


class ProfileForm(forms.ModelForm):
    class Meta:
        model = TeamMember
        fields = ("name", "picture")
        widgets = {"picture": OwnPictureInput}

    def clean_picture(self) -> object:
        given = self.cleaned_data["picture"]
        return pictures.face(given) if isinstance(given, UploadedFile) else given


class CannedReplyForm(forms.ModelForm):
    class Meta:
        model = CannedReply
        fields = ("shortcut", "bot", "text")
        field_classes = {"text": LinesField}
        widgets = {"text": forms.Textarea(attrs={"rows": 8, "dir": "auto"})}

    def __init__(self, member: TeamMember, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bot"].queryset = bots_of(member.user)
        self.fields["bot"].empty_label = _("All bots") if member.all_bots else None
        self.fields["bot"].required = not member.all_bots

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        same = CannedReply.objects.filter(shortcut=cleaned.get("shortcut", ""), bot=cleaned.get("bot"))
        if same.exclude(pk=self.instance.pk).exists():
            raise ValidationError({"shortcut": _("There is already a canned reply with this shortcut.")})
        return cleaned
