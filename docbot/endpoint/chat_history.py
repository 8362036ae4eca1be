"""Deletes chats whose conversations a client has deleted; the client no longer knows the chat ids."""

import datetime
from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q

from docbot.models import Chat, Exchange

Said = tuple[str, str | None, datetime.datetime, datetime.datetime]  # message, reply if known, between these moments
SLACK = datetime.timedelta(seconds=2)  # between two clocks' readings
CHUNK = 400  # texts in one query


def delete_chats(said: Iterable[Said]) -> int:
    """Delete the chats whose exchanges are all among the given ones; return their number."""
    by_message: dict[str, list[Said]] = defaultdict(list)
    for each in said:
        by_message[each[0]].append(each)
    if not by_message:
        return 0
    spoken = [each for several in by_message.values() for each in several]
    first, last = min(asked for *_, asked, _answered in spoken), max(answered for *_, answered in spoken)
    span = Q(created_at__gte=first - SLACK, created_at__lte=last + SLACK)
    messages = list(by_message)
    matched: dict[int, int] = defaultdict(int)
    for at in range(0, len(messages), CHUNK):
        exchanges = Exchange.objects.filter(span, message__in=messages[at : at + CHUNK])
        for chat, message, reply, moment in exchanges.values_list("chat", "message", "reply", "created_at"):
            matched[chat] += any(
                said_reply in (reply, None) and asked - SLACK <= moment <= answered + SLACK
                for _message, said_reply, asked, answered in by_message[message]
            )
    whole = [
        chat for chat, number in matched.items() if number and number == Exchange.objects.filter(chat=chat).count()
    ]
    return Chat.objects.filter(pk__in=whole).delete()[1].get("docbot.Chat", 0)
