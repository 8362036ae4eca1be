"""Bots' keys: encrypted in the database, readable after a change of SECRET_KEY, sent to one URL only."""

import pytest

from tests.webchat.upstream_server import UpstreamServer
from webchat import encryption
from webchat.models import Bot

OWN = "sk-the-shops-own-key"


@pytest.fixture
def shop(db: None) -> Bot:
    bot = Bot(slug="shop", name="Shop")
    bot.set_key(OWN)
    bot.save()
    return bot


@pytest.fixture
def elsewhere():
    with UpstreamServer(api_key=OWN) as server:
        yield server


@pytest.mark.parametrize("spoil", [lambda s: s[:-4], lambda s: s[:20] + s[20:].swapcase(), lambda s: "", lambda s: "é"])
def test_altered_text_is_not_decrypted(spoil):
    with pytest.raises(encryption.CannotUnseal):
        encryption.unseal(spoil(encryption.seal(OWN)))


def keys_seen(server: UpstreamServer) -> list[str | None]:
    return [request.key for request in server.requests]


def test_a_bots_own_key_goes_to_its_own_url_or_else_to_the_sites(shop, visitor, upstream, elsewhere):
    visitor.open("/chat/shop/")
    visitor.send("Hello")
    assert keys_seen(upstream) == [OWN]
    Bot.objects.filter(pk=shop.pk).update(base_url=elsewhere.base_url)
    assert visitor.send("And here?").turns[-1].reply
    assert (keys_seen(elsewhere), keys_seen(upstream)) == ([OWN], [OWN])


def test_the_sites_key_never_goes_to_a_bots_own_url(visitor, upstream, elsewhere):
    Bot.objects.update(base_url=elsewhere.base_url)
    alert = visitor.send("Hello").turns[0].alert
    assert (alert.code, alert.sentence) == ("MISSING_API_KEY", "This chat isn’t available at the moment.")
    assert keys_seen(elsewhere) == keys_seen(upstream) == []


def test_a_key_that_cannot_be_decrypted_counts_as_missing_and_no_other_is_used(shop, visitor, upstream):
    Bot.objects.filter(pk=shop.pk).update(sealed_key="spoilt")
    visitor.open("/chat/shop/")
    assert visitor.send("Hello").turns[0].alert.code == "MISSING_API_KEY"
    assert upstream.requests == []


def test_docbot_is_asked_with_this_sites_own_key_only(bot, settings):
    settings.CHAT_BASE_URL, settings.BOT_API_KEY = settings.IN_PROCESS_URL, "a key for somebody else"
    assert bot.upstream_key == settings.IN_PROCESS_KEY
    assert settings.IN_PROCESS_KEY != settings.SECRET_KEY
