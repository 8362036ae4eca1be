"""Set-up in the browser: the first login with a link, what the bot answers from, its look, and where it is shown."""

import io
from pathlib import Path

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.utils import timezone
from lxml import html
from PIL import Image

from chatsite.default_bot import DEMO
from chatsite.serving.worker_start import welcome
from desk import trained_bots
from desk.setup import links, views
from docbot.endpoint import keys
from docbot.models import Document, TrainedBot
from tests.desk.conftest import words
from tests.docbot.sites import Site
from webchat import encryption
from webchat.appearance.color_palette import STANDARD_ACCENT
from webchat.models import Bot

LOGIN = {"username": "olivia", "email": "", "password": "correct horse battery"}
LOOK = {"name": "Bella", "greeting": "Hi", "suggestions": "", "accent": "#2b59c8"}


@pytest.fixture
def launched(monkeypatch) -> list[tuple[str, list[str]]]:
    """Record the trainings that are started, instead of running them for seconds."""
    seen = []
    monkeypatch.setattr(views, "launch", lambda trained, given: seen.append((trained.slug, given)))
    return seen


@pytest.fixture
def trained(bot, settings) -> TrainedBot:
    """A trained bot that answers from this site's manual."""
    trained = TrainedBot.objects.create(slug="help", name="Help")
    keys.register(trained, "this site", settings.IN_PROCESS_KEY)
    origin = str(settings.MANUAL)
    Document.objects.create(trained_bot=trained, kind="folder", origin=origin, location=f"{origin}/run.md", title="Run")
    return trained


def url(step: str, slug: str = "help") -> str:
    return f"/admin/setup/{slug}/{step}/"


def test_the_link_creates_one_login_with_all_rights(db, client, monkeypatch):
    link = links.path()
    for token in ("x", signing.dumps("login"), signing.dumps("login", salt="desk.setup") + "x"):
        assert client.post(f"/admin/setup/login/{token}/", LOGIN).status_code == 410
    with monkeypatch.context() as after_a_day:
        after_a_day.setattr(links, "VALID", -1)
        assert [client.get(link).status_code, client.post(link, LOGIN).status_code] == [410, 410]
    for password in ("", "short", "12345678901", "olivia"):
        response = client.post(link, LOGIN | {"password": password})
        assert response.status_code == 422
        page = html.fromstring(response.content)
        assert page.xpath("//input[@name='username']/@value") == ["olivia"]
        assert set(page.xpath("//*[@data-problems]//a/@href")) == {"#id_password"}
    response = client.post(link, LOGIN | {"username": "olivia smith"})
    assert "User name: Use only letters, digits and @ . + - _, without spaces." in words(response)
    assert not User.objects.exists()
    assert client.get(link).status_code == 200
    assert client.post(link, LOGIN)["Location"] == "/admin/setup/"
    offered = html.fromstring(client.get("/admin/setup/", follow=True).content)
    (passkey,) = offered.xpath("//*[@class='messagelist']//a/@href")
    assert client.get(passkey).status_code == 200
    user = User.objects.get()
    assert (user.is_superuser, user.check_password(LOGIN["password"])) == (True, True)
    assert client.get("/admin/").status_code == 200
    client.logout()
    for response in (client.get(link), client.post(link, LOGIN | {"username": "mallory"}), client.get(links.path())):
        assert response.status_code == 410
    assert User.objects.count() == 1


def test_the_command_and_the_start_print_the_link_while_nobody_has_a_login(db, client, capsys, admin_user):
    with pytest.raises(CommandError, match="createsuperuser"):
        call_command("setup_link")
    assert welcome().endswith("/admin/\n")
    admin_user.delete()
    assert "Set it up:" in welcome()
    call_command("setup_link")
    assert client.get(capsys.readouterr().out.strip()).status_code == 200


