#!/usr/bin/env python
"""Django's command line for this site."""

import os
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

MAY_START_WITHOUT_DATA = {
    *("prepare", "migrate", "restore"),  # they make the folder
    *("check", "collectstatic", "compilemessages", "diffsettings", "help", "makemessages", "makemigrations", "version"),
}


def refuse_other_data(command: str) -> None:
    """Exits instead of making a second data folder, or leaving files in the real one that its owner can't use."""
    from chatsite import environment

    folder = environment.folder("DATA_DIR", Path(__file__).resolve().parent / "var")
    elsewhere = "On a server use webchat instead of manage.py (docs/run.md, “How do I run a command?”)."
    if not folder.exists():
        if command not in MAY_START_WITHOUT_DATA and not command.startswith("-"):
            sys.exit(f"There is no site in {folder}. {elsewhere}\nTo set up a new one there: manage.py prepare")
    elif folder.stat().st_uid != os.geteuid():
        sys.exit(f"The data in {folder} belong to {folder.owner()}, not to you. {elsewhere}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatsite.settings")
    try:
        refuse_other_data(sys.argv[1] if len(sys.argv) > 1 else "help")
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # a setting with an odd value: its sentence says what to do
        sys.exit(str(error))
