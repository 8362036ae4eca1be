"""Files from a visitor: sent only while talking to a person, with or without JavaScript, and served to nobody else."""

import io
import uuid

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from PIL import Image

from tests.attachments.conftest import send_file, url_of_files
from tests.attachments.files import HTML, PDF, large_picture, picture, upload
from tests.webchat.visitor import Page, Visitor
from webchat.attachments import serving, storing, uploads
from webchat.embed.embed_session import HEADER
from webchat.models import Attachment, Bot, Conversation, Turn

LIVE = {"HX-Request": "true"}


def files_on_disk(media) -> list[str]:
    return sorted(file.name for file in media.rglob("*") if file.is_file())


def fetch(visitor: Visitor, url: str, **headers: str) -> HttpResponse:
    """Fetch a URL; a streamed body is read to its end into `whole`."""
    response = visitor.client.get(url, headers=headers)
    if response.streaming:
        response.whole = b"".join(response.streaming_content)
    return response


def csrf_fields(page: Page) -> dict[str, str]:
    return {"csrfmiddlewaretoken": page.composer.xpath(".//input[@name='csrfmiddlewaretoken']")[0].get("value")}


def test_without_javascript_the_file_appears_in_the_transcript_and_typed_text_stays(visitor, media):
    (button,) = visitor.page.all("*[@id='attach']//button[.='Send file']")
    url, _, anchor = button.get("formaction").partition("#")
    assert (uploads.conversation_in(url.rpartition("/")[2]), anchor) == (Conversation.objects.get().pk, "person")
    page = send_file(visitor, upload(picture("JPEG"), "holiday.jpeg"), message="A sentence that isn't finished")
    assert (page.status, page.typed) == (200, "A sentence that isn't finished")
    assert Turn.objects.count() == 2
    assert page.turns[-1].message == "holiday.jpg"
    image = page.one("figure[@class='file']//img")
    assert (image.get("alt"), image.get("width"), image.get("height")) == ("holiday.jpg", "40", "30")
    response = fetch(visitor, image.get("src"))
    assert response["Content-Type"] == "image/jpeg"
    assert Image.open(io.BytesIO(response.whole)).size == (40, 30)
    assert len(files_on_disk(media)) == 1


def test_a_large_file_arrives_complete(visitor):
    given = large_picture()
    assert len(given) > 2_900_000
    page = send_file(visitor, upload(given))
    image = page.one("figure[@class='file']//img")
    assert (image.get("width"), image.get("height")) == ("320", "320")
    whole = fetch(visitor, image.get("src")).whole
    assert Image.open(io.BytesIO(whole)).size == (1000, 1000)


def test_with_javascript_the_file_arrives_with_the_next_update(visitor):
    sent = send_file(visitor, **LIVE)
    assert sent.status == 200
    fresh = sent.one("input[@id='file-key']").get("value")
    assert fresh != visitor.page.one("input[@id='file-key']").get("value")
    news = Page(visitor.client.get(visitor.page.one("*[@id='leader']").get("data-updates"), headers=LIVE))
    assert news.turns[-1].message == "photo.webp"


def test_the_same_form_sent_twice_stores_one_file(visitor, media):
    twin = visitor.twin()
    send_file(visitor)
    assert send_file(twin).status == 200
    assert Attachment.objects.count() == 1
    assert len(files_on_disk(media)) == 1


REFUSED = {"UNKNOWN_CONTENT": HTML, "TOO_LARGE": picture() + bytes(10 * 1024 * 1024), "EMPTY": b"", "REQUIRED": None}


