"""The URL of a PostgreSQL database: what is read from it; an invalid one is refused without quoting its password."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from chatsite import databases

READ = {
    "postgres://webchat:pa%40ss@db.example:5433/chat": ("db.example", 5433, "webchat", "pa@ss", "chat"),
    "postgresql://webchat@127.0.0.1/chat": ("127.0.0.1", "", "webchat", "", "chat"),
    "postgres://webchat@[::1]:5432/chat": ("::1", 5432, "webchat", "", "chat"),
    "postgres://webchat@%2Fvar%2Frun%2Fpostgresql/chat": ("/var/run/postgresql", "", "webchat", "", "chat"),
    "postgres:///chat": ("", "", "", "", "chat"),
}


@pytest.mark.parametrize(("url", "parts"), READ.items())
def test_a_url_names_the_database(url, parts):
    found = databases.postgresql("X", url, connections=7)
    assert tuple(found[name] for name in ("HOST", "PORT", "USER", "PASSWORD", "NAME")) == parts
    assert found["OPTIONS"]["pool"]["max_size"] == 7


def test_the_urls_query_holds_connection_options():
    found = databases.postgresql("X", "postgres://webchat@db.example/chat?sslmode=require", connections=1)
    assert found["OPTIONS"]["sslmode"] == "require"


@pytest.mark.parametrize(
    "url",
    [
        "mysql://webchat:secret@db.example/chat",
        "sqlite:///secret",
        "postgres://webchat:secret@db.example",
        "postgres://webchat:secret@db.example:99999/chat",
        "postgres://webchat:secret@[::1/chat",
        "postgres://webchat:sec#ret@db.example/chat",
        "db.example/secret",
    ],
)
def test_an_invalid_url_is_refused_without_quoting_its_password(url):
    with pytest.raises(ImproperlyConfigured, match=r"^X is not the URL of a PostgreSQL database\. Set it to") as raised:
        databases.postgresql("X", url, connections=1)
    assert "sec" not in str(raised.value)
