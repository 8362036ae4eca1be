"""Asks a chat-api.md endpoint for a reply, and says in one exception tree what became of a message without one.

    UpstreamError
    ├── NotConfigured      BAD_CONFIGURATION, MISSING_API_KEY: the owner has to put the address or the key right
    ├── Unreachable        UNREACHABLE: no connection was made, nothing was sent
    ├── Refused            the upstream said no: one of its eight codes, one that looks like a code, or UNKNOWN
    │   └── TooManyRequests    RATE_LIMITED
    └── NoAnswer           NO_ANSWER: the message may have arrived, but no usable answer came

An answer that names a code is that refusal, whatever its status. Without a code the status decides:

    3xx               NotConfigured    a redirect is never followed: it would carry the key to another host
    404, 405, 410     NotConfigured    nothing at this address speaks the API
    401, 403          INVALID_API_KEY  what a gateway says to a bad key; the neutral sentence fits the other causes, too
    429               RATE_LIMITED     asked again by itself
    502, 503          BOT_UNAVAILABLE  asked again by itself
    504, 520, 524     NoAnswer         a gateway gave up waiting for a bot that may have got the message
    other 5xx         INTERNAL_ERROR   not asked again: a bare 500 doesn't say how far the message came
    else              UNKNOWN
"""

import email.utils
import http.client
import math
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import requests
import urllib3
from requests.adapters import BaseAdapter

from webchat.transport import Cause, Deadline, Exchange, OwnConnectionAdapter, is_allowed_address
from webchat.upstream import wire

__all__ = [
    "Cause",
    "Deadline",
    "NoAnswer",
    "NotConfigured",
    "Refused",
    "Reply",
    "TooManyRequests",
    "Unreachable",
    "UpstreamClient",
    "UpstreamError",
    "is_allowed_address",
    "set_testing",
]

ATTEMPTS = 3
FIRST_BACK_OFF = 0.5  # seconds, doubled for each further attempt
LONGEST_RETRY_AFTER = 24 * 60 * 60

# What the layers below raise; urllib3's own escape from `requests` here and there.
TRANSPORT_ERRORS = (
    requests.RequestException,
    urllib3.exceptions.HTTPError,
    urllib3.exceptions.ProxySchemeUnsupported,
    http.client.HTTPException,
    OSError,
)
# Of these, the ones that say that nothing has left. Asked only of a given adapter: our own knows it for sure.
NEVER_SENT = (
    requests.exceptions.ConnectTimeout,
    requests.exceptions.SSLError,
    requests.exceptions.ProxyError,
    requests.exceptions.URLRequired,
    requests.exceptions.MissingSchema,
    requests.exceptions.InvalidSchema,
    requests.exceptions.InvalidURL,
    urllib3.exceptions.ConnectTimeoutError,
    urllib3.exceptions.SSLError,
    urllib3.exceptions.ProxyError,
    urllib3.exceptions.LocationValueError,
    urllib3.exceptions.ProxySchemeUnsupported,
    ConnectionRefusedError,
)
# What gateways call a refusal for which chat-api.md has no code.
RATE_CODES = frozenset({"RATE_LIMITED", "RATE_LIMIT", "RATE_LIMIT_EXCEEDED", "TOO_MANY_REQUESTS"})

_testing = False


def set_testing(testing: bool) -> None:
    """Makes the back-off before a retry zero, so that tests don't sleep. A Retry-After still counts."""
    global _testing
    _testing = testing


@dataclass(frozen=True)
class Reply:
    """What the bot said. `chat_id` is None when the answer carried none: the one that was sent stays valid."""

    text: str
    chat_id: str | None
    requests_made: int


class UpstreamError(Exception):
    """No reply. Its text is the code alone: no word, address or key of the upstream's gets into a log by it."""

    code = "UNKNOWN"
    may_have_arrived = False  # may the bot have got the message, and the owner have paid for it?

    def __init__(
        self,
        code: str | None = None,
        *,
        may_have_arrived: bool | None = None,
        retry_after: int | None = None,
        repeatable: bool = False,
        nobody_there: bool = False,
        cause: Cause = Cause.UNKNOWN,
        status: int | None = None,
        location: str | None = None,
    ) -> None:
        self.code = code or self.code
        if may_have_arrived is not None:
            self.may_have_arrived = may_have_arrived
        self.retry_after = retry_after  # whole seconds, as the upstream wishes
        self.nobody_there = (
            nobody_there  # no connection, no answer in time, or a gateway says so: not the bot's own word
        )
        self.repeatable = repeatable  # may it be asked again without asking the visitor?
        self.requests_made = 0  # how many requests may have reached the upstream
        # For the owner's diagnosis only.
        self.cause = cause
        self.status = status
        self.location = location
        super().__init__(self.code)