def test_the_set_up_starts_at_the_first_step_that_is_not_done(trained, bot, admin_client):
    def starts_at() -> str:
        return admin_client.get("/admin/setup/")["Location"]

    assert starts_at() == url("answers")
    trained.documents.all().delete()
    locked = Document.objects.create(trained_bot=trained, origin="", location="locked.pdf", problem="encrypted")
    assert starts_at() == url("answers"), "documents that cannot be read are no answers"
    assert "could not be read" in words(admin_client.get(url("answers")))
    Document.objects.filter(pk=locked.pk).update(problem="")
    assert starts_at() != url("answers")
    Document.objects.all().delete()
    bot.base_url, bot.slug, bot.name = "https://bots.example.com", "shop", "Help"
    bot.save()
    assert starts_at() == url("look", "shop")
    admin_client.post(url("look", "shop"), {"name": "Shop", "accent": STANDARD_ACCENT})
    assert starts_at() == url("try", "shop")


def test_uploads_replace_the_manual(trained, bot, admin_client, launched):
    trained.runs.create(changes=[{"what": "added", "number": 1, "locations": ["run.md"]}], finished_at=timezone.now())
    assert "this site’s own manual" in words(admin_client.get(url("answers")))
    files = [SimpleUploadedFile("hours.md", b"# Hours"), SimpleUploadedFile("song.mp3", b"la la")]
    response = admin_client.post(url("answers"), {"from": "files", "files": files}, follow=True)
    assert launched == [("help", [str(trained.upload_folder)])]
    assert LogEntry.objects.filter(change_message="Started a training: uploaded files.").exists()
    assert (trained.upload_folder / "hours.md").read_text() == "# Hours"
    assert "song.mp3" in words(response)
    assert not trained.runs.exclude(changes=[]).exists()
    assert not trained.documents.exists()


def test_a_website_is_read_for_a_trained_bot_of_its_own(trained, admin_client, launched, settings):
    shop = Bot.objects.create(slug="shop", name="Shop", base_url="https://bots.example.com")
    response = admin_client.post(url("answers", "shop"), {"from": "website", "url": "not a website"})
    assert response.status_code == 422
    assert html.fromstring(response.content).xpath("//input[@name='url']/@value") == ["not a website"]
    website = {"from": "website", "url": "https://www.example.com/"}
    settings.CHAT_BASE_URL = "https://bots.example.com"  # for which no key of a trained bot is made
    assert admin_client.post(url("answers", "shop"), website).status_code == 403
    assert (Bot.objects.get(slug="shop").sealed_key, launched, TrainedBot.objects.count()) == ("", [], 1)
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL
    admin_client.post(url("answers", "shop"), website)
    assert launched == [("shop", ["https://www.example.com/"])]
    shop.refresh_from_db()
    assert shop.base_url == ""
    assert trained_bots.answering_for(shop) == TrainedBot.objects.get(slug="shop")


def test_a_service_is_saved_with_its_key_and_tested_and_the_texts_about_the_manual_go(trained, admin_client, upstream):
    Bot.objects.filter(slug="help").update(**DEMO)
    service = {"from": "service", "base_url": upstream.base_url, "new_key": upstream.api_key}
    response = admin_client.post(url("answers"), service)
    assert response["Location"] == url("look")
    assert len(upstream.requests) == 1
    bot = Bot.objects.get(slug="help")
    assert (bot.base_url, encryption.unseal(bot.sealed_key)) == (upstream.base_url, upstream.api_key)
    assert (bot.greeting, bot.suggestions) == ("Hello! How can I help you?", "")


def test_a_wrong_service_does_not_replace_documents_that_answer(trained, bot, admin_client, upstream, settings):
    def give(key: str) -> HttpResponse:
        return admin_client.post(url("answers"), {"from": "service", "base_url": upstream.base_url, "new_key": key})

    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL
    document = Document.objects.create(trained_bot=trained, kind="upload", title="Prices")
    assert "This field is required." in words(give(""))
    assert upstream.requests == []
    before = Bot.objects.values_list("base_url", "sealed_key").get(slug="help")
    response = give("sk-wrong")
    page = html.fromstring(response.content)
    assert page.xpath("//@data-finding") == ["INVALID_API_KEY"]
    assert "Your bot still answers from your documents." in words(response)
    assert page.xpath("//input[@name='base_url']/@value") == [upstream.base_url]
    assert "sk-wrong" not in response.content.decode()
    assert Bot.objects.values_list("base_url", "sealed_key").get(slug="help") == before
    document.delete()
    assert html.fromstring(give("sk-wrong").content).xpath("//@data-finding") == ["INVALID_API_KEY"]
    assert Bot.objects.get(slug="help").base_url == upstream.base_url, "nothing else answers"


