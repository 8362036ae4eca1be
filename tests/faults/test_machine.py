"""The database or disk fails, or requests arrive twice: nothing is lost or doubled."""

import resource
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from tests.browser.site import Site, bot_row
from tests.chatsite.http_visitor import HttpVisitor
from tests.faults.moments import awaiting_reply, database_locked
from tests.postgres_server import PostgresServer, is_installed

UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


@contextmanager
def disk_full(site: Site) -> Iterator[None]:
    """Keep the workers from growing any file."""
    workers = site.workers
    for worker in workers:
        resource.prlimit(worker, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        for worker in workers:
            resource.prlimit(worker, resource.RLIMIT_FSIZE, UNLIMITED)


def test_a_locked_database_is_waited_for(visitor, site):
    with ThreadPoolExecutor(1) as pool:
        with database_locked(site):
            sent = pool.submit(visitor.send_live, "Hello")
            threading.Event().wait(0.5)
            assert not sent.done()
        assert sent.result().turns[0].reply == "You said: Hello"


def test_on_a_full_disk_nothing_is_accepted_and_the_same_form_works_afterwards(visitor, site, upstream):
    form = visitor.page
    with disk_full(site):
        refused = visitor.post_message("Hello")
        assert (refused.status, refused.typed) == (503, "Hello")
    visitor.page = form
    assert visitor.send_live("Hello").turns[0].reply == "You said: Hello"
    assert [turn.message for turn in visitor.open().turns] == ["Hello"]
    assert len(upstream.requests) == 1


def test_a_reply_that_arrives_while_the_disk_is_full_is_stored_later(visitor, site, upstream):
    with awaiting_reply(visitor, upstream, "Here I am") as (asking, let_reply_come):
        with disk_full(site):
            let_reply_come()
            threading.Event().wait(0.5)
        assert asking.result(30).turns[0].reply == "Here I am"
    assert len(upstream.requests) == 1


def test_while_the_disk_is_full_the_page_opens(visitor, site):
    """Also with new connections: a failure closes the pooled ones."""
    visitor.send_live("Hello")
    threading.Event().wait(2.5)  # until the WAL is checkpointed
    with disk_full(site):
        for _ in range(20):  # reaches both processes
            assert visitor.twin().post_message("Not now").status == 503
        assert [turn.message for turn in visitor.twin().open().turns] == ["Hello"]


def test_on_a_full_disk_try_again_fails_with_an_alert_and_can_be_repeated(visitor, site, upstream):
    upstream.will_answer(500)
    failed = visitor.send_live("Hello")
    with disk_full(site):
        refused = visitor.press_without_waiting("retry", failed)
        assert (refused.status, refused.turns[0].alert.code) == (503, "NOT_COUNTED")
        assert visitor.open().turns[0].alert.code == "INTERNAL_ERROR"
    assert visitor.press_live("retry", refused).turns[0].reply == "You said: Hello"
    assert len(upstream.requests) == 2


def test_on_a_full_disk_a_waiting_page_keeps_waiting(visitor, site, upstream):
    upstream.will_answer(500)
    visitor.send_live("Hello")
    # As after "Try again", before the upstream is asked:
    site.ask_database("UPDATE webchat_turn SET state = 'pending', code = ''")
    waiting = visitor.open()
    with disk_full(site):
        still = visitor.ask_for_the_reply(waiting)
        assert still.status == 200
        assert len(upstream.requests) == 1  # a message that can't be stored isn't sent
    assert visitor.ask_for_the_reply(still).turns[0].reply == "You said: Hello"


@pytest.mark.skipif(not is_installed(), reason="needs PostgreSQL's initdb and pg_ctl")
def test_a_reply_that_arrives_while_postgresql_restarts_is_stored(upstream, settings_of_site, tmp_path):
    with PostgresServer() as postgres:
        settings = settings_of_site | {"DATABASE_URL": postgres.url, "WEB_PROCESSES": 1}
        with Site(tmp_path, upstream.base_url, [bot_row(1, "help")], **settings) as site:
            visitor = HttpVisitor(site.url)
            with awaiting_reply(visitor, upstream, "Here I am") as (asking, let_reply_come):
                postgres.stop("immediate")
                let_reply_come()
                threading.Event().wait(0.3)
                postgres.start()
                assert asking.result(30).turns[0].reply == "Here I am"
            assert [turn.reply for turn in visitor.open().turns] == ["Here I am"]
            assert visitor.send_live("And now?").turns[0].reply == "You said: And now?"
    assert len(upstream.requests) == 2


def test_a_form_sent_eight_times_at_once_to_two_processes_is_one_message(visitor, upstream):
    upstream.delay = 0.3
    twins = [visitor.twin() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        sent = list(pool.map(lambda twin: twin.post_message("Hello"), twins))
        assert [page.status for page in sent] == [200] * 8
    visitor.client.session.cookies = twins[0].client.session.cookies
    assert [turn.reply for turn in visitor.open().turns] == ["You said: Hello"]
    assert len(upstream.requests) == 1


def test_the_log_of_these_tests_contains_no_message(site):
    """Keep this test last in the file: it reads the log of all the others."""
    log = site.log.read_text()
    assert [message for message in ("Hello", "Here I am") if message in log] == []
