"""Asks an OpenAI-compatible server for one completion; whatever fails is one error."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outbound.deadline import Deadline
from outbound.http import OutboundError, Session, Unreadable, read_body

FAILURES = 3  # in a row, after which a server is left alone
COOLDOWN = 60.0  # seconds; then one request finds out whether it works again

_TEMPERATURE = 0.1  # the passages decide what is said, not chance


class ModelFailed(Exception):
    """There is no reply of the model's. Its words are ours: never the key, the address or what the server said."""


class ServerFailed(ModelFailed):
    """Not what was asked is to blame, but the server or the way to it: the next request would probably fail as well."""


@dataclass(frozen=True)
class ModelConfig:
    """Which model is asked, and where."""

    base_url: str  # without /chat/completions: it usually ends in /v1
    model: str
    api_key: str = field(default="", repr=False)  # many servers of one's own need none
    most_tokens: int = 1000  # of a reply


@dataclass(frozen=True)
class Completion:
    """What the model wrote; `cut`: it had no room for more."""

    text: str
    cut: bool = False


# What a server has refused to be told, so that it isn't told again: reasoning models know neither of the two.
_refused: dict[tuple[str, str], frozenset[str]] = {}
# How often each server has failed in a row, and when it was asked last. Path not taken: to share it between processes,
# or to lock it. It would be a write for each failure, to spare a few visitors a wait.
_failures: dict[tuple[str, str], tuple[int, float]] = {}


def complete(config: ModelConfig, messages: list[dict[str, str]], *, deadline: Deadline) -> Completion:
    """The model's completion of the messages. Raises ModelFailed."""
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
        body = {"model": config.model, "messages": messages, **_options(config, refused)}
        status, content = _post(config, body, deadline)
        if 200 <= status < 300:
            return content
        match _parsed(content):
            case {"error": {"param": "temperature" | "max_tokens" as name}} if status == 400 and name not in refused:
                _refused[server] = refused | {name}
            case _:
                # A request that is too long, or not liked, says nothing about the next one.
                is_the_servers = status >= 500 or status in (408, 429)
                raise (ServerFailed if is_the_servers else ModelFailed)(f"answered with status {status}")


def _options(config: ModelConfig, refused: frozenset[str]) -> Mapping[str, object]:
    most = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
    return {most: config.most_tokens} | ({} if "temperature" in refused else {"temperature": _TEMPERATURE})


def _post(config: ModelConfig, body: dict[str, Any], deadline: Deadline) -> tuple[int, bytes]:
    """The status and the content of the server's answer."""
    headers = {"Accept": "application/json", "User-Agent": "docbot"}
    if config.api_key:
        headers["Authorization"] = f"Bearer {config.api_key}"
    address = f"{config.base_url.rstrip('/')}/chat/completions"
    try:
        if not (config.api_key.isascii() and config.api_key.isprintable()):
            raise ValueError("a key that no header can carry")
        session = Session(deadline)
        with session.post(address, json=body, headers=headers, stream=True, allow_redirects=False) as response:
            return response.status_code, read_body(response)
    except Unreadable as error:
        raise ServerFailed("an answer that can't be used") from error
    except OutboundError as error:
        is_late = isinstance(error.__cause__, TimeoutError) or not deadline.left()
        reason = "no answer in time" if is_late else "no connection, or one that broke off"
        raise ServerFailed(reason) from error
    except ValueError:  # requests' own are; the cause's text may hold what can't be sent
        raise ModelFailed("LLM_BASE_URL, LLM_MODEL or LLM_API_KEY can't be sent") from None


def _parsed(content: bytes) -> Any:
    """None if it isn't JSON."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None


def _completion(content: bytes) -> Completion:
    match _parsed(content):
        case None:
            raise ServerFailed("an answer that isn't JSON")
        case {"choices": [{"message": {"content": str()}, "finish_reason": "content_filter"}, *_]}:
            raise ModelFailed("the model's own filter kept the reply back")
        case {"choices": [{"message": {"content": str(text)}, **rest}, *_]}:
            return Completion(text, cut=rest.get("finish_reason") == "length")
        case _:
            raise ModelFailed("an answer without a reply")
