"""Replies that a language model writes, as visitors get them and as they are stored."""

from docbot.models import Exchange
from tests.docbot.fake_model import FakeModel

HOURS = "When is the workshop open on weekdays?"

QUOTED = "The workshop is open from nine to six"


def replied(response) -> str:
    assert response.status_code == 200, response.content
    return response.json()["message"]


def stored() -> Exchange:
    return Exchange.objects.latest("pk")


def number_of(model: FakeModel, words: str) -> int:
    """Under which number the model was given the passage that holds these words."""
    return next(place for place, text in enumerate(model.given("passage"), start=1) if words in text)


def cite(model: FakeModel, text: str, *passages: str) -> None:
    """Says the text with {0}, {1} … as the numbers of the passages that hold these words."""

    def act(handler) -> None:
        model.say(handler, text.format(*(number_of(model, words) for words in passages)))

    model.will(act)
