"""The endpoint's errors with code, status and message (chat-api.md, section 7).

ChatError
├── MethodNotAllowed
├── MissingApiKey, InvalidApiKey
├── RateLimited
├── InvalidJson, MessageRequired
├── BotDisabled
├── ChatNotFound
├── BotUnavailable
└── InternalError
"""

from typing import ClassVar

ALLOW = {"Allow": "The methods that are answered."}
CHALLENGE = {"WWW-Authenticate": "The header in which the key is expected."}
RETRY_AFTER = {"Retry-After": "The seconds to wait before the next try."}


class ChatError(Exception):
    """Base class. `message` tells the client's developer what to change and never quotes the request."""

    code: ClassVar[str]
    statuses: ClassVar[tuple[int, ...]]  # the first is the usual one
    always_with: ClassVar[dict[str, str]] = {}  # headers that always come with it -> meaning
    message = ""

    def __init__(self, message: str = "", *, status: int = 0, headers: dict[str, str] | None = None) -> None:
        self.message = message or self.message
        self.status = status or self.statuses[0]
        self.headers = headers or {}
        super().__init__(self.message)


class MethodNotAllowed(ChatError):
    # Not in chat-api.md, whose only endpoint is a POST.
    code = "METHOD_NOT_ALLOWED"
    statuses = (405,)
    always_with = ALLOW
    message = "Send the message with POST."

    def __init__(self, allowed: str = "POST", message: str = "") -> None:
        super().__init__(message, headers={"Allow": allowed})


class MissingApiKey(ChatError):
    code = "MISSING_API_KEY"
    statuses = (401,)
    always_with = CHALLENGE
    message = "Send the bot's API key in the header X-BOT-API-KEY."


class InvalidApiKey(ChatError):
    code = "INVALID_API_KEY"
    statuses = (401,)
    always_with = CHALLENGE
    message = "This API key is not accepted: it is unknown or has been revoked. Make a new one in the dashboard."


class RateLimited(ChatError):
    # Not in chat-api.md: clients that know only its codes don't retry, clients that know 429 wait.
    code = "RATE_LIMITED"
    statuses = (429,)
    always_with = RETRY_AFTER
    message = "Too many requests with this API key. Wait as long as the header Retry-After says (seconds)."

    def __init__(self, seconds: int) -> None:
        super().__init__(headers={"Retry-After": str(seconds)})


class InvalidJson(ChatError):
    """400; too large: 413; not said to be uncompressed UTF-8 JSON: 415."""

    code = "INVALID_JSON"
    statuses = (400, 413, 415)
    message = 'Send a JSON object: {"message": "…", "chatId": "…"}.'


class MessageRequired(ChatError):
    code = "MESSAGE_REQUIRED"
    statuses = (400,)
    message = "The field message is absent or empty. Send the text to be answered."


class BotDisabled(ChatError):
    code = "BOT_DISABLED"
    statuses = (403,)
    message = "This bot is offline."


class ChatNotFound(ChatError):
    code = "CHAT_NOT_FOUND"
    statuses = (404,)
    message = "This bot has no such chat, or it has expired. Leave chatId out to start a new one."


class BotUnavailable(ChatError):
    code = "BOT_UNAVAILABLE"
    statuses = (503,)
    always_with = RETRY_AFTER
    message = "This bot can't answer at the moment. Try again after the seconds that the header Retry-After says."

    SECONDS = 5  # a visitor may be waiting

    def __init__(self, message: str = "", *, seconds: int = SECONDS) -> None:
        super().__init__(message, headers={"Retry-After": str(seconds)})


class InternalError(ChatError):
    code = "INTERNAL_ERROR"
    statuses = (500,)
    message = "Something went wrong here. Try again a little later."


DOCUMENTED: tuple[type[ChatError], ...] = (
    MissingApiKey,
    InvalidApiKey,
    RateLimited,
    InvalidJson,
    MessageRequired,
    BotDisabled,
    ChatNotFound,
    BotUnavailable,
    InternalError,
    MethodNotAllowed,
)
