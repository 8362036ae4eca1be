"""When a bot is open."""

import functools

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webchat.business_hours import Hours, parse, parse_holidays, zone


class Opening(models.Model):
    """Whether the bot is on and open now: switches, business hours and holidays."""

    switched_on = models.BooleanField(
        _("switched on"),
        default=True,
        help_text=_(
            "While it is off, nothing is sent to the bot, and the page says so. What visitors have typed is kept."
        ),
    )
    closed = models.BooleanField(
        _("closed"), default=False, help_text=_("Closed until you open it again, whatever the hours say.")
    )
    # One line for each group of days: Mon-Fri 9:00-12:00, 13:00-17:00. Blank: always open.
    hours = models.TextField(_("business hours"), blank=True)
    # One line for each: 2026-12-24 – 2027-01-01, or with other hours: 2026-12-31 9:00-12:00.
    holidays = models.TextField(_("holidays"), blank=True)
    time_zone = models.CharField(
        _("time zone"), max_length=64, blank=True, help_text=_("Such as Europe/Berlin. Leave blank for the site’s own.")
    )
    answers_when_closed = models.BooleanField(
        _("answers while closed"), default=True, help_text=_("The bot goes on answering; only people are away.")
    )

    class Meta:
        abstract = True

    @functools.cached_property
    def week(self) -> Hours:
        """The business hours and holidays, in the bot's own time zone."""
        try:
            there = zone(self.time_zone) if self.time_zone else timezone.get_current_timezone()
            return Hours(parse(self.hours), there, parse_holidays(self.holidays))
        except ValueError:  # not saved by the form: then it is always open
            return Hours([], timezone.get_current_timezone())

    @functools.cached_property
    def is_open(self) -> bool:
        has_times = bool(self.hours or self.holidays)
        return not self.closed and (not has_times or self.week.is_open(timezone.now()))

    @property
    def open_until(self) -> str:
        return self.week.closing_time(timezone.now()) if self.is_open else ""

    @property
    def open_again(self) -> str:
        """Return when the bot opens again, by its hours; nothing for a bot that the owner has closed."""
        return "" if self.closed or not self.switched_on else self.week.next_opening(timezone.now())
