"""Which page of the owner's website the visitor is on: its URL, for the bot or the person who answers."""

from django.http import HttpRequest

from webchat import origins
from webchat.conversation.responses import surface_of
from webchat.models import Bot, Conversation, Surface

HEADER = "Webchat-Page"  # sent by the widget's frame, which gets it from the launcher
LONGEST = 500  # characters


def store_page(request: HttpRequest, conversation: Conversation) -> None:
    """Store the page if it has changed."""
    page = _page_of(request, conversation.bot, request.headers.get(HEADER, ""))
    if page and page != conversation.page_url:
        conversation.store_page_url(page)


def message_with_page(request: HttpRequest, bot: Bot, cleaned: dict) -> str:
    """Return the message; a conversation's first one begins with the page's URL, unless the visitor has removed it.

    The URL comes from the form, like the text, so that sending the form twice is the same message.
    """
    page = "" if cleaned["after"] else _page_of(request, bot, cleaned["page"])
    return f"{page}\n\n{cleaned['message']}" if page else cleaned["message"]


def _page_of(request: HttpRequest, bot: Bot, url: str) -> str:
    """Return the URL of a page that may show the bot, else "". Query and fragment are dropped: they may be secret."""
    if surface_of(request) != Surface.EMBED:
        return ""
    parts = origins.parts_of(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in ("http", "https") or "@" in origin or not origins.allows(bot.allowed_origins, origin):
        return ""
    return f"{origin}{parts.path}"[:LONGEST]
