"""The desk's pages with a million turns: how long each takes.

On SQLite or, with DATABASE_URL, in a database of its own on that server of PostgreSQL.
"""

import argparse
import datetime
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.databases import temporary_database

LIST = "/admin/webchat/conversation/"
LIMITS = {  # ms, the median
    "/admin/": 100,
    **dict.fromkeys(("/admin/teach/", "/admin/insights/?days=30", "/admin/insights/?days=365"), 1000),
    LIST: 300,
    f"{LIST}?bot=help&surface__exact=embed": 300,
    **{f"{LIST}?outcome={outcome}": 300 for outcome in ("failed", "not_known", "answered", "person")},
    **{f"{LIST}?q={words}": 300 for words in ("invoice", "question+about", "question+about&outcome=not_known", "29")},
    **{f"/admin/inbox/?q={words}": 300 for words in ("invoice", "question+about")},
}
TURNS_EACH = 4  # per conversation
WITH_A_PERSON = 10  # one conversation in so many
ENTRIES_EACH = 4  # in such a conversation: asked for, joined, two messages
DAYS = 365


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench desk")
    parser.add_argument("--turns", type=int, default=1_000_000)
    options = parser.parse_args(arguments)
    for what, milliseconds in measure(options.turns).items():
        limit = f"   limit {LIMITS[what]} ms, ratio {milliseconds / LIMITS[what]:.2f}" if what in LIMITS else ""
        print(f"  {what:62} {milliseconds:10.1f} ms{limit}", flush=True)


def measure(turns: int) -> dict[str, float]:
    """Measure in a new process, with its own database."""
    with tempfile.TemporaryDirectory() as folder, temporary_database() as database:
        environment = os.environ | {
            **database,
            "DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "chatsite.settings",
            "LOG_LEVEL": "ERROR",
        }
        command = (sys.executable, "-m", "tests.bench.bench_desk", str(turns))
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=3600)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return {what: float(ms) for line in done.stdout.splitlines() for what, _, ms in [line.rpartition("\t")]}


def fill(turns: int) -> None:
    """Fill the tables by SQL: each row is a copy of the first one, except for the columns given here."""
    from django.db import connection

    from docbot.models import Exchange
    from webchat.models import Conversation, Entry, Turn

    first = create_first_rows()
    first_turn = first.turns.get()
    number = turns // TURNS_EACH
    begun, sql = Dialect(connection.vendor, number, 1).begun, Dialect(connection.vendor, number, TURNS_EACH)
    surface = "CASE n % 3 WHEN 0 THEN 'embed' ELSE 'chat' END"
    started = dict.fromkeys(("started_at", "last_at", "ended_at"), begun)
    repeat(Conversation, number, started | {"visitor": sql.visitor, "surface": surface, "public_id": sql.reference})
    repeat(Turn, turns, columns_of_turns(sql, first.pk))
    with_a_person = number // WITH_A_PERSON
    entries = Dialect(connection.vendor, with_a_person, ENTRIES_EACH)
    repeat(
        Entry,
        with_a_person * ENTRIES_EACH,
        {
            "conversation_id": f"n / {ENTRIES_EACH} * {WITH_A_PERSON} + {first.pk}",
            "key": entries.reference,
            "kind": f"CASE n % {ENTRIES_EACH} WHEN 0 THEN 'queued' WHEN 1 THEN 'joined' ELSE 'message' END",
            "text": f"CASE WHEN n % {ENTRIES_EACH} < 2 THEN '' ELSE 'Your order ' || {entries.question} END",
            "after_turn": f"(n / {ENTRIES_EACH} * {WITH_A_PERSON} + 1) * {TURNS_EACH} - 1 + {first_turn.pk}",
            "created_at": entries.begun,
        },
    )
    # One in twenty found no answer.
    certainty = "CASE WHEN n % 20 = 3 THEN 'unknown' ELSE 'sure' END"
    repeat(Exchange, turns, {"created_at": sql.begun, "certainty": certainty})
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM ANALYZE")  # as autovacuum does soon after so many new rows


