"""nginx with our own configuration.

with Nginx(folder, authority, site.port) as nginx:
    HttpVisitor(nginx.url, verify=str(authority.file)).send("Hello")
"""

import getpass
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.browser.site import free_port
from tests.deploy.proxies import ROOT, Proxy, find
from tests.webchat.certificates import Authority

AROUND = """
user {user};
error_log {folder}/error.log;
pid {folder}/pid;
worker_rlimit_nofile 16384;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/unused; uwsgi_temp_path {folder}/unused; scgi_temp_path {folder}/unused;
    include {folder}/site.conf;
}}
"""


class Nginx(Proxy):
    """Serves with deploy/nginx.conf."""

    def __init__(self, folder: Path, authority: Authority, *ports_of_sites: int) -> None:
        self.log = folder / "error.log"
        self.http_port, self.port = free_port(), free_port()
        folder.mkdir(exist_ok=True)
        certificate = authority.certificate_file("localhost")
        (folder / "site.conf").write_text(self._filled_in(certificate, ports_of_sites))
        (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=getpass.getuser()))
        self.process = subprocess.Popen(
            [find("nginx"), "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log", "-g", "daemon off;"]
        )

    def _filled_in(self, certificate: Path, ports_of_sites: Sequence[int]) -> str:
        """Fill in what the owner would, marked "here" in the file, and replace the ports."""
        sites = "\n    ".join(f"server 127.0.0.1:{port};" for port in ports_of_sites)
        text = (ROOT / "deploy" / "nginx.conf").read_text()
        for marked, ours in {
            "server 127.0.0.1:8000;": sites,
            "server_name chat.example.com;": "server_name localhost;",
            "ssl_certificate     /etc/ssl/chat.pem;": f"ssl_certificate {certificate};",
            "ssl_certificate_key /etc/ssl/chat.key;": f"ssl_certificate_key {certificate};",
            "listen 80;": f"listen 127.0.0.1:{self.http_port};",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
        }.items():
            assert marked in text, marked
            text = text.replace(marked, ours)
        return re.sub(r"^\s*listen \[::\].*\n", "", text, flags=re.M)
