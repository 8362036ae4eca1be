"""The bots' pages as their owner sees them: the form, its preview, the test of a bot, and its key."""

import io

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from lxml import html
from PIL import Image

from docbot.endpoint import keys
from docbot.models import TrainedBot
from tests.conftest import KEY
from webchat import encryption
from webchat.appearance.color_palette import palettes
from webchat.conversation.accept import accept
from webchat.conversation.answer import answer
from webchat.models import Bot

LIST = "/admin/webchat/bot/"


@pytest.fixture
def fields(bot) -> dict[str, object]:
    """The form as it stands in the page."""
    return {
        "name": bot.name,
        "slug": bot.slug,
        "greeting": bot.greeting,
        "switched_on": "on",
        "answers_when_closed": "on",
        "launcher_icon": "chat",
        "launcher_position": "end",
        "teaser_after": 10,
        "queue_minutes": 5,
    }


def address(bot: Bot, rest: str = "change/") -> str:
    return f"{LIST}{bot.pk}/{rest}"


def page(response) -> html.HtmlElement:
    assert response.status_code == 200
    return html.fromstring(response.content.decode())


def test_the_form_is_saved_and_the_page_shows_it_at_once(admin_client, client, bot, fields):
    words = {"greeting": "Welcome to the **shop**", "retention_days": 30, "hours": "Mon-Fri 9:00-17:00"}
    assert admin_client.post(address(bot), fields | words).status_code == 302
    bot.refresh_from_db()
    assert (bot.retention_days, bot.hours) == (30, "Mon-Fri 9:00-17:00")
    assert b"Welcome to the <strong>shop</strong>" in client.get("/chat/help/").content


def test_proof_of_work_is_off_until_its_owner_ticks_it_and_the_preview_has_it_before(admin_client, client, bot, fields):
    admin_client.post(address(bot), fields)
    assert "data-challenge" not in client.get("/chat/help/").content.decode()
    ticked = fields | {"asks_for_proof": "on"}
    assert "data-challenge" in admin_client.post(address(bot, "preview/chat/"), ticked).content.decode()
    admin_client.post(address(bot), ticked)
    assert "data-challenge" in client.get("/chat/help/").content.decode()
    assert (
        "while" in page(admin_client.get(address(bot))).xpath("string(//*[@id='id_asks_for_proof_helptext'])").lower()
    )


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("hours", "whenever we like"),
        ("time_zone", "Europe/Atlantis"),
        ("webhook_url", "http://example.com/hook"),
        ("base_url", "http://example.com"),
        ("origins", "javascript:alert(1)"),
        ("accent", "red"),
        ("retention_days", "0"),
        ("daily_budget", "-1"),
        ("slug", "../admin"),
    ],
)
def test_what_makes_no_sense_is_refused_beside_its_field(admin_client, bot, fields, field, wrong):
    response = admin_client.post(address(bot), fields | {field: wrong})
    assert page(response).xpath(f"//*[contains(@class, 'field-{field}')]//ul[contains(@class, 'errorlist')]/li")


def test_the_line_to_copy_names_the_bot(admin_client, bot):
    shown = page(admin_client.get(address(bot)))
    snippet = shown.get_element_by_id("copy-snippet").value
    assert snippet == '<script src="http://testserver/embed.js" data-bot="help" async></script>'


# --- The key ---


def test_a_key_goes_in_and_never_comes_out(admin_client, bot, fields):
    admin_client.post(address(bot), fields | {"base_url": "https://bots.example.com", "new_key": "sk-new"})
    bot.refresh_from_db()
    assert "sk-new" not in bot.sealed_key
    assert encryption.unseal(bot.sealed_key) == "sk-new"
    for rest in ("change/", "history/", "preview/chat/", "test/"):
        assert "sk-new" not in admin_client.get(address(bot, rest)).content.decode()
    assert not [entry for entry in LogEntry.objects.all() if "sk-new" in entry.change_message + entry.object_repr]


def test_a_new_key_works_at_once(admin_client, bot, fields, upstream, django_assert_max_num_queries):
    own = {"base_url": upstream.base_url}
    admin_client.post(address(bot), fields | own | {"new_key": "sk-old"})
    assert ask(bot).code == "INVALID_API_KEY"
    admin_client.post(address(bot), fields | own | {"new_key": KEY})
    assert ask(bot).state == "answered"


def ask(bot: Bot):
    from uuid import uuid4

    bot = Bot.objects.get(pk=bot.pk)
    turn = accept(f"visitor-{uuid4().hex}", bot, "chat", uuid4(), "Hello")
    answer(turn)
    return turn