def columns_of_turns(sql: "Dialect", first: int) -> dict[str, str]:
    """Return what differs from the first turn; `first`: the key of the first conversation."""
    about = "CASE n % 3 WHEN 0 THEN 'invoices' WHEN 1 THEN 'orders' ELSE 'returns' END"
    return {
        "conversation_id": f"n / {TURNS_EACH} + {first}",
        "key": sql.reference,
        "message": f"'Question ' || {sql.question} || ' about ' || {about}",
        "state": "CASE WHEN n % 20 = 7 THEN 'failed' ELSE 'answered' END",
        "code": "CASE WHEN n % 20 <> 7 THEN '' WHEN n % 3 = 0 THEN 'BOT_UNAVAILABLE' ELSE 'NO_ANSWER' END",
        "reply": "CASE WHEN n % 20 = 7 THEN '' ELSE reply END",
        "outcome": "CASE WHEN n % 20 = 7 THEN '' WHEN n % 20 = 3 THEN 'not_known' ELSE 'answered' END",
        "feedback": "CASE n % 50 WHEN 1 THEN -1 WHEN 2 THEN 1 END",
        "feedback_at": f"CASE WHEN n % 50 IN (1, 2) THEN {sql.replied} END",
        "created_at": sql.begun,
        "asked_at": sql.begun,
        "ended_at": sql.replied,
    }


def create_first_rows() -> object:
    """Create the rows that are copied, and a bot whose key has been refused for days; return the conversation."""
    from django.utils import timezone

    from docbot.models import Chat, Exchange, TrainedBot
    from webchat.models import Alarm, Bot, Conversation, Entry, Turn

    now = timezone.now()
    bot = Bot.objects.create(slug="help", name="Help", daily_budget=1000, people_answer=True)
    first = Conversation.objects.create(bot=bot, visitor="0" * 64, last_at=now, ended_at=now, is_present=False)
    answer = "An answer of some length, with a sentence or two in it. " * 4
    Turn.objects.create(conversation=first, message="Hello", reply=answer, state="answered")
    Entry.objects.create(conversation=first, kind="message", name="Ann", after_turn=1)
    down = Bot.objects.create(slug="down", name="Down")
    Alarm.objects.create(bot=down, cause=Alarm.Cause.KEY_REFUSED, number=1, raised_at=now - datetime.timedelta(days=6))
    chat = Chat.objects.create(trained_bot=TrainedBot.objects.create(slug="help", name="Help"))
    Exchange.objects.create(chat=chat, message="Hello", reply=answer, certainty="sure")
    return first


class Dialect:
    """The expressions that differ between the databases; conversations lie evenly within DAYS, the newest last.

    `each`: how many rows one conversation has.
    """

    def __init__(self, vendor: str, conversations: int, each: int) -> None:
        late = f"(1.0 * {DAYS * 86_400} * ({conversations - 1} - n / {each}) / {conversations})"
        if vendor == "sqlite":
            self.begun = f"strftime('%Y-%m-%d %H:%M:%f000', 'now', -{late} || ' seconds')"
            reply_time = "(1 + abs(random()) % 9000 / 1000.0) || ' seconds')"
            self.replied = self.begun.replace(" seconds')", f" seconds', {reply_time}")
            self.reference, self.visitor = "lower(hex(randomblob(16)))", "lower(hex(randomblob(32)))"
            self.question = "(abs(random()) % 3000)"
        else:
            self.begun = f"now() - {late} * interval '1 second'"
            self.replied = f"{self.begun} + (1 + random() * 9) * interval '1 second'"
            self.reference, self.visitor = "gen_random_uuid()", "md5(random()::text) || md5(random()::text)"
            self.question = "floor(random() * 3000)::int"


def repeat(model: object, number: int, told: dict[str, str]) -> None:
    from django.db import connection

    columns = [field.column for field in model._meta.concrete_fields if not field.primary_key]
    values = ", ".join(told.get(column, column) for column in columns)
    table = model._meta.db_table
    numbers = f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {number - 1})"
    copies = f"SELECT {values} FROM numbers, {table} WHERE id = {model.objects.earliest('pk').pk}"
    with connection.cursor() as cursor:
        cursor.execute(f"{numbers} INSERT INTO {table} ({', '.join(columns)}) {copies}", None)


def measure_here(turns: int) -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client

    from desk.statistics import counting

    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    tell("filling", clock(lambda: fill(turns)))
    tell("counting all of it", clock(counting.count_changed_days))
    tell("counting again a minute later", clock(counting.count_changed_days))
    client = Client()
    client.force_login(User.objects.create_superuser("owner"))
    for page in LIMITS:
        read(client, page)  # warm up
        tell(page, statistics.median(clock(lambda page=page: read(client, page)) for _ in range(3)))


def read(client: object, page: str) -> None:
    assert client.get(page).status_code == 200, page


def clock(what: object) -> float:
    started = time.perf_counter()
    what()
    return (time.perf_counter() - started) * 1000


def tell(what: str, milliseconds: float) -> None:
    print(f"{what}\t{milliseconds}", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    measure_here(int(sys.argv[1]))