@pytest.mark.parametrize("headers", [{}, LIVE], ids=["without JavaScript", "with it"])
@pytest.mark.parametrize(("code", "content"), REFUSED.items(), ids=REFUSED)
def test_anything_but_a_picture_or_pdf_is_refused_with_the_text_kept(code, content, headers, visitor, media):
    page = send_file(visitor, "" if content is None else upload(content), message="My text", **headers)
    assert (page.status, page.one("*[@role='alert']").get("data-code")) == (422, code)
    if not headers:
        assert page.typed == "My text"
        assert page.one("textarea").get("aria-invalid") is None  # nothing is wrong with it
    assert (Attachment.objects.count(), Turn.objects.count(), files_on_disk(media)) == (0, 1, [])


def test_a_far_too_large_file_is_refused_without_being_read_and_the_text_kept(visitor):
    names = visitor.page.composer.xpath(".//*[@name]/@name")
    assert names.index("message") < names.index("file")  # only what comes before the file is read
    page = send_file(visitor, upload(bytes(11 * 1024 * 1024)), message="My text")
    assert (page.status, page.refusal.code, page.typed) == (413, "TOO_LARGE", "My text")
    assert "too large" in page.tree.text_content()
    live = send_file(visitor, upload(bytes(11 * 1024 * 1024)), **LIVE)
    assert (live.status, live.one("*[@role='alert']").get("data-code")) == (413, "TOO_LARGE")


def test_an_expired_page_says_so_and_keeps_the_text(visitor):
    visitor.client.cookies.pop("csrftoken")
    page = send_file(visitor, message="My text")
    assert (page.status, page.refusal.code, page.typed) == (403, "PAGE_EXPIRED", "My text")


def test_no_more_files_than_the_limit_are_accepted_and_each_counts_as_a_message(
    visitor, settings, monkeypatch, clock_at_noon
):
    monkeypatch.setattr(storing, "MOST_OF_A_VISITOR", 1)
    assert send_file(visitor).status == 200
    assert send_file(visitor).refusal.code == "TOO_MANY_FILES"
    settings.MESSAGES_PER_MINUTE = 1
    assert send_file(visitor).status == 429


@pytest.mark.parametrize("why", ["in the queue", "files are off", "ended"])
def test_a_file_is_refused_while_no_person_leads_the_conversation(why, visitor, conversation, media):
    twin = visitor.twin()
    if why == "in the queue":
        conversation.hand_back(conversation.team_member)
        conversation.join_queue()
    if why == "files are off":
        Bot.objects.update(takes_files=False)
    if why == "ended":
        conversation.end()
    small = send_file(twin)
    assert small.status == 404 if why == "ended" else small.refusal.code == "NO_PERSON_THERE"
    assert send_file(visitor, upload(picture() + bytes(200_000))).status == 413
    assert not visitor.open().all("*[@data-send-file]")
    assert files_on_disk(media) == []


def test_a_stranger_with_a_valid_token_cannot_send_a_file(visitor, bot):
    stranger = Visitor()
    stranger.open()
    fields = csrf_fields(stranger.page) | {"file_key": str(uuid.uuid4()), "file": upload(picture())}
    assert stranger.client.post(url_of_files(visitor), fields).status_code == 404
    assert Attachment.objects.count() == 0


@pytest.mark.parametrize("more", [{"file": [upload(PDF), upload(HTML)]}, {"other": upload(HTML)}])
def test_a_form_with_a_second_file_is_refused(visitor, media, more):
    fields = {"file_key": str(uuid.uuid4()), **more} | csrf_fields(visitor.page)
    assert visitor.client.post(url_of_files(visitor), fields).status_code == 400
    assert files_on_disk(media) == []


def test_a_file_never_goes_to_the_bot(visitor, conversation):
    """Neither with the button for messages that no person has answered nor with a forged request."""
    send_file(visitor)
    conversation.hand_back(conversation.team_member)
    page = visitor.open()
    assert not page.all("*[@data-action='retry']")
    turn = Turn.objects.last()
    visitor.client.post(f"/chat/help/turns/{turn.key}/again", csrf_fields(page) | {"failures": "0"})
    assert Turn.objects.last().state == "person"


