"""How templates call the rendering."""

from django import template
from django.utils.safestring import SafeString

from webchat import rendering

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    """The bot's Markdown as safe HTML."""
    return rendering.markdown(text)
