"""Bots, conversations with their turns, and what is counted."""

from webchat.models.allowances import Allowance
from webchat.models.bots import Bot
from webchat.models.conversations import GRACE, Conversation, Surface, Turn

__all__ = ["GRACE", "Allowance", "Bot", "Conversation", "Surface", "Turn"]
