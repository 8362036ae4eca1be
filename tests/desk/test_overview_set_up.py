"""What the overview says is missing from the set-up."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.utils import timezone

from docbot.endpoint import keys
from docbot.models import Document, TrainedBot
from tests.desk.overview_page import card, links, page, shown_cards, words
from webchat import encryption
from webchat.models import Bot, TeamMember


@pytest.fixture
def trained(db, settings) -> TrainedBot:
    """The one that answers for bots without a service of their own."""
    trained = TrainedBot.objects.create(slug="help", name="Bicycle workshop")
    keys.register(trained, "this site", settings.IN_PROCESS_KEY)
    return trained


def test_a_fresh_site_links_to_its_page_and_says_what_is_missing(admin_client, bot, trained, settings):
    settings.CHAT_BASE_URL, settings.ALARM_EMAIL = settings.IN_PROCESS_URL, ""
    manual = str(settings.MANUAL)
    Document.objects.create(
        trained_bot=trained, kind="folder", origin=manual, location=f"{manual}/a.md", trained_at=timezone.now()
    )
    shown = page(admin_client)
    assert "Nobody has written yet." in words(shown)
    assert links(shown)["Open the page (opens in a new tab) ↗"] == "/chat/help/"
    assert not shown.xpath("//*[@id='today']")
    missing = card(admin_client, "set-up")
    assert [words(each) for each in missing.xpath(".//li/p[1]")] == [
        "This site’s manual is all that Ada can answer from.",
        "Nobody is told when something goes wrong with Ada.",
        "No website may show Ada yet.",
        "Your login has no second factor.",
    ]
    for url in links(missing).values():
        assert admin_client.get(url, follow=True).status_code == 200


def test_a_bot_that_leaves_its_service_for_this_site_does_not_get_the_manual(admin_client, bot, settings):
    """Its visitors expect the owner's documents; the overview asks for them until there are some."""
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL
    assert "There is nothing that Ada can answer from." in words(card(admin_client, "set-up"))  # no trained bot
    Bot.objects.update(base_url="https://bots.example.com")
    missing = words(card(admin_client, "set-up"))
    assert "can answer from" not in missing
    assert "There is no key for the service of Ada." in missing
    Bot.objects.update(sealed_key=encryption.seal("sk-1"))
    assert "no key" not in words(card(admin_client, "set-up"))
    admin_client.post(f"/admin/webchat/bot/{bot.pk}/answers/", {"trained": "new"})
    trained = TrainedBot.objects.get()
    assert not trained.documents.exists()
    missing = card(admin_client, "set-up")
    assert "There is nothing that Ada can answer from." in words(missing)
    assert links(missing)["Add documents or a service"] == "/admin/setup/help/answers/"
    Document.objects.create(trained_bot=trained, kind="upload", location="/own.md", trained_at=timezone.now())
    assert "can answer from" not in words(card(admin_client, "set-up"))


def test_nothing_is_missing_on_a_site_that_is_set_up(client, bot, trained, settings):
    settings.CHAT_BASE_URL, settings.ALARM_EMAIL = settings.IN_PROCESS_URL, "ops@example.com"
    settings.EMAIL_HOST = ""
    Document.objects.create(trained_bot=trained, kind="upload", location="/own.md", trained_at=timezone.now())
    Bot.objects.update(origins="https://www.example.com", people_answer=True)
    owner = User.objects.create_superuser("owner")
    TeamMember.objects.create(user=owner, name="Owner", is_available=True)
    Authenticator.objects.create(user=owner, type=Authenticator.Type.TOTP, data={})
    client.force_login(owner)
    assert "this site has no mail server" in words(card(client, "set-up"))
    settings.EMAIL_HOST = "mail.example.com"
    assert shown_cards(client) == set()
    User.objects.create_user("carla")
    missing = card(client, "set-up")
    assert "Customers don’t see any bot in the portal yet. Add one to it:" in words(missing)
    assert links(missing)["Ada"].endswith("#id_in_portal")
    Bot.objects.all().delete()
    shown = page(client)
    assert "There is no bot yet." in words(shown)
    assert links(shown)["Add a bot"] == "/admin/webchat/bot/add/"
    assert not shown.xpath("//*[@id='today']")


def test_a_bot_with_nobody_available_is_named(admin_client, colleague, bot):
    other = Bot.objects.create(slug="other", name="Other", people_answer=True)
    assert "Nobody is available to answer visitors of Other." in words(card(admin_client, "set-up"))
    member = colleague("Ann", other)[1]
    assert "Nobody is available" not in words(card(admin_client, "set-up"))
    member.is_available = False
    member.save()
    assert "Nobody is available" in words(card(admin_client, "set-up"))
