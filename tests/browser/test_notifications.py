"""“Tell me when somebody answers”, in a browser: asked for by a press, then shown by the page's service worker."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import complaints
from tests.browser.site import Site
from tests.browser.waiting import wait_for_some
from tests.people.push_service import PushService
from tests.webchat.certificates import Authority

# Headless Chromium has no notifications and no push service: the test replaces both APIs.
SUBSCRIBE = """
Object.defineProperty(Notification, "permission", { get: () => "default" });
Notification.requestPermission = async () => "granted";
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
  if (!userVisibleOnly || applicationServerKey.length !== 87) throw new Error("refused");
  return { toJSON: () => (%s) };
};
"""
SHOW = """() => {
  globalThis.shown = [];
  registration.showNotification = async (title, { body, data, lang }) => shown.push([title, body, data, lang]);
}"""
ROWS = "SELECT url, public_key, auth_secret, is_home FROM webchat_pushsubscription"


@pytest.fixture
def service(tmp_path) -> Iterator[PushService]:
    with PushService(Authority(tmp_path).server_context()) as service:
        yield service


def waiting_for_a_person(visitor: BrowserContext, site: Site, service: PushService) -> Page:
    given = service.subscription
    keys = {"p256dh": given["public_key"], "auth": given["auth_secret"]}
    visitor.add_init_script(SUBSCRIBE % json.dumps({"endpoint": given["url"], "keys": keys}))
    page = visitor.new_page()
    page.goto(f"{site.url}/chat/notified/")
    page.get_by_role("link", name="Talk to a person").or_(page.get_by_role("button", name="Talk to a person")).click()
    expect(page.locator("#leader[data-leader=queue]")).to_be_visible()
    return page


def test_a_visitor_who_asks_gets_a_notification_that_names_only_the_bot(visitor, site, service):
    page = waiting_for_a_person(visitor, site, service)
    worker = visitor.new_cdp_session(page)
    registrations: list[dict[str, str]] = []
    worker.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    worker.send("ServiceWorker.enable")
    page.get_by_role("button", name="Notify me when somebody answers").click()
    stop = page.get_by_role("button", name="Don’t notify me")
    expect(stop).to_have_accessible_description("You will get a notification when somebody answers.")
    expect(stop).to_be_focused()
    assert site.ask_database(ROWS) == [(*service.subscription.values(), False)]
    assert complaints(page) == []
    page.locator("#message").fill("Hello")
    page.keyboard.press("Enter")
    page.locator("[data-new-conversation]").click()
    expect(page.get_by_text("You will also leave the queue")).to_be_visible()
    page.keyboard.press("Escape")
    wait_for_some(page, registrations)
    (script,) = visitor.service_workers
    script.evaluate(SHOW)
    shown = {"title": "Ada", "body": "You have a reply", "lang": "en", "dir": "ltr", "url": "/chat/notified/"}
    message = {"origin": site.url, "registrationId": registrations[-1]["registrationId"], "data": json.dumps(shown)}
    worker.send("ServiceWorker.deliverPushMessage", message)
    script.evaluate("async () => { while (!shown.length) await new Promise((resolve) => setTimeout(resolve, 20)); }")
    assert script.evaluate("shown") == [["Ada", "You have a reply", "/chat/notified/", "en"]]
    stop.click()
    expect(page.get_by_role("button", name="Notify me when somebody answers")).to_be_focused()
    assert site.ask_database(ROWS) == []


def test_a_button_that_is_replaced_before_its_response_comes_still_gets_it(visitor, site, service):
    page = waiting_for_a_person(visitor, site, service)
    page.get_by_role("button", name="Notify me when somebody answers").click()
    stop = page.get_by_role("button", name="Don’t notify me")
    expect(stop).to_be_visible()
    held = []
    page.route("**/notify", lambda route: held.append(route))
    stop.click()
    page.locator("#message").fill("Hello")
    page.keyboard.press("Enter")
    expect(page.locator("[data-turn]:not([data-state=sending])").get_by_text("Hello")).to_be_visible()
    held[0].continue_()
    expect(page.get_by_role("button", name="Notify me when somebody answers")).to_be_visible()


def test_a_denied_permission_is_stated_beside_the_message_box(visitor, site, service):
    page = waiting_for_a_person(visitor, site, service)
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    page.get_by_role("button", name="Notify me when somebody answers").click()
    expect(page.locator("#composer-refusal")).to_have_text("Your browser blocks notifications from this page.")
    assert site.ask_database(ROWS) == []
