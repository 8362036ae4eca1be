"""The forms of the team: a role and its bots, an invitation, and the account that somebody joins with."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from desk.access import rights
from desk.fields import EmailField
from desk.setup.forms import LoginForm
from webchat.models import TeamMember
from webchat.models.team import Role

WHAT = {
    Role.OWNER: _("Owner: everything, including the team, exports and deleting"),
    Role.EDITOR: _("Editor: changes bots, trains and teaches them, answers people"),
    Role.ANSWERS: _("Answers people: the inbox and requests for a person"),
    Role.READS: _("Read only: conversations, figures and settings"),
}


class RoleForm(forms.Form):
    """Offers what `user` may give: an owner of some bots gives roles for those."""

    role = forms.ChoiceField(
        label=_("Role"),
        choices=list(WHAT.items()),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a role.")},
    )
    all_bots = forms.BooleanField(label=_("All bots, including later ones"), required=False)
    bots = forms.ModelMultipleChoiceField(
        queryset=None, label=_("Or only these"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bots"].queryset = rights.bots_of(user).order_by("name")
        if not user.is_superuser:
            del self.fields["all_bots"]
            self.fields["bots"].label = _("For these bots")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        cleaned.setdefault("all_bots", False)
        if not cleaned["all_bots"] and not cleaned.get("bots"):
            self.add_error("bots", _("Choose at least one bot."))
        return cleaned

    @classmethod
    def of(cls, user: Any, member: TeamMember, *args: Any) -> "RoleForm":
        now = {"role": member.role, "all_bots": member.all_bots, "bots": member.bots.all()}
        return cls(user, *args, initial=now)


class InviteForm(RoleForm):
    email = EmailField(label=_("E-mail address (optional)"), required=False)
    field_order = ("email", "role", "all_bots", "bots")

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        """Choose the bot where there is only one."""
        super().__init__(user, *args, **kwargs)
        bots = list(self.fields["bots"].queryset[:2])
        self.fields["bots"].initial = bots if len(bots) == 1 else []


class JoinForm(LoginForm):
    """Makes the account of somebody who was invited; the invitation says what it may do."""

    def save(self, commit: bool = True) -> User:
        self.instance.set_password(self.cleaned_data["password"])
        self.instance.save()
        return self.instance
