"""A requests adapter that calls docbot without a socket, so that the demo needs no second process."""

import io
from urllib.parse import urlsplit

import requests
from django.core.handlers.wsgi import WSGIRequest
from django.urls import resolve
from requests.adapters import BaseAdapter

from docbot.endpoint import urls


class DocbotAdapter(BaseAdapter):
    """Passes requests for docbot://in-process/api/public/… to docbot's views, with the same HTTP contract.

    Path not taken: through the middleware. The end of this inner request would close the visitor's database connection.
    """

    def send(self, request: requests.PreparedRequest, **_unused: object) -> requests.Response:
        body = request.body or b""
        match = resolve(urlsplit(request.url).path.removeprefix("/api/public"), urlconf=urls)
        answer = match.func(WSGIRequest(self._environ(request, body)), *match.args, **match.kwargs)
        response = requests.Response()
        response.status_code, response.raw = answer.status_code, io.BytesIO(answer.content)
        response.headers.update(answer.items())
        return response

    def close(self) -> None:
        """Do nothing: no connection is kept open."""

    @staticmethod
    def _environ(request: requests.PreparedRequest, body: bytes) -> dict[str, object]:
        environ = {
            "REQUEST_METHOD": request.method,
            "PATH_INFO": urlsplit(request.url).path,
            "SERVER_NAME": "in-process",
            "SERVER_PORT": "0",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
        }
        for name, value in request.headers.items():
            key = name.upper().replace("-", "_")
            text = value.decode("latin-1") if isinstance(value, bytes) else value
            environ["CONTENT_TYPE" if key == "CONTENT_TYPE" else f"HTTP_{key}"] = text
        return environ
