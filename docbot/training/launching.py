"""Starts a training in a separate process that outlives the request."""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread

from django.conf import settings
from django.utils import timezone

from docbot.models import AlreadyTraining, TrainedBot, TrainingRun


def launch(trained_bot: TrainedBot, given: Sequence[str] = ()) -> Thread:
    """Run `manage.py train` on the given folders and URLs, or on all it knows; the thread ends with the process.

    Raises AlreadyTraining. The run exists when this returns, so that pages show it before the process has started.
    """
    run = TrainingRun.objects.begin(trained_bot)
    # In a session of its own: restarting the site, or Ctrl+C in its terminal, doesn't end the training.
    process = start("train", trained_bot.slug, f"--run={run.pk}", "--", *given, start_new_session=True)
    watching = Thread(target=process.wait, daemon=True)
    watching.start()
    return watching


def start(*command: str, start_new_session: bool = False) -> subprocess.Popen[bytes]:
    """Start a management command in a process of its own."""
    return subprocess.Popen(  # noqa: S603 - no shell; each argument is one of the process's own
        [sys.executable, "-m", "django", *command],
        cwd=settings.BASE_DIR,
        env={**os.environ, "TIME_ZONE": timezone.get_current_timezone_name()},  # days are the owner's
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=start_new_session,
    )


def rebuild_index(trained_bot: TrainedBot) -> None:
    """Put into the index what was taught and take out what was forgotten: by the running training or a short one."""
    trained_bot.upload_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(AlreadyTraining):
        launch(trained_bot, [str(trained_bot.upload_folder)])
