"""What must never reach a browser: the bot's key, the upstream's URL, its error texts and chatIds."""

from playwright.sync_api import Response, expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import API_KEY
from tests.browser.waiting import wait_for_some

CHAT_ID = "chat-id-of-the-upstream"
WORDS = "Words of the upstream."


def test_nothing_of_the_upstream_reaches_the_browser(visitor, site, upstream):
    seen: list[str] = []

    begun: list[Response] = []

    def read(response: Response) -> None:
        begun.append(response)
        body = "" if 300 <= response.status < 400 else response.text()
        seen.append(f"{response.url}\n{response.headers}\n{body}")

    visitor.on("response", read)
    chat = ChatPage.open(visitor, site.url)
    upstream.will_reply("Hello", chat_id=CHAT_ID)
    chat.ask("One")
    for code in ("INVALID_API_KEY", "QUOTA_EXCEEDED"):
        upstream.will_refuse(code)
        chat.send("Two")
        expect(chat.alert.last).to_have_attribute("data-code", code)
    upstream.will_answer(500, {"error": {"message": WORDS, "key": API_KEY, "url": upstream.base_url}})
    chat.send("Three")
    expect(chat.alert).to_have_count(3)
    wait_for_some(chat.page, seen, len(begun))  # leaving the page would discard unread responses
    chat.page.reload(wait_until="networkidle")
    wait_for_some(chat.page, seen, len(begun))
    for format in ("txt", "html", "json"):
        seen.append(visitor.request.get(f"{site.url}/chat/help/transcript.{format}").text())
    assert upstream.requests[1].chat_id == CHAT_ID
    assert len(seen) > 10

    kept = str(visitor.storage_state()) + chat.page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    seen += [kept, chat.page.content()]
    for secret in (API_KEY, CHAT_ID, WORDS, "api/public"):
        assert not [text for text in seen if secret in text], secret
    assert not [text for text in seen if upstream.is_named_in(text)]
