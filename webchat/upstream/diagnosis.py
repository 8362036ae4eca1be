"""Tests a bot's upstream with one message and explains to the owner what is wrong."""

import time
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from webchat.upstream import wire
from webchat.upstream.causes import Cause
from webchat.upstream.client import UpstreamClient, UpstreamError
from webchat.upstream.wire import is_allowed_url

PROBE = "Hello"
SLOW = 10  # seconds of waiting that the owner should know about

URL = "CHAT_BASE_URL, or the bot's own upstream address,"
KEY = "BOT_API_KEY, or for a bot with an address of its own that bot’s key,"
EXAMPLE = f"Set {URL} to something like https://bots.example.com."


@dataclass(frozen=True)
class Finding:
    """One finding: what it is, and what to do about it."""

    name: str  # short and stable, for scripts
    sentence: str
    advice: str = ""
    is_fault: bool = True  # does it keep visitors from getting replies?


def check_configuration(client: UpstreamClient) -> list[Finding]:
    """Return the faults that can be found without sending anything."""
    findings = []
    faults = client.configuration_faults()
    if Cause.ADDRESS in faults or _ends_in_path(client.base_url):
        findings.append(Finding("ADDRESS", *_explain_url(client.base_url)))
    if Cause.KEY_MISSING in faults:
        findings.append(
            Finding("MISSING_API_KEY", "There is no key for this bot.", f"Set {KEY} to one from its Settings page.")
        )
    if Cause.KEY_NOT_SENDABLE in faults:
        findings.append(
            Finding(
                "KEY_NOT_SENDABLE",
                "The key contains a character that is not allowed in an HTTP header.",
                f"Copy the key again and set {KEY} to it: one line, no quotation marks.",
            )
        )
    return findings


def ask(client: UpstreamClient) -> list[Finding]:
    """Send one message and return the findings."""
    started = time.monotonic()
    try:
        reply = client.ask(PROBE)
    except UpstreamError as error:
        return [Finding(_name(error), *_explain(error, client))]
    seconds = time.monotonic() - started
    findings = [
        Finding(
            "REPLY",
            f"The bot replied in {seconds:.1f} s: “{_excerpt(client.without_key(reply.text), 80)}”",
            is_fault=False,
        )
    ]
    if seconds > min(SLOW, client.total_timeout / 2):
        findings.append(
            Finding(
                "SLOW",
                f"That is slow: after {client.total_timeout:g} s visitors get no reply at all.",
                "Ask the bot's service why, or give it more time with CHAT_TIMEOUT.",
                is_fault=False,
            )
        )
    if reply.chat_id is None:
        findings.append(
            Finding(
                "NO_CHAT_ID",
                "The answer carried no chatId, so the bot can't know what was said before.",
                "Ask the bot's service for one.",
                is_fault=False,
            )
        )
    return findings


def _name(error: UpstreamError) -> str:
    """Return the name of the finding: the cause says more than the code that visitors see."""
    return error.code if error.cause is Cause.UNKNOWN else error.cause.name


def _explain(error: UpstreamError, client: UpstreamClient) -> tuple[str, str]:
    if error.cause in _CAUSES:
        sentence, advice = _CAUSES[error.cause]
    else:
        sentence, advice = _CODES.get(error.code, _UNKNOWN_CODE)
    parts = urlsplit(client.base_url)
    return tuple(
        text.format(
            host=parts.hostname,
            server=f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}",
            total=f"{client.total_timeout:g}",
            connect=f"{client.connect_timeout:g}",
            status=error.status,
            code=error.code,
            location=_describe_location(error.location, client),
            field=_describe_field(client.reply_field),
        )
        for text in (sentence, advice)
    )


