"""Settings from the environment: what is accepted; an invalid value is refused with a sentence that helps."""

import stat
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from chatsite import environment
from tests.browser.site import free_port
from tests.commands import manage, python

# --- The readers ------------------------------------------------------------------------------------------------------

READERS = {
    "a boolean": partial(environment.boolean, default=True),
    "a time zone": partial(environment.time_zone, default="UTC"),
    "a whole number": partial(environment.number, default=1, least=0, most=10),
    "a number": partial(environment.number, default=1.0, least=0, most=10),
    "an origin": environment.origin,
    "a choice": partial(environment.one_of, default="INFO", choices=("DEBUG", "INFO", "WARNING")),
    "a mail server": environment.mail_server,
}
ACCEPTED = {
    "a boolean": {"1": True, "Yes": True, " on ": True, "FALSE": False, "off": False, "": False},
    "a time zone": {"": "UTC", " Europe/Berlin ": "Europe/Berlin"},
    "a whole number": {" 7 ": 7, "": 1, "10": 10},
    "a number": {"0.5": 0.5},
    "an origin": {
        "https://chat.example.com/": "https://chat.example.com",
        "HTTPS://Chat.Example.COM": "https://chat.example.com",
        "http://127.0.0.1:8000": "http://127.0.0.1:8000",
        "http://localhost:80": "http://localhost",
        "https://chat.example.com:443": "https://chat.example.com",
        "https://chat.example.com:8443": "https://chat.example.com:8443",
        "http://[::1]:8000": "http://[::1]:8000",
        "  ": "",
    },
    "a choice": {"debug": "DEBUG", " Warning ": "WARNING", "": "INFO"},
    "a mail server": {
        "": environment.MailServer(),
        "smtp://mail.example.com": environment.MailServer("mail.example.com", 587, starttls=True),
        "smtps://me:p%40ss@mail.example.com": environment.MailServer("mail.example.com", 465, "me", "p@ss", tls=True),
        "smtp+plain://127.0.0.1:1025": environment.MailServer("127.0.0.1", 1025),
        "smtp://me%3A@mail.example.com:2525/": environment.MailServer("mail.example.com", 2525, "me:", starttls=True),
    },
}
SECRET = "s3cret"
REFUSED = {
    "a boolean": (r"X is '.+'\. Set it to 1 or 0\.", ["2", "truee", "1.0"]),
    "a time zone": ("Set it to a time zone such as Europe/Berlin", ["Berlin", "+02:00", "../etc/passwd", "Europe"]),
    "a whole number": (
        "Set it to a whole number from 0 to 10",
        ["x", "-1", "11", "1,5", "1.5", "nan", "inf", "1e400", "9" * 5000],
    ),
    "a number": ("Set it to a number from 0 to 10", ["nan", "inf", "1e400"]),
    "an origin": (
        "the address that visitors open",
        [
            *("chat.example.com", "https://", "ftp://chat.example.com", "https://chat.example.com/chat"),
            *("https://chat.example.com?x=1", "https://chat.example.com#x", "https://me:pw@chat.example.com"),
            *("https://chat.example.com:0", "https://chat.example.com:99999", "https://bücher.example"),
        ],
    ),
    "a mail server": (
        "not the address of a mail server",
        [
            f"{scheme}://me:{SECRET}@{rest}"
            for scheme, rest in [("smtp", ""), ("http", "h"), ("smtp", "h:99999"), ("smtp", "h/x"), ("smtp", "h?x")]
        ],
    ),
}


@pytest.mark.parametrize("what", ACCEPTED)
def test_what_owners_write_is_understood(what, monkeypatch):
    for value, read in ACCEPTED[what].items():
        monkeypatch.setenv("X", value)
        assert READERS[what]("X") == read, value