def test_a_typed_key_survives_a_refusal_unused_and_without_being_shown(bot, admin_client, upstream, monkeypatch):
    sent = {"from": "service", "base_url": "http://bots.example.com", "new_key": upstream.api_key}
    for has_password in (True, False):
        with monkeypatch.context() as context:
            context.setattr("desk.access.guard.has_entered_password", lambda _request, has=has_password: has)
            response = admin_client.post(url("answers"), sent)
        assert response.status_code == 422
        assert upstream.api_key not in response.content.decode()
        page = html.fromstring(response.content)
        asked = page.xpath("//ul[contains(@class, 'errorlist')]//a[starts-with(@href, '/admin/confirm/')]")
        assert len(asked) == (not has_password)
        bot.refresh_from_db()
        assert (bot.base_url, bot.sealed_key, upstream.requests) == ("", "", [])
        form = next(form for form in page.forms if "new_key" in form.fields)
        sent = {name: value or "" for name, value in form.form_values()}
        sent |= {"from": "service", "base_url": upstream.base_url}
        assert not sent.get("new_key")
    assert admin_client.post(url("answers"), sent)["Location"] == url("look")
    bot.refresh_from_db()
    assert encryption.unseal(bot.sealed_key) == upstream.api_key


def test_the_look_is_saved_and_the_default_colour_is_not_stored(trained, bot, admin_client):
    shown = html.fromstring(admin_client.get(url("look")).content)
    look = {"name": "Bella", "greeting": "Hi", "suggestions": "When?\nWhere?"}
    for accent, stored in ((shown.xpath("//input[@name='accent']/@value")[0], ""), ("#B3261E", "#b3261e")):
        assert admin_client.post(url("look"), look | {"accent": accent})["Location"] == url("try")
        bot.refresh_from_db()
        assert (bot.name, bot.accent, bot.suggested_questions) == ("Bella", stored, ["When?", "Where?"])
    for before, after in (("Bella", "Cleo"), ("One of its own", "One of its own")):  # the trained bot's name
        TrainedBot.objects.update(name=before)
        Bot.objects.update(name="Bella")
        admin_client.post(url("look"), LOOK | {"name": "Cleo"})
        assert TrainedBot.objects.get().name == after


@pytest.fixture
def website(settings):
    settings.DOCBOT_ALLOW_PRIVATE = True
    with Site() as site:
        yield site


APPLE = '<link rel="icon" href="logo.svg"><link rel="apple-touch-icon" href="/icon.png">'
BEFORE_AN_SVG = '<link rel="icon" href="/icon.png" sizes="180x180"><link rel="icon" href="logo.svg">'


@pytest.mark.parametrize(("pressed", "links_to"), [({"take": ""}, APPLE), ({}, BEFORE_AN_SVG)], ids=["button", "Enter"])
def test_colour_and_icon_are_taken_from_a_website(bot, admin_client, website, pressed, links_to):
    icon = io.BytesIO()
    Image.new("RGB", (180, 180), "#b3261e").save(icon, "PNG")
    website.page("/home", head=f'<meta name="theme-color" content="#b26">{links_to}')
    website.redirect("/", "/home")
    website.file("/icon.png", icon.getvalue(), "image/png")
    response = admin_client.post(url("look"), LOOK | {"url": website.at("/")} | pressed, follow=True)
    assert "The website’s colour and icon are used now." in words(response)
    bot.refresh_from_db()
    assert (bot.name, bot.accent) == ("Bella", "#bb2266")
    assert Image.open(Path(bot.face.path)).getpixel((9, 9))[0] > 150


