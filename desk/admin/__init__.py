"""The desk's pages: bots, what was said to them, requests for a person, alarms, and who did what."""

from desk.admin.bots import BotAdmin
from desk.admin.conversations import ConversationAdmin
from desk.admin.handovers import AlarmAdmin, HandoverAdmin
from desk.admin.trail import LogEntryAdmin
from desk.admin.users import CustomerAdmin

__all__ = [
    "AlarmAdmin",
    "BotAdmin",
    "ConversationAdmin",
    "CustomerAdmin",
    "HandoverAdmin",
    "LogEntryAdmin",
]
