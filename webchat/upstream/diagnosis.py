"""Tests a bot's upstream with one message and explains to the owner what is wrong."""

import time
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from webchat.upstream import wire
from webchat.upstream.causes import Cause
from webchat.upstream.client import UpstreamClient, UpstreamError
from webchat.upstream.wire import is_allowed_url

PROBE = "Hello"
SLOW = 10  # seconds of waiting that the owner should know about

# Translators: stands for {url} in the sentences below, as what is set, checked or corrected.
URL = _("the service’s address")
# Translators: stands for {key} in the sentences below, as what is set.
KEY = _("the key")
EXAMPLE = _("Set {url} to something like https://bots.example.com.")


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
    if Cause.ADDRESS in faults or client.base_url.lower().endswith(wire.PATH):
        findings.append(Finding("ADDRESS", *_explain_url(client.base_url)))
    if Cause.KEY_MISSING in faults:
        findings.append(
            Finding(
                "MISSING_API_KEY",
                gettext("There is no key for this bot."),
                gettext("Set {key} to one from its Settings page.").format(key=KEY),
            )
        )
    if Cause.KEY_NOT_SENDABLE in faults:
        findings.append(
            Finding(
                "KEY_NOT_SENDABLE",
                gettext("The key contains a character that is not allowed in an HTTP header."),
                gettext("Copy the key again and set {key} to it: one line, no quotation marks.").format(key=KEY),
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
            gettext("The bot replied in {seconds} s: “{reply}”").format(
                seconds=number_format(round(seconds, 1), 1), reply=_excerpt(client.without_key(reply.text), 80)
            ),
            is_fault=False,
        )
    ]
    if seconds > min(SLOW, client.total_timeout / 2):
        findings.append(
            Finding(
                "SLOW",
                gettext("That is slow: after {seconds} s visitors get no reply at all.").format(
                    seconds=f"{client.total_timeout:g}"
                ),
                gettext("Ask the bot’s service why, or give it more time with CHAT_TIMEOUT."),
                is_fault=False,
            )
        )
    if reply.chat_id is None:
        findings.append(
            Finding(
                "NO_CHAT_ID",
                gettext("The answer had no chatId, so the bot can’t know what was said before."),
                gettext("Ask the bot’s service for one."),
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
        str(text).format(
            url=URL,
            key=KEY,
            path=wire.PATH,
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
        _("The name {host} can’t be resolved: no name server knows an address for it."),
        _("Look for a typing error in {url} and check this machine’s name servers."),
    ),
    Cause.CONNECTION_REFUSED: (
        _("{server} refuses connections: nothing listens there."),
        _("Start the bot’s service, or correct the port in {url} if it is another one."),
    ),
    Cause.CONNECT_TIMEOUT: (
        _("Connecting to {server} took longer than {connect} s (CHAT_CONNECT_TIMEOUT), TLS handshake included."),
        _("Check whether a firewall drops the connection, and whether the service is up."),
    ),
    Cause.NO_ROUTE: (
        _("No connection to {server} can be made."),
        _("Check this machine’s network and its firewall."),
    ),
    Cause.TLS_EXPIRED: (
        _("The TLS certificate of {host} has expired."),
        _("Whoever runs it has to renew it; if it was renewed, check this machine’s clock."),
    ),
    Cause.TLS_WRONG_HOST: (
        _("The TLS certificate of {host} is for another host."),
        _("Set {url} to the name that the certificate is for."),
    ),
    Cause.TLS_UNTRUSTED: (
        _("The TLS certificate of {host} is self-signed, or signed by an authority that this machine doesn’t know."),
        _("If it is your own authority, name its file in SSL_CERT_FILE; else the service needs a public certificate."),
    ),
    Cause.TLS_FAILED: (
        _("{server} doesn’t speak TLS, or only an unsafe version."),
        _("Check the port in {url}: the one for https is usually 443."),
    ),
    Cause.REDIRECT: (
        _(
            "The address redirects (status {status}) to {location}. Redirects are not followed: "
            "they would carry the key to another address."
        ),
        _("If you trust that address, set {url} to it, without {path}."),
    ),
    Cause.NO_ENDPOINT: (
        _("Something answers there, but not at {path} (status {status})."),
        _("Set {url} to the part before {path} in the bot service’s documentation."),
    ),
    Cause.LATE: (
        _("No answer came within {total} s (CHAT_TIMEOUT)."),
        _("Ask the bot’s service why, or give it more time with CHAT_TIMEOUT."),
    ),
    Cause.NO_JSON: (
        _("What answers there doesn’t take JSON (status {status}), so it is no service of this kind."),
        _("Check {url} and that no proxy in between changes the Content-Type."),
    ),
    Cause.GATEWAY_CERTIFICATE: (
        _("A gateway in front of the bot refuses the bot’s TLS certificate (status {status})."),
        _("Whoever runs the bot’s service has to renew or replace that certificate."),
    ),
    Cause.GATEWAY_FAILED: (
        _("A gateway in front of the bot got no answer from it (status {status}). The message may have arrived."),
        _("Ask the bot’s service why; CHAT_TIMEOUT doesn’t change it."),
    ),
    Cause.CUT: (
        _("The connection was lost before the answer was complete."),
        _("Try again; if it keeps happening, look for a proxy or a limit between this machine and the service."),
    ),
    Cause.UNUSABLE: (
        _("The answer (status {status}) is not readable: no JSON object in UTF-8, or more than a megabyte."),
        _("Check that {url} is the bot’s service and not a web page."),
    ),
    Cause.WITHOUT_REPLY: (
        _("The answer (status {status}) has no text {field}."),
        _("Set CHAT_REPLY_FIELD to the field that holds the reply, with dots for nested ones: data.reply."),
    ),
}

_CODES = {
    "MISSING_API_KEY": (
        _("The service says that no key came with the message."),
        _("Look for a proxy in between that removes the header X-BOT-API-KEY."),
    ),
    "INVALID_API_KEY": (
        _("The service refuses the key (status {status})."),
        _("Create a key in the bot’s settings at its service, and use it as {key}."),
    ),
    "BOT_DISABLED": (
        _("The bot is switched off, or its trial has ended."),
        _("Switch it on, or upgrade the account, in its dashboard."),
    ),
    "BOT_UNAVAILABLE": (_("The bot is not available (status {status})."), _("Try again in a few minutes.")),
    "INTERNAL_ERROR": (_("The service has an error of its own (status {status})."), _("Try again in a few minutes.")),
    "RATE_LIMITED": (
        _("The service limits how often it may be asked (status {status})."),
        _("Try again in a few minutes; if visitors see it, too, ask the service for a higher limit."),
    ),
}
for _code in ("INVALID_JSON", "MESSAGE_REQUIRED", "CHAT_NOT_FOUND"):
    _CODES[_code] = (
        _("The service didn’t understand the message ({code})."),
        _("Check that {url} is a service of this kind, and that no proxy changes what is sent."),
    )
_CODES["UNKNOWN"] = (
    _("The service refuses the message without a known code (status {status})."),
    _("Ask whoever runs it what that status means."),
)
_UNKNOWN_CODE = (
    _("The service refuses the message with its own code {code} (status {status})."),
    _("Look the code up in its documentation."),
)


def _explain_url(url: str) -> tuple[str, str]:
    """Explain the fault without quoting the URL: it may hold a password."""
    example = str(EXAMPLE).format(url=URL)
    if not url:
        return gettext("There is no address to send messages to."), example
    if not url.isprintable() or "\\" in url or " " in url:
        return gettext("The address contains a space, a backslash or an invisible character."), example
    if "@" in url:
        sent_anyway = gettext("Leave the key out of it: it is sent separately.")
        return gettext("The address contains a user name or an @ sign."), f"{example} {sent_anyway}"
    if "?" in url or "#" in url:
        return gettext("The address has a part after ? or #."), gettext("Leave that part out.")
    if is_allowed_url(url):
        sentence = gettext("The address ends in {path}.").format(path=wire.PATH)
        return sentence, gettext("Leave that part out: it is added automatically.")
    if url.lower().startswith("http://"):
        return gettext("The address begins with http://: anybody on the network could read the key."), gettext(
            "Use https://."
        )
    return gettext("Messages can’t be sent to this address."), example


def _describe_location(location: str | None, client: UpstreamClient) -> str:
    """Return where a redirect leads, without its query, which may hold secrets."""
    if not location:
        return gettext("nowhere")
    try:
        target = urlsplit(urljoin(client.base_url + wire.PATH, location))
    except ValueError:
        return gettext("an address that can’t be read")
    return _excerpt(client.without_key(f"{target.scheme}://{target.netloc.rpartition('@')[2]}{target.path}"), 200)


def _describe_field(reply_field: str) -> str:
    if not reply_field:
        return gettext("in one of the usual fields")
    return gettext("in the field {field} (CHAT_REPLY_FIELD)").format(field=reply_field)


def _excerpt(text: str, length: int) -> str:
    """Return the start of the text on one line, with nothing that a terminal would take for a command."""
    line = "".join(each if each.isprintable() else " " for each in text[: length + 1]).strip()
    return line if len(text) <= length else f"{line[:length]}…"
