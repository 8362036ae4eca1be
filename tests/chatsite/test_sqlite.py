"""SQLite's connections are kept for whoever comes next, as clean as new ones."""

import threading
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction

from chatsite.sqlite.base import MOST_IDLE, idle_connections
from webchat.models import Bot


def in_a_thread(work) -> list[object]:
    outcome: list[object] = []

    def run() -> None:
        outcome.append(work())
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return outcome


def connected() -> int:
    connection.ensure_connection()
    return id(connection.connection)


def test_the_next_thread_takes_what_the_last_one_gave_back(database_on_disk: Path):
    assert in_a_thread(connected) == in_a_thread(connected)


def test_what_was_begun_and_not_ended_is_gone(database_on_disk: Path):
    def begin() -> None:
        connection.cursor().execute("BEGIN IMMEDIATE")
        Bot.objects.create(slug="half", name="Half")

    in_a_thread(begin)
    assert in_a_thread(lambda: Bot.objects.filter(slug="half").exists()) == [False]


def test_one_that_was_left_amid_a_transaction_of_djangos_begins_anew(database_on_disk: Path):
    def leave() -> None:
        with transaction.atomic():
            Bot.objects.create(slug="half", name="Half")
            connection.close()

    def work() -> tuple[bool, bool]:
        before = Bot.objects.filter(slug="half").exists()
        with transaction.atomic():
            Bot.objects.create(slug="whole", name="Whole")
        return before, Bot.objects.filter(slug="whole").exists()

    in_a_thread(leave)
    assert in_a_thread(work) == [(False, True)]


def test_one_that_has_failed_is_closed(database_on_disk: Path):
    def fail() -> None:
        with pytest.raises(DatabaseError):
            connection.cursor().execute("SELECT nothing FROM nowhere")
        connection.errors_occurred = True

    in_a_thread(connected)
    assert len(idle_connections(database_on_disk)) == 1
    in_a_thread(fail)
    assert idle_connections(database_on_disk) == []


def test_a_crowd_leaves_few_behind(database_on_disk: Path):
    all_here = threading.Barrier(MOST_IDLE + 4)

    def come_and_go() -> None:
        connection.ensure_connection()
        all_here.wait(10)
        connection.close()

    crowd = [threading.Thread(target=come_and_go) for _one in range(MOST_IDLE + 4)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert len(idle_connections(database_on_disk)) == MOST_IDLE
