"""Compares the final pages, the team's messages and who led each conversation with the database."""

import itertools
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.people import Member, VisitorWithTeam
from tests.chaos.verdict import Verdict, ask
from tests.chaos.visitors import RandomVisitor

CONVERSATIONS = "SELECT id, public_id, led_by, team_member_id FROM webchat_conversation"
TURNS = "SELECT id, conversation_id, key, state, reply FROM webchat_turn ORDER BY id"
ENTRIES = "SELECT id, conversation_id, key, kind, text, name, team_member_id, after_turn FROM webchat_entry ORDER BY id"


@dataclass
class Turn:
    id: int
    conversation: int
    key: str
    state: str
    reply: str


@dataclass
class Entry:
    id: int
    conversation: int
    key: str
    kind: str
    text: str
    name: str
    member: int | None
    after_turn: int


@dataclass
class Conversation:
    id: int
    public_id: str
    led_by: str
    member: int | None
    turns: list[Turn] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    @property
    def transcript(self) -> list[Turn | Entry]:
        """Return the transcript that the visitor should see."""
        shown = [((turn.id, 0, 0), turn) for turn in self.turns]
        shown += [((entry.after_turn, 1, entry.id), entry) for entry in self.entries if entry.kind != "note"]
        return [each for _, each in sorted(shown, key=lambda pair: pair[0])]


def conversations_in(database: Path | str) -> list[Conversation]:
    found = {row[0]: Conversation(row[0], _hex(row[1]), *row[2:]) for row in ask(database, CONVERSATIONS)}
    for pk, conversation, key, *rest in ask(database, TURNS):
        found[conversation].turns.append(Turn(pk, conversation, _hex(key), *rest))
    for pk, conversation, key, *rest in ask(database, ENTRIES):
        found[conversation].entries.append(Entry(pk, conversation, _hex(key), *rest))
    return list(found.values())


def judge_transcripts(
    verdict: Verdict, visitors: Iterable[RandomVisitor], members: Iterable[Member], conversations: list[Conversation]
) -> None:
    for visitor in visitors:
        _judge_page(verdict, visitor, conversations)
    _judge_what_was_written(verdict, members, conversations)
    for conversation in conversations:
        verdict.wrong += _who_led(conversation, members)


def _judge_page(verdict: Verdict, visitor: RandomVisitor, conversations: list[Conversation]) -> None:
    """Check the last page that the visitor opened, after everything had settled."""
    if visitor.browser.page is None:
        verdict.wrong.append(f"{visitor.name}: no page at the end")
        return
    seen = {turn.key.replace("-", ""): (turn.state, turn.reply or "") for turn in visitor.browser.turns}
    shown = [_hex(each.rpartition("turn-")[2]) for each in _ids(visitor)]
    own = next((one for one in conversations if {turn.key for turn in one.turns} & seen.keys()), None)
    stored = own.transcript if own else []
    if own and shown != [each.key for each in stored]:
        verdict.wrong.append(f"{visitor.name}: the page shows {len(shown)} entries, the database has {len(stored)}")
    for turn in own.turns if own else ():
        if seen.get(turn.key) != (turn.state, turn.reply):
            verdict.wrong.append(f"{visitor.name}: the page shows {seen.get(turn.key)}, the database {turn}")
    if isinstance(visitor, VisitorWithTeam):
        texts = {entry.key: entry.text for one in conversations for entry in one.entries if entry.kind == "message"}
        for key, text in visitor.read.items():
            if text != texts.get(_hex(key), ""):
                verdict.wrong.append(f"{visitor.name} read {text!r}, which is not a message to visitors")


def _ids(visitor: RandomVisitor) -> list[str]:
    ids = visitor.browser.page.all("ol[@id='transcript']/li/@id")
    return [each.replace("entry-", "turn-") for each in ids]


def _judge_what_was_written(verdict: Verdict, members: Iterable[Member], conversations: list[Conversation]) -> None:
    stored: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for one in conversations:
        for entry in one.entries:
            stored[entry.text].append((one.public_id, entry.key, entry.kind))
    for member in members:
        for key, sent in member.written.items():
            found = stored[sent.text]
            if sent.is_accepted and not found:
                verdict.lost.append(f"{sent.text}: seen as accepted, not stored")
            if len(found) > 1:
                verdict.doubled.append(f"{sent.text}: stored {len(found)} times")
            if found and found[0] != (_hex(sent.conversation), _hex(key), sent.kind):
                verdict.wrong.append(f"{sent.text}: stored as {found[0]}")


def _who_led(conversation: Conversation, members: Iterable[Member]) -> list[str]:
    """Check that one person leads at a time, and that only that one writes to the visitor."""
    wrong, holder, moved = [], None, 0
    for entry in conversation.entries:
        if entry.kind in ("joined", "handed_over"):
            moved += holder is not None
            holder = entry.member, entry.name
        elif entry.kind == "message" and (holder is None or holder[0] != entry.member):
            wrong.append(f"conversation {conversation.id}: {entry.name} writes, led by {holder}")
        elif entry.kind == "queued" and holder is not None:
            wrong.append(f"conversation {conversation.id}: queued while led by {holder}")
        elif entry.kind in ("handed_back", "closed"):
            if holder is None or holder[1] != entry.name:
                wrong.append(f"conversation {conversation.id}: {entry.kind} by {entry.name}, led by {holder}")
            holder = None
    tried = [member.tried.get(_with_dashes(conversation.public_id), {}) for member in members]
    may_have_moved = sum(each.get("hand-over", 0) + each.get("take-over", 0) for each in tried)
    if moved > may_have_moved:
        wrong.append(
            f"conversation {conversation.id}: {moved} times from one person to another, {may_have_moved} tried"
        )
    if conversation.member != (holder[0] if holder else None):
        wrong.append(f"conversation {conversation.id}: led by {conversation.member}, last joined {holder}")
    for one, next_one in itertools.pairwise(conversation.transcript):
        if isinstance(one, Turn) and isinstance(next_one, Turn) and one.id >= next_one.id:
            wrong.append(f"conversation {conversation.id}: turns out of order")
    return wrong


def _hex(key: object) -> str:
    return str(key).replace("-", "")


def _with_dashes(key: str) -> str:
    return "-".join((key[:8], key[8:12], key[12:16], key[16:20], key[20:]))
