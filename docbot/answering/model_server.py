"""Asks an OpenAI-compatible server for one completion; every failure is a ModelFailed."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from outbound.deadline import Deadline
from outbound.http import OutboundError, Session, Unreadable, read_body

FAILURES = 3  # in a row, after which the server isn't asked for a while
COOLDOWN = 60.0  # seconds; then one request tests whether it works again

_TEMPERATURE = 0.1  # little randomness


class ModelFailed(Exception):
    """The model gave no reply. The message never holds the key, the URL or the server's words."""


class ServerFailed(ModelFailed):
    """The server or the connection failed, not this request in particular: the next would probably fail, too."""


@dataclass(frozen=True)
class ModelConfig:
    """Which model is asked, and where."""

    base_url: str  # without /chat/completions: it usually ends in /v1
    model: str
    api_key: str = field(default="", repr=False)  # local servers often need none
    most_tokens: int = 1000  # of a reply


# Parameters that a server has refused: reasoning models accept neither temperature nor max_tokens.
_refused: dict[tuple[str, str], frozenset[str]] = {}
# Failures in a row of each server, and when it was asked last.
_failures: dict[tuple[str, str], tuple[int, float]] = {}


def complete(config: ModelConfig, messages: list[dict[str, str]], *, deadline: Deadline) -> tuple[str, bool]:
    """Return what the model writes, and whether it was cut at the token limit. Raises ModelFailed."""
    server = (config.base_url, config.model)
    failures, asked = _failures.get(server, (0, 0.0))
    if failures >= FAILURES:
        if time.monotonic() < asked + COOLDOWN:
            raise ModelFailed("not asked: it failed several times in a row")
        _failures[server] = failures, time.monotonic()
    try:
        completion = _completion(_ask(config, messages, deadline))
    except ServerFailed:
        failures, _ = _failures.get(server, (0, 0.0))
        _failures[server] = failures + 1, time.monotonic()
        raise
    _failures.pop(server, None)
    return completion


def _ask(config: ModelConfig, messages: list[dict[str, str]], deadline: Deadline) -> bytes:
    server = (config.base_url, config.model)
    while True:
        refused = _refused.get(server, frozenset())
        most = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
        options = {most: config.most_tokens} | ({} if "temperature" in refused else {"temperature": _TEMPERATURE})
        body = {"model": config.model, "messages": messages} | options
        status, content = _post(config, body, deadline)
        if 200 <= status < 300:
            return content
        match _parsed(content):
            case {"error": {"param": "temperature" | "max_tokens" as name}} if status == 400 and name not in refused:
                _refused[server] = refused | {name}
            case _:
                # A refused request, such as one too long, says nothing about the next one.
                is_the_servers = status >= 500 or status in (408, 429)
                raise (ServerFailed if is_the_servers else ModelFailed)(f"answered with status {status}")


def _post(config: ModelConfig, body: dict[str, Any], deadline: Deadline) -> tuple[int, bytes]:
    """Send the request and return status and content of the response."""
    headers = {"Accept": "application/json", "User-Agent": "docbot"}
    if config.api_key:
        headers["Authorization"] = f"Bearer {config.api_key}"
    url = f"{config.base_url.rstrip('/')}/chat/completions"
    try:
        if not (config.api_key.isascii() and config.api_key.isprintable()):
            raise ValueError("a key that no header can carry")
        session = Session(deadline)
        with session.post(url, json=body, headers=headers, stream=True, allow_redirects=False) as response:
            return response.status_code, read_body(response)
    except Unreadable as error:
        raise ServerFailed("an answer that can't be used") from error
    except OutboundError as error:
        is_late = isinstance(error.__cause__, TimeoutError) or not deadline.seconds_left()
        reason = "no answer in time" if is_late else "no connection, or one that broke off"
        raise ServerFailed(reason) from error
    except ValueError:  # from requests, too; its text may hold the key
        raise ModelFailed("LLM_BASE_URL, LLM_MODEL or LLM_API_KEY can't be sent") from None


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None


def _completion(content: bytes) -> tuple[str, bool]:
    match _parsed(content):
        case None:
            raise ServerFailed("an answer that isn't JSON")
        case {"choices": [{"message": {"content": str()}, "finish_reason": "content_filter"}, *_]}:
            raise ModelFailed("the model's own filter kept the reply back")
        case {"choices": [{"message": {"content": str(text)}, **rest}, *_]}:
            return text, rest.get("finish_reason") == "length"
        case _:
            raise ModelFailed("an answer without a reply")
