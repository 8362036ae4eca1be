"""Compares every message's outcome with what its visitor saw and what the upstream was asked."""

import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.chaos.upstream import UnreliableUpstream
from tests.chaos.visitors import Message, RandomVisitor
from webchat.upstream.client import ATTEMPTS

ROWS = "SELECT key, message, state, code, reply, attempt FROM webchat_turn"
# Requests that one attempt may make; as many again if the upstream had forgotten the conversation.
REQUESTS_AN_ATTEMPT = 2 * ATTEMPTS


@dataclass
class Row:
    key: str
    message: str
    state: str
    code: str
    reply: str
    attempt: int


@dataclass
class Verdict:
    """The messages with something wrong, by kind of fault; `accepted` counts those that a visitor saw accepted."""

    accepted: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    asked_too_often: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not (self.lost or self.doubled or self.asked_too_often or self.wrong)


def ask(database: Path | str, statement: str) -> list[tuple]:
    """Query a SQLite file or a PostgreSQL URL."""
    if isinstance(database, Path):
        with closing(sqlite3.connect(database, timeout=20)) as connection:
            return connection.execute(statement).fetchall()
    with psycopg.connect(database) as connection:
        return connection.execute(statement).fetchall()


def rows_of(database: Path | str) -> list[Row]:
    return [Row(str(key).replace("-", ""), *rest) for key, *rest in ask(database, ROWS)]


def judge(visitors: list[RandomVisitor], rows: list[Row], upstream: UnreliableUpstream) -> Verdict:
    verdict = Verdict()
    stored: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        stored[row.message].append(row)
        verdict.outcomes[row.code or row.state] += 1
    for visitor in visitors:
        if visitor.counts["doubled on the page"] or visitor.counts["foreign messages"]:
            verdict.wrong.append(f"{visitor.name} got {dict(visitor.counts)}")
        for text, known in visitor.messages.items():
            verdict.accepted += bool(known.key)
            _judge_message(verdict, text, known, stored[text], upstream)
    return verdict


def _judge_message(verdict: Verdict, text: str, known: Message, rows: list[Row], upstream: UnreliableUpstream) -> None:
    if known.key and known.key.replace("-", "") not in [row.key for row in rows]:
        verdict.lost.append(f"{text}: seen as accepted, not stored")
    if known.key and len(rows) != 1:
        verdict.doubled.append(f"{text}: stored {len(rows)} times")
    for row in rows:
        if row.state not in ("answered", "failed", "person"):
            verdict.lost.append(f"{text}: without outcome, {row.state}")
        if row.state == "answered" and row.reply != f"You said: {text}":
            verdict.wrong.append(f"{text}: answered with {row.reply}")
        if known.shown - {row.reply}:
            verdict.wrong.append(f"{text}: shown {known.shown}, stored {row.reply!r}")
    attempts = sum(row.attempt for row in rows)
    if upstream.may_have_cost[text] > attempts or upstream.asked[text] > REQUESTS_AN_ATTEMPT * attempts:
        verdict.asked_too_often.append(
            f"{text}: {attempts} attempts, asked {upstream.asked[text]} times, "
            f"{upstream.may_have_cost[text]} may have cost a credit"
        )
    if attempts > len(rows) + known.asked_again:
        verdict.asked_too_often.append(f"{text}: {attempts} attempts, {known.asked_again} requested by the visitor")


def print_report(
    verdict: Verdict, people: dict[str, list[Any]], faults: Counter[str], upstream: UnreliableUpstream
) -> None:
    """Print what everybody got and did, the faults, the outcomes, what is wrong, and last a summary."""
    for who, all_of_them in people.items():
        print(f"{who} got:", _counted(sum((each.counts for each in all_of_them), Counter())))
    visitors, members = people["Visitors"], people["Team members"]
    actions = sum((actions for member in members for actions in member.tried.values()), Counter())
    print("Team members tried to:", _counted(actions))
    print("Faults:", _counted(faults))
    print("Outcomes:", _counted(verdict.outcomes))
    kinds = {"lost": verdict.lost, "doubled": verdict.doubled}
    kinds |= {"asked too often": verdict.asked_too_often, "wrong": verdict.wrong}
    for message in (message for found in kinds.values() for message in found[:10]):
        print("  ", message)
    texts = [sent for member in members for sent in member.written.values()]
    print(
        f"{sum(len(visitor.messages) for visitor in visitors)} messages written, {verdict.accepted} seen accepted, "
        f"{sum(visitor.counts['refused'] for visitor in visitors)} refused; {len(texts)} texts by team members, "
        f"{sum(sent.is_accepted for sent in texts)} seen accepted; "
        f"{', '.join(f'{len(found)} {kind}' for kind, found in kinds.items())}; "
        f"{sum(upstream.asked.values())} requests to the upstream, {faults.total()} faults",
        flush=True,
    )


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())
