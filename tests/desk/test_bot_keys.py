"""The key of a bot's service can be entered, and is never shown again."""

import io

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command

from docbot.models import TrainedBot
from tests.desk.bot_pages import TABS, url
from tests.desk.conftest import page
from webchat import encryption
from webchat.models import Bot


def test_a_key_can_be_entered_and_is_never_shown(admin_client, bot, fields):
    admin_client.post(url(bot, "service/"), fields | {"base_url": "https://bots.example.com", "new_key": "sk-new"})
    bot.refresh_from_db()
    assert "sk-new" not in bot.sealed_key
    assert encryption.unseal(bot.sealed_key) == "sk-new"
    for rest in (*TABS, "preview/chat/", "test/"):
        assert "sk-new" not in admin_client.get(url(bot, rest)).content.decode()
    assert not [entry for entry in LogEntry.objects.all() if "sk-new" in entry.change_message + entry.object_repr]


def test_secrets_are_encrypted_again_after_a_change_of_the_secret_key(bot, trained, settings):
    former = settings.SECRET_KEY
    bot.set_key("sk-new")
    bot.set_webhook_secret("whsec")
    bot.save()
    TrainedBot.objects.update(sealed_model_key=encryption.seal("sk-model"))
    sealed, settings.SECRET_KEY = bot.sealed_key, "another secret key"
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit):
        call_command("reseal", stdout=out, stderr=err)
    assert "bot “Ada”: key" in err.getvalue()
    assert Bot.objects.get().sealed_key == sealed, "what cannot be decrypted is left alone"
    settings.SECRET_KEY_FALLBACKS = [former]
    call_command("reseal", stdout=out)
    assert "Encrypted again: 3" in out.getvalue()
    settings.SECRET_KEY_FALLBACKS = []
    bot.refresh_from_db()
    assert (encryption.unseal(bot.sealed_key), bot.webhook_secret) == ("sk-new", "whsec")
    assert encryption.unseal(TrainedBot.objects.get().sealed_model_key) == "sk-model"


@pytest.fixture
def refused(admin_client, bot, fields) -> dict[str, str]:
    """The form after a mistake beside two new secrets, as a browser sends it with the next "Save"."""
    given = {"base_url": "https://bots.example.com", "new_key": "sk-new", "new_webhook_secret": "sh-new"}
    response = admin_client.post(url(bot, "service/"), fields | given | {"alarm_email": "nobody"})
    assert "sk-new" not in response.content.decode()
    assert "sh-new" not in response.content.decode()
    shown = page(response)
    assert "What you entered is kept" in shown.xpath("string(//*[@id='id_new_key_helptext'])")
    return {name: value or "" for name, value in shown.get_element_by_id("bot_form").form_values()}


def test_a_kept_key_works_for_its_bot_and_its_field_only(admin_client, bot, refused):
    other = Bot.objects.create(slug="other", name="Other", sealed_webhook_secret=encryption.seal("sh-old"))
    swapped = refused | {"alarm_email": "", "kept_webhook_secret": refused["kept_key"]}
    admin_client.post(url(bot, "service/"), swapped)
    admin_client.post(url(other, "service/"), refused | {"alarm_email": "", "answered_by": "site", "base_url": ""})
    from_database = {"answered_by": "site", "kept_webhook_secret": encryption.seal("sh-stolen")}
    admin_client.post(url(other, "service/"), from_database)
    bot.refresh_from_db()
    other.refresh_from_db()
    assert (bot.webhook_secret, other.webhook_secret, other.sealed_key) == ("", "sh-old", "")


def test_typed_keys_survive_a_refusal_without_being_shown(admin_client, bot, refused):
    assert admin_client.post(url(bot, "service/"), refused | {"alarm_email": ""}).status_code == 302
    bot.refresh_from_db()
    assert (encryption.unseal(bot.sealed_key), bot.webhook_secret) == ("sk-new", "sh-new")
