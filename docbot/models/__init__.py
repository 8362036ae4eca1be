"""Trained bots with their keys, documents, passages, chats and training runs."""

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
