"""Randomly drawn schedules of a visitor, two people, a bot and accidents: the protocol holds after every commit."""

import uuid

import pytest

from tests.people import machine
from tests.people.protocol import Protocol, playing

# Schedules for each seed: tests/people/test_planted_bugs.py shows that these find every planted bug. Each run plays the
# same ones; `make simulate` draws others.
PLAYED = {1: 30, 2: 15, 9: 15, 10: 15, 12: 15, 21: 15, 25: 15}


@pytest.mark.timeout(300)
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", PLAYED)
def test_the_protocol_holds(seed):
    machine.play(seed, PLAYED[seed])


@pytest.mark.django_db(transaction=True)
def test_a_message_asked_again_waits_for_a_later_one_that_is_being_asked():
    with playing():
        protocol = Protocol()
        for number, code in enumerate(["INVALID_JSON", "BOT_UNAVAILABLE"], start=1):
            protocol.send(uuid.UUID(int=next(Protocol.form_numbers)), f"message {number}")
            protocol.finish(protocol.actors[-1])
            if number == 2:
                protocol.wish_again(min(protocol.seen.turns))
                protocol.finish(protocol.actors[-1])
            protocol.upstream_refuses(protocol.waiting_for_upstream()[-1], code, 503)  # the second message is retried
            protocol.finish(protocol.actors[-1])
        protocol.come_to_rest()
    assert [each.message[-1] for each in protocol.requests] == ["1", "2", "2", "1"]
