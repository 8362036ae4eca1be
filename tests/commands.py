"""Runs commands as on a machine of its own: the test machine's variables must not change the site."""

import os
import subprocess
import sys
from pathlib import Path

from tests.databases import ROOT


def owners_environment(**variables: object) -> dict[str, str]:
    """Return the environment of an owner who has set these variables only."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {name: str(value) for name, value in variables.items()}


def run(*command: object, folder: Path = ROOT, **variables: object) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(
        words, cwd=folder, env=owners_environment(**variables), capture_output=True, text=True, check=False
    )


def manage(*arguments: object, **variables: object) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "manage.py", *arguments, **variables)


def python(code: str, *arguments: object, **variables: object) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-c", code, *arguments, DJANGO_SETTINGS_MODULE="chatsite.settings", **variables)
