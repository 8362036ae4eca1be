"""The form behind the thumbs."""

from django import forms

from webchat.conversation.forms import TextField


class FeedbackForm(forms.Form):
    """A thumb up, down or none, and a reason, which is shortened rather than refused."""

    LIMIT = 500  # characters of the reason

    feedback = forms.ChoiceField(choices=[(name, name) for name in ("up", "down")], required=False)
    reason = TextField(required=False)

    def clean_reason(self) -> str:
        return self.cleaned_data["reason"][: self.LIMIT]
