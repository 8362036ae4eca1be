#!/usr/bin/env python
"""Django's command line for this site."""

import logging
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

MAKE_DATA = {"prepare", "migrate", "restore", "check"}  # check says whether the folder can be made
NEED_NO_DATA = {
    *("collectstatic", "compilemessages", "diffsettings", "help", "makemessages", "makemigrations", "version"),
}


def run(command: str) -> None:
    """Exits instead of making a second data folder, or leaving files in the real one that its owner can't use."""
    from chatsite import environment

    folder = environment.folder("DATA_DIR", Path(__file__).resolve().parent / "var")
    is_site = folder.exists() and (environment.text("DATABASE_URL") or (folder / "db.sqlite3").exists())
    elsewhere = "On a server use webchat instead of manage.py (docs/run.md, “How do I run a command?”)."
    if folder.exists() and folder.stat().st_uid != os.geteuid():
        sys.exit(f"The data in {folder} belong to {folder.owner()}, not to you. {elsewhere}")
    if is_site or command in MAKE_DATA:
        execute_from_command_line(sys.argv)
    elif command in NEED_NO_DATA or command.startswith("-"):
        with TemporaryDirectory() as nowhere:  # the settings make a data folder wherever there is none
            os.environ["DATA_DIR"] = nowhere
            execute_from_command_line(sys.argv)
    else:
        sys.exit(f"There is no site in {folder}. {elsewhere}\nTo set up a new one there: manage.py prepare")


def explain(error: OperationalError) -> str:
    """Return what is wrong and what to check; of PostgreSQL its own reason, which a pool only logs."""
    if not (url := os.environ.get("DATABASE_URL")):
        return f"{error}. Check DATA_DIR and its disk."
    import psycopg

    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError as reason:
        error = reason
    return f"{' '.join(str(error).split())}. Check DATABASE_URL and its server."


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatsite.settings")
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it warns of each attempt; `explain` says why in the end
    try:
        run(sys.argv[1] if len(sys.argv) > 1 else "help")
    except ImproperlyConfigured as error:  # a setting with an odd value: its sentence says what to do
        sys.exit(str(error))
    except OperationalError as error:
        sys.exit(f"The database can't be used: {explain(error)}")
