"""Bots, visitors' conversations, the team that answers them in person, and the counts that limit them."""

from webchat.models.alarms import Alarm
from webchat.models.allowances import Allowance
from webchat.models.bots import WORDS, Bot, BotWords, DetailsTiming, Requirement, Surface, TeaserRule
from webchat.models.circuits import Circuit
from webchat.models.conversations.attachments import Attachment
from webchat.models.conversations.conversation import TITLE_LENGTH, Conversation, Detail
from webchat.models.conversations.entries import Entry
from webchat.models.conversations.handovers import Handover
from webchat.models.conversations.leading import Leader, NotLeading
from webchat.models.conversations.resume_links import ResumeLink
from webchat.models.conversations.turns import GRACE, Feedback, Turn
from webchat.models.customers import Customer
from webchat.models.identities import IdentityKey, SpentToken
from webchat.models.outbox import Attempt, Channel, Delivery, PushKey, PushSubscription
from webchat.models.periodic_tasks import PeriodicTask
from webchat.models.site_settings import SiteSettings
from webchat.models.team import CannedReply, TeamMember

__all__ = [
    "GRACE",
    "TITLE_LENGTH",
    "WORDS",
    "Alarm",
    "Allowance",
    "Attachment",
    "Attempt",
    "Bot",
    "BotWords",
    "CannedReply",
    "Channel",
    "Circuit",
    "Conversation",
    "Customer",
    "Delivery",
    "Detail",
    "DetailsTiming",
    "Entry",
    "Feedback",
    "Handover",
    "IdentityKey",
    "Leader",
    "NotLeading",
    "PeriodicTask",
    "PushKey",
    "PushSubscription",
    "Requirement",
    "ResumeLink",
    "SiteSettings",
    "SpentToken",
    "Surface",
    "TeamMember",
    "TeaserRule",
    "Turn",
]
