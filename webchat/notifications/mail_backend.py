"""Django's e-mail backend, with the site's mail server and one deadline for each connection."""

import smtplib
import ssl
from typing import Any

from django.core.mail.backends import smtp

from outbound import sockets
from outbound.deadline import Deadline
from webchat import site

MOST_BYTES = 1024 * 1024  # of a server's answers


class TimedSMTP(smtplib.SMTP):
    """Connects at once, over TLS if there is a `context`. `timeout` is the total of all steps.

    With a time-out for each step, a slow server could take forever.
    """

    def __init__(
        self, host: str, port: int, *, local_hostname: str, timeout: float, context: ssl.SSLContext | None = None
    ) -> None:
        self.deadline, self.context = Deadline(timeout), context
        super().__init__(host, port, local_hostname=local_hostname)

    def connect(self, host: str, port: int, *_unused: Any) -> tuple[int, bytes]:
        self.sock = sockets.connect(host, port, self.deadline)
        if self.context:
            self.sock = self.context.wrap_socket(self.sock, server_hostname=host)
        self._set_limits()
        return self.getreply()

    def starttls(self, *, context: ssl.SSLContext) -> tuple[int, bytes]:
        answer = super().starttls(context=context)
        self._set_limits()
        return answer

    def _set_limits(self) -> None:
        self.sock.deadline, self.sock.bytes_left = self.deadline, MOST_BYTES


class EmailBackend(smtp.EmailBackend):
    """`settings.EMAIL_TIMEOUT` counts from connecting to the end. Options that are given replace the site's."""

    connection_class = TimedSMTP

    def __init__(self, **options: Any) -> None:
        super().__init__(**(site.mail_server() | options))
        self.ssl_context = sockets.tls_context()

    def open(self) -> bool | None:
        """Connect. Raises OSError, with the connection closed: Django leaves one that was refused later open."""
        try:
            return super().open()
        except OSError:
            self.close()
            raise