@pytest.mark.parametrize("what", REFUSED)
def test_an_invalid_value_is_refused_with_what_is_allowed_and_without_a_password(what, monkeypatch):
    sentence, values = REFUSED[what]
    for value in values:
        monkeypatch.setenv("X", value)
        with pytest.raises(ImproperlyConfigured, match=sentence) as refusal:
            READERS[what]("X")
        assert SECRET not in str(refusal.value)


# --- The whole site, started ------------------------------------------------------------------------------------------

# Variables that stop the start, and what each of them is told to be.
ODD = [
    ({"PORT": "http"}, ["PORT is 'http'. Set it to a whole number from 1 to 65535."]),
    ({"DATA_DIR": "/proc/x"}, ["DATA_DIR is '/proc/x', where nothing can be written"]),
    (
        {"CHAT_BASE_URL": "http://bot.example", "LLM_BASE_URL": "http://127.0.0.1:1/v1", "DEFAULT_BOT": "Über uns"},
        ["CHAT_BASE_URL is not an address", "LLM_BASE_URL is set, but LLM_MODEL is not.", "DEFAULT_BOT is 'Über uns'."],
    ),
]


def test_a_misconfigured_site_does_not_start_and_says_why_in_one_sentence(tmp_path):
    for variables, sentences in ODD:
        done = manage("check", **{"DATA_DIR": tmp_path, **variables})
        assert done.returncode != 0, variables
        assert [sentence for sentence in sentences if sentence not in done.stderr] == []
        assert "Traceback" not in done.stderr, variables


def test_a_database_that_cannot_be_opened_is_named_in_one_sentence(tmp_path):
    (tmp_path / "db.sqlite3").mkdir()
    done = manage("migrate", DATA_DIR=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "The database can't be used: unable to open database file. Check DATA_DIR and its disk.\n"


def test_an_unreachable_postgresql_is_named_in_one_sentence_with_its_reason(tmp_path):
    url = f"postgres://postgres:secret@127.0.0.1:{free_port()}/chat"
    done = manage("prepare", DATA_DIR=tmp_path, DATABASE_URL=url)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("The database can't be used: connection failed: ")
    assert "Connection refused" in done.stderr
    assert "secret" not in done.stderr


READ = "from django.conf import settings; print(settings.SECRET_KEY)"


def keys_of(processes: int, folder: Path, **variables: str) -> set[str]:
    """Start so many processes together; return their secret keys."""
    with ThreadPoolExecutor() as pool:
        started = [pool.submit(python, READ, DATA_DIR=folder, **variables) for _ in range(processes)]
    return {each.result().stdout.strip() for each in started}


def test_processes_that_start_together_create_one_secret_key_that_only_the_owner_can_read(tmp_path):
    folder = tmp_path / "var"
    first = keys_of(4, folder)
    path = folder / "secret_key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(path.read_text()) >= 50
    assert first == keys_of(1, folder) == {path.read_text()}
    assert [each.name for each in folder.iterdir()] == ["secret_key"]


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"HSTS_SECONDS": "300", "HSTS_SUBDOMAINS": "1"}, "(300, True, True)"),
        ({"SITE_URL": "http://chat.example.com", "HSTS_SUBDOMAINS": "1"}, "(0, False, False)"),
    ],
)
def test_hsts_lasts_as_long_and_covers_as_much_as_the_owner_sets(variables, said, tmp_path):
    names = ("SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD")
    look_up = f"from django.conf import settings; print(tuple(getattr(settings, name) for name in {names}))"
    started = python(look_up, **{"SITE_URL": "https://chat.example.com", "DATA_DIR": tmp_path, **variables})
    assert started.stdout.strip() == said, started.stderr


def test_an_https_site_passes_djangos_deployment_checks_without_a_warning(tmp_path):
    done = manage("check", "--deploy", "--fail-level=INFO", DATA_DIR=tmp_path, SITE_URL="https://chat.example.com")
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_a_secret_key_from_the_environment_creates_no_file(tmp_path):
    assert keys_of(1, tmp_path, SECRET_KEY="x" * 50) == {"x" * 50}
    assert list(tmp_path.iterdir()) == []
