"""Bots, people, conversations and turns, requests for a person, alarms, counts, upstreams, what comes round again."""

from webchat.models.alarms import Alarm, Cause
from webchat.models.allowances import Allowance
from webchat.models.bots import Bot
from webchat.models.circuits import Circuit
from webchat.models.conversations import TITLE_LENGTH, Conversation, Surface
from webchat.models.handovers import Handover
from webchat.models.identities import IdentityKey, SpentToken
from webchat.models.outbox import Attempt, Channel, Delivery
from webchat.models.people import Person
from webchat.models.periodic_tasks import PeriodicTask
from webchat.models.turns import GRACE, Feedback, Turn

__all__ = [
    "GRACE",
    "TITLE_LENGTH",
    "Alarm",
    "Allowance",
    "Attempt",
    "Bot",
    "Cause",
    "Channel",
    "Circuit",
    "Conversation",
    "Delivery",
    "Feedback",
    "Handover",
    "IdentityKey",
    "PeriodicTask",
    "Person",
    "SpentToken",
    "Surface",
    "Turn",
]
