"""Bots, people, conversations with their turns, what is counted, and what comes round again."""

from webchat.models.allowances import Allowance
from webchat.models.bots import Bot
from webchat.models.chores import Chore
from webchat.models.conversations import GRACE, TITLE_LENGTH, Conversation, Surface, Turn
from webchat.models.identities import IdentityKey, SpentToken
from webchat.models.people import Person

__all__ = [
    "GRACE",
    "TITLE_LENGTH",
    "Allowance",
    "Bot",
    "Chore",
    "Conversation",
    "IdentityKey",
    "Person",
    "SpentToken",
    "Surface",
    "Turn",
]
