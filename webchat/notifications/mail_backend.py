"""Django's e-mail backend, with the site's mail server and one deadline for each connection."""

from typing import Any

from django.core.mail.backends import smtp

from outbound.smtp import TimedSMTP
from outbound.sockets import tls_context
from webchat import site


class EmailBackend(smtp.EmailBackend):
    """`settings.EMAIL_TIMEOUT` counts from connecting to the end. Options that are given replace the site's."""

    connection_class = TimedSMTP

    def __init__(self, **options: Any) -> None:
        super().__init__(**(site.mail_server() | options))
        self.ssl_context = tls_context()

    def open(self) -> bool | None:
        """Connect. Raises OSError, with the connection closed: Django leaves one that was refused later open."""
        try:
            return super().open()
        except OSError:
            self.close()
            raise
