"""The states of whatever isn't the bare full page: people, kiosk, widget, portal, error pages and the desk."""

from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.kiosk_screen import IDLE, TOKEN, KioskScreen, kiosk_row
from tests.browser.owner import PASSWORD, owner_row
from tests.browser.site import Site, account_row, bot_row, conversation_rows
from tests.browser.states import RICH
from tests.webchat.upstream_server import UpstreamServer

SHOP = "http://localhost:1"  # nobody listens there: Playwright answers in its place
CUSTOMER, NEW_CUSTOMER = "grace", "alan"
WAITING = "00000000-0000-4000-8000-000000000071"
LONG_NAME = "Rosa von der Gartenbaugesellschaft Obermenzing-Untermenzing am Nordring e. V."
GERMAN = """\
Willkommen bei der **Rechtsschutzversicherungsgesellschaft**! Fragen Sie nach Kraftfahrzeughaftpflichtversicherungen.
"""
JAPANESE = """\
はい、午前九時から午後六時まで開いています。

- 月曜日から金曜日
- 土曜日は午後二時まで（`opening.html` をご覧ください）
"""
FOLLOW_UPS = """\
We open at **nine**, from Monday to Friday.

- [What about Saturdays?](#ask)
- [Do I need an appointment for a repair that takes longer than an hour?](#ask)
- [Where do I find you?](#ask)
"""
ASKED = {
    "asks_email": "required",
    "own_details": "Your order’s number",
    "details_purpose": "So that we can write to you if we get cut off.",
}


class Studio(NamedTuple):
    """One visitor's page and what stands behind it."""

    chat: ChatPage
    site: Site
    strict_site: Site  # takes one message a minute
    upstream: UpstreamServer

    @property
    def page(self) -> Page:
        return self.chat.page

    def go(self, path: str) -> None:
        self.page.goto(f"{self.site.url}{path}")
        self.chat.box = self.page.locator("#message")  # whatever the page's language calls it


def rows() -> list[dict[str, object]]:
    """What the site's database holds beside its first two bots."""
    leading = {"led_by": "queue", "led_since": "2026-01-02T03:04:05Z", "visitor_seen_at": "2099-01-02T03:04:05Z"}
    waiting = {"bot": 4, "visitor": "0" * 64, "surface": "chat", "public_id": WAITING, "changes": 1} | leading
    member = {"user": 1, "name": "Olivia", "is_available": True}
    return [
        bot_row(3, "rose", name=LONG_NAME, accent="#b3261e", in_portal=True),
        bot_row(4, "people", people_answer=True, handover=True, in_portal=True, privacy_note="Kept for 30 days."),
        bot_row(5, "closed", closed=True, answers_when_closed=False),
        bot_row(6, "off", switched_on=False),
        bot_row(7, "consent", consent="I agree to the [privacy policy](https://example.com/privacy)."),
        bot_row(
            8,
            "german",
            can_help="Kraftfahrzeughaftpflichtversicherungen, Schäden",
            greeting=GERMAN,
            suggestions="Kraftfahrzeughaftpflichtversicherung\nWann haben Sie offen?",
        ),
        bot_row(
            9,
            "japanese",
            name="ひなた",
            greeting="こんにちは。**何でも**聞いてください。",
            suggestions="何時に開きますか。",
        ),
        bot_row(10, "widget", origins=SHOP),
        bot_row(11, "form", handover=True, privacy_note="Kept for 30 days."),
        bot_row(12, "asking", origins=SHOP, accent="#ff8800", asks_details="before", **ASKED),
        bot_row(13, "asking-later", asks_details="after", **ASKED),
        bot_row(14, "only-form", asks_details="instead", handover=True, **ASKED),
        kiosk_row(languages="en,de,ja"),
        owner_row(),
        account_row(100, CUSTOMER, PASSWORD),
        account_row(101, NEW_CUSTOMER, PASSWORD),
        *conversation_rows(account=100, bot=3, count=12),
        {"model": "webchat.teammember", "pk": 1, "fields": member},
        {"model": "webchat.conversation", "pk": 71, "fields": waiting},
        {
            "model": "webchat.turn",
            "pk": 711,
            "fields": {"conversation": 71, "message": "Is my parcel lost?", "reply": RICH, "state": "answered"},
        },
    ]


def at(path: str) -> Callable[[Studio], None]:
    def arrange(studio: Studio) -> None:
        studio.go(path)

    return arrange


