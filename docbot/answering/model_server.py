"""Asks an OpenAI-compatible server for one completion, by the official client library; whatever fails is one error."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docbot.breaker import Breaker, Failed, Resting

if TYPE_CHECKING:
    import openai

_TEMPERATURE = 0.1  # the passages decide what is said, not chance


class ModelFailed(Exception):
    """There is no reply of the model's. Its words are ours: never the key, the address or what the server said."""


class ServerFailed(ModelFailed, Failed):
    """Not what was asked is to blame, but the server or the way to it: the next request would probably fail as well."""


@dataclass(frozen=True)
class ModelConfig:
    """Which model is asked, and where."""

    base_url: str  # as the client library takes it: mostly with /v1 at its end
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
_breakers: dict[tuple[str, str], Breaker] = {}


def warm_up() -> None:
    """Imports what the first reply would have to wait for."""
    import openai  # noqa: F401

    from docbot import model_transport  # noqa: F401


def complete(config: ModelConfig, messages: list[dict[str, str]], *, deadline: float) -> Completion:
    """The model's completion of the messages, by this moment of time.monotonic(). Raises ModelFailed."""
    try:
        with _breakers.setdefault((config.base_url, config.model), Breaker()).asking():
            return _complete(config, messages, deadline)
    except Resting as error:
        raise ModelFailed("not asked: it failed several times in a row") from error


def _complete(config: ModelConfig, messages: list[dict[str, str]], deadline: float) -> Completion:
    import openai  # takes a second of processor time, which a site without a model never has to spend

    from docbot.model_transport import DeadlineTransport, InvalidURL

    # Its log says addresses at best; the variable OPENAI_LOG would raise its level while it is imported.
    for name in ("openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)
    try:
        with openai.OpenAI(
            base_url=config.base_url,
            api_key=config.api_key or "none",  # the library insists on one; the transport doesn't send it
            max_retries=0,
            http_client=openai.DefaultHttpxClient(
                transport=DeadlineTransport(deadline, config.api_key),
                trust_env=False,  # a proxy of the environment would be told the key, and what visitors ask
                follow_redirects=False,  # as would another host
            ),
        ) as client:
            return _completion(_ask(client, config, messages))
    except openai.OpenAIError as error:
        raise (ServerFailed if _is_the_servers(error) else ModelFailed)(reason(error)) from error
    except (InvalidURL, UnicodeError) as error:
        raise ModelFailed("LLM_BASE_URL, LLM_MODEL or LLM_API_KEY can't be sent") from error


def _is_the_servers(error: openai.OpenAIError) -> bool:
    """A request that is too long, or not liked, says nothing about the next one."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return error.status_code >= 500 or error.status_code in (408, 429)
    return isinstance(error, openai.APIConnectionError)


def _ask(client: openai.OpenAI, config: ModelConfig, messages: list[dict[str, str]]) -> bytes:
    import openai

    server = (config.base_url, config.model)
    while True:
        refused = _refused.get(server, frozenset())
        create: Any = client.chat.completions.with_raw_response.create
        try:
            # Raw: the library's own reading of an answer doesn't look whether it has the shape that it promises.
            return create(model=config.model, messages=messages, **_options(config, refused)).content
        except openai.BadRequestError as error:
            if error.param not in ("temperature", "max_tokens") or error.param in refused:
                raise
            _refused[server] = refused | {error.param}


def _options(config: ModelConfig, refused: frozenset[str]) -> Mapping[str, object]:
    most = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
    return {most: config.most_tokens} | ({} if "temperature" in refused else {"temperature": _TEMPERATURE})


def reason(error: openai.OpenAIError) -> str:
    """What is said of an error of the library's, for the owner: it quotes nothing of it."""
    import openai

    match error:
        case openai.APITimeoutError():
            return "no answer in time"
        case openai.APIConnectionError():
            return "no connection, or one that broke off"
        case openai.APIStatusError():
            return f"answered with status {error.status_code}"
        case _:
            return "an answer that can't be used"


def _completion(content: bytes) -> Completion:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise ServerFailed("an answer that isn't JSON") from error
    match body:
        case {"choices": [{"message": {"content": str(text)}, "finish_reason": "content_filter"}, *_]}:
            raise ModelFailed("the model's own filter kept the reply back")
        case {"choices": [{"message": {"content": str(text)}, **rest}, *_]}:
            return Completion(text, cut=rest.get("finish_reason") == "length")
        case _:
            raise ModelFailed("an answer without a reply")
