"""Whether a page of the owner's website shows the chat: the bot's list, the line in the page, the website's rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import urljoin, urlsplit

import requests
from django.urls import reverse
from django.utils.translation import gettext as _
from lxml import html

from desk.setup import website_look
from outbound.deadline import Deadline
from webchat import origins
from webchat.models import Bot
from webchat.upstream.diagnosis import Finding

# The directives of a website's policy that the widget depends on, each with its fallbacks.
NEEDED = {
    "script-src": ("script-src-elem", "script-src", "default-src"),
    "frame-src": ("frame-src", "child-src", "default-src"),
    "connect-src": ("connect-src", "default-src"),
}


@dataclass(frozen=True)
class WebPage:
    url: str
    policies: list[str]
    scripts: list[html.HtmlElement]  # those that bring the launcher, whatever bot's


def check(bot: Bot, url: str, here: str) -> list[Finding]:
    """Say what keeps the chat away from that page, or that it is there. `here`: this site's own origin.

    Only pages of listed websites are fetched, so that nobody can make this server call others.
    """
    if not _is_listed(bot, url):
        return [_not_listed(bot, url)]
    try:
        page = _read(url)
    except (requests.RequestException, ValueError, AssertionError):
        return [Finding("UNREADABLE", _("%(address)s could not be opened. Check the address.") % {"address": url})]
    faults = list(_faults(bot, page, here))
    fine = _("The chat is on this page: its line is there, and the website may show it.")
    return faults or [Finding("FINE", fine, is_fault=False)]


def _faults(bot: Bot, page: WebPage, here: str) -> Iterator[Finding]:
    if not _is_listed(bot, page.url):  # a redirect led there
        yield _not_listed(bot, page.url)
    if not page.scripts:
        yield Finding(
            "NO_LINE",
            _("The line isn’t in this page yet."),
            _(
                "Put it right before </body> and publish the page. If a tag manager or a cookie banner adds it, it"
                " can’t be seen from here: open the page and look for the button."
            ),
        )
    elif not any(_is_of(bot, script, page.url, here) for script in page.scripts):
        yield Finding(
            "OTHER_LINE",
            _("The line in this page is for another bot, or has another address of this site."),
            _("Put the line below in its place."),
        )
    if page.url.startswith("https:") and here.startswith("http:"):
        yield Finding(
            "NOT_HTTPS",
            _("The website’s address begins with https, this site’s with http: browsers don’t show the chat there."),
            _("Whoever looks after the server has to give this site an https address first."),
        )
    if any(_keeps_out(policy, page, here) for policy in page.policies):
        yield Finding(
            "POLICY",
            _("The website’s own security rules keep the chat out."),
            _("Whoever looks after the website has to add this to its Content-Security-Policy:"),
        )


def _not_listed(bot: Bot, url: str) -> Finding:
    sentence = _("%(website)s isn’t among the websites that may show %(bot)s.")
    return Finding("NOT_LISTED", sentence % {"website": _origin(url), "bot": bot.name})


def _read(url: str) -> WebPage:
    """Raises RequestException, ValueError or AssertionError."""
    found = website_look.fetch(url, Deadline(website_look.SECONDS))
    page = html.parse(BytesIO(found.content), base_url=found.url).getroot()
    if page is None:
        raise ValueError("no page")
    metas = [meta for meta in page.iter("meta") if meta.get("http-equiv", "").lower() == "content-security-policy"]
    policies = [*found.policy.split(","), *(meta.get("content", "") for meta in metas)]
    path = reverse("embed-script")
    scripts = [each for each in page.iter("script") if origins.parts_of(each.get("src", "")).path.endswith(path)]
    return WebPage(found.url, policies, scripts)


def _is_of(bot: Bot, script: html.HtmlElement, page_url: str, here: str) -> bool:
    return script.get("data-bot") == bot.slug and _origin(urljoin(page_url, script.get("src"))) == here


def _keeps_out(policy: str, page: WebPage, here: str) -> bool:
    directives = {name.lower(): sources for name, *sources in filter(None, map(str.split, policy.split(";")))}
    nonced = any(script.get("nonce") for script in page.scripts)
    for needed, names in NEEDED.items():
        decisive = next((directives[name] for name in names if name in directives), ["*"])
        if not _lets_in(decisive, here) and not (nonced and needed == "script-src"):
            return True
    return False


def _lets_in(sources: list[str], here: str) -> bool:
    scheme = urlsplit(here).scheme
    return any(
        source in ("*", f"{scheme}:") or origins.allows([source if "://" in source else f"{scheme}://{source}"], here)
        for source in sources
    )


def _is_listed(bot: Bot, url: str) -> bool:
    return origins.allows(bot.allowed_origins, _origin(url))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
