"""The machine behind nginx dies while a visitor talks to a person: 502 is answered, and the open page goes on later."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.site import Site, account_row, bot_row, free_port
from tests.browser.waiting import PATIENCE
from tests.deploy.nginx import Nginx
from tests.deploy.proxies import find, missing
from tests.webchat.certificates import Authority

SAY = """
import uuid
from webchat.models import Conversation, TeamMember
conversation, grace = Conversation.objects.get(), TeamMember.objects.get()
conversation.claim(grace)
conversation.say(grace, uuid.uuid4(), {text!r})
"""


class Machine(Site):
    answers_at = "/healthz"  # the pages want https, which nginx speaks

    def say(self, text: str) -> None:
        """As Grace, who claims the conversation first."""
        self._manage("shell", "--no-imports", "-c", SAY.format(text=text))


@pytest.mark.skipif(find("nginx") is None, reason=missing("nginx"))
def test_a_conversation_with_a_person_goes_on_when_the_machine_is_back(browser: Browser, tmp_path: Path) -> None:
    member = {"user": 50, "name": "Grace", "is_available": True, "seen_at": "2100-01-01T00:00:00Z"}
    rows = [
        bot_row(1, "help", people_answer=True),
        account_row(50, "grace", "-"),
        {"model": "webchat.teammember", "pk": 1, "fields": member},
    ]
    port = free_port()
    (tmp_path / "site").mkdir()
    with Nginx(tmp_path / "nginx", Authority(tmp_path), port) as nginx:
        settings = {"PORT": port, "BEHIND_PROXY": 1, "SITE_URL": nginx.url}
        with Machine(tmp_path / "site", "docbot://in-process", rows, **settings) as machine:
            context = browser.new_context(ignore_https_errors=True)
            context.set_default_timeout(PATIENCE * 1000)
            page = context.new_page()
            page.goto(f"{nginx.url}/chat/help/")
            page.locator(".top [data-person]").click()
            expect(page.locator("#leader")).to_contain_text("You are in the queue.")
            machine.say("Hello")
            expect(page.locator("[data-team-message]")).to_have_text(["Hello"])
            machine.go_down()
            with page.expect_response(lambda response: "/updates/" in response.url and response.status == 502):
                pass
            page.locator("#message").fill("Are you still there?")
            page.locator("#send").click()
            expect(page.locator("#composer-refusal")).to_contain_text("couldn’t be sent")
            expect(page.locator("#message")).to_have_value("Are you still there?")
            expect(page.locator("#leader")).to_contain_text("Grace answers you")
            machine.come_back()
            machine.say("Back again")
            expect(page.locator("[data-team-message]")).to_have_text(["Hello", "Back again"])
            page.locator("#send").click()
            expect(page.locator("[data-message]")).to_have_text(["Are you still there?"])
            expect(page.locator("#composer-refusal")).to_be_empty()
            context.close()
