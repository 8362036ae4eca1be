"""What an operator sees: health, readiness, metrics, request ids, logs and error reports, all without secrets."""

import json
import logging
import re
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
import requests
from django.db import DatabaseError, OperationalError, connection
from django.test import Client

from chatsite.monitoring import logs, readiness
from tests.browser.site import Site, bot_row
from tests.chatsite.http_visitor import HttpClient, HttpVisitor
from tests.chatsite.sentry_server import SentryServer
from tests.webchat.upstream_server import UpstreamServer
from webchat.models import Bot

SECRET = "Meine Kontonummer ist DE02120300000000202051"
TOKEN = "a-token-for-prometheus"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
JSON_LINE = re.compile(r"^\{.*\}$", re.MULTILINE)


@pytest.fixture
def bot(db: None) -> Bot:
    return Bot.objects.create(slug="help", name="Ada")


@pytest.fixture
def ready(bot: Bot, settings) -> None:
    settings.CHAT_BASE_URL, settings.BOT_API_KEY = "https://bot.example", "a key"


# --- Health and readiness ---------------------------------------------------------------------------------------------


def test_the_health_check_answers_under_any_host_name_and_without_a_database(client):
    """Without the `db` fixture any query would fail."""
    answer = client.get("/healthz", headers={"Host": "10.1.2.3:8000"})
    assert (answer.status_code, answer.content, answer["Cache-Control"]) == (200, b"ok\n", "no-store")


def test_a_site_that_can_serve_visitors_is_ready_and_asks_the_bot_nothing(client, bot, upstream):
    answer = client.get("/readyz", headers={"Host": "10.1.2.3"})
    assert answer.status_code == 200
    checks = ("database", "clock", "migrations", "static files", "bot")
    assert answer.json() == {"ready": True, "checks": dict.fromkeys(checks, True)}
    assert upstream.connections == 0


def unready(client: Client) -> list[str]:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (503, False)
    return [name for name, good in answer.json()["checks"].items() if not good]


@pytest.mark.parametrize("ahead", [0, 20, -20, 90, -90])
def test_a_machine_whose_clock_differs_from_the_databases_is_not_ready(ahead, client, ready, settings, monkeypatch):
    settings.CHAT_TIMEOUT = 60
    monkeypatch.setattr(readiness, "time", SimpleNamespace(time=lambda: time.time() + ahead))
    if connection.vendor == "sqlite" or abs(ahead) < 30:  # SQLite means one machine and one clock
        assert client.get("/readyz").status_code == 200
    else:
        assert unready(client) == ["clock"]


def test_without_its_database_a_process_is_not_ready_and_no_other_check_runs(client, ready):
    def refuse(*_: object) -> None:
        raise OperationalError("gone")

    with connection.execute_wrapper(refuse):
        assert unready(client) == ["database"]


def test_a_process_without_migrations_or_without_the_bots_key_is_not_ready(client, ready, settings):
    settings.BOT_API_KEY = ""
    readiness._migrated_once.cache_clear()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'webchat'")
    assert unready(client) == ["migrations", "bot"]


def test_a_process_without_collected_static_files_is_not_ready(client, ready, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "chatsite.staticfiles.SiteStaticFilesStorage"}}
    assert unready(client) == ["static files"]


# --- Request ids ------------------------------------------------------------------------------------------------------


def test_every_request_has_an_id_of_its_own_and_only_a_proxys_is_kept(client, settings):
    given = {"X-Request-ID": "of-the-proxy-1"}
    names = {client.get("/healthz", headers=given)["X-Request-ID"] for _ in range(3)}
    assert len(names) == 3
    assert all(re.fullmatch(r"[\w-]{16}", name) for name in names)
    settings.BEHIND_PROXY = True
    assert client.get("/healthz", headers=given)["X-Request-ID"] == "of-the-proxy-1"


