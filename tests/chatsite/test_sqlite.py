"""SQLite connections are pooled: the next thread gets one as clean as a new one."""

import threading
from collections.abc import Callable

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction

from chatsite.sqlite.base import MAX_IDLE, idle_connections
from chatsite.sqlite.write_lock import write_lock_for
from tests.webchat.concurrency import run_concurrently
from webchat.cleanup import update_database_statistics
from webchat.models import Bot


def test_only_so_many_idle_connections_are_kept_and_none_that_failed(database_on_disk):
    all_here = threading.Barrier(MAX_IDLE + 4)

    def come_and_go() -> None:
        connection.ensure_connection()
        all_here.wait(10)

    def fail() -> None:
        with pytest.raises(DatabaseError):
            connection.cursor().execute("SELECT nothing FROM nowhere")
        connection.errors_occurred = True

    run_concurrently(*[come_and_go] * (MAX_IDLE + 4))
    assert len(idle_connections(database_on_disk)) == MAX_IDLE
    last = idle_connections(database_on_disk)[-1]
    assert run_concurrently(lambda: connection.ensure_connection() or connection.connection is last) == [True]
    run_concurrently(fail)
    assert len(idle_connections(database_on_disk)) == MAX_IDLE - 1


def test_the_write_lock_is_free_after_each_way_to_end_a_transaction(database_on_disk):
    def begin(end: str) -> None:
        connection.cursor().execute("BEGIN IMMEDIATE")
        Bot.objects.create(slug=f"by-{end or 'closing'}", name="Ada")
        assert not lock.acquire(0.01)
        if end:
            connection.cursor().execute(end)
        else:
            connection.close()
        assert lock.acquire(0.01), end
        lock.release()

    lock = write_lock_for(str(database_on_disk))
    for end in ("COMMIT", "ROLLBACK", ""):
        run_concurrently(lambda end=end: begin(end))
    assert set(Bot.objects.values_list("slug", flat=True)) == {"by-COMMIT"}


def test_the_write_lock_is_free_after_a_statement_that_failed(database_on_disk):
    Bot.objects.create(slug="ada", name="Ada")
    with pytest.raises(DatabaseError):
        Bot.objects.create(slug="ada", name="Ada")
    with pytest.raises(DatabaseError), transaction.atomic():
        Bot.objects.create(slug="ada", name="Ada")
    lock = write_lock_for(str(database_on_disk))
    assert lock.acquire(0.01)
    lock.release()


def test_the_statistics_of_the_tables_are_updated_under_the_write_lock(database_on_disk):
    lock = write_lock_for(str(database_on_disk))
    taken: list[bool] = []

    def look(execute: Callable, statement: str, *more: object) -> object:
        if "optimize" in statement:
            taken.append(lock.acquire(0.01))
        return execute(statement, *more)

    with connection.execute_wrapper(look):
        update_database_statistics()
    assert taken == [False]


def test_a_writer_that_waits_too_long_reads_database_is_locked(database_on_disk, monkeypatch):
    connection.ensure_connection()
    monkeypatch.setattr(connection.connection, "timeout", 0.05)
    lock = write_lock_for(str(database_on_disk))
    assert lock.acquire(1)
    try:
        with pytest.raises(OperationalError, match="database is locked"):
            Bot.objects.create(slug="ada", name="Ada")
        with pytest.raises(OperationalError, match="database is locked"), transaction.atomic():
            pass
        assert list(Bot.objects.all()) == []  # reads still work
    finally:
        lock.release()
    Bot.objects.create(slug="ada", name="Ada")
