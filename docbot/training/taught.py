"""Makes documents of taught answers, and has bots trained again when theirs have changed or ended."""

from __future__ import annotations

import json

from docbot.content import ReadDocument, Section
from docbot.models import Document, TaughtAnswer, TrainedBot
from docbot.training import document_store
from docbot.training.launching import rebuild_index


def location_of(answer: TaughtAnswer) -> str:
    return f"taught/{answer.pk}"


def fingerprint_of(answer: TaughtAnswer) -> str:
    return document_store.fingerprint_of(json.dumps([answer.phrasings, answer.text]).encode())


def as_document(answer: TaughtAnswer) -> ReadDocument:
    """Return a document with a section for each way to ask the question."""
    sections = tuple(Section(one, answer.text, "taught") for one in answer.phrasings)
    return ReadDocument(answer.question, sections)


def train_outdated() -> None:
    """Periodic task: train the bots whose taught answers are not the ones that they were trained on."""
    for trained_bot in TrainedBot.objects.all():
        current = {(location_of(answer), fingerprint_of(answer)) for answer in trained_bot.taught_answers.current()}
        trained = trained_bot.documents.filter(kind=Document.Kind.TAUGHT).values_list("location", "fingerprint")
        if current != set(trained):
            rebuild_index(trained_bot)
