"""The OpenAPI 3.1 description of the endpoint."""

import hashlib
import json
from typing import Any

from django.conf import settings

from docbot.endpoint import wire
from docbot.endpoint.errors import DOCUMENTED, ChatError

INTRODUCTION = """\
One endpoint: a text message to a trained bot goes in, a text reply comes out. Pass the `chatId` of a reply back with
the next message and the bot knows what the conversation is about. Only `BOT_UNAVAILABLE` and `INTERNAL_ERROR` are worth
another try, with back-off; every other code means that the request or the configuration has to be changed.
"""


def document() -> tuple[bytes, str]:
    """Return the document as JSON and its ETag."""
    body = json.dumps(_describe(), ensure_ascii=False, indent=1).encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def _describe() -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Chatbot Conversation API", "version": "1", "description": INTRODUCTION},
        "servers": [{"url": "/"}],
        "security": [{"botKey": []}],
        "paths": {
            "/api/public/chat": {
                "post": {
                    "operationId": "chat",
                    "summary": "Send a message, get the reply",
                    "requestBody": {
                        "required": True,
                        "description": f"At most {settings.DOCBOT_REQUEST_MAX_BYTES:,} bytes of UTF-8.",
                        "content": {
                            "application/json": {
                                "schema": {"$ref": "#/components/schemas/Request"},
                                "examples": {
                                    "first": {"value": {"message": "When do you open?"}},
                                    "next": {"value": {"message": "And on Sundays?", "chatId": "wtNN3G_4x0b8hQ2S"}},
                                },
                            }
                        },
                    },
                    "responses": {"200": _reply(), **_errors()},
                }
            }
        },
        "components": {
            "securitySchemes": {
                "botKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": wire.KEY_HEADER,
                    "description": "A key of the bot that is to answer, made in the dashboard.",
                }
            },
            "schemas": {"Request": _request(), "Reply": _reply_schema(), "Error": _error_schema()},
        },
    }


def _request() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["message"],
        "properties": {
            "message": {
                "type": "string",
                "description": "The text to be answered: not only white space, no NUL.",
                "minLength": 1,
                "maxLength": settings.DOCBOT_MESSAGE_MAX_LENGTH,
                "pattern": rf"^[^\u0000]*[^{wire.INVISIBLE}][^\u0000]*$",
            },
            "chatId": {
                "type": ["string", "null"],
                "description": "As it came with the previous reply. Absent, null or empty: a new chat starts.",
            },
        },
    }


def _reply_schema() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["success", "chatId", "message"],
        "properties": {
            "success": {"const": True},
            "chatId": {"type": "string", "pattern": f"^{wire.CHAT_ID.pattern}$", "description": "To pass back."},
            "message": {"type": "string", "minLength": 1, "description": "The reply, in Markdown."},
            "outcome": {
                "enum": [*wire.OUTCOMES.values()],
                "description": "Whether the bot's documents answer the message. Optional: clients may ignore it.",
            },
        },
    }


def _error_schema() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["success", "error"],
        "properties": {
            "success": {"const": False},
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {
                    "code": {"enum": [error.code for error in DOCUMENTED]},
                    "message": {"type": "string", "description": "What to change, for the client's developer."},
                },
            },
        },
    }


def _reply() -> dict[str, Any]:
    return {
        "description": "The bot's reply.",
        "content": {
            "application/json": {
                "schema": {"$ref": "#/components/schemas/Reply"},
                "example": {
                    "success": True,
                    "chatId": "wtNN3G_4x0b8hQ2S",
                    "message": "We open at nine.",
                    "outcome": "answered",
                },
            }
        },
    }


def _errors() -> dict[str, Any]:
    """Return the errors by status, with an example of each code."""
    by_status: dict[str, list[type[ChatError]]] = {}
    for error in DOCUMENTED:
        for status in error.statuses:
            by_status.setdefault(str(status), []).append(error)
    return {status: _error(errors) for status, errors in sorted(by_status.items())}


def _error(errors: list[type[ChatError]]) -> dict[str, Any]:
    examples = {
        error.code: {"value": {"success": False, "error": {"code": error.code, "message": error.message}}}
        for error in errors
    }
    described: dict[str, Any] = {
        "description": " or ".join(f"`{error.code}`" for error in errors),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}, "examples": examples}},
    }
    if headers := {name: meaning for error in errors for name, meaning in error.always_with.items()}:
        described["headers"] = {
            name: {"description": meaning, "required": True, "schema": {"type": "string"}}
            for name, meaning in headers.items()
        }
    return described
