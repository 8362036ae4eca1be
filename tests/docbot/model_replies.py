"""Replies written by a language model, as visitors get them and as they are stored."""

from docbot.models import Exchange
from tests.docbot.fake_model import FakeModel

HOURS = "When is the workshop open on weekdays?"

QUOTED = "The workshop is open from nine to six"


def reply_of(response) -> str:
    assert response.status_code == 200, response.content
    return response.json()["message"]


def exchange() -> Exchange:
    return Exchange.objects.latest("pk")


def number_of(model: FakeModel, words: str) -> int:
    """Return the number under which the model was given the passage with these words."""
    return next(place for place, text in enumerate(model.texts_of("passage"), start=1) if words in text)


def cite(model: FakeModel, text: str, *passages: str) -> None:
    """Let the model say the text, with {0}, {1} … replaced by the numbers of the passages with these words."""

    def act(handler) -> None:
        model.say(handler, text.format(*(number_of(model, words) for words in passages)))

    model.will(act)
