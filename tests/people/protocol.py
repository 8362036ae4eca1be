"""The protocol between a visitor, the bot and two people: what each may do, and what must hold after every commit."""

import datetime
import logging
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from unittest import mock

from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings
from django.utils import timezone

from tests.people.schedule import COMMIT, UPSTREAM, Actor, Upstream, UpstreamRequest, scheduling
from tests.people.stored_state import StoredState, TurnRow
from webchat.conversation import accept, answer
from webchat.models import Bot, Conversation, NotLeading, Surface, TeamMember, Turn
from webchat.models.conversations.turns import GRACE
from webchat.upstream import client
from webchat.upstream.failure_rules import LOST

URL = "schedule://upstream"
SETTINGS = {
    "CHAT_ADAPTERS": {URL: "tests.people.schedule.Upstream"},
    "MESSAGES_PER_MINUTE": 0,
    "ADDRESS_MESSAGES_PER_MINUTE": 0,
    "CONVERSATIONS_PER_DAY": 0,
    "CIRCUIT_FAILURES": 0,
}
WAITING = {"pending", "asking"}

# Who may lead after whom, by action; "me" is the team member who acts.
SUCCESSIONS = {
    "join_queue": {("bot", "queue")},
    "leave_queue": {("queue", "bot")},
    "end": {("queue", "bot"), ("person", "bot")},
    "claim": {("bot", "me"), ("queue", "me")},
    "hand_back": {("me", "bot")},
    "close": {("me", "bot")},
    "hand_over_to": {("me", "person")},
    "take_over": {("person", "me"), ("me", "me")},
}
TURN_CHANGES = {
    (None, "pending"),
    (None, "person"),
    ("pending", "asking"),
    ("asking", "answered"),
    ("asking", "failed"),
    ("failed", "answered"),  # a turn that had been given up as lost
    ("pending", "person"),
    ("asking", "person"),
    ("failed", "person"),
    ("failed", "pending"),
    ("person", "pending"),
}
ONLY_ON_REQUEST = {("failed", "pending"), ("person", "pending")}  # only by "Try again" and "Ask the bot"


class Broken(AssertionError):
    """The protocol was violated."""


def require(holds: object, what: str, *facts: object) -> None:
    if not holds:
        raise Broken(f"{what}: {facts}")


