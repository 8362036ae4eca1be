"""Notifications to owners by e-mail and signed webhook: retried until they arrive, with each attempt recorded."""

import re
import uuid
from collections.abc import Iterator

import pytest
from django.conf import settings as site_settings
from django.utils import timezone
from standardwebhooks import Webhook

from desk.teaching import sending
from tests.webchat.certificates import Authority
from tests.webchat.mail_server import MailServer
from tests.webchat.upstream_server import UpstreamServer
from webchat import encryption
from webchat.handover import handovers
from webchat.models import Alarm, Attempt, Bot, Conversation, Delivery, Handover, Turn
from webchat.notifications import outbox, webhooks

SECRET = "whsec_dGhlLW93bmVycy1zZWNyZXQtMDEyMzQ1Njc4OQ=="


@pytest.fixture
def mail_server(settings) -> Iterator[MailServer]:
    with MailServer() as server:
        settings.EMAIL_BACKEND = "webchat.notifications.mail_backend.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        yield server


@pytest.fixture
def receiver(authority: Authority) -> Iterator[UpstreamServer]:
    """The owner's server, with a certificate that this process trusts."""
    with UpstreamServer(tls=authority.server_context()) as server:
        yield server


def request_person(bot: Bot, **fields: object) -> Handover:
    given = {"key": uuid.uuid4(), "email": "jo@example.com", "message": "Please call me.", **fields}
    return handovers.store_request("visitor", bot, "chat", **given)


@pytest.fixture
def by_mail(bot: Bot, mail_server: MailServer) -> Bot:
    bot.handover, bot.handover_email = True, "team@example.com"
    bot.save()
    return bot


@pytest.fixture
def by_webhook(bot: Bot, receiver: UpstreamServer) -> Bot:
    bot.handover, bot.webhook_url = True, f"{receiver.base_url}/hook?token=hidden"
    bot.set_webhook_secret(SECRET)
    bot.save()
    return bot


def make_retry_due() -> None:
    Delivery.objects.update(next_at=timezone.now())


def outcomes() -> list[str]:
    return list(Attempt.objects.values_list("outcome", flat=True))


def test_a_request_arrives_as_an_email_that_can_be_answered(by_mail, mail_server):
    conversation = Conversation.objects.create(bot=by_mail, visitor="visitor")
    turn = Turn.objects.create(conversation=conversation, message="Wo ist Öl?", reply="**Dort**.", state="answered")
    request_person(by_mail, last_turn=turn)
    outbox.deliver_due()
    (message,) = mail_server.messages
    assert (message["To"], message["Reply-To"]) == ("team@example.com", "jo@example.com")
    assert (message["Subject"], message["Auto-Submitted"]) == ("Ada: A visitor asks for a person", "auto-generated")
    text, page = (part.get_content() for part in message.iter_parts())
    for part in (text, page):
        assert "jo@example.com" in part.partition("Wo ist Öl?")[0].rpartition("Please call me.")[2]  # whoever asked it
    assert "<strong>Dort</strong>" in page
    assert Delivery.objects.get().state == Delivery.State.SENT
    assert outcomes() == ["arrived"]
    outbox.deliver_due()
    assert len(mail_server.messages) == 1


def test_a_mail_server_that_is_away_loses_nothing_and_a_corrected_recipient_counts(by_mail, mail_server, settings):
    settings.EMAIL_PORT = 9
    request_person(by_mail)
    outbox.deliver_due()
    assert outcomes() == ["the mail server: ConnectionRefusedError"]
    outbox.deliver_due()  # not due yet
    assert Delivery.objects.get().tries == 1
    settings.EMAIL_PORT, mail_server.refusal = mail_server.port, "550 no such user"
    make_retry_due()
    outbox.deliver_due()
    mail_server.refusal = ""
    Bot.objects.update(handover_email="mended@example.com")
    make_retry_due()
    outbox.deliver_due()
    assert outcomes()[1:] == ["the mail server refused the address", "arrived"]
    assert [message["To"] for message in mail_server.messages] == ["mended@example.com"]
    assert [each.went_to for each in Attempt.objects.all()] == ["team@example.com"] * 2 + ["mended@example.com"]


def check_from_manual() -> object:
    """Load the function from the manual."""
    manual = (site_settings.BASE_DIR / "docs" / "request-form.md").read_text()
    names: dict[str, object] = {}
    exec(re.search(r"```python\n(.*?)```", manual, re.DOTALL)[1], names)
    return names["is_genuine"]


def test_a_webhook_can_be_verified_with_the_code_in_the_manual(by_webhook, receiver):
    receiver.will_answer(204, "")
    handover = request_person(by_webhook)
    outbox.deliver_due()
    (seen,) = receiver.requests
    assert (seen.method, seen.target) == ("POST", "/hook?token=hidden")
    is_genuine = check_from_manual()
    assert is_genuine(SECRET, seen.headers, seen.body)
    assert not is_genuine(SECRET, seen.headers, seen.body.replace(b"call", b"kill"))
    assert not is_genuine("whsec_YW5vdGhlcg==", seen.headers, seen.body)
    assert not is_genuine(SECRET, seen.headers | {"webhook-id": str(uuid.uuid4())}, seen.body)
    assert not is_genuine(SECRET, seen.headers | {"webhook-timestamp": "1700000000"}, seen.body)
    assert seen.json == {
        "type": "handover.requested",
        "id": str(handover.key),
        "bot": "help",
        "surface": "chat",
        "language": "en",
        "email": "jo@example.com",
        "message": "Please call me.",
        "details": [],
        "transcript": None,
        "created_at": handover.created_at.isoformat(timespec="seconds"),
    }
    assert outcomes() == ["arrived"]
    assert Attempt.objects.get().went_to.endswith("/hook")  # the rest of the URL may be a key


