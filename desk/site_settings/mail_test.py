"""Sends a test e-mail, and says in words what became of it."""

import smtplib
import socket
import ssl
from dataclasses import dataclass
from typing import Any

from django.db import close_old_connections
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from outbound.concurrency_limit import waiting
from webchat import site
from webchat.notifications import mails
from webchat.notifications.mail_backend import EmailBackend
from webchat.rendering.bot_text import without_invisible

# The first that an exception is an instance of.
SENTENCES: tuple[tuple[type[Exception], Any], ...] = (
    (
        smtplib.SMTPAuthenticationError,
        gettext_lazy(
            "The server refused the user name or the password. Some providers ask for an app password, made in "
            "your account there."
        ),
    ),
    (
        smtplib.SMTPSenderRefused,
        gettext_lazy("The server refused the sender: enter an address that it lets you send from, or a user name."),
    ),
    (
        smtplib.SMTPRecipientsRefused,
        gettext_lazy("The server refused the recipient. Some servers need a user name for addresses elsewhere."),
    ),
    (
        smtplib.SMTPNotSupportedError,
        gettext_lazy(
            "The server can’t do what was asked: choose another encryption, or leave out user name and password."
        ),
    ),
    (smtplib.SMTPResponseException, gettext_lazy("The server didn’t accept the e-mail.")),
    (
        socket.gaierror,
        gettext_lazy("No server was found under this name: check how it is spelt."),
    ),
    (
        TimeoutError,
        gettext_lazy(
            "No answer in time: check server and port. Many providers block port 25; use 587 with STARTTLS or 465 "
            "with TLS."
        ),
    ),
    (
        ssl.SSLCertVerificationError,
        gettext_lazy("The server’s certificate isn’t valid for this name: enter the name that your provider gives."),
    ),
    (
        ssl.SSLError,
        gettext_lazy("The server doesn’t speak TLS at this port: choose STARTTLS with port 587, or TLS with 465."),
    ),
    (ConnectionRefusedError, gettext_lazy("Nothing answers at this port: check port and encryption.")),
)
BROKEN_OFF = gettext_lazy("The connection was lost: check port and encryption.")


@dataclass(frozen=True)
class Outcome:
    sentence: str
    said: str = ""  # by the server
    is_taken: bool = False


def send(to: str, server: dict[str, Any], sender: str) -> Outcome:
    """Send it through this server; nothing in `server` means the environment's."""
    content = mails.Content(
        name=site.url().partition("://")[2] or sender,
        heading=_("A test e-mail"),
        paragraphs=[_("The mail server works: this site can send e-mails.")],
    )
    mail = mails.make(content.heading, to, content)
    mail.from_email = sender
    close_old_connections()
    try:
        with waiting():
            EmailBackend(**server).send_messages([mail])
    except (OSError, smtplib.SMTPException, UnicodeError) as error:
        return _failure(error)
    sentence = _(
        "The server has accepted the e-mail. If it doesn’t arrive within a few minutes, check your spam folder."
    )
    return Outcome(sentence, is_taken=True)


def _failure(error: Exception) -> Outcome:
    causes = [error, *filter(None, [error.__context__])]  # smtplib makes a disconnection of each time-out
    for kind, sentence in SENTENCES:
        if any(isinstance(cause, kind) for cause in causes):
            return Outcome(str(sentence), _said(error))
    return Outcome(str(BROKEN_OFF), _said(error))


def _said(error: Exception) -> str:
    """Return the server's own words, if it said any."""
    code, words = 0, b""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        ((code, words),) = list(error.recipients.values())[:1]
    elif isinstance(error, smtplib.SMTPResponseException):
        code, words = error.smtp_code, error.smtp_error
    words = words.decode(errors="replace") if isinstance(words, bytes) else str(words)
    return without_invisible(f"{code} {words}")[:500] if code else ""
