"""Asks a chat-api.md endpoint for a reply, and says in one exception tree what became of a message without one.

    UpstreamError
    ├── NotConfigured      BAD_CONFIGURATION, MISSING_API_KEY: the owner has to put the address or the key right
    ├── Unreachable        UNREACHABLE, or BAD_CONFIGURATION when a certificate is wrong: nothing was sent
    ├── Refused            the upstream said no: one of its eight codes, one that looks like a code, or UNKNOWN
    │   └── TooManyRequests    RATE_LIMITED
    └── NoAnswer           NO_ANSWER: the message may have arrived, but no usable answer came

An answer that names a code is that refusal, whatever its status. Without a code the status decides:

    3xx                       NotConfigured    a redirect is never followed: it would carry the key to another host
    404, 405, 410, 421, 501   NotConfigured    nothing at this address speaks the API
    415                       NotConfigured    what is there takes no JSON; beside an undocumented code as well
    526                       NotConfigured    a gateway refuses the bot's certificate
    401, 403                  INVALID_API_KEY  what a gateway says to a bad key; the sentence fits other causes as well
    408                       BOT_UNAVAILABLE  retried: the request didn't arrive whole
    429                       RATE_LIMITED     retried
    503                       BOT_UNAVAILABLE  retried
    521, 523, 525             BOT_UNAVAILABLE  a gateway didn't reach the bot; not retried
    502, 504, 520, 522, 524   NoAnswer         a gateway lost a bot that may have got the message
    other 5xx                 INTERNAL_ERROR   not retried: a bare 500 doesn't say how far the message came
    else                      UNKNOWN
"""

import email.utils
import math
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

import requests
from django.conf import settings
from django.utils.module_loading import import_string
from requests.adapters import BaseAdapter

from outbound.deadline import Deadline
from outbound.http import OutboundError, Session, Unreadable, read_body
from webchat.upstream import wire
from webchat.upstream.causes import Cause, connection_cause
from webchat.upstream.wire import is_allowed_url

ATTEMPTS = 3
FIRST_BACK_OFF = 0.5  # seconds, doubled for each further attempt
LONGEST_RETRY_AFTER = 24 * 60 * 60
SHORTEST_SECRET = 12  # characters
# A retry that runs out of time turns "the bot is unavailable" into "your message may have arrived".
TIME_FOR_A_RETRY = 1 / 4  # of `total_timeout`, at least

BAD_CERTIFICATE = (Cause.TLS_EXPIRED, Cause.TLS_WRONG_HOST, Cause.TLS_UNTRUSTED)

# What gateways call a refusal for which chat-api.md has no code.
RATE_CODES = frozenset({"RATE_LIMITED", "RATE_LIMIT", "RATE_LIMIT_EXCEEDED", "TOO_MANY_REQUESTS"})


@dataclass(frozen=True)
class Reply:
    """What the bot said. `chat_id` is None if the answer had none: then the one that was sent stays valid.

    `outcome`: what the upstream says about its reply (see wire.OUTCOMES), "" if it says nothing.
    """

    text: str
    chat_id: str | None
    requests_made: int
    outcome: str = ""


class UpstreamError(Exception):
    """No reply. Its text is only the code, so that none of the upstream's words and no URL or key gets into a log."""

    code = "UNKNOWN"
    may_have_arrived = False  # may the bot have received the message, and the owner have paid for it?

    def __init__(
        self,
        code: str | None = None,
        *,
        may_have_arrived: bool | None = None,
        retry_after: int | None = None,
        repeatable: bool = False,
        is_outage: bool = False,
        cause: Cause = Cause.UNKNOWN,
        status: int | None = None,
        location: str | None = None,
    ) -> None:
        self.code = code or self.code
        if may_have_arrived is not None:
            self.may_have_arrived = may_have_arrived
        self.retry_after = retry_after  # whole seconds, as the upstream asks
        self.is_outage = is_outage  # no connection, no answer in time, or a gateway reports one
        self.repeatable = repeatable  # may the message be sent again without asking the visitor?
        self.requests_made = 0  # how many requests may have reached the upstream
        # For the owner's diagnosis only.
        self.cause = cause
        self.status = status
        self.location = location
        super().__init__(self.code)


class NotConfigured(UpstreamError):
    """The URL or the key can't be right."""

    code = "BAD_CONFIGURATION"


class Unreachable(UpstreamError):
    """No connection was made: not a byte of the message was sent."""

    code = "UNREACHABLE"


class Refused(UpstreamError):
    """The upstream answered with an error."""


