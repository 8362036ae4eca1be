"""Caddy with our own configuration.

with Caddy(folder, authority, site.port) as caddy:
    HttpVisitor(caddy.url, verify=str(authority.file)).send("Hello")
"""

import os
import subprocess
from pathlib import Path

from tests.browser.site import ROOT, free_port
from tests.deploy.proxies import Proxy, find
from tests.webchat.certificates import Authority


def arguments(program: str, config: Path) -> list[str]:
    return [program, "run", "--adapter", "caddyfile", "--config", str(config)]


class Caddy(Proxy):
    """Serves with deploy/Caddyfile."""

    def __init__(self, folder: Path, authority: Authority, port_of_site: int) -> None:
        self.port = free_port()
        folder.mkdir(exist_ok=True)
        self.log, config = folder / "log", folder / "Caddyfile"
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
        with self.log.open("w") as log:
            own = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
            self.process = subprocess.Popen(
                arguments(find("caddy"), config), env=os.environ | own, stdout=log, stderr=log, cwd=folder
            )
