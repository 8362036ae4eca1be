"""Bots, conversations with their turns, what is counted, and what comes round again."""

from webchat.models.allowances import Allowance
from webchat.models.bots import Bot
from webchat.models.chores import Chore
from webchat.models.conversations import GRACE, Conversation, Surface, Turn

__all__ = ["GRACE", "Allowance", "Bot", "Chore", "Conversation", "Surface", "Turn"]
