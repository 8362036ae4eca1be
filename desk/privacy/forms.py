"""The form of the page "A visitor's data"."""

from django import forms
from django.utils.translation import gettext_lazy as _


class FindForm(forms.Form):
    who = forms.CharField(
        label=_("E-mail address, customer’s ID or reference"),
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=_(
            "The ID at your website, or the user name of an account here. A conversation’s reference stands on its "
            "page under “Conversations”; you can also paste a link that contains it."
        ),
        error_messages={"required": _("Enter one of them.")},
    )
