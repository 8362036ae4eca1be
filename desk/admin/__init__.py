"""The desk's pages: bots, what was said to them, requests for a person, alarms."""

from desk.admin.bots import BotAdmin
from desk.admin.conversations import ConversationAdmin
from desk.admin.handovers import AlarmAdmin, HandoverAdmin

__all__ = ["AlarmAdmin", "BotAdmin", "ConversationAdmin", "HandoverAdmin"]
