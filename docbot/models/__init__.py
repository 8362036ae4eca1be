"""Trained bots with their keys, documents, passages, taught answers, chats and training runs."""

from docbot.models.bots import ApiKey, ReadsAgain, State, TrainedBot, count
from docbot.models.chats import Chat, Exchange
from docbot.models.documents import AlreadyTraining, Document, Passage, TrainingRun, TrainingStopped, this_machine
from docbot.models.taught import TaughtAnswer

__all__ = [
    "AlreadyTraining",
    "ApiKey",
    "Chat",
    "Document",
    "Exchange",
    "Passage",
    "ReadsAgain",
    "State",
    "TaughtAnswer",
    "TrainedBot",
    "TrainingRun",
    "TrainingStopped",
    "count",
    "this_machine",
]