def test_a_question_to_teach_is_sent_once_and_without_a_name_if_the_owner_says_so(
    by_webhook, receiver, upstream, visitor
):
    receiver.will_answer(204, "")
    upstream.will_answer(200, {"message": "I don’t know.", "outcome": "not_known"})
    visitor.send("My name is Jo Doe. Do you sell kayaks?")
    turn = Turn.objects.get()
    sending.send_new()
    assert not Delivery.objects.exists()
    Bot.objects.update(sends_questions=True)
    for _run in range(2):
        sending.send_new()
        outbox.deliver_due()
    (seen,) = receiver.requests
    assert check_from_manual()(SECRET, seen.headers, seen.body)
    assert seen.json == {
        "type": "question.to_teach",
        "id": str(turn.key),
        "bot": "help",
        "question": "Do you sell kayaks?",
        "reason": "not_known",
        "conversation": str(turn.conversation.public_id),
        "created_at": turn.created_at.isoformat(timespec="seconds"),
    }


def test_a_secret_without_the_prefix_is_used_as_it_is(by_webhook, receiver):
    receiver.will_answer(204, "")
    by_webhook.set_webhook_secret("an-older-secret")
    by_webhook.save()
    request_person(by_webhook)
    outbox.deliver_due()
    Webhook(b"an-older-secret").verify(receiver.requests[0].body, receiver.requests[0].headers)


@pytest.mark.parametrize(
    ("url", "secret", "outcome"),
    [
        ("http://127.0.0.1:9/hook", SECRET, "not an https address"),
        ("https://me:pw@example.com/", SECRET, "not an https address"),
        ("", "whsec_", "the secret after whsec_ is not base64"),
        ("", "whsec_abcde", "the secret after whsec_ is not base64"),
        ("", "", "no secret to sign with"),
    ],
)
def test_nothing_is_posted_to_an_invalid_webhook(url, secret, outcome, by_webhook, receiver):
    by_webhook.webhook_url = url or by_webhook.webhook_url
    by_webhook.sealed_webhook_secret = secret and encryption.seal(secret)
    by_webhook.save()
    request_person(by_webhook)
    outbox.deliver_due()
    assert outcomes() == [outcome]
    assert receiver.requests == []


MISBEHAVIOURS = {
    "a redirect": (lambda r: r.will_answer(302, "", headers={"Location": f"{r.base_url}/other"}), "status 302"),
    "closes": (lambda r: r.will_close(), "answer broken off"),
    "hangs": (lambda r: r.will_hang(), "no answer in time"),
    "is gone": (lambda r: r.close(), "connection refused"),
}


@pytest.mark.parametrize(("arrange", "outcome"), MISBEHAVIOURS.values(), ids=MISBEHAVIOURS)
def test_only_the_delivery_to_a_failing_receiver_is_repeated(arrange, outcome, by_webhook, receiver, monkeypatch):
    monkeypatch.setattr(webhooks, "TOTAL_SECONDS", 0.6)
    arrange(receiver)
    request_person(by_webhook)
    outbox.deliver_due()
    assert outcomes() == [outcome]
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.tries) == (Delivery.State.WAITING, 1)
    assert 50 < (delivery.next_at - timezone.now()).total_seconds() < 70
    assert len(receiver.requests) <= 1


def test_a_delivery_has_the_same_id_at_each_attempt(by_webhook, receiver):
    receiver.will_answer(500, "").will_answer(200, "")
    request_person(by_webhook)
    outbox.deliver_due()
    make_retry_due()
    outbox.deliver_due()
    first, second = receiver.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body
    assert Delivery.objects.get().state == Delivery.State.SENT


def test_a_delivery_is_given_up_after_eight_attempts_in_a_day_and_the_owner_is_told_before(by_mail, settings):
    settings.EMAIL_HOST, settings.ALARM_EMAIL = "", "ops@example.com"
    request_person(by_mail)
    waits = []
    for _attempt in range(9):
        outbox.deliver_due()
        delivery = Delivery.objects.get(alarm=None)
        waits.append((delivery.next_at - timezone.now()).total_seconds())
        make_retry_due()
    assert (delivery.state, delivery.tries) == (Delivery.State.GIVEN_UP, 8)
    assert set(outcomes()) == {"no mail server: enter it at the desk, under Site"}
    assert waits[:7] == sorted(waits[:7])
    assert 23 * 3600 < sum(waits[:7]) < 27 * 3600
    alarm = Alarm.objects.get()
    assert (alarm.cause, alarm.facts) == (Alarm.Cause.UNDELIVERED, {"tries": 4})


def test_a_recipient_that_fails_does_not_delay_others(by_mail, settings, mail_server):
    mail_server.refusal = "450 later"
    for number in range(3):
        request_person(by_mail, message=f"{number}")
    outbox.deliver_due()
    assert len(outcomes()) == 1


def test_only_one_of_two_processes_delivers_and_if_it_dies_the_next_does(by_mail, mail_server):
    request_person(by_mail)
    one, other = Delivery.objects.get(), Delivery.objects.get()
    assert (one.claim(), other.claim()) == (True, False)
    outbox.deliver_due()
    assert mail_server.messages == []
    make_retry_due()
    outbox.deliver_due()
    assert len(mail_server.messages) == 1


def test_the_owner_can_send_a_failed_delivery_again(by_mail, mail_server, admin_client):
    request_person(by_mail)
    outbox.deliver_due()
    row = Handover.objects.get().pk
    admin_client.post("/admin/webchat/handover/", {"action": "send_again", "_selected_action": row})
    outbox.deliver_due()
    assert len(mail_server.messages) == 2
    text = admin_client.get(f"/admin/webchat/handover/{row}/change/").content.decode()
    assert text.count("team@example.com: arrived") == 2
