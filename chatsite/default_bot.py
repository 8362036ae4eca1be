"""The default bot's greeting and suggestions: about the manual while the bot is trained on it.

Texts that the owner has edited are never changed.
"""

from django.conf import settings

from docbot.models import Document
from docbot.reading import folders
from webchat.models import Bot

DEMO = {
    "greeting": "Hello! I answer questions about this chat site from its own manual.\n\n"
    "Train me on your documents, or connect a bot of your own.",
    "suggestions": "How do I train the bot on my own documents?\n"
    "How do I set my bot’s key?\n"
    "How do I connect my own bot?",
}
PLAIN = {"greeting": "Hello! How can I help you?", "suggestions": ""}


def initial_texts() -> dict[str, str]:
    """Return texts about the manual if docbot answers and is trained on the manual, else neutral ones."""
    if Bot.objects.filter(slug=settings.DEFAULT_BOT).exclude(base_url="", sealed_key="").exists():
        return PLAIN
    documents = Document.objects.filter(trained_bot__slug=settings.DEFAULT_BOT)
    knows_manual = documents.filter(origin=folders.location_of(settings.MANUAL)).exists() or not documents.exists()
    return DEMO if settings.CHAT_BASE_URL == settings.IN_PROCESS_URL and knows_manual else PLAIN


def update_texts(**kwargs: object) -> None:
    """Update texts that the owner hasn't edited; also called after each training and change of a bot."""
    words = initial_texts()
    for other in (DEMO, PLAIN):
        if other != words:
            Bot.objects.filter(slug=settings.DEFAULT_BOT, **other).update(**words)
