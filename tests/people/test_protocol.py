"""Randomly drawn schedules of a visitor, two people, a bot and accidents: the protocol holds after every commit."""

import uuid
from itertools import chain, count

import pytest
from django.db import connection

from tests.people import machine
from tests.people.protocol import Protocol, playing
from tests.people.test_planted_bugs import BUGS, SCHEDULES

STEPS = 16_000 if connection.vendor == "sqlite" else 4_000  # 20,000 in all
FIRST = sorted({1, *BUGS.values()})  # the seeds that find the planted bugs


@pytest.mark.timeout(900)  # forty seconds of processor time
@pytest.mark.django_db(transaction=True)
def test_the_protocol_holds(request):
    """The schedules are the same each time; `make simulate` draws others."""
    chosen = request.config.getoption("--hypothesis-seed")
    machine.played.clear()
    for seed in count(int(chosen)) if chosen else chain(FIRST, count(FIRST[-1] + 1)):
        print(f"for these schedules once more: --hypothesis-seed={seed}")  # shown by pytest when they fail
        machine.play(seed, SCHEDULES)
        if machine.played["steps"] >= STEPS:
            break


@pytest.mark.django_db(transaction=True)
def test_a_message_asked_again_waits_for_a_later_one_that_is_being_asked():
    with playing():
        protocol = Protocol()
        for number, code in enumerate(["INVALID_JSON", "BOT_UNAVAILABLE"], start=1):
            protocol.send(uuid.UUID(int=next(Protocol.form_numbers)), f"message {number}")
            protocol.finish(protocol.actors[-1])
            if number == 2:
                protocol.ask_again(min(protocol.seen.turns))
                protocol.finish(protocol.actors[-1])
            protocol.upstream_refuses(protocol.waiting_for_upstream()[-1], code, 503)  # the second message is retried
            protocol.finish(protocol.actors[-1])
        protocol.settle()
    assert [each.message[-1] for each in protocol.requests] == ["1", "2", "2", "1"]
