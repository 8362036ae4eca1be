"""The installed app: what it caches, its offline page, and the removal of its service worker."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import Site
from tests.browser.test_interruptions import NETWORK_GONE

# Pretend to be an installed app's window.
STANDALONE = """
const ask = matchMedia;
matchMedia = (query) => (query === "(display-mode: standalone)" ? { matches: true } : ask(query));
"""
KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) kept.push(new URL(url).pathname);
  return kept;
}"""
# Submit the manifest's share target, as a device does.
SHARE = """(text) => {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: "share", enctype: "multipart/form-data" });
  form.append(Object.assign(document.createElement("input"), { name: "text", value: text }));
  document.body.append(form);
  form.submit();
}"""
WORKERS = "async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname)"


@pytest.fixture
def app(visitor: BrowserContext, site: Site) -> Page:
    """Return the installed app's page, with its service worker."""
    page = visitor.new_page()
    page.add_init_script(STANDALONE)
    page.goto(f"{site.url}/chat/rose/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    return page


def test_the_installed_app_has_an_offline_page_and_adds_shared_text_to_the_draft_once(app, visitor, watch):
    watch.expect(NETWORK_GONE)
    chat = ChatPage(app)
    chat.ask("Hello")
    visitor.set_offline(True)
    app.reload()
    expect(app.get_by_role("heading", name="You are offline")).to_be_visible()
    button = app.get_by_role("link", name="Try again")
    assert button.evaluate("button => getComputedStyle(button).backgroundColor") == "rgb(179, 38, 30)"
    visitor.set_offline(False)
    button.click()
    chat.expect_said("Hello")
    assert app.evaluate(KEPT) == ["/chat/rose/offline"]
    chat.write("Is this yours?")
    app.evaluate(SHARE, "https://example.com/bicycle")
    app.wait_for_url("**/chat/rose/")
    expect(chat.box).to_have_value("Is this yours?\nhttps://example.com/bicycle")
    chat.box.press("Enter")
    expect(chat.replies).to_have_count(2)
    app.reload()
    expect(chat.box).to_have_value("")
    expect(chat.turns).to_have_count(2)


def test_only_the_installed_app_has_a_service_worker_which_ends_with_its_bot(app, new_visitor, site):
    assert app.evaluate(WORKERS) == ["/chat/rose/"]
    app.goto(f"{site.url}/embed/rose/")
    assert app.evaluate("navigator.serviceWorker.controller") is None
    other = ChatPage.open(new_visitor(), f"{site.url}/chat/rose/")
    other.ask("Hello")
    assert other.page.evaluate(WORKERS) == other.page.evaluate(KEPT) == []

    app.goto(f"{site.url}/chat/rose/")
    assert app.evaluate(KEPT) == ["/chat/rose/offline"]
    site.ask_database("UPDATE webchat_bot SET slug = 'gone' WHERE slug = 'rose'")
    try:
        app.evaluate("navigator.serviceWorker.ready.then((worker) => worker.update()).then(() => true)")
        app.evaluate(
            f"async () => {{ while ((await ({WORKERS})()).length) await new Promise(requestAnimationFrame); }}"
        )
        assert app.evaluate(KEPT) == []
    finally:
        site.ask_database("UPDATE webchat_bot SET slug = 'rose' WHERE slug = 'gone'")
