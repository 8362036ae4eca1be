"""Caddy with our own configuration.

with Caddy(folder, authority, site.port) as caddy:
    HttpVisitor(caddy.url, verify=str(authority.file)).send("Hello")
"""

import contextlib
import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

from tests.browser.site import ROOT, free_port
from tests.deploy.proxies import find
from tests.webchat.certificates import Authority


def arguments(program: str, config: Path) -> list[str]:
    return [program, "run", "--adapter", "caddyfile", "--config", str(config)]


class Caddy:
    """Serves https on loopback with deploy/Caddyfile inside its `with` block."""

    def __init__(self, folder: Path, authority: Authority, port_of_site: int) -> None:
        self.port = free_port()
        folder.mkdir(exist_ok=True)
        self._log, config = folder / "log", folder / "Caddyfile"
        certificate = authority.certificate_file("localhost")
        text = (ROOT / "deploy" / "Caddyfile").read_text()
        for marked, ours in {
            "\nchat.example.com {": f"\nlocalhost:{self.port} {{\n\ttls {certificate} {certificate}",
            "reverse_proxy 127.0.0.1:8000 {": f"reverse_proxy 127.0.0.1:{port_of_site} {{",
            "{\n\tservers {": "{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {",
        }.items():
            assert marked in text, marked
            text = text.replace(marked, ours)
        config.write_text(text)
        with self._log.open("w") as log:
            own = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
            self._process = subprocess.Popen(
                arguments(find("caddy"), config), env=os.environ | own, stdout=log, stderr=log, cwd=folder
            )

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def __enter__(self) -> Self:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return self
            assert self._process.poll() is None, self._log.read_text()
            time.sleep(0.05)
        raise RuntimeError(self._log.read_text())

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