@pytest.mark.parametrize("given", ["", "short", "x" * 65, "with space", "new\tline-123", "ümläute-123"])
def test_an_invalid_request_id_is_replaced(given, client, settings):
    settings.BEHIND_PROXY = True
    assert re.fullmatch(r"[\w-]{16}", client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"])


# --- Counts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [None, "Bearer", "Bearer ", "Bearer wrong", TOKEN, "Basic " + TOKEN, "Bearer ümläut"])
@pytest.mark.parametrize("token", [TOKEN, ""])
def test_metrics_are_not_found_without_the_token(given, token, client, settings):
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers={"Authorization": given} if given else {}).status_code == 404


# --- Logs -------------------------------------------------------------------------------------------------------------


def record_of(error: BaseException | None = None, **extra: object) -> logging.LogRecord:
    raised = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("webchat.conversation.answer", logging.INFO, "", 0, "answered bot=%s", ("help",), raised)
    vars(record).update(extra)
    return record


def raised(error: Exception, cause: Exception | None = None) -> Exception:
    try:
        raise error from cause
    except type(error) as caught:
        return caught


def test_a_json_line_contains_the_fields_of_a_turn_and_nothing_else():
    line = json.loads(logs.JSONFormatter().format(record_of(bot="help", attempt=2, ms=31, code="", request=SECRET)))
    moment = line.pop("time")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", moment)
    assert line == {
        "level": "INFO", "logger": "webchat.conversation.answer", "message": "answered bot=help", "bot": "help",
        "attempt": 2, "ms": 31,
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["TEXT", "JSON"])
@pytest.mark.django_db
def test_a_refused_form_logs_no_token_that_still_works(kind, caplog):
    Client(enforce_csrf_checks=True).post("/resume/a-token-that-still-works")
    told = [logs.formatter(kind).format(record) for record in caplog.records]
    assert any("/resume/" in line for line in told)
    assert not any("still-works" in line for line in told)


@pytest.mark.parametrize("kind", ["TEXT", "JSON"])
@pytest.mark.django_db
def test_a_mistyped_link_logs_no_token(kind, admin_client, caplog):
    for path in ("resume/{}/", "resume/{}…", "portal/password/MQ/{}/", "admin/team/join/{}/and-more"):
        admin_client.get("/" + path.format("a-token-that-still-works"))
    told = [logs.formatter(kind).format(record) for record in caplog.records]
    assert sum("Not Found: /" in line for line in told) == 4
    assert not any("still-works" in line for line in told)


@pytest.mark.parametrize("kind", ["TEXT", "JSON"])
def test_a_logged_error_says_where_it_happened_and_quotes_nobody(kind):
    error = raised(ValueError(SECRET), raised(DatabaseError(f"Failing row contains ({SECRET})")))
    told = logs.formatter(kind).format(record_of(error))
    assert "ValueError" in told
    assert "DatabaseError" in told
    assert __file__ in told
    assert SECRET not in told


@pytest.mark.parametrize("error", [OperationalError("disk is full"), OSError(28, "No space left on device")], ids=str)
def test_errors_of_the_machine_are_logged_with_their_message(error):
    assert str(error.args[-1]) in logs.formatter("TEXT").format(record_of(raised(error)))


