"""The secret key, which the site creates at its first start, so that nobody has to set one."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def load_or_create(folder: Path) -> str:
    """Return the key in the folder's file secret_key; create it if there is none. Raises OSError."""
    path = folder / "secret_key"
    if not path.exists():
        # Written to another file, then linked: processes that start at the same time all read one whole key.
        draft = folder / f"secret_key.{os.getpid()}"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        with suppress(FileExistsError):  # another process was first: use its key
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()
