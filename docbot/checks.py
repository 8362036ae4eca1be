"""System checks that stop a misconfigured start and say what to do."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.utils.module_loading import import_string


@register()
def check_folders(**_: Any) -> list[CheckMessage]:
    """Indexes and uploads are written below these by trainings that nobody watches."""
    errors: list[CheckMessage] = []
    for setting in ("DATA_DIR", "MEDIA_ROOT"):
        folder = Path(getattr(settings, setting))
        present = next(path for path in (folder, *folder.parents) if path.exists())
        if not (present.is_dir() and os.access(present, os.W_OK | os.X_OK)):
            errors.append(
                Error(
                    f"docbot can't write to {folder}.",
                    hint="Set DATA_DIR to a folder that belongs to the user who runs the site.",
                    id="docbot.E001",
                )
            )
    return errors


@register()
def check_renderer(**_: Any) -> list[CheckMessage]:
    name = getattr(settings, "DOCBOT_REPLY_RENDERER", "")
    try:
        if name:
            import_string(name)
    except ImportError as error:
        hint = "Name a function that takes Markdown and gives safe HTML, or leave it empty to show plain text."
        return [Error(f"DOCBOT_REPLY_RENDERER: {error}", hint=hint, id="docbot.E002")]
    return []