# --- The whole site ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """Return what a site with metrics, logs and error reports told after some visits.

    Run a site through three turns (one refused), one whose worker is killed, and one that meets a missing table.
    """
    folder: Path = tmp_path_factory.mktemp("watched")
    settings = {"LOG_FORMAT": "json", "METRICS_TOKEN": TOKEN, "BEHIND_PROXY": "1", "DATABASE_URL": ""}
    with SentryServer() as sentry, UpstreamServer() as upstream:
        settings["SENTRY_DSN"] = sentry.dsn
        with Site(folder, upstream.base_url, [bot_row(1, "help")], **settings) as site:
            visitor = HttpVisitor(site.url)
            visitor.client.session.headers["X-Request-ID"] = "named-by-the-proxy"
            upstream.will_reply(f"You said {SECRET}").will_reply("Yes").will_refuse("BOT_DISABLED", status=403)
            for message in (SECRET, "Another", f"And {SECRET}"):
                visitor.send_live(message)
            sentry.wait_for("BOT_DISABLED")  # sent in the background: killing the worker would lose it
            while_asking = kill_while_asking(site, upstream)
            with closing(sqlite3.connect(folder / "var" / "db.sqlite3")) as database:
                database.execute("DROP TABLE webchat_bot")
            assert visitor.post_message(SECRET).status == 503
            counts = HttpClient(site.url).get("/metrics", BEARER).content.decode()
            sentry.wait_for("OperationalError")
            log = site.log.read_text()
            lines = [json.loads(line) for line in JSON_LINE.findall(log)]
            told = {"log": log, "lines": lines, "counts": counts, "counts_while_asking": while_asking}
            yield SimpleNamespace(sentry=sentry, upstream=upstream, visitor=visitor, **told)


def kill_while_asking(site: Site, upstream: UpstreamServer) -> str:
    """Kill the worker while it asks; return the metrics from just before."""
    upstream.will_hang()
    visitor = HttpVisitor(site.url)
    with ThreadPoolExecutor(1) as waiting:
        waits = waiting.submit(visitor.post_message, "Is anybody there?")
        upstream.wait_for_requests(4)
        counts = HttpClient(site.url).get("/metrics", BEARER).content.decode()
        site.kill_workers()
        with pytest.raises(requests.ConnectionError):
            waits.result()
    return counts


def test_a_turns_log_line_has_its_fields(watched):
    answered, _, failed = [line for line in watched.lines if line["logger"] == "webchat.conversation.answer"]
    assert answered["request_id"] == failed["request_id"] == "named-by-the-proxy"
    assert (answered["bot"], answered["attempt"], answered["level"]) == ("help", 1, "INFO")
    assert re.match(r"answered bot=help turn=\S+ requests=1 ", answered["message"])  # the text format
    assert 0 <= answered["ms"] < 60_000
    assert (failed["code"], failed["level"]) == ("BOT_DISABLED", "ERROR")


def test_an_unexpected_error_is_logged_with_its_location(watched):
    (line,) = [line for line in watched.lines if "error" in line]
    assert line["error"] == "OperationalError"
    assert "no such table" in line["traceback"]
    assert "responses.py" in line["traceback"]
    assert line["request_id"] == "named-by-the-proxy"


def test_metrics_are_summed_over_all_processes(watched):
    assert 'webchat_turns_total{bot="help",code="",outcome="answered"} 2.0' in watched.counts
    assert 'webchat_turns_total{bot="help",code="BOT_DISABLED",outcome="failed"} 1.0' in watched.counts
    assert 'webchat_reply_seconds_count{bot="help"} 3.0' in watched.counts
    assert "webchat_turns_in_flight 0.0" in watched.counts
    assert 'webchat_requests_total{method="POST",status="503"} 1.0' in watched.counts
    posted = re.search(r'webchat_requests_total\{method="POST",status="200"\} ([\d.]+)', watched.counts)
    assert float(posted[1]) == 3  # the fourth turn's worker was killed


def test_errors_are_reported_to_sentry(watched):
    told = watched.sentry.wait_for("BOT_DISABLED")
    assert "named-by-the-proxy" in told
    assert "responses.py" in watched.sentry.wait_for("OperationalError")


def test_logs_metrics_and_reports_contain_no_text_key_or_cookie(watched):
    cookies = list(watched.visitor.client.session.cookies.get_dict().values())
    assert cookies
    secrets = [SECRET, "DE0212", "Kontonummer", "Another", watched.upstream.api_key, TOKEN, *cookies]
    windows = {"log": watched.log, "counts": watched.counts, "reports": "".join(watched.sentry.events)}
    assert [(place, secret) for place, told in windows.items() for secret in secrets if secret in told] == []
    assert not watched.upstream.is_named_in("".join(windows.values()))


def test_a_turn_counts_as_in_flight_until_its_outcome_or_its_workers_end(watched):
    assert "webchat_turns_in_flight 1.0" in watched.counts_while_asking
    assert "webchat_turns_in_flight 0.0" in watched.counts
