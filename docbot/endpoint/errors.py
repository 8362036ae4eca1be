"""The endpoint's errors with code, status and message (chat-api.md, section 7): each is a ChatError."""

from typing import ClassVar


class ChatError(Exception):
    """Base class. `message` tells the client's developer what to change and never quotes the request."""

    code: ClassVar[str]
    status: int
    message = ""

    def __init__(self, message: str = "", *, status: int = 0, headers: dict[str, str] | None = None) -> None:
        self.message = message or self.message
        self.status = status or self.status
        self.headers = headers or {}
        super().__init__(self.message)


class MethodNotAllowed(ChatError):
    # Not in chat-api.md, whose only endpoint is a POST.
    code = "METHOD_NOT_ALLOWED"
    status = 405
    message = "Send the message with POST."

    def __init__(self, allowed: str = "POST", message: str = "") -> None:
        super().__init__(message, headers={"Allow": allowed})


class MissingApiKey(ChatError):
    code = "MISSING_API_KEY"
    status = 401
    message = "Send the bot's API key in the header X-BOT-API-KEY."


class InvalidApiKey(ChatError):
    code = "INVALID_API_KEY"
    status = 401
    message = "This API key is not accepted: it is unknown or has been revoked. Make a new one at the desk."


class RateLimited(ChatError):
    # Not in chat-api.md: clients that know only its codes don't retry, clients that know 429 wait.
    code = "RATE_LIMITED"
    status = 429
    message = "Too many requests with this API key. Wait as long as the header Retry-After says (seconds)."

    def __init__(self, seconds: int) -> None:
        super().__init__(headers={"Retry-After": str(seconds)})


class InvalidJson(ChatError):
    """400; too large: 413; not said to be uncompressed UTF-8 JSON: 415."""

    code = "INVALID_JSON"
    status = 400
    message = 'Send a JSON object: {"message": "…", "chatId": "…"}.'


class MessageRequired(ChatError):
    code = "MESSAGE_REQUIRED"
    status = 400
    message = "The field message is absent or empty. Send the text to be answered."


class BotDisabled(ChatError):
    code = "BOT_DISABLED"
    status = 403
    message = "This bot is offline."


class ChatNotFound(ChatError):
    code = "CHAT_NOT_FOUND"
    status = 404
    message = "This bot has no such chat, or it has expired. Leave chatId out to start a new one."


class BotUnavailable(ChatError):
    code = "BOT_UNAVAILABLE"
    status = 503
    message = "This bot can't answer at the moment. Try again after the seconds that the header Retry-After says."

    def __init__(self, message: str = "", *, seconds: int = 5) -> None:
        super().__init__(message, headers={"Retry-After": str(seconds)})


class InternalError(ChatError):
    code = "INTERNAL_ERROR"
    status = 500
    message = "Something went wrong here. Try again a little later."