_CAUSES = {
    Cause.DNS: (
        "The name {host} can't be resolved: no name server knows an address for it.",
        f"Look for a typing error in {URL} and check this machine's name servers.",
    ),
    Cause.CONNECTION_REFUSED: (
        "{server} refuses connections: nothing listens there.",
        f"Start the bot's service, or correct the port in {URL} if it is another one.",
    ),
    Cause.CONNECT_TIMEOUT: (
        "{server} made no connection within {connect} s (CHAT_CONNECT_TIMEOUT), secure handshake included.",
        "Check whether a firewall drops the connection, and whether the service is up.",
    ),
    Cause.NO_ROUTE: (
        "No connection to {server} can be made.",
        "Check this machine's network and its firewall.",
    ),
    Cause.TLS_EXPIRED: (
        "The TLS certificate of {host} has expired.",
        "Whoever runs it has to renew it; if it was renewed, check this machine's clock.",
    ),
    Cause.TLS_WRONG_HOST: (
        "The TLS certificate of {host} is for another host.",
        f"Set {URL} to the name that the certificate is for.",
    ),
    Cause.TLS_UNTRUSTED: (
        "The TLS certificate of {host} is signed by itself or by an authority that this machine doesn't know.",
        "If it is your own authority, name its file in SSL_CERT_FILE; else the service needs a public certificate.",
    ),
    Cause.TLS_FAILED: (
        "{server} doesn't speak TLS, or none that is safe.",
        f"Check the port in {URL}: the one for https is usually 443.",
    ),
    Cause.REDIRECT: (
        "The address redirects (status {status}) to {location}. Redirects are not followed: "
        "they would carry the key to another address.",
        f"If you trust that address, set {URL} to it, without {wire.PATH}.",
    ),
    Cause.NO_ENDPOINT: (
        f"Something answers there, but not at {wire.PATH} (status {{status}}).",
        f"Set {URL} to the part before {wire.PATH} in the documentation of the bot's service.",
    ),
    Cause.LATE: (
        "No answer came within {total} s (CHAT_TIMEOUT).",
        "Ask the bot's service why, or give it more time with CHAT_TIMEOUT.",
    ),
    Cause.NO_JSON: (
        "What answers there doesn't take JSON (status {status}), so it is no service of this kind.",
        f"Check {URL} and that no proxy in between changes the Content-Type.",
    ),
    Cause.GATEWAY_CERTIFICATE: (
        "A gateway in front of the bot refuses the bot's TLS certificate (status {status}).",
        "Whoever runs the bot's service has to renew or replace that certificate.",
    ),
    Cause.GATEWAY_FAILED: (
        "A gateway in front of the bot got no answer from it (status {status}). The message may have arrived.",
        "Ask the bot's service why; CHAT_TIMEOUT doesn't change it.",
    ),
    Cause.CUT: (
        "The connection broke off before the answer was complete.",
        "Try again; if it stays so, look for a proxy or a limit between this machine and the service.",
    ),
    Cause.UNUSABLE: (
        "The answer (status {status}) is not readable: no JSON object in UTF-8, or more than a megabyte.",
        f"Check that {URL} is the bot's service and not a web page.",
    ),
    Cause.WITHOUT_REPLY: (
        "The answer (status {status}) holds no text {field}.",
        "Set CHAT_REPLY_FIELD to the field that holds the reply, with dots for nested ones: data.reply.",
    ),
}

_CODES = {
    "MISSING_API_KEY": (
        "The service says that no key came with the message.",
        "Look for a proxy in between that removes the header X-BOT-API-KEY.",
    ),
    "INVALID_API_KEY": (
        "The service refuses the key (status {status}).",
        f"Make a key on the bot's Settings page and set {KEY} to it.",
    ),
    "BOT_DISABLED": (
        "The bot is switched off, or its trial has ended.",
        "Switch it on, or upgrade the account, in its dashboard.",
    ),
    "BOT_UNAVAILABLE": ("The bot is not available (status {status}).", "Try again in a few minutes."),
    "INTERNAL_ERROR": ("The service has an error of its own (status {status}).", "Try again in a few minutes."),
    "RATE_LIMITED": (
        "The service wants to be asked less often (status {status}).",
        "Try again in a few minutes; if visitors see it, too, ask the service for a higher limit.",
    ),
}
for _code in ("INVALID_JSON", "MESSAGE_REQUIRED", "CHAT_NOT_FOUND"):
    _CODES[_code] = (
        f"The service didn't understand the message ({_code}).",
        f"Check that {URL} is a service of this kind, and that no proxy changes what is sent.",
    )
_CODES["UNKNOWN"] = (
    "The service refuses the message without a known code (status {status}).",
    "Ask those who run it what that status means.",
)
_UNKNOWN_CODE = (
    "The service refuses the message with its own code {code} (status {status}).",
    "Look the code up in its documentation.",
)


def _ends_in_path(url: str) -> bool:
    return url.lower().endswith(wire.PATH)


def _explain_url(url: str) -> tuple[str, str]:
    """Explain the fault without quoting the URL: it may hold a password."""
    if not url:
        return "There is no address to send messages to.", EXAMPLE
    if not url.isprintable() or "\\" in url or " " in url:
        return "The address holds a blank, a backslash or an invisible character.", EXAMPLE
    if "@" in url:
        return "The address holds a user name or an @ sign.", f"{EXAMPLE} The key is sent by itself."
    if "?" in url or "#" in url:
        return "The address has a part after ? or #.", "Leave that part out."
    if is_allowed_url(url):
        return f"The address ends in {wire.PATH}.", "Leave that part out: it is added by itself."
    if url.lower().startswith("http://"):
        return "The address begins with http://: anybody on the way could read the key.", "Use https://."
    return "The address is none that messages can be sent to.", EXAMPLE


def _describe_location(location: str | None, client: UpstreamClient) -> str:
    """Return where a redirect leads, without its query, which may hold secrets."""
    if not location:
        return "nowhere"
    try:
        target = urlsplit(urljoin(client.base_url + wire.PATH, location))
    except ValueError:
        return "an address that can't be read"
    return _excerpt(client.without_key(f"{target.scheme}://{target.netloc.rpartition('@')[2]}{target.path}"), 200)


def _describe_field(reply_field: str) -> str:
    return f"in the field {reply_field} (CHAT_REPLY_FIELD)" if reply_field else "in a field that is known for replies"


def _excerpt(text: str, length: int) -> str:
    """Return the start of the text on one line, with nothing that a terminal would take for a command."""
    line = "".join(each if each.isprintable() else " " for each in text[: length + 1]).strip()
    return line if len(text) <= length else f"{line[:length]}…"
