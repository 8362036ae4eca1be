"""Starts the background threads of each worker process and prints the welcome."""

import contextlib
import gc
import os
import sys

from django.conf import settings
from django.db import DatabaseError, connection

from chatsite.sqlite import wal_checkpoint
from desk.setup import links
from webchat import periodic_tasks, site


def start(*, is_first: bool) -> None:
    if connection.vendor == "sqlite":
        wal_checkpoint.start(connection.settings_dict["NAME"])
    with contextlib.suppress(DatabaseError):  # the settings are read again while pages are served
        site.refresh()
    periodic_tasks.start()
    if is_first:
        # Not print: a thread killed at exit could hold its lock for ever.
        os.write(sys.stdout.fileno(), welcome().encode())
    connection.close()
    # Loaded modules stay for good: keep them out of garbage collection, and collect less often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def welcome() -> str:
    """Return the welcome: the page's URL and, on the owner's machine, the first steps."""
    page = f"The chat page:  {site_url()}/\n"
    if settings.BEHIND_PROXY:
        return page
    desk = f"The desk:       {desk_url()}/admin/\n"
    if not links.is_needed():
        return page + desk
    set_up = f"Set it up:      {desk_url()}{links.path()}\n"
    return f"{page}{desk}{set_up}{' ' * 16}There you create your login and choose what the bot answers from.\n"


def site_url() -> str:
    """Return the URL that visitors open, derived from the settings."""
    if settings.SITE_URL:
        return settings.SITE_URL
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.HOST, settings.HOST)  # noqa: S104 - compared, not bound
    name = f"[{host}]" if ":" in host else host
    own = [allowed.removeprefix(".") for allowed in settings.ALLOWED_HOSTS if allowed != "*"]
    return f"http://{name if name in own or not own else own[0]}:{settings.PORT}"


def desk_url() -> str:
    """Return the URL for the team, with a name where there is one: browsers keep no passkey for an IP address."""
    is_named = "localhost" in settings.ALLOWED_HOSTS
    return site_url().replace("//127.0.0.1:", "//localhost:") if is_named else site_url()
