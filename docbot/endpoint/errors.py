"""The endpoint's errors (chat-api.md, section 7)."""

import tomllib
from pathlib import Path

ERRORS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class ChatError(Exception):
    """A request fails with a code of ERRORS, and with its status and message unless others are given."""

    def __init__(self, code: str, message: str = "", *, status: int = 0, retry_after: int = 0) -> None:
        usual = ERRORS[code]
        self.code, self.status, self.message = code, status or usual["status"], message or usual["message"]
        self.retry_after = retry_after  # seconds
        super().__init__(self.message)