# --- The full page in other words, and with people --------------------------------------------------------------------


def japanese(studio: Studio) -> None:
    studio.go("/chat/japanese/?lang=ja")
    studio.upstream.will_reply(JAPANESE)
    studio.chat.ask("土曜日も開いていますか。")


def follow_ups(studio: Studio) -> None:
    studio.upstream.will_reply(FOLLOW_UPS)
    studio.chat.ask("When do you open?")


def asked_before(studio: Studio) -> None:
    studio.go("/chat/asking/")
    studio.chat.send("When do you open?")
    expect(studio.chat.refusal).to_be_visible()


def asked_after(studio: Studio) -> None:
    studio.go("/chat/asking-later/")
    studio.chat.ask("When do you open?")


def german_alert(studio: Studio) -> None:
    studio.go("/chat/german/?lang=de")
    studio.upstream.will_answer(500, times=2)
    studio.chat.send("Wann haben Sie geöffnet?")
    studio.chat.control("retry").click()
    expect(studio.chat.control("contact")).to_be_visible()


def german_menu(studio: Studio) -> None:
    studio.go("/chat/german/?lang=de")
    studio.chat.ask("Wann haben Sie geöffnet?")
    studio.page.locator("[data-menu] summary").click()


def consent_missing(studio: Studio) -> None:
    studio.go("/chat/consent/")
    studio.chat.send("When do you open?")
    expect(studio.chat.refusal).to_be_visible()


def what_was_wrong(studio: Studio) -> None:
    studio.chat.ask("When do you open?")
    studio.page.locator(".thumb.down").click()
    expect(studio.page.locator(".why .field")).to_be_visible()


def form_for_a_person(studio: Studio) -> None:
    studio.go("/chat/form/")
    studio.chat.ask("When do you open?")
    studio.page.locator("[data-menu] summary").click()
    studio.page.locator(".top [data-action=contact]").click()
    studio.page.locator("#handover-email").fill("jo")
    studio.page.locator("#handover-message").fill("Please call me.")
    studio.page.get_by_role("button", name="Send the request").click()
    expect(studio.page.locator("#handover-email-wrong")).to_be_visible()


def in_the_queue(studio: Studio) -> None:
    """With somebody there, who looks into the inbox in a second tab."""
    log_in(studio.page.context.new_page(), studio.site, "/admin/inbox/")
    studio.go("/chat/people/")
    studio.chat.ask("When do you open?")
    studio.page.locator(".top [data-person]").click()
    expect(studio.page.locator("#leader[data-leader=queue]")).to_be_visible()
    studio.chat.send("Can I still change the address of my order?")
    expect(studio.chat.messages).to_have_count(2)


def a_person_answers(studio: Studio) -> None:
    in_the_queue(studio)
    inbox = studio.page.context.pages[-1]
    inbox.locator(".inbox-row", has_text="Can I still change the address").locator("a").first.click()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    inbox.locator("#inbox-text").fill("Of course. **Which address** shall it go to?")
    inbox.locator("#inbox-send").click()
    studio.page.locator("[data-team-message]").wait_for()
    studio.chat.send("To the one on my account, please.")
    expect(studio.chat.messages).to_have_count(3)


def a_person_has_left(studio: Studio) -> None:
    a_person_answers(studio)
    studio.page.context.pages[-1].get_by_role("button", name="Hand back").click()
    studio.page.locator("li.event", has_text="handed you back").wait_for()


# --- The desk ---------------------------------------------------------------------------------------------------------


def logged_in_at(path: str) -> Callable[[Studio], None]:
    def arrange(studio: Studio) -> None:
        log_in(studio.page, studio.site, path)

    return arrange


def log_in(page: Page, site: Site, path: str) -> None:
    page.goto(f"{site.url}/admin/login/?next={path}")
    page.get_by_label("User name or e-mail address").fill("owner")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_url(site.url + path)


def log_in_refused(studio: Studio) -> None:
    studio.go("/admin/login/")
    studio.page.get_by_label("User name or e-mail address").fill("owner")
    studio.page.get_by_label("Password").fill("wrong")
    studio.page.get_by_role("button", name="Log in").click()
    expect(studio.page.get_by_role("alert").or_(studio.page.locator(".errornote")).first).to_be_visible()


def inbox_open(studio: Studio) -> None:
    log_in(studio.page, studio.site, f"/admin/inbox/{WAITING}/")