def test_secrets_are_sealed_anew_after_a_change_of_the_secret_key(bot, settings):
    former = settings.SECRET_KEY
    bot.set_key("sk-new")
    bot.set_webhook_secret("whsec")
    bot.save()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another secret key", [former]
    out = io.StringIO()
    call_command("reseal", stdout=out)
    assert "Encrypted again: 2" in out.getvalue()
    settings.SECRET_KEY_FALLBACKS = []
    bot.refresh_from_db()
    assert (encryption.unseal(bot.sealed_key), bot.webhook_secret) == ("sk-new", "whsec")


def test_a_secret_that_no_key_opens_is_named_and_left_alone(bot, settings):
    bot.set_key("sk-new")
    bot.save()
    sealed = bot.sealed_key
    settings.SECRET_KEY = "another secret key"
    err = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("reseal", stdout=io.StringIO(), stderr=err)
    assert "bot “Ada”: key" in err.getvalue()
    bot.refresh_from_db()
    assert bot.sealed_key == sealed


# --- The preview ---


@pytest.mark.parametrize("surface", ["chat", "embed", "kiosk", "portal"])
def test_the_preview_shows_what_is_not_saved_yet(admin_client, bot, fields, surface):
    unsaved = {"name": "Grace", "suggestions": "What is new?", "accent": "#0a7f5a"}
    response = admin_client.post(address(bot, f"preview/{surface}/"), fields | unsaved)
    shown = page(response)
    assert "Grace" in shown.text_content()
    assert "What is new?" in shown.text_content()
    assert shown.xpath("//body[@inert]")
    assert not shown.xpath("//script")
    [look] = shown.xpath("//style")
    assert f"--accent: light-dark({palettes('#0a7f5a')[0].accent}," in look.text
    assert "style-src 'self' 'sha256-" in response["Content-Security-Policy"]
    bot.refresh_from_db()
    assert (bot.name, bot.accent) == ("Ada", "")


def test_a_field_that_is_wrong_is_shown_as_it_was(admin_client, bot, fields):
    response = admin_client.post(address(bot, "preview/chat/"), fields | {"accent": "reddish", "greeting": "Hi there"})
    assert "Hi there" in page(response).text_content()
    assert not page(response).xpath("//style")


def test_a_picture_is_shown_before_it_is_stored(admin_client, bot, fields):
    drawn = io.BytesIO()
    Image.new("RGB", (20, 20), "green").save(drawn, "PNG")
    face = SimpleUploadedFile("face.png", drawn.getvalue(), "image/png")
    response = admin_client.post(address(bot, "preview/chat/"), fields | {"face": face})
    assert page(response).xpath("//img[starts-with(@src, 'data:image/webp;base64,')]")
    bot.refresh_from_db()
    assert not bot.face


def test_a_bot_is_previewed_before_there_is_one(admin_client, db):
    response = admin_client.post(f"{LIST}add/preview/chat/", {"name": "Grace", "greeting": "Hello from Grace"})
    assert "Hello from Grace" in page(response).text_content()
    assert not Bot.objects.exists()


