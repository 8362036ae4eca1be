"""What is still missing in set-up: each gap as a sentence, with links to where it can be fixed."""

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.access import guard
from desk.access.rights import MAY_CHANGE_TEAM
from desk.bot.tabs import link_to_field
from desk.cards import Card, Item, Link, link
from desk.setup.views import NEEDED
from docbot.models import TrainedBot
from webchat import site
from webchat.models import Bot
from webchat.models.team import MAY_ANSWER

MOST_NAMES = 3  # of bots in a sentence


def set_up_card(request: HttpRequest, bots: list[Bot], trained_bots: list[TrainedBot]) -> Card | None:
    """Show bots' gaps to those who may change bots, and a missing second factor to everybody. One statement."""
    items = []
    if request.user.has_perm("webchat.change_bot"):
        items = [*_manual_only(request, bots, trained_bots), *_gaps_of_bots(request, bots)]
    if not guard.has_second_factor(request):
        items.append(Item(_("Your login has no second factor."), links=[Link(_("Add one"), reverse("mfa_index"))]))
    links = [Link(_("Set up"), reverse("admin:setup"))] if request.user.has_perms(NEEDED) else []
    return Card("set-up", _("Still missing in set-up"), items, links, is_to_do=False) if items else None


def _manual_only(request: HttpRequest, bots: list[Bot], trained_bots: list[TrainedBot]) -> list[Item]:
    """Report the bots that this site answers for itself while it has no document of the owner's."""
    if settings.CHAT_BASE_URL != settings.IN_PROCESS_URL:
        return []
    answered_here = [bot for bot in bots if not bot.base_url and not bot.sealed_key]
    untrained = [bot for bot in trained_bots if bot.slug == settings.DEFAULT_BOT and not bot.has_own_documents]
    if not answered_here or not untrained:
        return []
    if request.user.has_perms(NEEDED):
        links = [Link(_("Add documents or a service"), reverse("admin:setup_answers", args=[answered_here[0].slug]))]
    else:
        links = link_to_field(request, _("Enter a service’s key"), answered_here[0], "new_key")
    return [
        Item(
            _("This site’s manual is all that %(bots)s can answer from.") % {"bots": _names(answered_here)}, links=links
        )
    ]


def _gaps_of_bots(request: HttpRequest, bots: list[Bot]) -> list[Item]:
    without_key = [bot for bot in bots if not bot.upstream_key]
    untold = [bot for bot in bots if not _alarm_email(bot) and not _webhook(bot)]
    unmailed = [bot for bot in bots if _alarm_email(bot) and not _webhook(bot) and not site.has_mail_server()]
    on_no_website = [bot for bot in bots if not bot.origins.strip()]
    unattended = [bot for bot in bots if bot.people_answer and not bot.has_available_team]
    items = []
    if without_key:
        links = _links_to(request, without_key, _("Enter a key"), "new_key")
        items.append(
            Item(_("There is no key for the service of %(bots)s.") % {"bots": _names(without_key)}, links=links)
        )
    if untold:
        links = _links_to(request, untold, _("Set an address"), "alarm_email")
        items.append(
            Item(_("Nobody is told when something goes wrong with %(bots)s.") % {"bots": _names(untold)}, links=links)
        )
    if unmailed:
        items.append(
            Item(
                _("Alarms can’t be sent by e-mail: this site has no mail server."),
                links=[Link(_("Site"), reverse("admin:site"))] if request.user.is_superuser else [],
            )
        )
    if on_no_website:
        links = _links_to(request, on_no_website, _("Add a website"), "origins")
        items.append(Item(_("No website may show %(bots)s yet.") % {"bots": _names(on_no_website)}, links=links))
    if unattended:
        links = link(request, MAY_ANSWER, _("Open the inbox and switch to Available"), "inbox") or link(
            request, MAY_CHANGE_TEAM, _("Team"), "team"
        )
        items.append(
            Item(_("Nobody is available to answer visitors of %(bots)s.") % {"bots": _names(unattended)}, links=links)
        )
    return items


def _alarm_email(bot: Bot) -> str:
    return bot.alarm_email or settings.ALARM_EMAIL


def _webhook(bot: Bot) -> str:
    return bot.webhook_url or settings.ALARM_WEBHOOK_URL


def _links_to(request: HttpRequest, bots: list[Bot], label: str, name: str) -> list[Link]:
    """Return one link for one bot, or one with each bot's name."""
    if len(bots) == 1:
        return link_to_field(request, label, bots[0], name)
    return [link for bot in bots[:MOST_NAMES] for link in link_to_field(request, bot.name, bot, name)]


def _names(bots: list[Bot]) -> str:
    """Return “Ada”, “Ada and Bea”, “Ada, Bea, Cy and 4 more”."""
    names = [bot.name for bot in bots[:MOST_NAMES]]
    if more := len(bots) - len(names):
        # Translators: of bots, at the end of a list of their names
        names.append(ngettext("%(number)d more", "%(number)d more", more) % {"number": more})
    if len(names) == 1:
        return names[0]
    # Translators: names of bots, “Ada, Bea and Cy”
    return _("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}
