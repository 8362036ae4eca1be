"""The colour and the picture that a website shows in browsers and on home screens, for a bot to use."""

from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple
from urllib.parse import urljoin

import requests
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from lxml import html

from outbound.deadline import Deadline
from outbound.http import Session, read_body
from webchat.appearance import pictures
from webchat.appearance.color_palette import HEX
from webchat.models import Bot

SECONDS = 15  # for the page and its picture together
MOST_REDIRECTS = 5
MOST_BYTES = 2 * 1024 * 1024
COLOR_NAMES = ("theme-color", "msapplication-tilecolor")
TAKEN = {
    (True, True): gettext_noop("The website’s colour and icon are used now."),
    (True, False): gettext_noop("The website’s colour is used now."),
    (False, True): gettext_noop("The website’s icon is used now."),
}
BEST_ICONS = ("apple-touch-icon", "apple-touch-icon-precomposed", "icon", "shortcut icon")


class Unreachable(Exception):
    """The website gave no page; the message is a sentence."""


@dataclass(frozen=True)
class WebsiteLook:
    accent: str  # such as #2f5bd0; "" where the page names none
    face: ContentFile | None

    def give_to(self, bot: Bot) -> str:
        """Save the bot with this colour and icon; return the sentence that says so, "" where the page has neither."""
        if self.accent:
            bot.accent = self.accent
        if self.face:
            bot.face.save("face.webp", self.face, save=False)
        bot.save()
        return TAKEN.get((bool(self.accent), bool(self.face)), "")


class Fetched(NamedTuple):
    url: str  # after the redirects
    content: bytes
    policy: str  # its Content-Security-Policy


def look_of(url: str) -> WebsiteLook:
    """Fetch a page and its icon. Raises Unreachable."""
    deadline = Deadline(SECONDS)
    try:
        found = fetch(url, deadline)
        page = html.parse(BytesIO(found.content), base_url=found.url).getroot()
    except (requests.RequestException, ValueError, AssertionError) as error:
        raise Unreachable(
            _("%(address)s could not be read. Check the address, or choose the colour yourself.") % {"address": url}
        ) from error
    if page is None:
        raise Unreachable(_("%(address)s is not a web page.") % {"address": url})
    return WebsiteLook(_accent(page), _face(page, found.url, deadline))


def fetch(url: str, deadline: Deadline) -> Fetched:
    """Follow the redirects. Raises RequestException or ValueError."""
    session = Session(deadline, most_bytes=MOST_BYTES, only_public=not settings.DOCBOT_ALLOW_PRIVATE)
    for _redirect in range(MOST_REDIRECTS):
        with session.get(url, stream=True, allow_redirects=False) as response:
            if not response.is_redirect:
                response.raise_for_status()
                policy = response.headers.get("Content-Security-Policy", "")
                return Fetched(url, read_body(response, MOST_BYTES), policy)
            url = urljoin(url, response.headers["Location"])
    raise ValueError("too many redirects")


def _accent(page: html.HtmlElement) -> str:
    colors = {meta.get("name", "").lower(): meta.get("content", "").strip().lower() for meta in page.iter("meta")}
    for name in COLOR_NAMES:
        color = colors.get(name, "")
        if len(color) == 4 and color.startswith("#"):
            color = "#" + "".join(2 * digit for digit in color[1:])
        if HEX.fullmatch(color):
            return color
    return ""


def _face(page: html.HtmlElement, url: str, deadline: Deadline) -> ContentFile | None:
    links = [(link.get("rel", "").lower(), link.get("href")) for link in page.iter("link") if link.get("href")]
    # Of one kind the last is usually the largest.
    for icon_url in [href for best in BEST_ICONS for rel, href in reversed(links) if rel == best]:
        try:
            icon = fetch(urljoin(url, icon_url), deadline)
            return pictures.face(SimpleUploadedFile("icon", icon.content))
        except (requests.RequestException, ValueError, ValidationError):
            continue  # an SVG or a .ico; the next one may be a picture that can be read
    return None
