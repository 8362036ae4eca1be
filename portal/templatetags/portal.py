"""The list of a person's conversations, beside each page of the portal."""

from django import template
from django.template import Context

from portal import conversations

register = template.Library()


@register.inclusion_tag("portal/_side.html", takes_context=True)
def side(context: Context) -> dict[str, object]:
    """The first page of the list; `page` and `search` of the context where the view has made them."""
    page = context.get("page") or conversations.list_page(context["request"].webchat.person)
    return {"page": page, "search": context.get("search", ""), "shown": context.get("conversation")}
