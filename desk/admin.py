"""What Django's admin shows at the desk: it looks for the admin classes here."""

from desk.access.customer_accounts import CustomerAccountAdmin
from desk.access.trail import LogEntryAdmin
from desk.bot.admin import BotAdmin
from desk.conversations.admin import ConversationAdmin
from desk.conversations.handovers import AlarmAdmin, HandoverAdmin

__all__ = [
    "AlarmAdmin",
    "BotAdmin",
    "ConversationAdmin",
    "CustomerAccountAdmin",
    "HandoverAdmin",
    "LogEntryAdmin",
]
