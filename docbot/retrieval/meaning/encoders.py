"""The encoders: one for English, and one for all languages that it knows."""

from collections.abc import Sequence
from types import ModuleType

from docbot.retrieval.meaning import english, multilingual


def encoders_for(languages: Sequence[str]) -> tuple[ModuleType, ...]:
    """Return the encoders that read a bot's documents; `languages`: theirs, the most frequent first."""
    return (english, multilingual) if next(iter(languages), "en") == "en" else (multilingual,)


def encoder_of(languages: Sequence[str], spoken: str) -> ModuleType | None:
    """Return the encoder for a message in the language `spoken`; None if none knows it."""
    if spoken in multilingual.ONLY_ASKED_IN and spoken not in languages:
        return multilingual
    return next((encoder for encoder in encoders_for(languages) if spoken in encoder.LANGUAGES), None)
