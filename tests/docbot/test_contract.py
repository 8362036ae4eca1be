"""docbot passes the same cases as the fake upstream that the chat is tested with."""

import pytest
from pytest_django.live_server_helper import LiveServer

from docbot.endpoint import keys
from docbot.models import TrainedBot
from tests.webchat.contract import CASES, Service, names


@pytest.fixture
def service(live_server: LiveServer, bot: TrainedBot, key: str, second_bot: TrainedBot) -> Service:
    off = TrainedBot.objects.create(slug="off", name="Off", enabled=False)
    return Service(live_server.url, key, keys.issue(second_bot, "website")[1], keys.issue(off, "website")[1])


@pytest.mark.parametrize("case", CASES, ids=names)
def test_docbot_fulfils_the_contract(case, service):
    case(service)
