"""Deletes chats whose conversations a client has deleted; the client no longer knows the chat ids."""

import datetime
from collections import defaultdict
from collections.abc import Iterable

from docbot.models import Chat, Exchange

Said = tuple[str, str | None, datetime.datetime, datetime.datetime]  # message, reply if known, between these moments
SLACK = datetime.timedelta(seconds=2)  # between two clocks' readings


def delete_chats(said: Iterable[Said]) -> int:
    """Delete the chats whose exchanges are all among the given ones; return their number."""
    found: dict[int, set[int]] = defaultdict(set)  # by chat: those of its exchanges
    for message, reply, asked, answered in said:
        exchanges = Exchange.objects.filter(message=message, created_at__range=(asked - SLACK, answered + SLACK))
        if reply is not None:
            exchanges = exchanges.filter(reply=reply)
        for chat, exchange in exchanges.values_list("chat", "pk"):
            found[chat].add(exchange)
    whole = [chat for chat, exchanges in found.items() if len(exchanges) == Exchange.objects.filter(chat=chat).count()]
    return Chat.objects.filter(pk__in=whole).delete()[1].get("docbot.Chat", 0)
