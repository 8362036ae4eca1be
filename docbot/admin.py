"""Registers the dashboard with Django's admin, which looks for it here."""

from docbot.dashboard.bots import TrainedBotAdmin
from docbot.dashboard.chats import ChatAdmin
from docbot.dashboard.documents import DocumentAdmin

__all__ = ["ChatAdmin", "DocumentAdmin", "TrainedBotAdmin"]
