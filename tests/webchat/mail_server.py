"""A mail server on loopback that accepts mail or refuses it as a test asks (RFC 5321)."""

import base64
import email
import email.policy
import socketserver
import ssl
import threading
from email.message import EmailMessage
from typing import Self


class MailServer:
    """An SMTP server, unencrypted until STARTTLS if there is a `tls` context.

    `refusal` is its answer to each recipient; `password` is the only one it accepts.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.messages: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.refusal = self.password = ""
        server = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.say("220 ready")
                while line := self.rfile.readline().decode().strip():
                    verb = line[:4].upper()
                    if verb == "RCPT" and server.refusal:
                        self.say(server.refusal)
                    elif verb == "EHLO":
                        self.say("\r\n".join(["250-fine", *["250-STARTTLS"] * bool(tls), "250 AUTH PLAIN"]))
                    elif verb == "AUTH":
                        known = base64.b64decode(line.split()[-1]).endswith(f"\0{server.password}".encode())
                        self.say("235 welcome" if known else "535 5.7.8 wrong <password>")
                    elif verb == "STAR":
                        self.say("220 go on")
                        self.request = tls.wrap_socket(self.request, server_side=True)
                        self.setup()
                    elif verb == "DATA":
                        self.say("354 go on")
                        self.take()
                    else:
                        self.say("221 bye" if verb == "QUIT" else "250 fine")
                    if verb == "RCPT":
                        server.recipients.append(line)
                self.request.close()  # the encrypted socket, which socketserver doesn't know

            def take(self) -> None:
                lines = []
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
                server.messages.append(email.message_from_bytes(b"".join(lines), policy=email.policy.default))
                self.say("250 taken")

            def say(self, words: str) -> None:
                self.wfile.write(f"{words}\r\n".encode())

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
