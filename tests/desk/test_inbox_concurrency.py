"""Concurrent team members, each on their own database connection."""

from functools import partial
from http import HTTPStatus

from tests.desk.test_inbox import HTMX
from tests.webchat.concurrency import run_concurrently


def test_when_five_claim_at_once_one_gets_it_and_the_others_read_who(database_on_disk, colleague, waiting):
    team = [colleague(name) for name in ("Ann", "Bea", "Cleo", "Dan", "Eve")]
    claim = f"/admin/inbox/{waiting.public_id}/claim/"
    pages = run_concurrently(*(partial(client.post, claim) for client, _ in team))
    waiting.refresh_from_db()
    assert sorted(page.status_code for page in pages) == [HTTPStatus.SEE_OTHER, *[HTTPStatus.CONFLICT] * 4]
    holder = team[[page.status_code for page in pages].index(HTTPStatus.SEE_OTHER)][1]
    assert waiting.team_member == holder
    refused = [page.content.decode() for page in pages if page.status_code == HTTPStatus.CONFLICT]
    assert all(f"{holder.name} has taken this conversation." in page for page in refused)
    assert waiting.entries.filter(kind="joined").count() == 1
    loser, _ = next(member for member in team if member[1] != holder)
    assert f"{holder.name} has taken this conversation." in loser.post(claim, headers=HTMX).content.decode()


def test_the_same_message_sent_several_times_at_once_is_stored_once(database_on_disk, colleague, waiting):
    client, ann = colleague("Ann")
    waiting.claim(ann)
    fields = {"key": "6f9619ff-8b86-4011-b42d-00c04fc964ff", "kind": "message", "text": "Hello"}
    write = partial(client.post, f"/admin/inbox/{waiting.public_id}/write/", fields)
    run_concurrently(write, write, write)
    assert [entry.text for entry in waiting.entries.filter(kind="message")] == ["Hello"]
