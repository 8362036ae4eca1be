"""Every pair of a bot's switches on every surface: no page fails, and each form is accepted or refused in words."""

import io
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import BooleanField
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from kiosk import devices
from kiosk.models import Device
from tests.conftest import KEY
from tests.portal.conftest import PASSWORD, sign_in
from tests.switches import SITES, SWITCHES, fields_of
from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Page, Visitor
from webchat.conversation import answer
from webchat.embed.embed_session import HEADER
from webchat.encryption import hash_of
from webchat.models import Bot, Conversation, Surface, TeamMember, Turn

LIVE = {"HX-Request": "true"}


class Walker:
    """A visitor of one surface who opens pages and sends forms; a 5xx fails the test."""

    def __init__(self, surface: str) -> None:
        self.surface = surface
        self.path = {"kiosk": "/kiosk/visit/help/"}.get(surface, f"/{surface}/help/")
        if surface == Surface.PORTAL:
            self.path = "/portal/chat/help/"
        self.visitor = Visitor(self.path)
        self.client = self.visitor.client
        self.client.raise_request_exception = True
        if surface == Surface.PORTAL:
            User.objects.create_user("rosa", "rosa@example.com", PASSWORD)
            sign_in(self.client, "rosa")
        if surface == Surface.KIOSK:
            Device.objects.create(name="Lobby", bot=Bot.objects.get(), token_hash=hash_of("token"))
            self.client.cookies[devices.COOKIE] = "token"
            csrf = Page(self.client.get("/kiosk/help/")).one("*[@data-csrf]").get("data-csrf")
            self.client.post("/kiosk/help/visit", headers={"X-CSRFToken": csrf})

    def open(self, path: str = "", **headers: str) -> Page:
        return self._checked(self.client.get(path or self.path, headers=headers))

    def post(self, path: str, fields: dict[str, str], *, live: bool) -> Page:
        return self._checked(self.client.post(path, fields, headers=LIVE if live else {}))

    def _checked(self, response: Any) -> Page:
        while response.status_code in (302, 303):
            response = self.client.get(response["Location"].partition("#")[0])
        assert response.status_code < 500, response.request["PATH_INFO"]
        if not response.get("Content-Type", "").startswith("text/html"):
            return None
        page = Page(response)
        assert page.misnamed == []  # WCAG 2.5.3
        return page

    def say(self, message: str) -> None:
        page = self.visitor.send(message)
        assert page.status == 200
        if self.surface == Surface.EMBED:
            token = page.one("form[@data-composer]//input[@data-session]").get("value")
            self.client.defaults[f"HTTP_{HEADER.upper().replace('-', '_')}"] = token

    @property
    def conversation_path(self) -> str:
        """Return the conversation's path; in the portal each one has its own."""
        conversation = Conversation.objects.filter(ended_at=None).first()
        return f"{self.path}{conversation.public_id}/" if self.surface == Surface.PORTAL and conversation else self.path


def talk(walker: Walker, upstream: UpstreamServer, said: str) -> None:
    """Begin a conversation before the switches are set, so that a closed bot has one, too."""
    if said == "nothing":
        return
    if said == "failed":
        upstream.will_refuse("BOT_DISABLED")
    walker.say("When are you open?")
    if said == "disliked":
        walker.say("And on Sunday?")
        Turn.objects.update(feedback=-1, feedback_at=timezone.now())
    if said == "waiting":
        Turn.objects.update(state="asking", asked_at=timezone.now(), ended_at=None, reply="")


def let_people_answer(site: dict[str, Any]) -> None:
    """Add a team member, available or away, and a conversation that waits for one or is led by one."""
    seen_at = timezone.now() if site["team"] == "there" else None
    user = User.objects.create_user("grace")
    member = TeamMember.objects.create(user=user, name="Grace", is_available=True, seen_at=seen_at)
    conversation = Conversation.objects.first()
    if site["said"] == "queued":
        conversation.join_queue()
    if site["said"] == "with a person":
        conversation.claim(member)
        conversation.write_message(member, uuid.uuid4(), "Hello, how can I *help*?")


def set_switches(bot: Bot, upstream: UpstreamServer, site: dict[str, Any]) -> None:
    for name, value in fields_of(site).items():
        setattr(bot, name, value)
    if site["picture"]:
        file = io.BytesIO()
        Image.new("RGB", (8, 8)).save(file, "WEBP")
        setattr(bot, site["picture"], SimpleUploadedFile("picture.webp", file.getvalue()))
    if site["has_own_url"]:
        bot.base_url = upstream.base_url
        bot.set_key(KEY)
    bot.full_clean()
    bot.save()


