"""The dashboard: Django's admin, with pages of its own for training, trying, keys and transcripts."""

from docbot.admin.bots import TrainedBotAdmin
from docbot.admin.chats import ChatAdmin, UnknownQuestionAdmin
from docbot.admin.documents import DocumentAdmin

__all__ = ["ChatAdmin", "DocumentAdmin", "TrainedBotAdmin", "UnknownQuestionAdmin"]
