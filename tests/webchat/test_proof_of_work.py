"""Proof of work: where a bot asks for it, a message without one is refused, with its text kept and nothing stored."""

import base64
import json
import uuid
from functools import partial
from typing import Any

import altcha
import pytest
from django.contrib.sessions.models import Session

from tests.webchat.concurrency import run_concurrently
from tests.webchat.conftest import CONTACT
from tests.webchat.visitor import Page, Visitor
from webchat.limits import proof_of_work
from webchat.models import Allowance, Bot, Conversation, Turn

KEY = uuid.UUID("00000000-0000-4000-8000-000000000001")
OTHER_KEY = uuid.UUID("00000000-0000-4000-8000-000000000002")


@pytest.fixture(autouse=True)
def low_effort(settings: Any) -> None:
    settings.PROOF_EFFORT = 50


@pytest.fixture
def bot(bot: Bot) -> Bot:
    Bot.objects.update(asks_for_proof=True)
    return bot


def solve(challenge: str) -> dict[str, Any]:
    """Solve the challenge and return what the page sends, before base64."""
    asked = altcha.Challenge.from_dict(json.loads(challenge))
    return altcha.Payload(asked, altcha.solve_challenge(asked)).to_dict()


def encode(payload: object) -> str:
    return base64.b64encode(json.dumps(payload).encode()).decode()


def proof_for(page: Page) -> str:
    """Return the proof for the composer's message."""
    return encode(solve(page.one("input[@id='composer-proof']").get("data-challenge")))


def refusal_code(proof: str | None) -> str:
    """Check that the proof is refused, and return the code."""
    with pytest.raises(proof_of_work.NotProven) as refusal:
        proof_of_work.check("help", KEY, proof)
    return refusal.value.code


def test_a_message_with_its_proof_is_answered_and_so_is_the_next_one(visitor, upstream):
    page = visitor.open()
    sent = visitor.post_message("Hello", proof=proof_for(page))
    assert sent.turns[-1].reply == "You said: Hello"
    assert sent.one("input[@id='composer-proof']").get("hx-swap-oob") == "true"
    key = sent.one("input[@id='composer-key']").get("value")
    visitor.post_message("And again", key=key, after="", proof=proof_for(sent))
    assert list(Turn.objects.values_list("message", flat=True)) == ["Hello", "And again"]


@pytest.mark.parametrize("way", ["send", "post_message"])
@pytest.mark.parametrize("proof", ["", "nonsense", "\0", "ä", "A" * 40_000])
def test_without_a_proof_the_text_is_kept_and_nothing_is_stored_or_counted(way, proof, visitor, upstream):
    visitor.client.defaults["REMOTE_ADDR"] = "198.51.100.7"
    page = getattr(visitor, way)("Hello", proof=proof)
    assert (page.status, page.typed, page.refusal.code) == (422, "Hello", "PROOF_MISSING")
    assert "needs JavaScript" in page.refusal.sentence
    assert page.one("*[@id='composer-refusal']//a").get("href") == f"mailto:{CONTACT}"
    assert upstream.requests == []
    for stored in (Turn, Conversation, Session, Allowance):
        assert not stored.objects.exists()


def test_visitors_without_javascript_are_told_before_the_first_message(visitor):
    page = visitor.open()
    assert "needs JavaScript" in page.one("noscript").text_content()
    assert page.one("noscript//a").get("href") == f"mailto:{CONTACT}"
    assert not visitor.send("Hello").all("noscript")  # the refusal says so instead


