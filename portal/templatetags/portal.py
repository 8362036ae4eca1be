"""The list of a person's conversations, beside each page of the portal."""

from django import template
from django.template import Context
from django.urls import reverse

from portal import conversations
from webchat.web_app import app_files

register = template.Library()


@register.simple_tag(takes_context=True)
def portal_app(context: Context) -> dict[str, str] | None:
    """Return the URLs of the portal as an app; None on a page without a bot's looks."""
    bot = context.get("bot")
    if not bot:
        return None
    urls = {"manifest": reverse("portal-manifest"), "worker": reverse("portal-worker")}
    return app_files.urls(context["request"], bot, **urls)


@register.inclusion_tag("portal/_side.html", takes_context=True)
def side(context: Context) -> dict[str, object]:
    """Show the list: the `page` and `search` that the view has put into the context, else its first page."""
    page = context.get("page")
    return {
        "page": page or conversations.list_page(context["request"].webchat.customer),
        "search": context.get("search", ""),
        "shown": context.get("conversation"),
        "titles_only": page is None,  # beside a conversation there is no room for more
    }
