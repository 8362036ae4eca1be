"""What templates ask for: the rendering, and the colours that the visitor has chosen."""

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from webchat import rendering
from webchat.frames import in_frame

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    """The bot's Markdown as safe HTML."""
    return rendering.markdown(text)


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """The visitor's choice, "light" or "dark", else "" for the system's own: on every page, so that none flashes.

    A frame has no cookies, and follows the system.
    """
    request = context["request"]
    chosen = context.get("theme") or ("" if in_frame(request) else request.COOKIES.get("theme"))
    return chosen if chosen in ("light", "dark") else ""
