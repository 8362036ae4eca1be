"""Team members: their role, for which bots, and whether they are there to answer visitors."""

import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webchat.models.bots import Bot

# Longer than the minute that browsers make a hidden tab of the inbox wait between two polls.
ONLINE_FOR = datetime.timedelta(seconds=75)
MAY_ANSWER = "webchat.answer_conversation"


class TeamMemberQuerySet(models.QuerySet):
    def who_may_answer(self, bot: Bot) -> Self:
        """Return team members with an active account who may answer for all bots, or for this one."""
        return self.filter(Q(all_bots=True) | Q(bots=bot), user__is_active=True).distinct()

    def online(self, bot: Bot) -> Self:
        """Return those who may answer, are set to available, and have their inbox open."""
        return self.who_may_answer(bot).filter(is_available=True, seen_at__gt=timezone.now() - ONLINE_FOR)


class Role(models.TextChoices):
    """What somebody on the team may do; `desk.access.rights` says what that is."""

    OWNER = "owner", _("Owner")
    EDITOR = "editor", _("Editor")
    ANSWERS = "answers", _("Answers people")
    READS = "reads", _("Read only")


class TeamMember(models.Model):
    """Somebody on the owner's team. Visitors see the `name` and `picture` of those who answer them."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="team_member")
    name = models.CharField(_("name"), max_length=80, help_text=_("As visitors see it."))
    picture = models.ImageField(_("picture"), upload_to="team", blank=True)
    role = models.CharField(
        _("role"), max_length=10, choices=Role, blank=True, help_text=_("Leave blank for Django’s permissions alone.")
    )
    all_bots = models.BooleanField(_("all bots"), default=True)
    bots = models.ManyToManyField(Bot, blank=True, related_name="team", verbose_name=_("bots"))
    is_available = models.BooleanField(_("available"), default=False)
    seen_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TeamMemberQuerySet.as_manager()

    class Meta:
        verbose_name = _("team member")
        verbose_name_plural = _("team members")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def of(cls, user: Any) -> "TeamMember":
        """Return the team member behind an account; a superuser's is made when it is first needed."""
        username = user.get_username()
        name = user.get_full_name() or username.partition("@")[0] or username  # visitors read it: no e-mail address
        first = {"name": name[:80], "all_bots": user.is_superuser, "role": Role.OWNER if user.is_superuser else ""}
        return cls.objects.get_or_create(user=user, defaults=first)[0]

    @property
    def is_online(self) -> bool:
        """Whether the team member is set to available and has the inbox open."""
        return self.is_available and self.seen_at is not None and timezone.now() - self.seen_at < ONLINE_FOR

    def mark_online(self) -> None:
        """Record that the inbox is open now."""
        self.seen_at = timezone.now()
        self.save(update_fields=["seen_at"])


class CannedReply(models.Model):
    """A reply that team members use again and again, found by typing `/` and its shortcut."""

    bot = models.ForeignKey(
        Bot, on_delete=models.CASCADE, null=True, blank=True, related_name="canned_replies", verbose_name=_("bot")
    )
    shortcut = models.SlugField(_("shortcut"), max_length=40)
    text = models.TextField(_("text"), help_text=_("Markdown."))

    class Meta:
        verbose_name = _("canned reply")
        verbose_name_plural = _("canned replies")
        ordering = ["shortcut"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "shortcut"], name="one_text_a_shortcut"),
            models.UniqueConstraint(fields=["shortcut"], condition=Q(bot=None), name="one_text_a_shortcut_of_all"),
        ]

    def __str__(self) -> str:
        return f"/{self.shortcut}"
