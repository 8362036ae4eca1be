"""System checks that stop a misconfigured start and say what to do."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from outbound.public_ip import is_loopback


@register()
def check_folders(**_: Any) -> list[CheckMessage]:
    hint = "Set DATA_DIR to a folder that belongs to the user who runs the site."
    folders = [Path(settings.DATA_DIR), Path(settings.MEDIA_ROOT)]
    refused = [folder for folder in folders if not _is_writable(folder)]
    return [Error(f"docbot can't write to {folder}.", hint=hint, id="docbot.E001") for folder in refused]


def _is_writable(folder: Path) -> bool:
    present = next(path for path in (folder, *folder.parents) if path.exists())
    return present.is_dir() and os.access(present, os.W_OK | os.X_OK)


@register()
def check_model(**_: Any) -> list[CheckMessage]:
    if not settings.LLM_BASE_URL:
        return []
    found = [
        (
            not is_model_url(settings.LLM_BASE_URL),
            "LLM_BASE_URL is not the URL of a model server.",
            "Set it to http(s)://…/v1, without user name, query or /chat/completions.",
            "docbot.E003",
        ),
        (
            bool(settings.LLM_API_KEY) and is_in_the_clear(settings.LLM_BASE_URL),
            "LLM_API_KEY would be sent unencrypted to another machine.",
            "Use https:// in LLM_BASE_URL, or leave the key out if the server needs none.",
            "docbot.E004",
        ),
        (
            not settings.LLM_API_KEY.isascii() or any(map(str.isspace, settings.LLM_API_KEY)),
            "LLM_API_KEY contains spaces or characters outside ASCII.",
            "Copy the key again, without spaces or line breaks.",
            "docbot.E005",
        ),
        (
            not settings.LLM_MODEL,
            "LLM_BASE_URL is set, but LLM_MODEL is not.",
            "Set LLM_MODEL to the model's name as its server lists it.",
            "docbot.E006",
        ),
        (
            # docbot runs inside the page's request, which can't interrupt it.
            settings.CHAT_TIMEOUT <= settings.LLM_TIMEOUT,
            "LLM_TIMEOUT is not shorter than CHAT_TIMEOUT: the page would give up before docbot can quote instead.",
            "Make LLM_TIMEOUT a few seconds shorter.",
            "docbot.E007",
        ),
    ]
    return [Error(message, hint=hint, id=identity) for is_wrong, message, hint, identity in found if is_wrong]


def is_model_url(url: str) -> bool:
    """Return whether it can be a model server's: http(s)://…/v1, without user name, query or /chat/completions."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError when it is none
    except ValueError:
        return False
    plain = url.isascii() and url.isprintable() and not set(url) & set(" \\?#@")
    is_endpoint = parts.path.rstrip("/").endswith("/chat/completions")
    return plain and parts.scheme in ("http", "https") and bool(parts.hostname) and not is_endpoint


def is_in_the_clear(url: str) -> bool:
    """Return whether what is sent there leaves this machine unencrypted."""
    return is_model_url(url) and urlsplit(url).scheme == "http" and not is_loopback(urlsplit(url).hostname or "")