def test_a_preview_stands_in_the_desk_s_own_frames_only(admin_client, bot):
    preview = admin_client.get(address(bot, "preview/chat/"))
    assert "frame-ancestors 'self'" in preview["Content-Security-Policy"]
    assert "X-Frame-Options" not in preview
    form = admin_client.get(address(bot))
    assert "frame-src 'self'" in form["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in form["Content-Security-Policy"]
    assert form["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("rest", ["preview/chat/", "preview/embed/", "test/", "change/"])
def test_a_bot_s_pages_are_for_staff_that_may_see_them(client, staff, bot, rest):
    assert client.get(address(bot, rest)).status_code == 302
    assert staff("webchat.view_conversation").get(address(bot, rest)).status_code == 403


@pytest.mark.parametrize("rest", ["preview/nowhere/", "preview/portal-of-doom/"])
def test_a_surface_that_there_is_not_has_no_preview(admin_client, bot, rest):
    assert admin_client.get(address(bot, rest)).status_code == 404


def test_a_reader_sees_the_bot_and_changes_nothing(staff, bot, fields):
    reader = staff("webchat.view_bot")
    shown = page(reader.get(address(bot)))
    assert not shown.xpath("//input[@type='password'] | //input[@name='_save']")
    assert reader.post(address(bot), fields | {"name": "Taken over"}).status_code == 403
    assert reader.post(address(bot, "test/")).status_code == 403


# --- The test of a bot ---


def test_testing_a_bot_says_before_that_it_costs_a_message(admin_client, bot, upstream):
    shown = page(admin_client.get(address(bot, "test/")))
    assert "It costs what a visitor’s message costs" in shown.text_content()
    assert upstream.requests == []


def test_testing_a_bot_sends_one_message_and_explains_what_came(admin_client, bot, upstream):
    shown = page(admin_client.post(address(bot, "test/")))
    assert shown.xpath("//li[@data-finding='REPLY'][@data-kind='fine']")
    assert len(upstream.requests) == 1
    assert LogEntry.objects.latest("pk").change_message == "Tested: REPLY."


def test_a_refused_key_is_explained(admin_client, bot, upstream, settings):
    settings.BOT_API_KEY = "sk-wrong"
    shown = page(admin_client.post(address(bot, "test/")))
    [finding] = shown.xpath("//li[@data-finding='INVALID_API_KEY'][@data-kind='wrong']")
    assert "Make a key" in finding.text_content()


def test_the_list_takes_the_same_number_of_queries_for_any_number_of_bots(
    admin_client, bot, django_assert_max_num_queries
):
    for number in range(20):
        Bot.objects.create(slug=f"bot-{number}", name=f"Bot {number}")
    with django_assert_max_num_queries(11):
        assert "Open" in page(admin_client.get(LIST)).text_content()


# --- What answers ---


@pytest.fixture
def shop(db) -> TrainedBot:
    return TrainedBot.objects.create(slug="shop", name="Shop")


NEW = {"name": "Shop", "slug": "shop"}


def errors_of(response, field: str) -> str:
    return " ".join(page(response).xpath(f"//*[contains(@class, 'field-{field}')]//ul/li/text()"))


def test_a_new_bot_never_falls_back_on_the_sites_own_in_silence(admin_client, fields):
    refused = admin_client.post(f"{LIST}add/", fields | NEW)
    assert "Nothing answers for this bot yet" in errors_of(refused, "answered_by")
    assert not Bot.objects.filter(slug="shop").exists()
    assert admin_client.post(f"{LIST}add/", fields | NEW | {"answered_by": "site"}).status_code == 302
    assert Bot.objects.get(slug="shop").sealed_key == ""


@pytest.mark.parametrize("given", [{"slug": "shop", "name": "Another"}, {"slug": "another", "name": "sHOP"}])
def test_the_trained_bot_of_that_name_is_offered_and_gives_it_a_key(admin_client, fields, shop, given):
    refused = admin_client.post(f"{LIST}add/", fields | given)
    assert "Choose the trained bot “Shop”?" in errors_of(refused, "answered_by")
    assert admin_client.post(f"{LIST}add/", fields | given | {"answered_by": f"trained-{shop.pk}"}).status_code == 302
    made = Bot.objects.get(slug=given["slug"])
    assert keys.find(encryption.unseal(made.sealed_key)).trained_bot == shop
    shown = page(admin_client.get(address(made)))
    assert shown.xpath("//select[@name='answered_by']/option[@selected]/@value") == [f"trained-{shop.pk}"]


def test_a_bot_keeps_what_answers_for_it_until_its_owner_chooses_anew(admin_client, bot, fields, shop):
    for sent in ({}, {"answered_by": "site"}):
        assert admin_client.post(address(bot), fields | sent).status_code == 302
    admin_client.post(address(bot), fields | {"answered_by": f"trained-{shop.pk}"})
    bot.refresh_from_db()
    key = bot.sealed_key
    assert admin_client.post(address(bot), fields | {"answered_by": f"trained-{shop.pk}"}).status_code == 302
    bot.refresh_from_db()
    assert bot.sealed_key == key
    refused = admin_client.post(address(bot), fields | {"forget_key": "on", "answered_by": f"trained-{shop.pk}"})
    assert "Nothing answers" in errors_of(refused, "answered_by")
    admin_client.post(address(bot), fields | {"answered_by": "site"})
    bot.refresh_from_db()
    assert bot.sealed_key == ""


def test_where_another_service_answers_no_trained_bot_is_offered(admin_client, bot, fields, shop, upstream):
    shown = page(admin_client.get(f"{LIST}add/"))
    assert shown.xpath("//select[@name='answered_by']/option/@value") == ["", "site"]
    assert upstream.base_url in shown.xpath("string(//select[@name='answered_by'])")


def test_after_a_mistake_elsewhere_the_owner_reads_that_the_key_has_to_be_entered_again(admin_client, bot, fields):
    given = {
        "base_url": "https://bots.example.com",
        "new_key": "sk-new",
        "new_webhook_secret": "sh-new",
        "accent": "red",
    }
    response = admin_client.post(address(bot), fields | given)
    assert "sk-new" not in response.content.decode()
    for field in ("new_key", "new_webhook_secret"):
        assert "Enter it again" in errors_of(response, field)
    assert "Enter it again" not in errors_of(admin_client.post(address(bot), fields | {"accent": "red"}), "new_key")


# --- The accent ---


def test_the_shades_made_of_the_accent_are_shown_and_explained(admin_client, bot):
    Bot.objects.update(accent="#ff8800")
    row = page(admin_client.get(address(bot))).xpath("//*[contains(@class, 'field-shades')]")[0]
    light, dark = palettes("#ff8800")
    assert row.xpath(".//rect/@fill") == ["#ff8800", light.accent, dark.accent]
    assert "darkened" in row.text_content()
    assert "contrast of 4.5 to 1" in row.text_content()
