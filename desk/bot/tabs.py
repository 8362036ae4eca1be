"""The tabs of one bot: which settings are on which, and where each tab is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.utils import flatten
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from desk.cards import Link, link
from webchat.models import WORDS, Bot

SHADES = "shades"  # shown among the fields, not entered
SECRETS = ("new_key", "new_webhook_secret")
FACE_CUT = ("face_zoom", "face_across", "face_down")
ON_SEVERAL_LINES = (
    *("greeting", "suggestions", "next_questions", "closed_notice"),
    *("privacy_note", "consent", "own_details", "origins"),
)
NOT_OF_THE_MODEL = {SHADES, *FACE_CUT, "answered_by", *SECRETS, "forget_key", "forget_webhook_secret"}


@dataclass(frozen=True)
class Tab:
    """A page of the bot's settings. `page`: the name of its URL; `surfaces`: what its preview offers, in order."""

    page: str
    title: Any
    sections: tuple[tuple[Any, tuple[Any, ...]], ...]
    surfaces: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.page.removeprefix("desk_bot_")

    @property
    def fieldsets(self) -> list[tuple[Any, dict[str, Any]]]:
        return [(title, {"fields": fields}) for title, fields in self.sections]

    @property
    def fields(self) -> Iterator[str]:
        for _title, rows in self.sections:
            yield from flatten(rows)

    @property
    def model_fields(self) -> list[str]:
        return [name for name in self.fields if name not in NOT_OF_THE_MODEL]

    @property
    def words(self) -> list[str]:
        """The fields that can be written in each of the bot's languages."""
        return [name for name in self.fields if name in WORDS]

    def first_of(self, changed: list[str]) -> str:
        """Return the field that stands first on the tab; "" if none of them is on it."""
        return next((name for name in self.fields if name in changed), "")

    def section_of(self, field: str) -> int:
        """Return the number of the section that the field is in; the first one’s for a field of none."""
        numbered = enumerate(self.sections)
        return next((number for number, (_title, rows) in numbered if field in flatten(rows)), 0)

    def url(self, bot: Bot) -> str:
        return reverse(f"admin:{self.page}", args=[bot.pk])


WHO_ANSWERS = ("answered_by", "base_url", "new_key", "forget_key")

NEW = Tab(
    "webchat_bot_add",
    _("Add a bot"),
    ((_("The bot"), ("name", "slug")), (_("Where answers come from"), WHO_ANSWERS[:-1])),
)
SURFACES = ("chat", "embed", "kiosk", "portal")
OVERVIEW = Tab("webchat_bot_change", _("Overview"), ((_("The bot"), ("name", "slug", "switched_on")),), SURFACES)
SETTINGS = (
    Tab(
        "desk_bot_look",
        _("Look"),
        (
            (_("Words"), ("greeting", ("can_help", "cannot_help"), "suggestions", "next_questions")),
            (_("Languages"), ("language", "languages")),
            (_("Colour and pictures"), ("accent", SHADES, ("face", "logo"), FACE_CUT)),
        ),
        SURFACES,
    ),
    Tab(
        "desk_bot_places",
        _("Where it’s shown"),
        (
            (_("Widget"), ("origins",)),
            (_("Button"), ("launcher_icon", "launcher_label", ("launcher_position", "widget_theme"))),
            (_("Sharing with your website"), ("tells_page", "shares_text")),
            (_("Portal"), ("in_portal",)),
            (_("Teaser"), ("teaser", "teaser_after")),
        ),
        ("embed", "chat", "kiosk", "portal"),
    ),
    Tab(
        "desk_bot_people",
        _("People & hours"),
        (
            (_("Answered in person"), ("people_answer", "takes_files", "notifies_visitors", "queue_minutes")),
            (_("Hours"), ("hours", "time_zone")),
            (_("Holidays"), ("holidays",)),
            (_("When it’s closed"), (("closed", "answers_when_closed"), "closed_notice")),
            (_("Requests by form"), ("contact", "handover", "handover_email", "handover_next")),
            (
                _("About the visitor"),
                ("asks_details", ("asks_name", "name_purpose"), ("asks_email", "email_purpose")),
            ),
            (_("Your own questions"), (("own_details", "details_purpose"),)),
            (
                _("When a person is offered"),
                (
                    *("offers_person_when_not_known", "offers_person_after_thumbs_down"),
                    *("offers_person_after_failures", "offers_person_when_asked_for"),
                ),
            ),
        ),
        SURFACES,
    ),
    Tab(
        "desk_bot_limits",
        _("Limits & privacy"),
        (
            (_("Limits"), ("daily_budget", "asks_for_proof")),
            (_("Privacy"), ("privacy_note", "consent", "retention_days")),
        ),
        SURFACES,
    ),
    Tab(
        "desk_bot_service",
        _("Service & keys"),
        (
            (_("Where answers come from"), WHO_ANSWERS),
            (
                _("Alarms and your program"),
                (
                    *("alarm_email", "webhook_url", "new_webhook_secret", "forget_webhook_secret"),
                    "sends_questions",
                ),
            ),
        ),
    ),
)
WITH_FIELDS = {tab.page: tab for tab in (NEW, OVERVIEW, *SETTINGS)}


def link_to_field(request: HttpRequest, label: str, bot: Bot, field: str) -> list[Link]:
    """Return the link to a field among the bot's settings; none if the account may not change them."""
    page = next(tab.page for tab in (OVERVIEW, *SETTINGS) if field in tab.fields)
    return link(request, "webchat.change_bot", label, page, bot.pk, more=f"#id_{field}")
