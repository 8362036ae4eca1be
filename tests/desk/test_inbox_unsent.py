"""A text that its author sends from the inbox, without JavaScript, after they have been logged out."""

from urllib.parse import parse_qs, urlsplit

from django.http import HttpResponse
from django.test import Client
from lxml import html

from tests.desk.conftest import words
from tests.desk.test_inbox import url
from webchat.models import Entry


def test_the_text_of_a_member_who_has_been_logged_out_is_kept_until_it_is_sent(colleague, waiting):
    client, ann = colleague("Ann")
    client.post(url(waiting, "claim"))
    client.handler.enforce_csrf_checks = True

    def send(page: HttpResponse, **typed: str) -> HttpResponse:
        [form] = html.fromstring(page.content).xpath("//form[.//textarea[@name='text']]")
        fields = dict(form.form_values()) | {"kind": "message"} | typed
        return client.post(url(waiting, "write"), fields, follow=True)

    page = client.get(url(waiting))
    client.session.flush()
    page = send(page, text="My long answer")
    assert "You have been logged out." in words(page)
    [login] = html.fromstring(page.content).xpath("//a[contains(@href, '/login/')]/@href")
    came_from = Client()
    came_from.force_login(ann.user)
    del client.cookies["csrftoken"]  # a login renews it
    client.cookies["sessionid"] = came_from.cookies["sessionid"]
    assert client.get(parse_qs(urlsplit(login).query)["next"][0]).status_code == 200
    page = send(page)
    assert "This page has expired" in words(page)
    assert "My long answer" in words(send(page))
    assert Entry.objects.get(kind="message").text == "My long answer"
