"""SMTP whose steps share one deadline: with a time-out for each step, a slow server could take forever."""

import smtplib
import ssl
from typing import Any

from outbound import sockets
from outbound.deadline import Deadline

MOST_BYTES = 1024 * 1024  # of answers


class TimedSMTP(smtplib.SMTP):
    """Connects at once, over TLS if there is a `context`; `timeout` is the total of all steps."""

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