class Protocol:
    """One visitor's conversation with a bot, and everyone who acts on it."""

    _numbers = count()
    form_numbers = count(1)

    def __init__(self) -> None:
        number = next(self._numbers)
        self.bot = Bot(slug=f"bot-{number}", name="Ada", base_url=URL)
        self.bot.set_key("sk-key")
        self.bot.save()
        users = [User.objects.create(username=f"member-{number}-{each}") for each in ("ann", "ben")]
        self.members = [TeamMember.objects.create(user=user, name=user.username[-3:]) for user in users]
        self.visitor = f"{number:064}"
        self.conversation: int | None = None  # the id of the current one
        self.seen = StoredState()
        self.order: list[tuple[str, int]] = []  # turns and entries in the order in which they arrived
        self.actors: list[Actor] = []
        self.keys: dict[uuid.UUID, str] = {}  # the visitor's forms, with their messages
        self.said: dict[uuid.UUID, str] = {}  # the team's forms, with their messages
        self.authors: dict[uuid.UUID, tuple[TeamMember, str, int]] = {}  # of the team's forms, with the conversation
        self.requests: list[UpstreamRequest] = []
        self.requested_attempts: Counter[int] = Counter()  # of each turn: how often the visitor asked for another one
        self.chats = count(1)
        self.now = timezone.now()
        self.clocks = (self.now, self.now)  # the current actor's: at its last stop, and now
        self.steps = 0
        self.is_broken = False
        Upstream.asked = self._asked

    # --- what happens ---

    def begin(
        self, name: str, action: Callable[[], object], member: TeamMember | None = None, **details: object
    ) -> Actor:
        actor = Actor(name, action, member, details=details)
        self.actors.append(actor)
        self.step(actor)
        return actor

    def step(self, actor: Actor) -> None:
        self.is_broken = True
        clocks = (actor.clock or self.now, self.now)  # what it does now, it may have decided before its stop
        with mock.patch.object(timezone, "now", self.current_time):
            actor.step()
        actor.clock, self.clocks = self.now, clocks
        self.check(actor)
        self.is_broken = False
        self.steps += 1
        if actor.is_done:
            self.actors.remove(actor)

    def finish(self, actor: Actor) -> None:
        while not actor.is_done and actor.at == COMMIT:
            self.step(actor)

    def die(self, actor: Actor) -> None:
        actor.die()
        self.actors.remove(actor)

    def runnable(self) -> list[Actor]:
        return [actor for actor in self.actors if actor.at == COMMIT]

    def waiting_for_upstream(self) -> list[Actor]:
        return [actor for actor in self.actors if actor.at == UPSTREAM]

    def send(self, key: uuid.UUID, text: str) -> None:
        def send() -> None:
            try:
                turn = accept.accept(self.visitor, self.bot, Surface.CHAT, key, text)
            except accept.KeyAlreadyUsed:  # used in a conversation that has ended
                return
            require(turn.message == text and turn.key == key, "a form became another message", text)
            answer.answer(turn)

        self.keys[key] = text
        self.begin("send", send, text=text)

    def ask_for_reply(self, turn: int) -> None:
        """Let a page ask for the reply that it waits for."""
        self.begin("ask for reply", lambda: answer.answer(self._turn(turn)))

    def ask_again(self, turn: int) -> None:
        self.begin("again", lambda: accept.ask_again(self._turn(turn)), turn=turn)

    def visitor_does(self, what: str) -> None:
        self.begin(what, getattr(self._own(), what))

    def member_does(self, member: TeamMember, what: str, *others: TeamMember) -> None:
        own = self._own()
        self.begin(what, lambda: getattr(own, what)(member, *others), member)

    def member_writes(
        self, member: TeamMember, what: str, key: uuid.UUID, text: str, conversation: int | None = None
    ) -> None:
        own = Conversation.objects.get(pk=conversation or self.conversation)

        def write() -> Any:
            try:
                return getattr(own, what)(member, key, text)
            except NotLeading:
                return None

        self.said[key], self.authors[key] = text, (member, what, own.pk)
        self.begin(what, write, member)

    def upstream_answers(self, actor: Actor, *, with_new_chat: bool = False) -> None:
        """Answer with the chat_id that was sent, or a new one."""
        request = actor.request
        chat_id = None if with_new_chat else request.chat_id
        request.answer = {"message": f"re: {request.message}", "chatId": chat_id or f"chat-{next(self.chats)}"}
        self.step(actor)

    def upstream_refuses(self, actor: Actor, code: str, status: int) -> None:
        actor.request.answer, actor.request.status = {"error": {"code": code}}, status
        self.step(actor)

    def current_time(self) -> datetime.datetime:
        return self.now

    def time_passes(self, seconds: float) -> None:
        self.now += datetime.timedelta(seconds=seconds)

    def settle(self) -> None:
        """Let every actor finish, the upstream answer, and the page wait for everything still pending."""
        for _round in range(60):
            while self.actors:
                actor = self.actors[0]
                self.upstream_answers(actor) if actor.at == UPSTREAM else self.step(actor)
            waiting = [turn.pk for turn in self.seen.turns.values() if turn.state in WAITING]
            if self.conversation is None or self.seen.ended_at or not waiting:
                return
            self.time_passes(settings.CHAT_TIMEOUT + GRACE + 1)
            for turn in waiting:
                self.ask_for_reply(turn)
        raise Broken(f"a message is never answered: {self.seen.turns}")

    def _own(self) -> Conversation:
        """Read the conversation without its bot, which never changes: reading its many fields takes long."""
        own = Conversation.objects.get(pk=self.conversation)
        own.bot = self.bot
        return own

    def _turn(self, pk: int) -> Turn:
        turn = Turn.objects.select_related("conversation").get(pk=pk)
        turn.conversation.bot = self.bot
        return turn

    # --- what must hold ---

    def check(self, actor: Actor) -> None:
        """Check the state after a commit; the actor has made at most one since the last check."""
        if self.conversation is None:
            present = Conversation.objects.filter(visitor=self.visitor, ended_at=None)
            self.conversation = present.values_list("pk", flat=True).first()
        if self.conversation is None:
            return
        before, now = self.seen, StoredState.read(self.conversation)
        self.seen = now
        self._check_leader(actor, before, now)
        self._check_turns(actor, before, now)
        self._check_entries(actor, before, now)
        self._check_chat(actor, before, now)
        self._check_order(before, now)
        shown_to_people = (now.led_by, now.team_member_id, now.entries) != (
            before.led_by,
            before.team_member_id,
            before.entries,
        )
        news = [turn for pk, turn in now.turns.items() if self._is_new_to_people(before.turns.get(pk), turn)]
        if shown_to_people or (news and now.led_by != "bot"):
            require(now.changes > before.changes, "open pages aren't told", actor.name, before, now)
        if now.ended_at:  # the visitor's next message starts another one
            self.conversation, self.seen, self.order = None, StoredState(), []

    @staticmethod
    def _is_new_to_people(was: TurnRow | None, turn: TurnRow) -> bool:
        """Return whether a message has arrived, or has been passed to a person."""
        return was is None or (was.state != turn.state and turn.state == "person")

    def _check_leader(self, actor: Actor, before: StoredState, now: StoredState) -> None:
        require((now.led_by == "person") == (now.team_member_id is not None), "not exactly one leads", now)
        if now.ended_at:
            require(now.led_by == "bot", "somebody leads what has ended", now)
        if (before.led_by, before.team_member_id) == (now.led_by, now.team_member_id):
            return
        change = (before.leader(actor.member), now.leader(actor.member))
        if actor.name == "hand_over_to" and change[0] == "me" and now.led_by == "person":
            return
        require(change in SUCCESSIONS.get(actor.name, ()), "nobody may do that", actor.name, change)

    def _check_turns(self, actor: Actor, before: StoredState, now: StoredState) -> None:
        require(before.turns.keys() <= now.turns.keys(), "a message is lost", before, now)
        if now.led_by == "person":
            left = [turn for turn in now.turns.values() if turn.state in WAITING]
            require(not left, "the bot has a message that is a person's", left)
        for turn in now.turns.values():
            was = before.turns.get(turn.pk)
            if was == turn:
                continue
            state = was and was.state
            if state != turn.state:
                require((state, turn.state) in TURN_CHANGES, "an outcome changed", state, turn)
                self._check_change(actor, was, turn, before, now)
            else:
                require(turn.reply == was.reply, "a reply changed", was, turn)
            require(bool(turn.reply) == (turn.state == "answered"), "not exactly one outcome", turn)
            for text in (turn.reply, turn.late_reply):
                require(text in ("", f"re: {turn.message}"), "the reply to another message", turn)

    def _check_change(
        self, actor: Actor, was: TurnRow | None, turn: TurnRow, before: StoredState, now: StoredState
    ) -> None:
        change = (was and was.state, turn.state)
        if was is None:
            require(self.keys.get(turn.form) == turn.message, "a message that nobody wrote", turn)
            require((turn.state == "pending") == (now.led_by == "bot"), "a message goes to the wrong one", turn, now)
        if turn.state == "answered":
            require(now.led_by != "person", "a bot's reply after a person has taken over", turn)
        if change == ("failed", "answered"):
            require(was.code == LOST, "a reply to what had failed", was, turn)
        if change == ("failed", "person"):
            by_request = actor.name == "again" and actor.details["turn"] == turn.pk and now.led_by != "bot"
            require(by_request or (actor.name == "claim" and was.code == LOST), "a message taken away", actor.name, was)
        if change in ONLY_ON_REQUEST:
            require(actor.name == "again" and actor.details["turn"] == turn.pk, "asked again without a request", turn)
            require(now.led_by == "bot", "the bot is to answer what is a person's", turn)
            self.requested_attempts[turn.pk] += 1
        if turn.state == "failed" and turn.code == LOST:
            long = datetime.timedelta(seconds=settings.CHAT_TIMEOUT + GRACE)
            asked_at = Turn.objects.values_list("asked_at", flat=True).get(pk=turn.pk)
            is_over = any(not -long <= clock - asked_at <= long for clock in self.clocks)
            require(is_over, "given up too early", was)
        if change[1] == "person" and change[0] in WAITING:
            require(actor.name in ("claim", "join_queue"), "a message taken away", actor.name, turn)

    def _check_entries(self, actor: Actor, before: StoredState, now: StoredState) -> None:
        require(before.entries.keys() <= now.entries.keys(), "an entry is lost", before, now)
        came = [entry for pk, entry in now.entries.items() if pk not in before.entries]
        changed_hands = (before.led_by, before.team_member_id) != (now.led_by, now.team_member_id)
        require(len(came) <= 1, "more than one entry of one act", came)
        if changed_hands:
            require(bool(came), "it changed hands without an entry", actor.name, now)
        elif actor.name != "take_over":
            joined = [entry for entry in came if entry.kind in ("joined", "handed_over")]
            require(not joined, "somebody joins who leads already", actor.name, joined)
        for entry in came:
            if entry.kind in ("message", "note"):
                require(self.said.get(entry.form) == entry.text, "a message that nobody wrote", entry)
                require(actor.member.pk == entry.team_member_id, "a message in somebody's name", entry)
            if entry.kind == "message":
                require(before.team_member_id == entry.team_member_id, "written without leading", entry, before)

    def _check_chat(self, actor: Actor, before: StoredState, now: StoredState) -> None:
        if now.ended_at or before.chat_id == now.chat_id:
            came = [t for t in now.turns.values() if (was := before.turns.get(t.pk)) and self._has_come(was, t)]
            if came and actor.asked_with is None:
                require(now.chat_id or now.ended_at, "a chat is forgotten", actor.name, now)
            return
        require(actor.name in ("send", "ask for reply"), "only the upstream begins a chat", actor.name, before, now)

    @staticmethod
    def _has_come(was: TurnRow, turn: TurnRow) -> bool:
        return bool((turn.reply and not was.reply) or (turn.late_reply and not was.late_reply))

    def _check_order(self, before: StoredState, now: StoredState) -> None:
        self.order += [("turn", pk) for pk in sorted(now.turns.keys() - before.turns.keys())]
        self.order += [("entry", pk) for pk in sorted(now.entries.keys() - before.entries.keys())]
        places = {("turn", pk): (pk, 0, 0) for pk in now.turns}
        places |= {("entry", entry.pk): (entry.after_turn, 1, entry.pk) for entry in now.entries.values()}
        require(sorted(places, key=places.get) == self.order, "out of order", self.order, places)

    def _asked(self, request: UpstreamRequest) -> None:
        """Check each request at the moment when it reaches the upstream."""
        turn = Turn.objects.select_related("conversation").get(conversation__bot=self.bot, message=request.message)
        own = turn.conversation
        if own.ended_at is None:
            require(own.led_by != "person", "the upstream is asked while a person leads", request.message)
            is_led_by_bot = turn.state == "asking" or (turn.state, turn.code) == ("failed", LOST)
            require(is_led_by_bot, "the upstream is asked for a message that isn't the bot's", turn.state, turn.code)
        request.attempt = turn.attempt
        # An earlier message that is to be asked again meanwhile waits until this one's retries are over.
        is_retry = any((each.message, each.attempt) == (request.message, turn.attempt) for each in self.requests)
        earlier = own.turns.filter(pk__lt=turn.pk, state__in=WAITING)
        require(own.ended_at or is_retry or not earlier.exists(), "asked out of order", request.message)
        heard = [each for each in self.requests if each.message == request.message and each.status == 200]
        require(len(heard) <= self.requested_attempts[turn.pk], "asked more than once", request.message)
        self.requests.append(request)


@contextmanager
def playing() -> Iterator[None]:
    """Set up everything that a schedule needs: actors that stop, settings, no back-off."""
    no_back_off = mock.patch.object(client, "FIRST_BACK_OFF", 0)
    with scheduling(), override_settings(**SETTINGS), no_back_off, mock.patch.object(answer, "PAUSES", (0, 0, 0, 0)):
        logging.disable()
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)
