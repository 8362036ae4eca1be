"""The form behind the thumbs."""

from django import forms

from webchat.conversation.forms import ReasonField


class FeedbackForm(forms.Form):
    """A thumb up, down or none, and a reason."""

    feedback = forms.ChoiceField(choices=[(name, name) for name in ("up", "down")], required=False)
    reason = ReasonField(required=False)
