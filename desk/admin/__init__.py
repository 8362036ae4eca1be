"""The desk's pages: bots, and what was said to them."""

from desk.admin.bots import BotAdmin
from desk.admin.conversations import ConversationAdmin

__all__ = ["BotAdmin", "ConversationAdmin"]
