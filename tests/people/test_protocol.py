"""A visitor, two people, a bot and accidents in schedules drawn at random: the protocol holds after every commit."""

import pytest
from django.db import connection

from tests.people import machine

STEPS = 16_000 if connection.vendor == "sqlite" else 4_000  # 20,000 in all
SCHEDULES = 50  # from one seed


@pytest.mark.timeout(300)
@pytest.mark.django_db(transaction=True)
def test_the_protocol_holds(request: pytest.FixtureRequest) -> None:
    seed = int(
        request.config.getoption("--hypothesis-seed") or 1
    )  # always the same schedules; `make simulate` draws others
    machine.ended_well.clear()
    while machine.ended_well["steps"] < STEPS:
        print(f"for these schedules once more: --hypothesis-seed={seed}")  # pytest shows it when they fail
        machine.play(seed, SCHEDULES)
        seed += 1
