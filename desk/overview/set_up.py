"""What is still missing in set-up: each gap as a sentence, with links to where it can be fixed."""

from functools import partial

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk import trained_bots
from desk.access import guard, rights
from desk.bot.tabs import link_to_field
from desk.cards import Card, Item, Link, link
from desk.setup.views import NEEDED
from docbot.models import TrainedBot
from webchat import site
from webchat.models import Bot
from webchat.models.team import MAY_ANSWER

MOST_NAMES = 3  # of bots in a sentence


def set_up_card(request: HttpRequest, bots: list[Bot], visible: list[TrainedBot]) -> Card | None:
    """Show bots' gaps to those who may change bots, and a missing second factor to everybody. One statement."""
    items = []
    if request.user.has_perm("webchat.change_bot"):
        items = [*_without_answers(request, bots, visible), *_gaps_of_bots(request, bots)]
    # Where one is required, nobody gets here without it.
    if settings.STAFF_MFA != "REQUIRED" and not guard.has_second_factor(request):
        items.append(Item(_("Your login has no second factor."), links=[Link(_("Add one"), reverse("mfa_index"))]))
    links = [Link(_("Set up"), reverse("admin:setup"))] if request.user.has_perms(NEEDED) else []
    return Card("set-up", _("Still missing in set-up"), items, links, is_to_do=False) if items else None


def _without_answers(request: HttpRequest, bots: list[Bot], visible: list[TrainedBot]) -> list[Item]:
    """Report the bots that this site answers for while it has nothing of the owner's to answer from."""
    if not trained_bots.is_possible():
        return []
    trained, answering = {each.pk: each for each in visible}, rights.trained_bot_of_each(request.user, bots)
    manual_only, nothing = [], []
    for bot in bots:
        if each := trained.get(answering.get(bot.pk)):
            if not each.has_own_documents:
                (manual_only if each.has_documents else nothing).append(bot)
        elif bot.pk not in answering and not bot.base_url and not bot.sealed_key and rights.sees_all_bots(request.user):
            nothing.append(bot)
    return [
        Item(format_html(sentence, bots=_listed(list(map(_named, some)))), links=_links_to_answers(request, some[0]))
        for sentence, some in (
            (_("This site’s manual is all that {bots} can answer from."), manual_only),
            (_("There is nothing that {bots} can answer from."), nothing),
        )
        if some
    ]


def _links_to_answers(request: HttpRequest, bot: Bot) -> list[Link]:
    if request.user.has_perms(NEEDED):
        return [Link(_("Add documents or a service"), reverse("admin:setup_answers", args=[bot.slug]))]
    return link_to_field(request, _("Enter a service’s key"), bot, "new_key")


def _gaps_of_bots(request: HttpRequest, bots: list[Bot]) -> list[Item]:
    gap = partial(_gap, request)
    without_key = [bot for bot in bots if not bot.upstream_key]
    unshown = [bot for bot in bots if not bot.origins.strip()]
    without_recipient = [bot for bot in bots if not _alarm_email(bot) and not _webhook(bot)]
    unmailed = [bot for bot in bots if _alarm_email(bot) and not _webhook(bot) and not site.has_mail_server()]
    unattended = [bot for bot in bots if bot.people_answer and not bot.has_available_team]
    items = [
        *gap(_("There is no key for the service of {bots}."), without_key, _("Enter a key"), "new_key"),
        *gap(
            _("Nobody is told when something goes wrong with {bots}."),
            without_recipient,
            _("Set an address"),
            "alarm_email",
        ),
    ]
    if unmailed:
        links = [Link(_("Site"), reverse("admin:site"))] if request.user.is_superuser else []
        items.append(Item(_("Alarms can’t be sent by e-mail: this site has no mail server."), links=links))
    items += gap(_("No website may show {bots} yet."), unshown, _("Add a website"), "origins")
    if _customers_find_none(request, bots):
        links = [link for bot in bots[:MOST_NAMES] for link in link_to_field(request, bot.name, bot, "in_portal")]
        items.append(Item(_("Customers don’t see any bot in the portal yet. Add one to it:"), links=links))
    if unattended:
        links = link(request, MAY_ANSWER, _("Open the inbox and switch to Available"), "inbox") or link(
            request, rights.MAY_CHANGE_TEAM, _("Team"), "team"
        )
        sentence = _("Nobody is available to answer visitors of {bots}.")
        items.append(Item(format_html(sentence, bots=_listed(list(map(_named, unattended)))), links=links))
    return items


def _gap(request: HttpRequest, sentence: str, bots: list[Bot], label: str, field: str) -> list[Item]:
    """Name the bots that lack something: one bot gets a link beside its name; the names of several are links."""
    if len(bots) < 2:
        return [
            Item(format_html(sentence, bots=_named(bot)), links=link_to_field(request, label, bot, field))
            for bot in bots
        ]
    names = [
        format_html('<a href="{}"><bdi>{}</bdi></a>', each.url, each.label)
        for bot in bots
        for each in link_to_field(request, bot.name, bot, field)
    ]
    return [Item(format_html(sentence, bots=_listed(names)))]


def _customers_find_none(request: HttpRequest, bots: list[Bot]) -> bool:
    if not bots or not rights.sees_all_bots(request.user) or any(bot.in_portal for bot in bots):
        return False
    return bots[0].site_has_customers


def _alarm_email(bot: Bot) -> str:
    return bot.alarm_email or settings.ALARM_EMAIL


def _webhook(bot: Bot) -> str:
    return bot.webhook_url or settings.ALARM_WEBHOOK_URL


def _named(bot: Bot) -> SafeString:
    return format_html("<bdi>{}</bdi>", bot.name)


def _listed(names: list[SafeString]) -> SafeString:
    """Return “Ada”, “Ada and Bea”, “Ada, Bea, Cy and 4 more”; the names may be links."""
    shown = names[:MOST_NAMES]
    if more := len(names) - len(shown):
        # Translators: of bots, at the end of a list of their names
        shown.append(ngettext("%(number)d more", "%(number)d more", more) % {"number": more})
    *first, last = shown
    if not first:
        return conditional_escape(last)
    names = first[0]
    for name in first[1:]:
        # Translators: names of bots, before the last one
        names = format_html(_("{names}, {name}"), names=names, name=name)
    # Translators: names of bots, “Ada, Bea and Cy”
    return format_html(_("{names} and {last}"), names=names, last=last)
