"""The protocol as a Hypothesis state machine, which draws who does what next; every run can be replayed."""

import gc
import uuid
from collections import Counter
from itertools import count

from django.contrib.auth.models import User
from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from tests.people.protocol import Protocol, playing
from tests.people.schedule import AFTER, BEFORE, Actor
from webchat.models import Bot, Conversation, Entry, TeamMember, Turn

any_of = st.integers(0, 5)
which_member = st.integers(0, 1)
WRITES = ("write_message", "write_message", "write_note")
played = Counter()  # steps and schedules of this process


def has_conversation(machine: "People") -> bool:
    return machine.protocol.conversation is not None


def has_turn(machine: "People") -> bool:
    return bool(machine.protocol.seen.turns)


def some_actor_is_runnable(machine: "People") -> bool:
    return bool(machine.protocol.runnable())


def upstream_is_asked(machine: "People") -> bool:
    return bool(machine.protocol.waiting_for_upstream())


class People(RuleBasedStateMachine):
    """A visitor, two team members, a slow bot, processes that die, a database that goes away, and a clock.

    Hypothesis takes the rules in the order of their names: another order needs other seeds in test_planted_bugs.py.
    """

    def __init__(self) -> None:
        super().__init__()
        self.protocol = Protocol()
        self.numbers = count(1)

    # --- the visitor ---

    @rule(at_once=st.booleans())
    def send(self, at_once: bool) -> None:
        self.protocol.send(uuid.UUID(int=next(Protocol.form_numbers)), f"message {next(self.numbers)}")
        self._finish_if(at_once)

    @precondition(lambda machine: machine.protocol.keys)
    @rule(index=any_of)
    def send_the_same_form_again(self, index: int) -> None:
        key, text = _one_of(list(self.protocol.keys.items())[-3:], index)
        self.protocol.send(key, text)

    @precondition(has_turn)
    @rule(index=any_of, at_once=st.booleans())
    def look_for_reply(self, index: int, at_once: bool) -> None:
        self.protocol.ask_for_reply(_one_of(list(self.protocol.seen.turns)[-4:], index))
        self._finish_if(at_once)

    @precondition(has_turn)
    @rule(index=any_of, at_once=st.booleans())
    def visitor_retries(self, index: int, at_once: bool) -> None:
        self.protocol.ask_again(_one_of(list(self.protocol.seen.turns)[-4:], index))
        self._finish_if(at_once)

    @precondition(has_conversation)
    @rule(
        what=st.sampled_from(["join_queue", "join_queue", "leave_queue", "leave_queue", "end"]), at_once=st.booleans()
    )
    def visitor_does(self, what: str, at_once: bool) -> None:
        self.protocol.visitor_does(what)
        self._finish_if(at_once)

    # --- the team ---

    @precondition(has_conversation)
    @rule(who=which_member, what=st.sampled_from(["claim", "claim", "hand_back", "close"]), at_once=st.booleans())
    def member_does(self, who: int, what: str, at_once: bool) -> None:
        self.protocol.member_does(self.protocol.members[who], what)
        self._finish_if(at_once)

    @precondition(has_conversation)
    @rule(who=which_member, what=st.sampled_from(["hand_over_to", "take_over"]), at_once=st.booleans())
    def members_do(self, who: int, what: str, at_once: bool) -> None:
        self.protocol.member_does(self.protocol.members[who], what, self.protocol.members[1 - who])
        self._finish_if(at_once)

    @precondition(has_conversation)
    @rule(who=which_member, what=st.sampled_from(WRITES), at_once=st.booleans())
    def member_writes(self, who: int, what: str, at_once: bool) -> None:
        key = uuid.UUID(int=next(Protocol.form_numbers))
        self.protocol.member_writes(self.protocol.members[who], what, key, f"words {next(self.numbers)}")
        self._finish_if(at_once)

    @precondition(lambda machine: has_conversation(machine) and machine.protocol.said)
    @rule(index=any_of)
    def member_writes_the_same_again(self, index: int) -> None:
        key = _one_of(list(self.protocol.said)[-2:], index)
        who, what, conversation = self.protocol.authors[key]
        self.protocol.member_writes(who, what, key, self.protocol.said[key], conversation)

    # --- the bot ---

    @precondition(upstream_is_asked)
    @rule(index=any_of, with_new_chat=st.booleans())
    def upstream_answers(self, index: int, with_new_chat: bool) -> None:
        self.protocol.upstream_answers(self._waiting(index), with_new_chat=with_new_chat)

    @precondition(upstream_is_asked)
    @rule(index=any_of, code=st.sampled_from(["CHAT_NOT_FOUND", "BOT_UNAVAILABLE", "INTERNAL_ERROR", "INVALID_JSON"]))
    def upstream_refuses(self, index: int, code: str) -> None:
        self.protocol.upstream_refuses(self._waiting(index), code, 404 if code == "CHAT_NOT_FOUND" else 503)

    # --- processes, the database, the clock ---

    @precondition(some_actor_is_runnable)
    @rule(index=any_of)
    def go_on(self, index: int) -> None:
        self.protocol.step(_one_of(self.protocol.runnable(), index))

    @precondition(some_actor_is_runnable)
    @rule(index=any_of)
    def finish(self, index: int) -> None:
        self.protocol.finish(_one_of(self.protocol.runnable(), index))

    @precondition(lambda machine: machine.protocol.actors)
    @rule(index=any_of)
    def die(self, index: int) -> None:
        self.protocol.die(_one_of(self.protocol.actors, index))

    @precondition(some_actor_is_runnable)
    @rule(index=any_of, when=st.sampled_from([BEFORE, AFTER]))
    def database_goes_away(self, index: int, when: str) -> None:
        actor = _one_of(self.protocol.runnable(), index)
        actor.will_break = when
        self.protocol.step(actor)

    @rule(seconds=st.sampled_from([1, 40, 100, -100]))
    def time_passes(self, seconds: int) -> None:
        self.protocol.time_passes(seconds)

    def _finish_if(self, at_once: bool) -> None:
        """Let an action run to its end before the next, so that rarer states are reached often enough."""
        if at_once and self.protocol.actors:
            self.protocol.finish(self.protocol.actors[-1])

    def _waiting(self, index: int) -> Actor:
        return _one_of(self.protocol.waiting_for_upstream(), index)

    def teardown(self) -> None:
        if not self.protocol.is_broken:
            self.protocol.settle()
            played["schedules"] += 1
            played["steps"] += self.protocol.steps


def _one_of(items: list, index: int) -> object:
    return items[index % len(items)]


def play(seed: int, schedules: int, steps: int = 50, *, expects_failure: bool = False) -> None:
    """Play that many schedules; raise the failure of the shortest schedule that breaks the protocol.

    An expected failure is neither printed nor shortened, which takes long.
    """
    phases = [Phase.generate] if expects_failure else [Phase.generate, Phase.shrink]
    effort = settings(
        max_examples=schedules,
        stateful_step_count=steps,
        phases=phases,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet if expects_failure else Verbosity.normal,
    )
    machine = seeded(seed)(type("People", (People,), {}))
    with playing():
        try:
            run_state_machine_as_test(machine, settings=effort)
        finally:
            gc.collect()  # dead actors, and everything that their frames hold
            for model in (Entry, Turn, Conversation, TeamMember, User, Bot):
                model.objects.all().delete()
