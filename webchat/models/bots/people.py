"""How visitors of a bot reach a person, and what they are asked about themselves."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class DetailsTiming(models.TextChoices):
    """When visitors are asked about themselves."""

    NEVER = "", _("no")
    BEFORE = "before", _("before the first message")
    AFTER = "after", _("after the first reply, if they like")
    INSTEAD = "instead", _("instead of a chat: only a form")


class Requirement(models.TextChoices):
    NO = "", _("no")
    OPTIONAL = "optional", _("yes, optional")
    REQUIRED = "required", _("yes, required")


class InPerson(models.Model):
    """Answers in person: in the same conversation, or by e-mail after a form."""

    people_answer = models.BooleanField(
        _("answered in person"),
        default=False,
        help_text=_("Team members answer in the same conversation, from the inbox."),
    )
    takes_files = models.BooleanField(
        _("files"),
        default=False,
        help_text=_(
            "While a person answers, they and the visitor can send each other pictures and PDFs of up to 10 MB. "
            "Nothing of them goes to the bot’s service."
        ),
    )
    notifies_visitors = models.BooleanField(
        _("notifications"),
        default=False,
        help_text=_(
            "On the full page and in the portal, visitors can ask for a notification when a person has answered. It "
            "holds no text. It goes through the service of the browser’s maker, such as Google, Mozilla or Apple."
        ),
    )
    queue_minutes = models.PositiveSmallIntegerField(
        _("longest wait"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(24 * 60)],
        help_text=_("Minutes. When nobody has answered by then, the form is offered."),
    )
    handover = models.BooleanField(
        _("requests for a person"),
        default=False,
        help_text=_("Visitors may leave their e-mail address and a message for a person."),
    )
    handover_email = models.EmailField(
        _("requests go to"), blank=True, help_text=_("By e-mail, if this site has a mail server.")
    )
    offers_person_when_not_known = models.BooleanField(
        _("offer a person beside a reply that didn’t know"), default=True
    )
    offers_person_after_thumbs_down = models.BooleanField(_("offer a person after two thumbs down"), default=True)
    offers_person_after_failures = models.BooleanField(_("offer a person after two failures"), default=True)
    offers_person_when_asked_for = models.BooleanField(_("offer a person when a message asks for one"), default=True)
    asks_details = models.CharField(
        _("ask visitors about themselves"),
        max_length=8,
        blank=True,
        choices=DetailsTiming,
        default=DetailsTiming.NEVER,
        help_text=_("On the page and in the widget. You see it beside the conversation; the bot’s service never does."),
    )
    asks_name = models.CharField(_("name"), max_length=8, blank=True, choices=Requirement, default=Requirement.OPTIONAL)
    asks_email = models.CharField(
        _("e-mail address"), max_length=8, blank=True, choices=Requirement, default=Requirement.NO
    )

    class Meta:
        abstract = True

    @property
    def has_way_to_person(self) -> bool:
        """Return whether visitors can reach a person: by the queue if somebody is there, or by the form."""
        return self.handover or self.people_answer

    @property
    def has_only_form(self) -> bool:
        """Return whether the page has the form for a person in place of a chat."""
        return self.asks_details == DetailsTiming.INSTEAD and self.handover
