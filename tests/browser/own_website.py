"""A new owner's website on loopback: a few pages, a colour and an icon."""

import io
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from PIL import Image

ACCENT = "#b3261e"
HEAD = (
    f'<!doctype html><html lang="en"><head><title>%s</title><meta name="theme-color" content="{ACCENT}">'
    '<link rel="apple-touch-icon" href="/icon.png"></head><body><main>%s</main>%s</body></html>'
)
PAGES = {
    "/": (
        "Bella's bakery",
        "<h1>Bella's bakery</h1><p>Bread, rolls and cakes from our own oven, every morning since 1987.</p>"
        '<ul><li><a href="/delivery">Delivery</a></li></ul>',
    ),
    "/delivery": (
        "Delivery",
        "<h1>Delivery</h1><h2>Which places do you deliver to?</h2><p>We deliver bread to Ashford and Kennington on"
        " every working day. An order has to reach us by four in the afternoon on the day before.</p>",
    ),
}


class OwnWebsite:
    """Serves inside its `with` block; `snippet` is added to the end of each page."""

    def __init__(self) -> None:
        self.snippet = ""
        website = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                kind, content = website._answer(self.path)
                self.send_response(200 if content else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def _answer(self, path: str) -> tuple[str, bytes]:
        if path in ("/icon.png", "/favicon.ico"):
            picture = io.BytesIO()
            Image.new("RGB", (180, 180), ACCENT).save(picture, "PNG")
            return "image/png", picture.getvalue()
        if path not in PAGES:
            return "text/plain", b""
        return "text/html; charset=utf-8", (HEAD % (*PAGES[path], self.snippet)).encode()

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
