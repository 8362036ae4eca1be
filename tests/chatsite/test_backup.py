"""A backup of a site, restored on an empty machine: conversations, pictures and keys are there."""

import os
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from django.core.management import CommandError, call_command

from tests.commands import manage, python
from tests.databases import copy_migrated
from tests.postgres_server import PostgresServer, is_installed, program

KEY_OF_A_BOT = "sk-sealed-in-the-database"
# The connection stays open, as a running site's do: on SQLite the newest rows are in the write-ahead log alone.
FILL_AND_BACK_UP = f"""
import sys, django; django.setup()
from django.core.management import call_command
from webchat.models import Bot, Conversation, Turn
call_command("migrate", verbosity=0)
bot = Bot(slug="help", name="Ada"); bot.set_key("{KEY_OF_A_BOT}"); bot.save()
conversation = Conversation.objects.create(bot=bot, visitor="a visitor")
Turn.objects.create(conversation=conversation, message="Is this kept?", reply="Yes.", state="answered")
call_command("backup", sys.argv[1])
"""
LOOK = """
import django; django.setup()
from webchat.models import Bot, Turn
turn = Turn.objects.get()
print(turn.message, turn.reply, Bot.objects.get(slug="help").upstream_key, sep="|")
"""


def at(folder: Path, command: Callable[..., CompletedProcess[str]], *arguments: object, database: str = "") -> str:
    """Run the command for the site whose data are in the folder, and return what it says."""
    path = f"{os.environ['PATH']}:{Path(program('pg_dump') or '/').parent}"
    done = command(*arguments, DATA_DIR=folder, DATABASE_URL=database, PATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    return (done.stdout + done.stderr).strip()


def back_up_and_restore(tmp_path: Path, database: str, other_database: str) -> None:
    archive, data, elsewhere = (tmp_path / name for name in ("monday.tar.gz", "var", "elsewhere"))
    (data / "media" / "faces").mkdir(parents=True)
    (data / "media" / "faces" / "ada.webp").write_bytes(b"a face")
    elsewhere.mkdir()
    copy_migrated(data)
    at(data, python, FILL_AND_BACK_UP, archive, database=database)
    at(elsewhere, manage, "restore", archive, database=other_database)
    told = at(elsewhere, python, LOOK, database=other_database)
    assert told.split("|") == ["Is this kept?", "Yes.", KEY_OF_A_BOT]
    assert (elsewhere / "media" / "faces" / "ada.webp").read_bytes() == b"a face"
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600


@pytest.mark.timeout(900)  # it starts many processes
def test_a_sqlite_backup_is_restored_on_an_empty_machine(tmp_path):
    back_up_and_restore(tmp_path, "", "")


@pytest.mark.timeout(900)
@pytest.mark.skipif(not is_installed(), reason="needs PostgreSQL's initdb and pg_ctl")
def test_a_postgresql_backup_is_restored_in_an_empty_database(tmp_path):
    with PostgresServer() as postgres:
        back_up_and_restore(tmp_path, postgres.url, postgres.make_database("restored"))


RESTORE_EACH = """
import sys, django; django.setup()
from django.core.management import CommandError, call_command
for archive in sys.argv[1:]:
    try:
        call_command("restore", archive)
    except CommandError as refusal:
        print(str(refusal).replace("\\n", " "))
"""


def test_an_invalid_archive_or_one_that_writes_elsewhere_is_refused_with_a_sentence(tmp_path):
    archives = [tmp_path / f"{number}.tar.gz" for number in range(6)]
    archives[0].write_bytes(b"nothing of the kind")
    files = dict.fromkeys(("../outside", "/outside"), tarfile.REGTYPE)
    elsewhere = files | {"media": tarfile.SYMTYPE, "x": tarfile.CHRTYPE}
    for archive, name in zip(archives[1:], [None, *elsewhere], strict=True):
        with tarfile.open(archive, "w:gz") as made:
            if name:
                member = tarfile.TarInfo(name)
                member.type, member.linkname = elsewhere[name], "/etc"
                made.addfile(member)
    (tmp_path / "data").mkdir()
    said = at(tmp_path / "data", python, RESTORE_EACH, *archives).splitlines()
    assert "can't be read as a backup" in said[0]
    assert "holds no database.sqlite3" in said[1]
    assert all(f"{name} doesn't belong in a backup" in line for name, line in zip(elsewhere, said[2:], strict=True))
    assert not list(tmp_path.rglob("outside"))


@pytest.mark.django_db
@pytest.mark.parametrize(("command", "said"), [("backup", "already exists"), ("restore", "not empty")])
def test_restore_overwrites_nothing(command, said, tmp_path):
    (tmp_path / "monday.tar.gz").write_bytes(b"")
    with pytest.raises(CommandError, match=said):
        call_command(command, str(tmp_path / "monday.tar.gz"))
