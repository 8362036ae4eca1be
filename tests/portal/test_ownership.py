"""Nobody can read another's conversation: every URL of the portal, tried by everybody without a right to it."""

import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from portal import urls
from portal.urls import chat as chat_urls
from tests.portal.conftest import PAGE, post, sign_in, token_of
from tests.webchat.visitor import Page, Visitor, fields_of
from webchat.conversation.updates import Shown
from webchat.models import Bot, Conversation, TeamMember, Turn

SECRET = "my secret question"

# Every URL about one conversation, and how it is requested.
ABOUT_ONE = {
    "page": ("GET", PAGE + "{conversation}/"),
    "text": ("GET", PAGE + "{conversation}/transcript.txt"),
    "html": ("GET", PAGE + "{conversation}/transcript.html"),
    "json": ("GET", PAGE + "{conversation}/transcript.json"),
    "reply": ("POST", PAGE + "turns/{turn}/reply"),
    "again": ("POST", PAGE + "turns/{turn}/again"),
    "feedback": ("POST", PAGE + "turns/{turn}/feedback"),
    "details": ("POST", PAGE + "details"),
    "request for a person": ("GET", PAGE + "person/{turn}"),
    "join the queue": ("POST", PAGE + "person/join"),
    "leave the queue": ("POST", PAGE + "person/leave"),
    "e-mail address for the answer": ("POST", PAGE + "person/email"),
    "notification": ("POST", PAGE + "person/notify"),
    "typing": ("POST", PAGE + "person/typing"),
    "message": ("POST", PAGE + "messages"),
    "file to the person": ("POST", PAGE + "send-file/x"),
    "a file": ("GET", PAGE + "files/{turn}"),
    "rename, asked": ("GET", "/portal/conversations/{conversation}/rename"),
    "rename": ("POST", "/portal/conversations/{conversation}/rename"),
    "delete, asked": ("GET", "/portal/conversations/{conversation}/delete"),
    "delete": ("POST", "/portal/conversations/{conversation}/delete"),
    "keep_conversation": ("POST", "/portal/keep"),
}
# URLs that show nothing of other people's conversations, or serve to sign in.
ABOUT_NONE = {
    "new": PAGE,
    "URL of a refused message": PAGE + "messages",
    "new, asked": PAGE + "new",
    "heading search": PAGE + "search",
    "form for a person": PAGE + "person",
    "URL of a refused request": PAGE + "person/send",
    "back": PAGE + "back",
    "a team member's picture": PAGE + "person/1.webp",
    "updates, with an invalid token": PAGE + "updates/x",
    "a picture for a frame": PAGE + "files/00000000-0000-4000-8000-000000000001/x",
    "face": PAGE + "face.webp",
    "empty transcript": PAGE + "transcript.txt",
    "list": "/portal/",
    "search": "/portal/?q=secret",
    "profile": "/portal/profile",
    "an unknown device": "/portal/profile/devices/1/sign-out",
    "export of one's own data": "/portal/profile/export",
    "delete everything, asked": "/portal/profile/erase",
}
OPEN_TO_ALL = (
    *("sign-in", "sign-out", "password", "identity", "arrived", "openid", "erased"),
    *("manifest", "worker", "offline"),
)


@pytest.fixture
def secret(rosa: Visitor) -> Turn:
    grace = User.objects.create_user("grace")
    TeamMember.objects.create(user=grace, name="Grace", is_available=True, seen_at=timezone.now())
    Bot.objects.update(people_answer=True)
    rosa.send(SECRET)
    return Turn.objects.select_related("conversation").get()


def ask(client: Client, name: str, conversation: object, turn: object, **headers: str) -> Any:
    method, path = ABOUT_ONE[name]
    path = path.format(conversation=conversation, turn=turn)
    if method == "GET":
        return client.get(path, headers=headers)
    token = token_of(client, PAGE) or token_of(client, "/portal/sign-in")
    form = {"csrfmiddlewaretoken": token, "conversation": str(conversation), "key": str(uuid.uuid4())}
    form |= {"message": "x", "failures": "0", "feedback": "up", "title": "x", "answer": "yes"}
    return client.post(path, form, headers=headers)


def shown(response: HttpResponse) -> str:
    """Return the page without its form's token, which is masked anew each time."""
    return re.sub(r'(name="csrfmiddlewaretoken" value=")\w+', r"\1", response.content.decode())


def vanish(how: str, turn: Turn) -> None:
    if how == "deleted":
        turn.conversation.delete()
    elif how == "ended":
        turn.conversation.end()
    elif how == "of a bot that was closed":
        Bot.objects.create(slug="other", name="Eve")
        Conversation.objects.update(bot=Bot.objects.get(slug="other"))


