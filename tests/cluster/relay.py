"""A machine's connection to PostgreSQL: a port on loopback that can be cut or stalled."""

import contextlib
import socket
import threading
from pathlib import Path
from typing import Self


class Relay:
    """Forwards a port to the server's socket inside its `with` block."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._open: set[socket.socket] = set()
        self._changes = threading.Lock()
        self._flows = threading.Event()
        self._flows.set()
        self._listen(0)

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self.go_on()

    def cut(self) -> None:
        """Close every connection and refuse new ones until it is mended."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        with self._changes:
            for end in self._open:
                with contextlib.suppress(OSError):  # closed already
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._listen(self.port)

    def stall(self) -> None:
        """Accept connections but pass nothing through until it resumes."""
        self._flows.clear()

    def go_on(self) -> None:
        self._flows.set()

    def _listen(self, port: int) -> None:
        self._listener = socket.create_server(("127.0.0.1", port), backlog=200)
        self.port: int = self._listener.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept, args=(self._listener,), daemon=True)
        self._accepting.start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return  # cut
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self._server))
            except OSError:  # PostgreSQL is away
                client.close()
                server.close()
                continue
            with self._changes:
                self._open |= {client, server}
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        """Copy bytes one way; the thread that ends last closes both sockets."""
        with contextlib.suppress(OSError):
            while piece := one.recv(65536):
                self._flows.wait()
                other.sendall(piece)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_WR)
        with self._changes:
            self._open.discard(one)
            if other not in self._open:
                one.close()
                other.close()