def test_an_expired_proof_is_renewed_and_the_message_keeps_its_key(visitor, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr(proof_of_work, "LIFE", -1)
        page = visitor.open()
    refused = visitor.post_message("Hello", proof=proof_for(page))
    assert (refused.status, refused.typed, refused.refusal.code) == (422, "Hello", "PROOF_EXPIRED")
    keys = [each.one("input[@id='composer-key']").get("value") for each in (page, refused)]
    assert keys[0] == keys[1]
    assert visitor.post_message("Hello", proof=proof_for(refused)).turns[-1].message == "Hello"


def test_a_message_whose_response_was_lost_and_whose_proof_expired_is_not_stored_twice(visitor, monkeypatch):
    page = visitor.open()
    visitor.post_message("Hello", proof=proof_for(page))
    with monkeypatch.context() as earlier:
        earlier.setattr(proof_of_work, "LIFE", -1)
        key = uuid.UUID(page.one("input[@id='composer-key']").get("value"))
        expired = encode(solve(proof_of_work.challenge("help", key)))
    refused = visitor.post_message("Hello", proof=expired)
    again = visitor.post_message("Hello", proof=proof_for(refused))
    assert [turn.message for turn in again.turns] == ["Hello"]
    assert Turn.objects.count() == 1


def test_a_proof_is_not_valid_for_another_message_visitor_or_session(visitor, new_visitor):
    page = visitor.open()
    key, proof = page.one("input[@id='composer-key']").get("value"), proof_for(page)
    visitor.post_message("Hello", proof=proof)
    assert visitor.post_message("Something else", proof=proof).refusal.code == "KEY_USED"
    for _ in range(3):
        stranger = new_visitor()
        stranger.open()
        assert stranger.post_message("Hello", proof=proof, key=key).refusal.code == "KEY_USED"
        assert stranger.post_message("Hello", proof=proof).refusal.code == "PROOF_EXPIRED"
    assert (Turn.objects.count(), Session.objects.count()) == (1, 1)


@pytest.mark.parametrize("path", ["/chat/help/", "/embed/help/"])
def test_a_first_message_sent_several_times_at_once_is_one_turn(path, bot_on_disk, upstream):
    for _ in range(2):
        visitor = Visitor(path)
        proof = proof_for(visitor.open())
        twins = [visitor.twin() for _ in range(6)]
        answers = run_concurrently(*(partial(twin.post_message, "Hello", proof=proof) for twin in twins))
        assert [page.status for page in answers] == [200] * 6
    assert Turn.objects.count() == 2


def test_a_key_chosen_by_the_client_needs_its_own_proof(visitor):
    page = visitor.open()
    refused = visitor.post_message("Hello", proof=proof_for(page), key=str(OTHER_KEY))
    assert refused.refusal.code == "PROOF_EXPIRED"
    challenge = json.loads(refused.one("input[@id='composer-proof']").get("data-challenge"))
    assert challenge["parameters"]["data"] == {"bot": "help", "key": str(OTHER_KEY)}


CHANGES: dict[str, list[Any]] = {  # paths in a payload, each with other values, or functions of the valid one
    "": [lambda payload: [payload], None, lambda payload: payload | {"padding": "x" * 2000}],
    "challenge": ["parameters", None],
    "challenge.parameters.expiresAt": [lambda old: old + 1, None, 1e400, True, str],
    "challenge.parameters.keyPrefix": ["", lambda old: old[:2]],
    "challenge.parameters.cost": [10**12],
    "challenge.parameters.nonce": [lambda old: old[:-2]],  # as if a digit belonged to the next field
    "challenge.parameters.data": [
        *(None, lambda old: [old], lambda old: {**old, "more": 1}, lambda old: {**old, "key": str(OTHER_KEY)})
    ],
    "challenge.signature": ["", None, lambda old: old[::-1], lambda old: [old], "\ud800"],
    "solution.counter": [lambda old: old + 1, -1, 2**64, 10**1000, float, str, None],
    "solution.derivedKey": ["00" * 32, None, {}],
}


def changed(payload: Any, path: list[str], to: Any) -> Any:
    if not path:
        return to(payload) if callable(to) else to
    return payload | {path[0]: changed(payload.get(path[0]), path[1:], to)}


@pytest.mark.parametrize(("path", "to"), [(path, to) for path, values in CHANGES.items() for to in values])
def test_a_changed_proof_is_refused(path, to):
    payload = solve(proof_of_work.challenge("help", KEY))
    proof_of_work.check("help", KEY, encode(payload))  # unchanged, it is valid
    assert refusal_code(encode(changed(payload, path.split(".") if path else [], to))).startswith("PROOF_")


@pytest.mark.parametrize(
    "proof",
    [
        *(None, "", " ", "?", "e30", "e30=", "\0", "\ud800", "ä", "A" * 10_000_000, "A" * 1999, "bnVsbA==", "MQ=="),
        base64.b64encode(b"[" * 1400).decode(),
        base64.b64encode(b'{"challenge": {"parameters": {"data": ' + b"[" * 600 + b"]" * 600 + b"}}}").decode(),
    ],
)
def test_nonsense_instead_of_a_proof_is_refused(proof):
    assert refusal_code(proof) == "PROOF_MISSING"


def test_a_proof_is_valid_as_long_as_the_former_secret_is(settings):
    proof = encode(solve(proof_of_work.challenge("help", KEY)))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    proof_of_work.check("help", KEY, proof)
    settings.SECRET_KEY_FALLBACKS = []
    assert refusal_code(proof) == "PROOF_EXPIRED"