def test_a_strangers_an_unknown_and_ones_own_deleted_conversation_get_the_same_answer(secret, rosa, stranger, bot):
    place = (secret.conversation.public_id, secret.key)
    unknown = {name: ask(stranger.client, name, uuid.uuid4(), uuid.uuid4()) for name in ABOUT_ONE}
    assert {response.status_code for response in unknown.values()} == {404}
    assert not [name for name in ABOUT_ONE if SECRET in unknown[name].content.decode()]
    for how in ("a stranger's", "of a bot that was closed", "ended", "deleted"):
        vanish(how, secret)
        for who in (stranger, rosa) if how != "a stranger's" else (stranger,):
            for name in ABOUT_ONE:
                answer = ask(who.client, name, *place)
                assert (answer.status_code, shown(answer)) == (404, shown(unknown[name])), (how, name)
        if how == "a stranger's":
            before = Conversation.objects.get(pk=secret.conversation_id)
            assert (before.title, before.visitor) == ("", secret.conversation.visitor)
            assert Turn.objects.count() == 1


def test_nothing_of_it_is_elsewhere_or_in_an_update_for_a_stranger(secret, rosa, stranger):
    for name, path in ABOUT_NONE.items():
        response = stranger.client.get(path)
        text = b"".join(response).decode() if response.streaming else response.content.decode()
        assert SECRET not in text, name
        assert str(secret.conversation.public_id) not in text, name
    for path in ("/chat/help/", "/embed/help/", "/chat/help/transcript.json"):
        assert SECRET not in rosa.client.get(path).content.decode()
    secret.conversation.join_queue()
    path, live = f"{PAGE}updates/{Shown(secret.conversation_id).token}", {"HX-Request": "true"}
    assert SECRET in rosa.client.get(path, headers=live).content.decode()
    assert stranger.client.get(path, headers=live).status_code == 404


def test_visitors_who_have_not_signed_in_are_asked_to(secret):
    for name in ABOUT_ONE:
        response = ask(Client(enforce_csrf_checks=True), name, secret.conversation.public_id, secret.key)
        assert response.status_code in (303, 403), name  # 403: with the message that was sent
        leads_to = response.headers.get("Location") or Page(response).one("main//a[@target='_blank']").get("href")
        assert leads_to.startswith("/portal/sign-in"), name
        assert SECRET not in response.content.decode()
    for name, path in ABOUT_NONE.items():  # and the sign-in returns to the requested page
        response = Client().get(path)
        assert response.status_code == 303, name
        where, _, back = response["Location"].partition("?next=")
        assert where == "/portal/sign-in"
        assert back.replace("%3F", "?").replace("%3D", "=") == ("" if name == "list" else path)


def test_an_open_page_of_a_customer_who_has_signed_out_leads_to_the_sign_in(rosa):
    rosa.open()
    rosa.client.cookies.clear()
    live = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{PAGE}"}
    for response in (
        rosa.client.post(f"{PAGE}messages", {"message": "x"}, headers=live),
        rosa.client.get(f"{PAGE}updates/a-token", headers=live),  # never back to a fragment
    ):
        assert (response.status_code, response["HX-Redirect"]) == (401, f"/portal/sign-in?next={PAGE}&signed-out=1")
    assert (
        Page(rosa.client.get(response["HX-Redirect"])).one("main/p[@role='alert']").text == "You have been signed out."
    )


def test_without_javascript_a_message_sent_after_the_sign_out_is_kept(rosa):
    rosa.open()
    rosa.client.cookies.clear()
    rosa.send("My long\nmessage")
    assert rosa.page.status == 403
    assert rosa.page.typed == "My long\nmessage"
    assert rosa.page.one("main//a[@target='_blank']").get("href") == "/portal/sign-in"
    sign_in(rosa.client, "rosa")
    kept, key = rosa.page.typed, fields_of(rosa.page.one("main//form"))["key"]
    rosa.open()
    assert [turn.message for turn in rosa.send(kept, key=key).turns] == ["My long\nmessage"]


def test_every_url_of_the_portal_is_in_one_of_these_tables(bot):
    """Add each new URL to one of them."""
    asked = [path.format(conversation=uuid.uuid4(), turn=uuid.uuid4()) for _method, path in ABOUT_ONE.values()]
    asked += [path.partition("?")[0] for path in ABOUT_NONE.values()]
    known = {id(get_resolver().resolve(path).func) for path in asked}
    for pattern in [*urls.urlpatterns, *chat_urls.urlpatterns]:
        if isinstance(pattern, URLPattern) and not str(pattern.pattern).startswith(OPEN_TO_ALL):
            assert id(pattern.callback) in known, pattern


def test_another_site_cannot_act_for_the_customer_and_no_page_is_cached_or_contains_a_key(secret, rosa):
    Conversation.objects.update(chat_id="the-upstreams-own-key")
    for action in ("rename", "delete"):
        path = f"/portal/conversations/{secret.conversation.public_id}/{action}"
        assert rosa.client.post(path, {"title": "x"}).status_code == 403
    conversation = Conversation.objects.get()
    assert conversation.title == ""
    paths = ["/portal/", PAGE, f"{PAGE}{conversation.public_id}/", "/portal/sign-in"]
    sent = post(rosa.client, f"{PAGE}messages", message="x", conversation=str(conversation.public_id))
    for response in (sent, *(rosa.client.get(path) for path in paths)):
        assert response["Cache-Control"] == "no-store, private"
        text = response.content.decode()
        assert "the-upstreams-own-key" not in text
        assert not re.search(rf'value="{conversation.pk}"', text)
