"""A model server that fails again and again is left alone for a while: nobody waits for what won't come."""

from collections.abc import Iterator

import pytest

from docbot.answering import model_server
from docbot.breaker import FAILURES, LONGEST_REST, REST, Breaker, Failed, Resting
from docbot.models import Exchange
from tests.docbot.fake_model import FakeModel, running_model

HOURS = "When is the workshop open on weekdays?"
QUOTED = "The workshop is open from nine to six"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def model(settings, clock) -> Iterator[FakeModel]:
    with running_model() as model:
        settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_TIMEOUT = model.base_url, "small-one", 0.3
        model_server.warm_up()
        model_server._refused.clear()
        model_server._breakers[(model.base_url, "small-one")] = Breaker(clock)
        yield model


def fail(one: Breaker) -> None:
    with pytest.raises(Failed), one.asking():
        raise Failed


@pytest.fixture
def resting(clock) -> Breaker:
    one = Breaker(clock)
    for _ in range(FAILURES):
        fail(one)
    return one


def test_while_a_hanging_server_rests_the_visitor_is_answered_at_once_and_the_history_says_so(ask, model):
    model.will_hang()
    for _ in range(FAILURES):
        ask(HOURS)
    assert QUOTED in ask(HOURS).json()["message"]
    assert len(model.asked) == FAILURES
    assert Exchange.objects.latest("pk").via == Exchange.Via.FALLBACK


def test_a_server_that_works_again_is_asked_again(ask, model, clock):
    model.will_answer(503, {})
    for _ in range(FAILURES + 2):
        ask(HOURS)
    model.will_say("From **nine** [1].")
    assert QUOTED in ask(HOURS).json()["message"]
    clock.now += REST
    assert "From **nine**" in ask(HOURS).json()["message"]
    assert Exchange.objects.latest("pk").via == Exchange.Via.MODEL
    assert len(model.asked) == FAILURES + 1


@pytest.mark.parametrize("status", [400, 401, 404, 413, 422])
def test_a_request_that_is_not_liked_says_nothing_about_the_next_one(ask, model, status):
    model.will_answer(status, {})
    for _ in range(FAILURES + 1):
        ask(HOURS)
    assert len(model.asked) == FAILURES + 1


def test_without_the_fallback_nobody_waits_either(ask, model, settings):
    settings.LLM_FALLBACK = False
    model.will_answer(500, {})
    answers = [ask(HOURS) for _ in range(FAILURES + 1)]
    assert {answer.json()["error"]["code"] for answer in answers} == {"BOT_UNAVAILABLE"}
    assert all(int(answer["Retry-After"]) > 0 for answer in answers)
    assert len(model.asked) == FAILURES


def test_one_reply_between_failures_keeps_the_server_asked(clock):
    one = Breaker(clock)
    for _ in range(FAILURES * 2):
        fail(one)
        with one.asking():
            pass


def test_after_the_rest_one_at_a_time_finds_out(resting, clock):
    with pytest.raises(Resting), resting.asking():
        pass
    clock.now += REST
    with resting.asking(), pytest.raises(Resting), resting.asking():
        pass  # a second one, while the first is under way
    with resting.asking(), resting.asking():
        pass  # it works again


def test_a_probe_that_fails_makes_the_rest_longer_up_to_a_limit(resting, clock):
    for rest in (REST, REST * 2, REST * 4, REST * 8, LONGEST_REST, LONGEST_REST):
        clock.now += rest - 1
        with pytest.raises(Resting), resting.asking():
            pass
        clock.now += 1
        fail(resting)
    clock.now += LONGEST_REST
    with resting.asking():
        pass


def test_a_probe_that_ends_otherwise_leaves_the_next_one_to_find_out(resting, clock):
    clock.now += REST
    with pytest.raises(ZeroDivisionError), resting.asking():
        1 / 0  # noqa: B018
    with resting.asking():
        pass


def test_what_was_under_way_when_the_rest_began_does_not_prolong_it(clock):
    one = Breaker(clock)
    slow = one.asking()
    slow.__enter__()
    for _ in range(FAILURES):
        fail(one)
    clock.now += REST - 1
    slow.__exit__(Failed, Failed(), None)
    clock.now += 1
    with one.asking():
        pass
