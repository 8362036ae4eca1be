"""Small websites on loopback, which tests build page by page and which record their requests."""

from collections.abc import Callable

from tests.http_server import HttpServer, Request


class Site(HttpServer):
    """A site's answers by path; `asked` holds each request's path and headers."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: dict[str, Callable[[Request], object]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []

    def answer(self, request: Request) -> None:
        self.asked.append((request.path, dict(request.headers)))
        self.answers.get(request.path, lambda request: request.send_error(404))(request)

    def at(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def page(self, path: str, body: str = "", *links: str, head: str = "", **headers: str) -> None:
        """Add an HTML page with a heading, a text and links."""
        anchors = "".join(f'<a href="{link}">more</a>' for link in links)
        title = path.strip("/").split("/")[-1].replace(".html", "").capitalize() or "Home"
        html = f"<html><head>{head}</head><body><main><h1>{title}</h1><p>{body}</p></main>{anchors}</body></html>"
        self.file(path, html.encode(), "text/html; charset=utf-8", **headers)

    def file(self, path: str, content: bytes, kind: str, *, status: int = 200, **headers: str) -> None:
        named = {"Content-Type": kind} | {name.replace("_", "-"): headers[name] for name in headers}
        self.answers[path] = lambda request: request.respond(status, content, **named)

    def status(self, path: str, status: int, **headers: str) -> None:
        self.file(path, b"", "text/plain", status=status, **headers)

    def redirect(self, path: str, target: str) -> None:
        self.status(path, 302, Location=target)

    def gone(self, path: str) -> None:
        self.answers.pop(path, None)
