"""Actors that run the domain's own code step by step: after each commit, a schedule decides who continues and who dies.

An actor is a greenlet. It stops before each transaction, before each writing statement outside of one, and while the
upstream composes its reply. At a stop, everything before it is committed and nothing after it: an actor that dies
there is a process that dies between two commits.
"""

import contextlib
import datetime
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import requests
from django.db import OperationalError, connection, transaction
from greenlet import getcurrent, greenlet
from requests.adapters import BaseAdapter

COMMIT, UPSTREAM = "before a commit", "waiting for the upstream"
BEFORE, AFTER = "before", "after"  # a commit at which the database goes away


@dataclass(eq=False)
class Actor:
    """A request of a visitor, a team member or a page."""

    name: str
    action: Callable[[], object]
    member: Any = None  # the team member who acts
    at: str = ""  # where it has stopped
    result: object = None
    request: "UpstreamRequest | None" = None
    asked_with: str | None = None  # the chat_id of its last request
    clock: datetime.datetime | None = None  # at its last stop
    will_break: str = ""  # the database goes away at its next commit
    details: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._greenlet = greenlet(self._run)
        self._greenlet.actor = self

    def _run(self) -> None:
        with contextlib.suppress(OperationalError):  # the page shows an error, and the visitor may press again
            self.result = self.action()

    @property
    def is_done(self) -> bool:
        return self._greenlet.dead

    def step(self) -> None:
        """Run to the next stop, or to the end."""
        self.at = self._greenlet.switch() or ""

    def die(self) -> None:
        """Stop for good, as a killed process: nothing more is done."""
        self._greenlet = greenlet(lambda: None)
        self._greenlet.switch()


def current_actor() -> Actor | None:
    return getattr(getcurrent(), "actor", None)


def _stop(where: str) -> object:
    return getcurrent().parent.switch(where)


def _break_if_it_will(when: str) -> None:
    actor = current_actor()
    if actor and actor.will_break == when:
        actor.will_break = ""
        raise OperationalError("the database went away")


def _stop_at_statements(execute: Callable, sql: str, params: object, many: bool, context: dict) -> object:
    if connection.in_atomic_block or current_actor() is None or sql.lstrip()[:6] not in ("UPDATE", "INSERT", "DELETE"):
        return execute(sql, params, many, context)
    _stop(COMMIT)
    _break_if_it_will(BEFORE)
    result = execute(sql, params, many, context)
    _break_if_it_will(AFTER)
    return result


@contextlib.contextmanager
def scheduling() -> Iterator[None]:
    """Make actors stop at the points described above."""
    enter, leave = transaction.Atomic.__enter__, transaction.Atomic.__exit__

    def stop_and_enter(atomic: transaction.Atomic) -> None:
        if not connection.in_atomic_block and current_actor():
            _stop(COMMIT)
            _break_if_it_will(BEFORE)
        enter(atomic)

    def leave_and_break(atomic: transaction.Atomic, *error: object) -> None:
        leave(atomic, *error)
        if not connection.in_atomic_block and error[0] is None:
            _break_if_it_will(AFTER)

    transaction.Atomic.__enter__, transaction.Atomic.__exit__ = stop_and_enter, leave_and_break
    try:
        with connection.execute_wrapper(_stop_at_statements):
            yield
    finally:
        transaction.Atomic.__enter__, transaction.Atomic.__exit__ = enter, leave


@dataclass(eq=False)
class UpstreamRequest:
    """A request that has reached the upstream."""

    message: str
    chat_id: str | None
    actor: Actor
    answer: dict | None = None
    status: int = 200
    attempt: int = 0  # of the turn, when it was asked


class Upstream(BaseAdapter):
    """An upstream that takes as long for each reply as the schedule wants."""

    asked: Callable[[UpstreamRequest], None]  # tells the schedule of each request

    def send(self, request: requests.PreparedRequest, **_: object) -> requests.Response:
        body = json.loads(request.body)
        sent = UpstreamRequest(body["message"], body.get("chatId"), current_actor())
        sent.actor.request, sent.actor.asked_with = sent, sent.chat_id
        Upstream.asked(sent)
        _stop(UPSTREAM)
        sent.actor.request = None
        response = requests.Response()
        response.status_code = sent.status
        response.raw = io.BytesIO(json.dumps(sent.answer).encode())
        return response

    def close(self) -> None:
        """Do nothing: no connection is open."""