def test_an_unreadable_website_is_explained_and_the_form_is_kept(bot, admin_client):
    unreadable = "http://127.0.0.1:9/"
    for address, sentence in ((unreadable, f"{unreadable} could not be read"), ("our shop", "Enter the")):
        response = admin_client.post(url("look"), LOOK | {"url": address, "take": ""})
        assert response.status_code == 422
        page = html.fromstring(response.content)
        (shown,) = page.xpath("//*[@data-problems]//li[a/@href='#id_url']")
        assert sentence in shown.text_content()
        assert page.xpath("//input[@name='url' or @name='name']/@value") == [address, "Bella"]


def test_a_question_is_asked_and_its_follow_ups_can_be(bot, admin_client, settings, upstream):
    Bot.objects.update(base_url=upstream.base_url, sealed_key=encryption.seal(upstream.api_key))
    upstream.will_refuse("BOT_DISABLED", status=403)
    assert "No reply came." in words(admin_client.post(url("try"), {"message": "When?"}))
    assert "Try it (done)" not in words(admin_client.get(url("try")))
    upstream.will_reply("At **nine**.\n\n- [And on Sundays?](#ask)")
    shown = html.fromstring(admin_client.post(url("try"), {"message": "When?"}).content)
    assert shown.xpath("string(//*[@autofocus]//*[@data-reply])").strip() == "At nine."
    assert "And on Sundays?" in shown.xpath("//button[@name='message']/@value")
    assert "Try it (done)" in words(admin_client.get(url("place")))


def test_websites_are_entered_and_the_snippet_for_them_is_shown(trained, bot, admin_client, settings):
    def proposed(response: HttpResponse) -> tuple[str, str | None]:
        page = html.fromstring(response.content)
        return page.get_element_by_id("id_origins").value, page.xpath("//*[@data-unsaved]")[0].text

    settings.ALLOWED_HOSTS = ["localhost", "testserver"]
    page_of = {"origin": "http://Shop.example:8080/en/", "location": "http://shop.example:8080/en/"}
    Document.objects.create(trained_bot=trained, kind="website", **page_of)
    for host, says_so in (("localhost", True), ("testserver", False)):
        shown = admin_client.get(url("place"), headers={"host": host})
        assert ("Works on this computer only" in words(shown)) == says_so
    assert proposed(shown) == ("http://shop.example:8080", "Not saved yet.")
    assert Bot.objects.get().origins == ""
    assert 'data-bot="help"' in html.fromstring(shown.content).xpath("//*[@id='copy-snippet']/@value")[0]
    assert admin_client.post(url("place"), {"origins": "javascript:alert(1)"}).status_code == 422
    admin_client.post(url("place"), {"origins": "www.example.com"})
    assert Bot.objects.get().allowed_origins == ["https://www.example.com"]
    assert proposed(admin_client.get(url("place"))) == ("https://www.example.com", None)
    for entered, is_new in (("https://shop.example.com", True), ("https://shop.example.com", False)):
        response = admin_client.post(url("place"), {"origins": entered, "done": ""}, follow=True)
        assert response.wsgi_request.path == "/admin/"
        assert ("Saved. Those websites can show the chat now." in words(response)) is is_new
        assert Bot.objects.get().allowed_origins == [entered]


def test_mistakes_are_listed_with_links_to_the_fields(trained, admin_client):
    for path, posted in (
        (url("answers"), {"from": "website", "url": "no address"}),
        (url("look"), {"name": "", "accent": "orange"}),
        (url("place"), {"origins": "not a website"}),
        ("/admin/team/invite/", {"email": "nobody"}),
        ("/admin/inbox/canned-replies/new/", {"shortcut": ""}),
        ("/admin/kiosk/device/add/", {"name": "Lobby"}),
    ):
        page = html.fromstring(admin_client.post(path, posted).content)
        links_to = page.xpath("//*[@data-problems]//a/@href")
        assert links_to, path
        assert all(page.xpath("//*[@id=$id]", id=link.removeprefix("#")) for link in links_to), path