def test_a_file_is_served_with_headers_that_keep_it_from_running(visitor):
    send_file(visitor, upload(PDF, "a 'b' \"c\" ü.pdf"))
    link = visitor.page.one("figure[@data-file]//a").get("href")
    response = fetch(visitor, link)
    assert response["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cache-Control"] == "no-store, private"
    assert response["Content-Type"] == "application/pdf"
    assert response["Content-Disposition"].startswith("attachment; filename*=utf-8''")
    assert response.whole == PDF


@pytest.mark.parametrize("path", ["/chat/help/files/{}", "/embed/help/files/{}", "/portal/chat/help/files/{}"])
def test_a_strangers_file_and_an_unknown_one_get_the_same_answer(path, visitor):
    send_file(visitor)
    stranger = Client(raise_request_exception=False)
    if path.startswith("/portal"):
        stranger.force_login(User.objects.create_user("eve"))
    theirs = stranger.get(path.format(Attachment.objects.get().key))
    unknown = stranger.get(path.format(uuid.uuid4()))
    assert (theirs.status_code, theirs.content) == (404, unknown.content)


def test_a_file_cannot_be_opened_after_its_conversation_has_ended(
    visitor, conversation, media, django_capture_on_commit_callbacks
):
    send_file(visitor)
    link = visitor.page.one("figure[@class='file']//img").get("src")
    conversation.archive()
    assert visitor.client.get(link).status_code == 404
    assert len(files_on_disk(media)) == 1
    with django_capture_on_commit_callbacks(execute=True):
        conversation.delete()
    assert files_on_disk(media) == []


@pytest.fixture
def frame(bot, grace, upstream) -> Visitor:
    return Visitor("/embed/help/")


def in_frame(frame: Visitor, grace) -> Visitor:
    frame.send("Hello")
    Conversation.objects.get().claim(grace)
    token = frame.page.one("form[@data-composer]//input[@data-session]").get("value")
    frame.page = Page(frame.client.get("/embed/help/", headers={HEADER: token}))
    return frame


def test_in_a_frame_without_javascript_a_file_is_sent_shown_and_downloaded(frame, grace):
    in_frame(frame, grace)
    page = send_file(frame)
    assert page.turns[-1].message == "photo.webp"
    assert not frame.client.cookies
    source = page.one("figure[@class='file']//img").get("src")
    assert fetch(frame, source)["Content-Type"] == "image/webp"
    form = page.one("figure[@class='file']//form")
    fields = {field.get("name"): field.get("value") for field in form.xpath(".//input")}
    download = frame.client.post(form.get("action"), fields)
    download.close()
    assert download["Content-Disposition"] == 'attachment; filename="photo.webp"'
    assert frame.client.get(form.get("action")).status_code == 404


def test_the_url_of_a_picture_in_a_frame_works_for_minutes_and_on_this_site_only(frame, grace, monkeypatch):
    page = send_file(in_frame(frame, grace))
    source = page.one("figure[@class='file']//img").get("src")
    for site in ("cross-site", "none"):
        assert frame.client.get(source, headers={"Sec-Fetch-Site": site}).status_code == 404
    for url in (source.replace("/embed/", "/chat/"), f"{source}x"):
        assert frame.client.get(url).status_code == 404
    monkeypatch.setattr(serving, "SECONDS", -1)
    assert frame.client.get(source).status_code == 404


def test_a_pdf_has_no_such_url(frame, grace):
    send_file(in_frame(frame, grace), upload(PDF))
    attachment = Attachment.objects.get()
    url = f"/embed/help/files/{attachment.key}/{serving.frame_token(attachment)}"
    assert frame.client.get(url).status_code == 404


def test_the_url_for_messages_accepts_no_file(visitor, media):
    form = {"message": "Hello?", "key": str(uuid.uuid4()), "file": upload(picture() + bytes(200_000))}
    assert visitor.client.post("/chat/help/messages", form).status_code == 413