def bot_refused(studio: Studio) -> None:
    log_in(studio.page, studio.site, "/admin/webchat/bot/1/change/")
    studio.page.locator("#id_name").fill("")
    studio.page.locator("form").first.evaluate("form => document.querySelector('#bot_form').noValidate = true")
    studio.page.get_by_role("button", name="Save", exact=True).click()
    expect(studio.page.locator("[data-problems]")).to_be_visible()


# --- The portal -------------------------------------------------------------------------------------------------------


def sign_in(studio: Studio, name: str = CUSTOMER, password: str = PASSWORD) -> None:
    studio.go("/portal/sign-in")
    studio.page.locator("[name=username]").fill(name)
    studio.page.locator("[name=password]").fill(password)
    studio.page.locator("[name=password]").press("Enter")


def portal_refused(studio: Studio) -> None:
    sign_in(studio, password="wrong")
    expect(studio.page.get_by_role("alert").first).to_be_visible()


def portal_list(studio: Studio) -> None:
    sign_in(studio)
    expect(studio.page.locator("[data-conversation]").first).to_be_visible()


def portal_empty(studio: Studio) -> None:
    sign_in(studio, NEW_CUSTOMER)
    expect(studio.page.locator("h1")).to_be_visible()


def portal_found(studio: Studio) -> None:
    portal_list(studio)
    studio.page.get_by_role("searchbox").fill("question 1")
    studio.page.get_by_role("searchbox").press("Enter")
    expect(studio.page.locator("mark").first).to_be_visible()


def portal_conversation(studio: Studio) -> None:
    portal_list(studio)
    studio.page.locator("[data-conversation] .what a").first.click()
    expect(studio.chat.replies.first).to_be_visible()


def portal_profile(studio: Studio) -> None:
    portal_list(studio)
    studio.page.locator(".who").click()
    expect(studio.page.locator(".devices")).to_be_visible()


# --- The kiosk --------------------------------------------------------------------------------------------------------


def kiosk(studio: Studio) -> KioskScreen:
    studio.page.context.add_cookies([{"name": "kiosk", "value": TOKEN, "url": studio.site.url}])
    screen = KioskScreen(studio.page)
    studio.page.clock.install()
    studio.go("/kiosk/help/")
    screen.expect("attract")
    screen.wait_for_visit()
    return screen


def kiosk_visit(studio: Studio) -> KioskScreen:
    screen = kiosk(studio)
    screen.begin()
    return screen


def kiosk_reply(studio: Studio) -> KioskScreen:
    studio.upstream.will_reply(RICH)
    screen = kiosk_visit(studio)
    screen.chat.ask("When do you open?")
    return screen


def kiosk_larger(studio: Studio) -> KioskScreen:
    screen = kiosk_reply(studio)
    size = screen.frame.get_by_role("button", name="Text size")
    while "150 %" not in size.inner_text():
        size.click()
    return screen


def kiosk_take(studio: Studio) -> None:
    screen = kiosk_larger(studio)
    screen.frame.locator("[data-take]").click()
    expect(screen.frame.get_by_role("img", name="QR code").last).to_be_visible()


def kiosk_warning(studio: Studio) -> None:
    screen = kiosk_larger(studio)
    screen.page.clock.fast_forward((IDLE + 1) * 1000)
    screen.expect("warning")


# --- The widget -------------------------------------------------------------------------------------------------------


def widget(studio: Studio, bot: str = "widget") -> None:
    body = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<script src="{studio.site.url}/embed.js" data-bot="{bot}" async></script><h1>A shop</h1>'
    )
    studio.page.context.grant_permissions(["local-network-access"], origin=SHOP)
    studio.page.route(f"{SHOP}/", lambda route: route.fulfill(body=body, content_type="text/html"))
    studio.page.goto(SHOP)
    expect(studio.page.locator("webchat-launcher .launch")).to_be_visible()


def widget_open(studio: Studio, bot: str = "widget") -> None:
    widget(studio, bot)
    studio.page.locator("webchat-launcher .launch").click()
    expect(studio.page.frame_locator("webchat-launcher iframe").locator("html[data-live]")).to_be_attached()


def widget_asked(studio: Studio) -> None:
    widget_open(studio, "asking")


def widget_reply(studio: Studio) -> None:
    widget_open(studio)
    chat = ChatPage(studio.page.frame_locator("webchat-launcher iframe"))  # type: ignore[arg-type] - finds as a page does
    studio.upstream.will_reply(RICH)
    chat.ask("When do you open?")


