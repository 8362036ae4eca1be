"""The endpoint's errors (chat-api.md, section 7)."""

# Code -> status, and what the client's developer has to change; a message never quotes the request.
ERRORS = {
    # Not in chat-api.md, whose only endpoint is a POST.
    "METHOD_NOT_ALLOWED": (405, "Send the message with POST."),
    "MISSING_API_KEY": (401, "Send the bot's API key in the header X-BOT-API-KEY."),
    "INVALID_API_KEY": (
        401,
        "This API key is not accepted: it is unknown or has been revoked. Make a new one at the desk.",
    ),
    # Not in chat-api.md: clients that know only its codes don't retry, clients that know 429 wait.
    "RATE_LIMITED": (
        429,
        "Too many requests with this API key. Wait as long as the header Retry-After says (seconds).",
    ),
    # Also 413, too large, and 415, not said to be uncompressed UTF-8 JSON.
    "INVALID_JSON": (400, 'Send a JSON object: {"message": "…", "chatId": "…"}.'),
    "MESSAGE_REQUIRED": (400, "The field message is absent or empty. Send the text to be answered."),
    "BOT_DISABLED": (403, "This bot is offline."),
    "CHAT_NOT_FOUND": (404, "This bot has no such chat, or it has expired. Leave chatId out to start a new one."),
    "BOT_UNAVAILABLE": (503, "This bot can't answer at the moment. Try again after the seconds in Retry-After."),
    "INTERNAL_ERROR": (500, "Something went wrong here. Try again a little later."),
}


class ChatError(Exception):
    """A request fails with a code of ERRORS, and with its status and message unless others are given."""

    def __init__(self, code: str, message: str = "", *, status: int = 0, retry_after: int = 0) -> None:
        usual_status, usual_message = ERRORS[code]
        self.code, self.status, self.message = code, status or usual_status, message or usual_message
        self.retry_after = retry_after  # seconds
        super().__init__(self.message)