class TooManyRequests(Refused):
    """The upstream asks for fewer requests."""

    code = "RATE_LIMITED"


class NoAnswer(UpstreamError):
    """The message may have arrived, but no usable answer came: late, cut, malformed, oversized, empty."""

    code = "NO_ANSWER"
    may_have_arrived = True


class UpstreamClient:
    """One bot's endpoint and key. Holds no connection; may be used by any number of threads.

    `adapter` is a requests adapter that carries the calls without a socket, whatever the base URL. It gets what is left
    of the time as its `timeout` and has to give its answer's bytes as `response.raw`. A call that it was given counts
    as sent, whatever it raises.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        reply_field: str = "",
        connect_timeout: float = 5.0,
        total_timeout: float = 60.0,
        adapter: BaseAdapter | None = None,
    ) -> None:
        self.base_url = base_url.strip().rstrip("/")
        self.connect_timeout = connect_timeout
        self.total_timeout = total_timeout
        self._api_key = api_key.strip()
        self.reply_field = reply_field.strip()
        self._adapter = adapter

    def ask(
        self,
        message: str,
        chat_id: str | None = None,
        *,
        deadline: Deadline | None = None,
        may_retry: Callable[[], bool] = lambda: True,
    ) -> Reply:
        """Send one message and return the bot's reply, within `total_timeout` or the caller's deadline.

        Retries only what can't have cost a message (the table above), and only while `may_retry` allows it. Raises
        UpstreamError.
        """
        if faults := self.configuration_faults():
            raise NotConfigured("MISSING_API_KEY" if Cause.KEY_MISSING in faults else None, cause=faults[0])
        deadline = deadline or Deadline(self.total_timeout)
        session, request = self._prepare(deadline, wire.write_request(message, chat_id))
        requests_made = 0
        for attempt in range(1, ATTEMPTS + 1):
            outcome = self._attempt(session, request, deadline)
            requests_made += not isinstance(outcome, Unreachable)
            if isinstance(outcome, wire.Answer):
                # An upstream may repeat what it was sent; a short key could be a word.
                is_secret = len(self._api_key) >= SHORTEST_SECRET
                text = self.without_key(outcome.reply) if is_secret else outcome.reply
                return Reply(text, outcome.chat_id, requests_made, outcome.outcome)
            wait = max(outcome.retry_after or 0, _back_off(attempt))
            time_is_short = deadline.seconds_left() - wait < self.total_timeout * TIME_FOR_A_RETRY
            if not outcome.repeatable or attempt == ATTEMPTS or time_is_short:
                break
            time.sleep(wait)
            if not may_retry():
                break
        outcome.requests_made = requests_made
        raise outcome

    def configuration_faults(self) -> list[Cause]:
        """Return why nothing can be sent at all; empty if something can."""
        faults = []
        if self._adapter is None and not is_allowed_url(self.base_url):
            faults.append(Cause.ADDRESS)
        if not self._api_key:
            faults.append(Cause.KEY_MISSING)
        elif not (self._api_key.isascii() and self._api_key.isprintable()):
            faults.append(Cause.KEY_NOT_SENDABLE)
        return faults

    def without_key(self, text: str) -> str:
        """Return a text of the upstream's with the key replaced, should it contain it."""
        return text.replace(self._api_key, "…")

    def _prepare(self, deadline: Deadline, body: bytes) -> tuple[Session, requests.PreparedRequest]:
        """Return the request and a new session for each turn, so that nothing is shared between visitors."""
        session = Session(deadline, connect_seconds=self.connect_timeout)
        if self._adapter:
            session.mount(self.base_url, self._adapter)
        session.headers.update({"Accept": "application/json", "User-Agent": "webchat"})
        headers = {**session.headers, wire.KEY_HEADER: self._api_key, "Content-Type": "application/json"}
        try:
            return session, requests.Request("POST", self.base_url + wire.PATH, headers=headers, data=body).prepare()
        except ValueError:  # requests raises it; its text may hold the URL or the key
            fault = NotConfigured(cause=Cause.ADDRESS)
        raise fault

    def _attempt(
        self, session: Session, request: requests.PreparedRequest, deadline: Deadline
    ) -> wire.Answer | UpstreamError:
        """Ask once. The error is returned, not raised, so that it has no context whose text may hold the key."""
        left = deadline.seconds_left()
        if not left:
            return Unreachable()
        try:
            response = session.send(request, stream=True, allow_redirects=False, timeout=left)
            try:
                return self._understand(response, read_body(response))
            except (wire.Unusable, Unreadable):
                return NoAnswer(cause=Cause.UNUSABLE, status=response.status_code)
            finally:
                response.close()
        except OSError as error:  # requests' exceptions are
            return _translate(error, deadline)

    def _understand(self, response: requests.Response, body: bytes) -> wire.Answer | UpstreamError:
        answer = wire.read_answer(response.status_code, body, self.reply_field)
        if answer.code in wire.CODES or (answer.code and response.status_code != 415):
            return _refusal(answer.code, response)
        if answer.refused or not 200 <= response.status_code < 300:
            return _refusal_without_code(response)
        return answer if answer.reply else NoAnswer(cause=Cause.WITHOUT_REPLY, status=response.status_code)


