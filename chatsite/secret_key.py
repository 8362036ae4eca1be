"""The secret key that the site makes for itself at its first start, so that a new machine needs no setting."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def kept_in(folder: Path) -> str:
    """Return the key from the folder's file secret_key; make it if there is none. Raises OSError."""
    path = folder / "secret_key"
    if not path.exists():
        # Written to another file, then linked: processes that start at the same time all read one whole key.
        draft = folder / f"secret_key.{os.getpid()}"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        with suppress(FileExistsError):  # another process was first: its key counts
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()