class NotConfigured(UpstreamError):
    """The address or the key can't be right."""

    code = "BAD_CONFIGURATION"


class Unreachable(UpstreamError):
    """No connection was made: not a byte of the message has left."""

    code = "UNREACHABLE"


class Refused(UpstreamError):
    """The upstream answered with an error."""


class TooManyRequests(Refused):
    """The upstream wants to be asked less often."""

    code = "RATE_LIMITED"


class NoAnswer(UpstreamError):
    """The message may have arrived, but no usable answer came: late, cut, malformed, oversized, empty."""

    code = "NO_ANSWER"
    may_have_arrived = True


class UpstreamClient:
    """One bot's endpoint and key. Holds no connection; may be used by any number of threads.

    `adapters` maps the beginning of an address to the requests adapter that carries calls to it without a socket. Such
    an adapter gets what is left of the time as its `timeout` and has to give its answer's bytes as `response.raw`.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        reply_field: str = "",
        connect_timeout: float = 5.0,
        total_timeout: float = 60.0,
        adapters: Mapping[str, BaseAdapter] = MappingProxyType({}),
    ) -> None:
        self.base_url = base_url.strip().rstrip("/")
        self.connect_timeout = connect_timeout
        self.total_timeout = total_timeout
        self._api_key = api_key.strip()
        self.reply_field = reply_field.strip()
        self._adapter = next((each for prefix, each in adapters.items() if self.base_url.startswith(prefix)), None)

    def ask(self, message: str, chat_id: str | None = None, *, deadline: Deadline | None = None) -> Reply:
        """Sends one message and gives the bot's reply, within `total_timeout` or the caller's deadline.

        Retries by itself only what can't have cost a message, see DESIGN's list. Raises UpstreamError.
        """
        if faults := self.configuration_faults():
            raise NotConfigured("MISSING_API_KEY" if Cause.KEY_MISSING in faults else None, cause=faults[0])
        deadline = deadline or Deadline(self.total_timeout)
        body = wire.write_request(message, chat_id)
        requests_made = 0
        for attempt in range(1, ATTEMPTS + 1):
            exchange = Exchange(deadline, self.connect_timeout)
            outcome = self._attempt(body, exchange)
            requests_made += exchange.sent
            if isinstance(outcome, wire.Answer):
                return Reply(outcome.reply, outcome.chat_id, requests_made)
            wait = max(outcome.retry_after or 0, _back_off(attempt))
            if not outcome.repeatable or attempt == ATTEMPTS or wait >= deadline.left():
                break
            time.sleep(wait)
        outcome.requests_made = requests_made
        raise outcome

    def configuration_faults(self) -> list[Cause]:
        """Why nothing can be sent at all; empty if something can."""
        faults = []
        if self._adapter is None and not is_allowed_address(self.base_url):
            faults.append(Cause.ADDRESS)
        if not self._api_key:
            faults.append(Cause.KEY_MISSING)
        elif not (self._api_key.isascii() and self._api_key.isprintable()):
            faults.append(Cause.KEY_NOT_SENDABLE)
        return faults

    def without_key(self, text: str) -> str:
        """A text of the upstream's in which the key, should it stand there, can't be read."""
        return text.replace(self._api_key, "…")

    def _attempt(self, body: bytes, exchange: Exchange) -> wire.Answer | UpstreamError:
        """Asks once. The error is given, not raised: so it drags along no other one, whose text may hold the key."""
        adapter = self._adapter or OwnConnectionAdapter(exchange)
        try:
            timeout = (exchange.connect_by.wait(), exchange.deadline.wait())
            request = self._prepare(body)
            exchange.sent = self._adapter is not None
            response = adapter.send(request, stream=True, timeout=timeout, verify=True)
            try:
                return self._understand(response, _read(response))
            finally:
                response.close()
        except TRANSPORT_ERRORS as error:
            if self._adapter and isinstance(error, NEVER_SENT):
                exchange.sent = False
            return _translate(error, exchange)
        except wire.Unusable:
            return NoAnswer(cause=Cause.UNUSABLE, status=response.status_code)
        finally:
            if adapter is not self._adapter:
                adapter.close()

    def _prepare(self, body: bytes) -> requests.PreparedRequest:
        headers = {
            wire.KEY_HEADER: self._api_key,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Connection": "close",
            "User-Agent": "webchat",
        }
        return requests.Request("POST", self.base_url + wire.PATH, headers=headers, data=body).prepare()

    def _understand(self, response: requests.Response, body: bytes) -> wire.Answer | UpstreamError:
        answer = wire.read_answer(response.status_code, body, self.reply_field)
        if answer.refused and answer.code:
            return _refusal(answer.code, response)
        if answer.refused or not 200 <= response.status_code < 300:
            return _refusal_without_code(response)
        return answer if answer.reply else NoAnswer(cause=Cause.WITHOUT_REPLY, status=response.status_code)


def _read(response: requests.Response) -> bytes:
    """The body's bytes as they came, then decompressed; raises wire.Unusable and the layers' own errors."""
    body = bytearray()
    while piece := response.raw.read(65536):
        body += piece
        if len(body) > wire.MAX_BODY:
            raise wire.Unusable("too large")
    return wire.decompress(bytes(body), response.headers.get("Content-Encoding", ""))


def _translate(error: Exception, exchange: Exchange) -> UpstreamError:
    if exchange.sent:
        is_late = not exchange.deadline.left()
        return NoAnswer(cause=Cause.LATE if is_late else Cause.CUT, nobody_there=is_late)
    if isinstance(error, requests.exceptions.InvalidURL | requests.exceptions.InvalidHeader):
        return NotConfigured(cause=Cause.ADDRESS)
    return Unreachable(cause=exchange.cause, repeatable=True, nobody_there=exchange.cause is not Cause.UNKNOWN)


def _refusal(code: str, response: requests.Response, *, nobody_there: bool = False) -> UpstreamError:
    status = response.status_code
    if code in RATE_CODES:
        return TooManyRequests(retry_after=_retry_after(response), repeatable=True, status=status)
    if code in ("BOT_UNAVAILABLE", "INTERNAL_ERROR"):
        wait = _retry_after(response)
        return Refused(code, retry_after=wait, repeatable=True, status=status, nobody_there=nobody_there)
    return Refused(code, status=status)


def _refusal_without_code(response: requests.Response) -> UpstreamError:
    """The table at the module's top."""
    status = response.status_code
    match status:
        case _ if 300 <= status < 400:
            return NotConfigured(cause=Cause.REDIRECT, status=status, location=response.headers.get("Location"))
        case 404 | 405 | 410:
            return NotConfigured(cause=Cause.NO_ENDPOINT, status=status)
        case 401 | 403:
            return Refused("INVALID_API_KEY", status=status)
        case 429:
            return _refusal("RATE_LIMITED", response)
        case 502 | 503:
            return _refusal("BOT_UNAVAILABLE", response, nobody_there=True)
        case 504 | 520 | 524:
            return NoAnswer(cause=Cause.GATEWAY_TIMEOUT, status=status, nobody_there=True)
        case _ if status >= 500:
            return Refused("INTERNAL_ERROR", may_have_arrived=True, status=status, nobody_there=True)
        case _ if status < 200:
            return NoAnswer(cause=Cause.UNUSABLE, status=status)
        case _:
            return Refused(status=status)


def _retry_after(response: requests.Response) -> int | None:
    """The header in whole seconds from now (RFC 9110, section 10.2.3), None if it can't be read."""
    value = response.headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", value):
        return min(int(value), LONGEST_RETRY_AFTER)
    try:
        seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(0, min(math.ceil(seconds), LONGEST_RETRY_AFTER))


def _back_off(attempt: int) -> float:
    """Seconds, spread out so that visitors whose turns failed together don't come back together."""
    return 0.0 if _testing else FIRST_BACK_OFF * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311 no secret