# --- Errors -----------------------------------------------------------------------------------------------------------


def error_400(studio: Studio) -> None:
    post(studio, "/chat/help/messages", "a=1&" * 2000)


def error_403(studio: Studio) -> None:
    post(studio, "/chat/help/new", "")


def error_413(studio: Studio) -> None:
    post(studio, "/chat/help/messages", f"message={'x' * 100_000}")


def error_413_arabic(studio: Studio) -> None:
    studio.go("/chat/help/?lang=ar")
    error_413(studio)


def error_429(studio: Studio) -> None:
    """Without JavaScript the page itself comes back, with the text in the composer."""
    studio.page.goto(studio.strict_site.url)
    form = studio.page.locator("form[data-composer]")
    for _ in range(2):
        studio.page.locator("#message").fill("One more, please")
        with studio.page.expect_navigation():
            form.evaluate("form => { HTMLFormElement.prototype.submit.call(form); }")
    expect(studio.chat.refusal).to_be_visible()


def error_500(studio: Studio) -> None:
    studio.site.ask_database("ALTER TABLE webchat_bot RENAME TO webchat_bot_away")
    try:
        studio.go("/chat/rose/")
    finally:
        studio.site.ask_database("ALTER TABLE webchat_bot_away RENAME TO webchat_bot")


def post(studio: Studio, path: str, body: str) -> None:
    """As a form of the page would, without its token."""
    with studio.page.expect_navigation():
        studio.page.evaluate(
            """([url, fields]) => {
              const form = document.createElement("form");
              Object.assign(form, { method: "post", action: url });
              for (const [name, value] of new URLSearchParams(fields))
                form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
              document.body.append(form);
              form.submit();
            }""",
            [studio.site.url + path, body],
        )


STATES: dict[str, Callable[[Studio], object]] = {
    "japanese": japanese,
    "german": at("/chat/german/?lang=de"),
    "german-alert": german_alert,
    "german-menu": german_menu,
    "long-name": at("/chat/rose/"),
    "follow-ups": follow_ups,
    "asked": at("/chat/asking/"),
    "asked-before": asked_before,
    "asked-after": asked_after,
    "only-form": at("/chat/only-form/"),
    "closed": at("/chat/closed/"),
    "switched-off": at("/chat/off/"),
    "consent-missing": consent_missing,
    "what-was-wrong": what_was_wrong,
    "form-for-a-person": form_for_a_person,
    "in-the-queue": in_the_queue,
    "a-person-answers": a_person_answers,
    "a-person-has-left": a_person_has_left,
    "inbox-open": inbox_open,
    "inbox": logged_in_at("/admin/inbox/"),
    "inbox-profile": logged_in_at("/admin/inbox/profile/"),
    "desk-log-in": at("/admin/login/"),
    "desk-log-in-refused": log_in_refused,
    "desk": logged_in_at("/admin/"),
    "desk-bots": logged_in_at("/admin/webchat/bot/"),
    "desk-bot": logged_in_at("/admin/webchat/bot/3/change/"),
    "desk-bot-refused": bot_refused,
    "desk-insights": logged_in_at("/admin/insights/"),
    "desk-conversations": logged_in_at("/admin/webchat/conversation/"),
    "desk-conversation": logged_in_at("/admin/webchat/conversation/71/change/"),
    "desk-trained-bots": logged_in_at("/admin/docbot/trainedbot/"),
    "portal-sign-in": at("/portal/sign-in"),
    "portal-refused": portal_refused,
    "portal-list": portal_list,
    "portal-empty": portal_empty,
    "portal-found": portal_found,
    "portal-conversation": portal_conversation,
    "portal-profile": portal_profile,
    "widget": widget,
    "widget-open": widget_open,
    "widget-asked": widget_asked,
    "widget-reply": widget_reply,
    "kiosk": kiosk,
    "kiosk-visit": kiosk_visit,
    "kiosk-reply": kiosk_reply,
    "kiosk-larger": kiosk_larger,
    "kiosk-take": kiosk_take,
    "kiosk-warning": kiosk_warning,
    "kiosk-enrolment": at("/kiosk/help/"),
    "error-400": error_400,
    "error-403": error_403,
    "error-413": error_413,
    "error-413-arabic": error_413_arabic,
    "error-429": error_429,
    "error-500": error_500,
}
