"""A bot's widget on other websites: who may show it, its launcher, and its teasers."""

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from webchat import origins
from webchat.appearance.texts import in_language

LONGEST_TEASER = 60 * 60  # seconds


class Icon(models.TextChoices):
    CHAT = "chat", _("speech bubble")
    QUESTION = "question", _("question mark")
    SPARK = "spark", _("spark")


class Position(models.TextChoices):
    END = "end", _("bottom right")
    START = "start", _("bottom left")


class Theme(models.TextChoices):
    AUTO = "auto", _("same as the visitor’s system")
    LIGHT = "light", _("light")
    DARK = "dark", _("dark")


class Visitors(models.TextChoices):
    ALL = "", _("everyone")
    NEW = "new", _("first-time visitors")
    RETURNING = "returning", _("returning visitors")


class Widget(models.Model):
    """The websites that may show the bot, the button that opens it there, and what passes between the two."""

    origins = models.TextField(
        _("websites that may show it"),
        blank=True,
        help_text=_(
            "Such as https://www.example.com, or https://*.example.com for all below it. If there is none, no website "
            "can show the bot."
        ),
    )
    launcher_icon = models.CharField(_("button’s icon"), max_length=8, choices=Icon, default=Icon.CHAT)
    launcher_position = models.CharField(
        _("button’s place"),
        max_length=5,
        choices=Position,
        default=Position.END,
        help_text=_("On pages in Arabic, the sides are swapped."),
    )
    widget_theme = models.CharField(
        _("widget’s colours"),
        max_length=5,
        choices=Theme,
        default=Theme.AUTO,
        help_text=_("Choose light or dark if your website is always one of the two."),
    )
    tells_page = models.BooleanField(
        _("tell the bot which page the visitor is on"),
        default=False,
        help_text=_(
            "Adds a line above the first message with the page of your website that the visitor is on. The visitor "
            "sees it and can leave it out. For services that make use of it; trained bots don’t."
        ),
    )
    shares_text = models.BooleanField(
        _("let your website read the messages"),
        default=False,
        help_text=_(
            "The scripts of the page around the widget get the text of messages and replies. While it is off, they "
            "only learn that something was said. Tell your visitors."
        ),
    )
    teaser_after = models.PositiveSmallIntegerField(
        _("seconds until the teaser"), default=10, validators=[MaxValueValidator(LONGEST_TEASER)]
    )

    class Meta:
        abstract = True

    @property
    def allowed_origins(self) -> list[str]:
        """Return the sources for `frame-ancestors`."""
        try:
            return origins.parse(self.origins)
        except ValueError:  # not saved by the form: then nobody may
            return []


class TeaserRule(models.Model):
    """A teaser with conditions: shown once to each visitor."""

    bot = models.ForeignKey("Bot", on_delete=models.CASCADE, related_name="teaser_rules")
    text = models.CharField(_("text"), max_length=140)
    texts = models.JSONField(default=dict, blank=True)  # by language
    page = models.CharField(
        _("pages"),
        max_length=200,
        blank=True,
        help_text=_("/prices is one page, /shop/* stands for all below it. Leave blank for every page."),
    )
    visitors = models.CharField(_("shown to"), max_length=9, blank=True, choices=Visitors, default=Visitors.ALL)
    seconds = models.PositiveSmallIntegerField(
        _("seconds on the page"), default=10, validators=[MaxValueValidator(LONGEST_TEASER)]
    )
    scrolled = models.PositiveSmallIntegerField(
        _("per cent scrolled"),
        default=0,
        validators=[MaxValueValidator(100)],
        help_text=_("100 is the end of the page; 0 needs no scrolling."),
    )

    class Meta:
        verbose_name = _("teaser")
        verbose_name_plural = _("more teasers")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text

    @property
    def words(self) -> str:
        """Return what it says in the page's language."""
        return in_language(self.text, self.texts)
