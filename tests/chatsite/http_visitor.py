"""webchat's test visitor, over HTTP to a real site.

visitor = HttpVisitor(site.url)
visitor.send_live("Hello")
assert visitor.open().turns[-1].reply == "You said: Hello"
"""

from copy import copy, deepcopy
from typing import Self

import requests

from tests.webchat.visitor import PAGE, Visitor


class Answer:
    """A response with the interface of Django's test client."""

    def __init__(self, response: requests.Response) -> None:
        self.status_code, self.content, self.headers = response.status_code, response.content, response.headers
        self.set_cookies = response.raw.headers.getlist("Set-Cookie")

    def __getitem__(self, header: str) -> str:
        return self.headers[header]


class HttpClient:
    """One browser's connections and cookies. Raises requests.RequestException where a browser shows its own page."""

    def __init__(self, base_url: str, *, timeout: float = 30, verify: str | bool = True) -> None:
        self.base_url, self.timeout = base_url, timeout
        self.session = requests.Session()
        self.session.trust_env, self.session.verify = False, verify

    def get(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, data: dict[str, str], headers: dict[str, str] | None = None) -> Answer:
        origin = {"Origin": self.base_url, "Referer": f"{self.base_url}/"}
        return self._ask("POST", path, data, origin | (headers or {}))

    def _ask(self, method: str, path: str, data: dict[str, str] | None, headers: dict[str, str] | None) -> Answer:
        url = self.base_url + path
        return Answer(
            self.session.request(method, url, data=data, headers=headers, timeout=self.timeout, allow_redirects=False)
        )


class HttpVisitor(Visitor):
    """Does everything that a Visitor does, over HTTP."""

    def __init__(self, base_url: str, path: str = PAGE, **options: object) -> None:
        self.client = HttpClient(base_url, **options)
        self.path, self.page = path, None

    def twin(self) -> Self:
        other = copy(self)
        other.client = HttpClient(self.client.base_url, timeout=self.client.timeout, verify=self.client.session.verify)
        other.client.session.cookies = deepcopy(self.client.session.cookies)
        other.page = deepcopy(self.page)
        return other
