"""Settings from the environment: what is accepted; an invalid value is refused with a sentence that helps."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from chatsite import environment
from tests.browser.site import free_port
from tests.commands import manage, python

# --- The readers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("1", True),
        ("true", True),
        ("Yes", True),
        (" on ", True),
        ("0", False),
        ("FALSE", False),
        ("off", False),
        ("", False),
    ],
)
def test_booleans_are_parsed(value, read, monkeypatch):
    monkeypatch.setenv("X", value)
    assert environment.boolean("X", not read) is read


@pytest.mark.parametrize("value", ["2", "ja", "truee", "1.0", "None"])
def test_an_invalid_boolean_is_refused(value, monkeypatch):
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match=rf"X is '{value}'\. Set it to 1 or 0\."):
        environment.boolean("X", False)


@pytest.mark.parametrize(("value", "read"), [("", "UTC"), (" Europe/Berlin ", "Europe/Berlin")])
def test_a_time_zone_is_parsed(value, read, monkeypatch):
    monkeypatch.setenv("X", value)
    assert environment.time_zone("X", "UTC") == read


@pytest.mark.parametrize("value", ["Europe/Bielefeld", "Berlin", "+02:00", "../etc/passwd", "/etc/localtime", "Europe"])
def test_an_invalid_time_zone_is_refused(value, monkeypatch):
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match="Set it to a time zone such as Europe/Berlin"):
        environment.time_zone("X", "UTC")


@pytest.mark.parametrize(
    ("value", "default", "read"), [("7", 1, 7), (" 7 ", 1, 7), ("", 1, 1), ("0.5", 1.0, 0.5), ("10", 1, 10)]
)
def test_numbers_are_parsed(value, default, read, monkeypatch):
    monkeypatch.setenv("X", value)
    assert environment.number("X", default, least=0, most=10) == read


@pytest.mark.parametrize("value", ["x", "-1", "11", "1,5", "1.5", "nan", "inf", "1e400", "0x7", "--1", "9" * 5000])
def test_an_invalid_number_is_refused_with_the_allowed_range(value, monkeypatch):
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match="Set it to a whole number from 0 to 10"):
        environment.number("X", 1, least=0, most=10)


ORIGINS = {
    "https://chat.example.com": "https://chat.example.com",
    "https://chat.example.com/": "https://chat.example.com",
    "HTTPS://Chat.Example.COM": "https://chat.example.com",
    "http://127.0.0.1:8000": "http://127.0.0.1:8000",
    "http://localhost:80": "http://localhost",
    "https://chat.example.com:443": "https://chat.example.com",
    "https://chat.example.com:8443": "https://chat.example.com:8443",
    "http://[::1]:8000": "http://[::1]:8000",
    "": "",
    "  ": "",
}


@pytest.mark.parametrize(("value", "read"), ORIGINS.items())
def test_an_origin_is_normalised_as_browsers_write_it(value, read, monkeypatch):
    monkeypatch.setenv("X", value)
    assert environment.origin("X") == read


@pytest.mark.parametrize(
    "value",
    [
        "chat.example.com",
        "https://",
        "ftp://chat.example.com",
        "https://chat.example.com/chat",
        "https://chat.example.com?x=1",
        "https://chat.example.com#x",
        "https://me:pw@chat.example.com",
        "https://chat.example.com:0",
        "https://chat.example.com:99999",
        "https://*.example.com",
        "https://bücher.example",
    ],
)
def test_an_invalid_origin_is_refused(value, monkeypatch):
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match="the address that visitors open"):
        environment.origin("X")


@pytest.mark.parametrize(("value", "read"), [("debug", "DEBUG"), (" Warning ", "WARNING"), ("", "INFO")])
def test_a_choice_ignores_case(value, read, monkeypatch):
    monkeypatch.setenv("X", value)
    assert environment.one_of("X", "INFO", ("DEBUG", "INFO", "WARNING")) == read


MAIL_SERVERS = {
    "": {"host": ""},
    "smtp://mail.example.com": {"host": "mail.example.com", "port": 587, "starttls": True, "tls": False},
    "smtps://me:p%40ss@mail.example.com": {"port": 465, "tls": True, "starttls": False, "password": "p@ss"},
    "smtp+plain://127.0.0.1:1025": {"port": 1025, "tls": False, "starttls": False, "user": ""},
    "smtp://me%3A@mail.example.com:2525/": {"port": 2525, "user": "me:"},
}


@pytest.mark.parametrize(("value", "read"), MAIL_SERVERS.items())
def test_a_mail_server_url_is_parsed(value, read, monkeypatch):
    monkeypatch.setenv("X", value)
    server = environment.mail_server("X")._asdict()
    assert server | read == server


@pytest.mark.parametrize(
    "value",
    [
        "mail.example.com",
        "smtp://",
        "http://mail.example.com",
        "smtp://h:99999",
        "smtp://h:x",
        "smtp://h/x",
        "smtp://h?x",
    ],
)
def test_an_invalid_mail_server_url_is_refused_without_quoting_its_password(value, monkeypatch):
    monkeypatch.setenv("X", value.replace("//", "//me:s3cret@"))
    with pytest.raises(ImproperlyConfigured, match="not the address of a mail server") as refusal:
        environment.mail_server("X")
    assert "s3cret" not in str(refusal.value)


# --- The whole site, started ------------------------------------------------------------------------------------------

# Variables that stop the start, and what each of them is told to be.
ODD = [
    ({"MESSAGE_MAX_LENGTH": "0"}, ["MESSAGE_MAX_LENGTH is '0'. Set it to a whole number from 1"]),
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
        ({}, "(31536000, False, False)"),
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
