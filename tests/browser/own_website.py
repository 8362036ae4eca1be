"""A new owner's website on loopback: a few pages, a colour and an icon."""

import io

from PIL import Image

from tests.http_server import HttpServer, Request

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


class OwnWebsite(HttpServer):
    """`snippet` is added to the end of each page."""

    def __init__(self) -> None:
        super().__init__()
        self.snippet = ""
        self.url = f"http://127.0.0.1:{self.port}"

    def answer(self, request: Request) -> None:
        if request.path in ("/icon.png", "/favicon.ico"):
            picture = io.BytesIO()
            Image.new("RGB", (180, 180), ACCENT).save(picture, "PNG")
            request.respond(200, picture.getvalue(), **{"Content-Type": "image/png"})
        elif request.path in PAGES:
            request.respond(200, (HEAD % (*PAGES[request.path], self.snippet)).encode())
        else:
            request.respond(404)
