"""The widget from the outside: what the launcher is told, and the colours of its frame."""

import pytest

from tests.webchat.visitor import Page


def launcher(client) -> dict[str, object]:
    return client.get("/embed/help/launcher.json").json()


def test_the_launcher_is_told_the_colours_that_suit_the_website(bot, client):
    assert launcher(client)["theme"] == "auto"
    bot.widget_theme = "dark"
    bot.save()
    assert launcher(client)["theme"] == "dark"


@pytest.mark.parametrize(
    ("url", "theme"),
    [
        ("/embed/help/?theme=dark", "dark"),
        ("/embed/help/?theme=light", "light"),
        ("/embed/help/?theme=auto", None),
        ("/embed/help/?theme=%22%3E", None),
        ("/chat/help/?theme=dark", None),
    ],
)
def test_a_frame_has_the_colours_that_its_website_asks_for(bot, client, url, theme):
    assert Page(client.get(url)).tree.get("data-theme") == theme


def test_the_script_of_the_open_window_comes_from_the_site_itself(bot, client):
    assert launcher(client)["window"].startswith("/static/webchat/embed/window")


def test_the_website_may_read_along_only_if_the_owner_says_so(bot, client):
    assert b"data-shares-text" not in client.get("/embed/help/").content
    bot.shares_text = True
    bot.save()
    assert b"data-shares-text" in client.get("/embed/help/").content
