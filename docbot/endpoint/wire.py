"""The wire format: reads requests strictly and writes replies and errors."""

import json
import re
from functools import partial
from typing import Any

import regex
from django.conf import settings
from django.http import HttpRequest, JsonResponse

from docbot.endpoint.errors import ChatError

KEY_HEADER = "X-BOT-API-KEY"
invalid_json = partial(ChatError, "INVALID_JSON")
CHAT_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
# By the certainty of an exchange.
OUTCOMES = {"sure": "answered", "unsure": "not_sure", "unknown": "not_known"}

# A message of only white space, control and invisible formatting characters counts as empty.
VISIBLE = regex.compile(r"[^\p{Z}\p{Cc}\p{Cf}]")
NOT_TEXT = re.compile(r"[\u0000\ud800-\udfff]")


def read_request(request: HttpRequest) -> tuple[str, str | None]:
    """Return message and chat id (None: a new chat); ignore unknown fields. Raises ChatError."""
    _require_json(request)
    body = _parse(_read_body(request))
    return _read_message(body), _read_chat_id(body)


def _require_json(request: HttpRequest) -> None:
    if request.content_type != "application/json":
        raise invalid_json("Send the header Content-Type: application/json.", status=415)
    if request.content_params.get("charset", "utf-8").strip('"').lower() not in ("utf-8", "utf8"):
        raise invalid_json("Send the body in UTF-8.", status=415)
    if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise invalid_json("Send the body uncompressed, without Content-Encoding.", status=415)


def _read_body(request: HttpRequest) -> bytes:
    most = settings.DOCBOT_REQUEST_MAX_BYTES
    too_large = invalid_json(f"The request is larger than {most:,} bytes.", status=413)
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdecimal() and int(length) > most:
        raise too_large  # before anything is read
    stream: Any = request
    if "HTTP_TRANSFER_ENCODING" in request.META and request.META.get("wsgi.input_terminated"):
        stream = request.META["wsgi.input"]  # Django reads a chunked body, which has no length, as empty
    try:
        data = stream.read(most + 1)
    except OSError as error:
        raise invalid_json("The request broke off before its end.") from error
    if len(data) > most:
        raise too_large
    return data


def _parse(data: bytes) -> dict[str, Any]:
    if not data:
        raise invalid_json('The body is empty. Send a JSON object: {"message": "…"}.')
    try:
        text = data.decode("utf-8-sig")  # RFC 8259, section 8.1: a byte order mark may be ignored
        body = json.loads(text, parse_constant=_reject_constant)
    except UnicodeDecodeError as error:
        raise invalid_json(f"The body is not UTF-8 (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        raise invalid_json(f"The body is not JSON (line {error.lineno}, column {error.colno}).") from error
    except (RecursionError, ValueError) as error:
        raise invalid_json("The body is JSON that can't be read: nested too deeply, or a number too long.") from error
    if not isinstance(body, dict):
        raise invalid_json("The body is JSON, but not an object.")
    return body


def _reject_constant(name: str) -> None:
    raise invalid_json(f"{name} is not JSON.")


def _read_message(body: dict[str, Any]) -> str:
    message = body.get("message")
    if message is None:
        raise ChatError("MESSAGE_REQUIRED")
    if not isinstance(message, str):
        raise invalid_json("The field message has to be a string.")
    if not VISIBLE.search(message):
        raise ChatError("MESSAGE_REQUIRED")
    if NOT_TEXT.search(message):
        raise invalid_json("The field message holds a NUL or half of a surrogate pair, which is not text.")
    most = settings.DOCBOT_MESSAGE_MAX_LENGTH
    if len(message) > most:
        raise invalid_json(f"The field message has {len(message):,} characters; at most {most:,} are read.", status=413)
    return message


def _read_chat_id(body: dict[str, Any]) -> str | None:
    chat_id = body.get("chatId")
    if not isinstance(chat_id, str | None):
        raise invalid_json("The field chatId has to be a string, as it came with the previous reply.")
    return chat_id or None  # clients that have no chat yet send ""


def write_reply(chat_id: str, reply: str, outcome: str) -> JsonResponse:
    """`outcome`: what docbot thinks of its own reply, a value of OUTCOMES; clients that don't know it ignore it."""
    return _respond({"success": True, "chatId": chat_id, "message": reply, "outcome": outcome}, 200)


def write_error(error: ChatError) -> JsonResponse:
    response = _respond({"success": False, "error": {"code": error.code, "message": error.message}}, error.status)
    if error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    if error.status == 405:
        response.headers["Allow"] = "POST"
    if error.status == 401:
        response.headers["WWW-Authenticate"] = f'ApiKey header="{KEY_HEADER}"'  # RFC 9110, section 15.5.2 demands one
    return response


def _respond(body: dict[str, Any], status: int) -> JsonResponse:
    return JsonResponse(
        body, status=status, json_dumps_params={"ensure_ascii": False}, headers={"Cache-Control": "no-store"}
    )
