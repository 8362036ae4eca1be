"""Trained bots and what belongs to them: keys, documents with their passages, chats, and the runs that train them."""

from docbot.models.bots import TRIAL_CREDITS, TRIAL_LENGTH, ApiKey, State, TrainedBot
from docbot.models.chats import Chat, Exchange, UnknownQuestion
from docbot.models.documents import AlreadyTraining, Document, Passage, TrainingRun, TrainingStopped

__all__ = [
    "TRIAL_CREDITS",
    "TRIAL_LENGTH",
    "AlreadyTraining",
    "ApiKey",
    "Chat",
    "Document",
    "Exchange",
    "Passage",
    "State",
    "TrainedBot",
    "TrainingRun",
    "TrainingStopped",
    "UnknownQuestion",
]
