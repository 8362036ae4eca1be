"""How the pages score by the rules of MDN's HTTP Observatory, which tests sites over the internet.

Its rules and points as published (mdn/mdn-http-observatory, src/grader/charts.js, and the analyzers beside it): each
is a row here, with what the page has to show for the points. It begins with 100; what is missing costs points; what
goes beyond counts once little is missing. Not asked here: the redirect from http (the proxy's, tests/deploy), CORS (the
page allows none), and the browsers' built-in list for HSTS (5 points that only an entry there brings).
"""

import re
import subprocess
import sys
from collections.abc import Callable
from http.cookies import Morsel, SimpleCookie
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings as site_settings
from lxml import html

from tests.browser.site import Site, bot_row
from tests.chatsite.http_visitor import Answer, HttpClient

SIX_MONTHS = 15_768_000


class Seen(NamedTuple):
    """A page as the Observatory sees it."""

    headers: dict[str, str]
    cookies: list[Morsel]
    scripts: list[html.HtmlElement]

    @property
    def policy(self) -> dict[str, list[str]]:
        parts = (part.split() for part in self.headers.get("content-security-policy", "").split(";") if part.strip())
        return {name: sources for name, *sources in parts}


class Rule(NamedTuple):
    name: str
    earns: int  # where the page does what is best
    costs: int  # where it doesn't do it at all
    does: Callable[[Seen], bool]
    why: str


def restricts_everything(page: Seen) -> bool:
    policy = page.policy
    sources = [source for each in policy.values() for source in each]
    broad = {"'unsafe-inline'", "'unsafe-eval'", "data:", "http:", "https:", "*", "blob:"}
    return (
        policy.get("default-src") == ["'none'"]
        and policy.get("form-action") in (["'self'"], ["'none'"])
        and not broad & set(sources)
    )


def has_strict_cookies(page: Seen) -> bool:
    return bool(page.cookies) and all(
        each["secure"] and each["httponly"] and each["samesite"] in ("Lax", "Strict") for each in page.cookies
    )


def has_no_loose_cookie(page: Seen) -> bool:
    return not page.cookies or has_strict_cookies(page)


def says_https_for_long(page: Seen) -> bool:
    age = re.search(r"max-age=(\d+)", page.headers.get("strict-transport-security", ""))
    return bool(age) and int(age[1]) >= SIX_MONTHS


def names_fingerprints(page: Seen) -> bool:
    """All scripts are the site's own, and each has its fingerprint."""
    own = all(re.match(r"/(?!/)", script.get("src", "")) for script in page.scripts)
    return bool(page.scripts) and own and all(script.get("integrity") for script in page.scripts)


RULES = [
    Rule("Content-Security-Policy", 10, -25, restricts_everything, "nothing that isn't the site's own is run or shown"),
    Rule("Cookies", 5, 0, has_strict_cookies, "no script reads them, no other site sends them along, none over http"),
    Rule("Cookies that are loose", 0, -40, has_no_loose_cookie, "a page without any is fine"),
    Rule(
        "Referrer-Policy", 5, 0,
        lambda page: page.headers.get("referrer-policy") in (
            "no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"
        ),
        "where a link leads, nobody learns of the conversation's address",
    ),
    Rule("Strict-Transport-Security", 0, -20, says_https_for_long, "half a year at least"),
    Rule("Subresource integrity", 5, 0, names_fingerprints, "a file that was changed on its way is not run"),
    Rule(
        "X-Content-Type-Options", 0, -5,
        lambda page: page.headers.get("x-content-type-options") == "nosniff", "nothing is a script by its looks"
    ),
    Rule("Framing", 5, -20, lambda page: "frame-ancestors" in page.policy, "said by the policy"),
    Rule(
        "Cross-Origin-Resource-Policy", 10, 0,
        lambda page: page.headers.get("cross-origin-resource-policy") in ("same-origin", "same-site"),
        "no other site's page gets it into its process",
    ),
]  # fmt: skip


def score(page: Seen) -> int:
    """Points beyond 100 only for a page that has 90 without them."""
    done = {rule.name: rule.does(page) for rule in RULES}
    without = 100 + sum(rule.costs for rule in RULES if not done[rule.name])
    return without + (sum(rule.earns for rule in RULES if done[rule.name]) if without >= 90 else 0)


def look(answer: Answer) -> Seen:
    cookies = SimpleCookie()
    for cookie in answer.set_cookies:
        cookies.load(cookie)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Seen(headers, list(cookies.values()), html.fromstring(answer.content).xpath("//script"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    """Of a site on https, as the proxy before it would ask."""
    settings = {"SITE_URL": "https://chat.example.com", "BEHIND_PROXY": "1", "DATABASE_URL": ""}
    settings |= {"ALLOWED_HOSTS": "chat.example.com,127.0.0.1"}
    bots = [bot_row(1, "help", origins="https://www.example.com")]
    with Site(tmp_path_factory.mktemp("https"), "http://127.0.0.1:9", bots, WEB_PROCESSES=1, **settings) as site:
        client, proxied = HttpClient(site.url), {"Host": "chat.example.com", "X-Forwarded-Proto": "https"}
        return {path: look(client.get(path, proxied)) for path in ("/", "/chat/help/", "/embed/help/", "/nothing")}


@pytest.mark.parametrize(
    ("path", "least"), [("/", 130), ("/chat/help/", 130), ("/embed/help/", 115), ("/nothing", 115)]
)
def test_pages_are_far_beyond_the_best_grade(path: str, least: int, pages: dict[str, Seen]) -> None:
    page = pages[path]
    missed = [f"{rule.name} ({rule.why})" for rule in RULES if not rule.does(page)]
    assert score(page) >= least, missed


def test_the_full_page_has_every_security_header(pages: dict[str, Seen]) -> None:
    assert [rule.name for rule in RULES if not rule.does(pages["/"])] == []
    assert score(pages["/"]) == 140


def test_a_page_without_anything_fails() -> None:
    """The rules tell good from bad."""
    assert score(Seen({}, [], [])) == 100 - 25 - 20 - 5 - 20


def test_browsers_are_told_to_use_https_for_this_host_alone(pages: dict[str, Seen]) -> None:
    assert pages["/"].headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"HSTS_SECONDS": "300", "HSTS_SUBDOMAINS": "1"}, "(300, True, True)"),
        ({"SITE_URL": "http://chat.example.com", "HSTS_SUBDOMAINS": "1"}, "(0, False, False)"),
    ],
)  # fmt: skip
def test_the_owner_says_how_far_that_goes(variables: dict[str, str], said: str, tmp_path: Path) -> None:
    look_up = (
        "from chatsite import settings as s;"
        "print((s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD))"
    )
    assert run("-c", look_up, tmp_path, **variables) == said


def test_djangos_own_check_of_a_deployment_finds_nothing(tmp_path: Path) -> None:
    assert "no issues" in run("manage.py", "check", "--deploy", tmp_path, BEHIND_PROXY="1")


def run(*arguments: str | Path, **variables: str) -> str:
    """The last argument is the folder for the site's data."""
    *command, folder = arguments
    environment = {"PATH": "/usr/bin:/bin", "SITE_URL": "https://chat.example.com", "DATA_DIR": str(folder)} | variables
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *command],
        cwd=site_settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNINGS" not in done.stderr
    return (done.stdout + done.stderr).strip()
