"""The desk's pages: bots, what was said to them, and who did what."""

from desk.admin.bots import BotAdmin
from desk.admin.conversations import ConversationAdmin
from desk.admin.trail import LogEntryAdmin

__all__ = ["BotAdmin", "ConversationAdmin", "LogEntryAdmin"]
