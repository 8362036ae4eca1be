"""The circuit breaker of the model server: after repeated failures it isn't asked for a while, so that nobody waits."""

import pytest

from docbot.answering import model_server
from docbot.answering.model_server import FAILURES, ModelConfig, ModelFailed, complete
from docbot.models import Exchange
from outbound.deadline import Deadline
from tests.docbot.fake_model import FakeModel
from tests.docbot.model_replies import HOURS, QUOTED


@pytest.fixture(autouse=True)
def short_timeout(settings) -> None:
    settings.LLM_TIMEOUT = 0.3


@pytest.mark.parametrize("fail", [FakeModel.will_hang, lambda model: model.will_answer(503, {})], ids=["hangs", "503"])
def test_a_server_that_fails_is_not_asked_and_one_that_works_again_is_asked_after_the_pause(
    fail, ask, model, monkeypatch
):
    fail(model)
    for _ in range(FAILURES):
        ask(HOURS)
    model.will_say("From **nine** [1].")
    assert QUOTED in ask(HOURS).json()["message"]
    assert Exchange.objects.latest("pk").via == Exchange.Via.FALLBACK
    assert len(model.asked) == FAILURES
    with monkeypatch.context() as patch:
        patch.setattr(model_server, "COOLDOWN", 0)
        assert "From **nine**" in ask(HOURS).json()["message"]
    assert "From **nine**" in ask(HOURS).json()["message"]
    assert len(model.asked) == FAILURES + 2


def test_after_the_pause_one_request_at_a_time_probes(model, monkeypatch):
    config = ModelConfig(model.base_url, "small-one")
    outcomes = []

    def ask_directly() -> None:
        try:
            outcomes.append(complete(config, [], deadline=Deadline(1))[0])
        except ModelFailed as error:
            outcomes.append(str(error))

    model.will_answer(503, {})
    for _ in range(FAILURES):
        ask_directly()

    def act(handler) -> None:
        monkeypatch.setattr(model_server, "COOLDOWN", 60)
        ask_directly()
        model.say(handler, "From nine.")

    model.will(act)
    monkeypatch.setattr(model_server, "COOLDOWN", 0)
    ask_directly()
    assert outcomes[FAILURES:] == ["not asked: it failed several times in a row", "From nine."]


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refused_request_does_not_count_as_a_failure_of_the_server(ask, model, status):
    model.will_answer(status, {})
    for _ in range(FAILURES + 1):
        ask(HOURS)
    assert len(model.asked) == FAILURES + 1


def test_one_reply_between_failures_resets_the_count(ask, model):
    for _ in range(FAILURES):
        model.will_answer(503, {})
        ask(HOURS)
        model.will_say("From **nine** [1].")
        ask(HOURS)
    assert len(model.asked) == FAILURES * 2