@pytest.fixture(params=SITES, ids=[f"{site['surface']}-{number}" for number, site in enumerate(SITES)])
def site(request: pytest.FixtureRequest) -> dict[str, Any]:
    return request.param


@pytest.fixture
def bot(upstream: UpstreamServer, db: None, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Bot:
    settings.MEDIA_ROOT = tmp_path
    settings.CHAT_TIMEOUT = 0.3  # how long a page waits for a reply that never comes
    monkeypatch.setattr(answer, "LONGEST_WAIT", 0.05)  # and for one that another request is asking for
    return Bot.objects.create(slug="help", name="Ada", in_portal=True)


@pytest.fixture
def walker(bot: Bot, upstream: UpstreamServer, site: dict[str, Any]) -> Walker:
    walker = Walker(site["surface"])
    talk(walker, upstream, site["said"])
    let_people_answer(site)
    set_switches(bot, upstream, site)
    return walker


def forms_of(page: Page) -> list[tuple[str, dict[str, str]]]:
    """Return the URL and the fields of each form that posts."""
    forms = page.all("form[@method='post']")
    return [
        (form.get("action"), {field.get("name"): field.get("value", "") for field in form.xpath(".//input[@name]")})
        for form in forms
    ]


def test_the_sites_cover_every_switch_of_a_bot():
    fields = [field.name for field in Bot._meta.fields if field.editable and isinstance(field, BooleanField)]
    assert set(fields) <= SWITCHES.keys()


def test_no_combination_of_switches_breaks_a_page_or_a_form(walker, bot, site):
    """Pages come first, because the forms change what they show."""
    open_other_pages(walker)
    open_desk(bot, walker.surface)
    send_every_form(walker, live=site["javascript"])


def open_other_pages(walker: Walker) -> None:
    paths = {
        Surface.CHAT: ["/", "/nowhere"],
        Surface.EMBED: ["/embed/help/launcher.json", "/embed/help/check?site=https://example.com"],
        Surface.KIOSK: ["/kiosk/help/", "/kiosk/help/pulse", "/kiosk/visit/help/taken"],
        Surface.PORTAL: ["/portal/", "/portal/?q=open", "/portal/sign-in"],
    }
    for path in paths[walker.surface]:
        walker.open(path)
    for name in ("rename", "delete"):
        if walker.surface == Surface.PORTAL and (conversation := Conversation.objects.first()):
            walker.open(f"/portal/conversations/{conversation.public_id}/{name}")


def open_desk(bot: Bot, surface: str) -> None:
    owner = Client()
    owner.force_login(User.objects.create_superuser("owner"))
    paths = [
        reverse("admin:index"),
        reverse("admin:webchat_bot_change", args=[bot.pk]),
        reverse("admin:desk_test", args=[bot.pk]),
        reverse("admin:desk_preview", args=[bot.pk, surface]),
    ]
    for conversation in Conversation.objects.all():
        paths.append(reverse("admin:webchat_conversation_change", args=[conversation.pk]))
        paths.append(reverse("admin:desk_seen", args=[conversation.pk]))
    assert [path for path in paths if owner.get(path).status_code != 200] == []
    talking = {"name": bot.name, "slug": bot.slug, "preview_moment": "talking"}
    assert owner.post(reverse("admin:desk_preview", args=[bot.pk, surface]), talking).status_code == 200


def send_every_form(walker: Walker, *, live: bool) -> None:
    page = walker.open(walker.conversation_path)
    assert page.status == 200
    for path in ("new", "person", "transcript.txt", "transcript.html", "transcript.json"):
        walker.open(walker.path + path, **(LIVE if live else {}))
    filled = {"message": "Hello?", "email": "jo@example.com", "feedback": "down", "title": "A name"}
    forms = forms_of(page)
    known = {url for url, _ in forms}
    for url, fields in forms:
        another = [{**filled, "key": str(uuid.uuid4())}] if "key" in fields else []
        for values in ({"message": "", "email": "no address"}, filled, *another):
            answer = walker.post(url, fields | values, live=live)
            for inner, hidden in forms_of(answer) if answer else []:
                if inner not in known:  # such as a turn's thumbs
                    walker.post(inner, hidden | values, live=live)
    walker.open(walker.conversation_path)
