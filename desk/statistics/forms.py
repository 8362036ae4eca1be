"""The form that selects figures on the insights page."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from desk.access import rights
from desk.statistics.insights import Selection
from webchat.models import Bot, Surface

PERIODS = ((7, _("7 days")), (30, _("30 days")), (90, _("90 days")), (365, _("A year")))
USUAL_PERIOD = 30


class SelectionForm(forms.Form):
    """Selects period, bot and surface. Invalid values count as empty, so a mistyped URL still shows a page."""

    days = forms.TypedChoiceField(
        label=_("Period"), choices=PERIODS, coerce=int, required=False, empty_value=USUAL_PERIOD
    )
    bot = forms.ModelChoiceField(Bot.objects.all(), to_field_name="slug", required=False, empty_label=_("All bots"))
    surface = forms.ChoiceField(choices=[("", _("All places")), *Surface.choices], required=False)

    def __init__(self, user: Any, data: QueryDict | None = None) -> None:
        if data is not None:
            data = {"days": USUAL_PERIOD, **data.dict()}  # a link may name only a bot
        super().__init__(data, initial={"days": USUAL_PERIOD}, use_required_attribute=False)
        self.fields["bot"].queryset = rights.bots_of(user)
        self.bots = None if rights.sees_all_bots(user) else tuple(rights.bots_of(user).values_list("pk", flat=True))

    def selection(self) -> Selection:
        self.full_clean()
        cleaned = getattr(self, "cleaned_data", {})  # valid fields only; absent on an unbound form
        return Selection(
            days=cleaned.get("days") or USUAL_PERIOD,
            bot=cleaned.get("bot"),
            surface=cleaned.get("surface") or "",
            bots=self.bots,
        )
