"""The bot's own sentences, in the languages of the documents; of any other language in English."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Phrases:
    """What the bot says by itself; everything else is quoted."""

    source: str
    unsure: str
    unknown: str
    hello: str
    welcome: str
    goodbye: str
    about_me: str
    topics: str  # after `hello` and `about_me`, when the documents are few; {titles}


_PHRASES = {
    "en": Phrases(
        "Source",
        "I'm not sure. The closest passages are:",
        "I don't know: I found nothing about this in my documents. Try other words, or ask something more specific.",
        "Hello! What would you like to know?",
        "You're welcome!",
        "Goodbye!",
        "I am a chatbot. I answer questions from the documents that I was trained on, and name the source.",
        "Ask me about: {titles}.",
    ),
}


def phrases(language: str) -> Phrases:
    return _PHRASES.get(language, _PHRASES["en"])