def client_for(base_url: str, api_key: str) -> UpstreamClient:
    """Return the client of an upstream, with the site's time limits; without a socket where settings say so."""
    adapter = settings.CHAT_ADAPTERS.get(base_url)
    return UpstreamClient(
        base_url,
        api_key,
        reply_field=settings.CHAT_REPLY_FIELD,
        connect_timeout=settings.CHAT_CONNECT_TIMEOUT,
        total_timeout=settings.CHAT_TIMEOUT,
        adapter=import_string(adapter)() if adapter else None,
    )


def _translate(error: OSError, deadline: Deadline) -> UpstreamError:
    if isinstance(error, OutboundError) and not error.sent:
        cause = connection_cause(error.__cause__)
        if cause in BAD_CERTIFICATE:
            return Unreachable("BAD_CONFIGURATION", cause=cause)
        return Unreachable(cause=cause, repeatable=True, is_outage=True)
    is_late = not deadline.seconds_left()
    return NoAnswer(cause=Cause.LATE if is_late else Cause.CUT, is_outage=is_late)


def _refusal(code: str, response: requests.Response) -> UpstreamError:
    status = response.status_code
    if code in RATE_CODES:
        return TooManyRequests(retry_after=_retry_after(response), repeatable=True, status=status)
    if code in ("BOT_UNAVAILABLE", "INTERNAL_ERROR"):
        return Refused(code, retry_after=_retry_after(response), repeatable=True, status=status)
    return Refused(code, status=status)


def _refusal_without_code(response: requests.Response) -> UpstreamError:
    """Return the refusal for a status without a code: the table at the top of this module."""
    status = response.status_code
    match status:
        case _ if status < 200:
            return NoAnswer(cause=Cause.UNUSABLE, status=status)
        case _ if 300 <= status < 400:
            return NotConfigured(cause=Cause.REDIRECT, status=status, location=response.headers.get("Location"))
        case 404 | 405 | 410 | 421 | 501:
            return NotConfigured(cause=Cause.NO_ENDPOINT, status=status)
        case 415:
            return NotConfigured(cause=Cause.NO_JSON, status=status)
        case 526:
            return NotConfigured(cause=Cause.GATEWAY_CERTIFICATE, status=status)
        case 401 | 403:
            return Refused("INVALID_API_KEY", status=status)
        case 429:
            return _refusal("RATE_LIMITED", response)
        case 408 | 503:
            error = _refusal("BOT_UNAVAILABLE", response)
            error.is_outage = status == 503
            return error
        case 521 | 523 | 525:
            return Refused("BOT_UNAVAILABLE", status=status, is_outage=True)
        case 502 | 504 | 520 | 522 | 524:
            return NoAnswer(cause=Cause.GATEWAY_FAILED, status=status, is_outage=True)
        case _ if status >= 500:
            return Refused("INTERNAL_ERROR", may_have_arrived=True, status=status)
        case _:
            return Refused(status=status)


def _retry_after(response: requests.Response) -> int | None:
    """Return the header in whole seconds from now (RFC 9110, section 10.2.3); None if it can't be parsed."""
    value = response.headers.get("Retry-After", "").strip()
    if number := re.fullmatch(r"0*([0-9]+)(\.[0-9]+)?", value):
        whole, fraction = number.groups()
        # Longer than any wait; Python refuses to parse thousands of digits.
        return LONGEST_RETRY_AFTER if len(whole) > 9 else min(int(whole) + bool(fraction), LONGEST_RETRY_AFTER)
    try:
        seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(0, min(math.ceil(seconds), LONGEST_RETRY_AFTER))


def _back_off(attempt: int) -> float:
    """Return seconds with jitter, so that visitors whose turns failed together don't come back together."""
    return FIRST_BACK_OFF * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311 no secret
