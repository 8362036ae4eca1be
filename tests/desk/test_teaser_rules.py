"""Rules for when a bot's widget speaks up by itself, edited by the owner on *Where it’s shown*."""

import pytest
from lxml import html

from webchat.models import Bot


@pytest.fixture
def url(bot: Bot) -> str:
    return f"/admin/webchat/bot/{bot.pk}/places/"


def form(*rules: dict[str, object], initial: int = 0) -> dict[str, object]:
    fields = {"launcher_icon": "chat", "launcher_position": "end", "widget_theme": "auto", "teaser_after": 10}
    fields |= {"teaser_rules-TOTAL_FORMS": len(rules), "teaser_rules-INITIAL_FORMS": initial}
    for number, rule in enumerate(rules):
        usual = {"text": "", "page": "", "visitors": "", "seconds": 10, "scrolled": 0}
        fields |= {f"teaser_rules-{number}-{name}": value for name, value in (usual | rule).items()}
    return fields


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("/prices", "/prices"),
        ("prices", "/prices"),
        ("https://shop.example/prices?week=1#now", "/prices"),
        ("https://[shop.example/prices", "/prices"),
        ("/shop/*", "/shop/*"),
        ("*", "*"),
        ("", ""),
    ],
)
def test_a_rule_applies_to_the_page_that_was_meant(admin_client, bot, url, typed, page):
    response = admin_client.post(url, form({"text": "Questions?", "page": typed, "scrolled": 40}))
    assert response.status_code == 302
    rule = bot.teaser_rules.get()
    assert (rule.text, rule.page, rule.seconds, rule.scrolled) == ("Questions?", page, 10, 40)


def test_an_empty_or_wrong_rule_is_not_stored_and_a_rule_can_be_deleted(admin_client, bot, url):
    admin_client.post(url, form({}))
    wrong = admin_client.post(url, form({"text": "Questions?", "scrolled": 101}))
    assert "100" in html.fromstring(wrong.content.decode()).xpath("//*[@data-problems]")[0].text_content()
    assert not bot.teaser_rules.exists()
    rule = bot.teaser_rules.create(text="Questions?")
    admin_client.post(url, form({"id": rule.pk, "text": "Questions?", "DELETE": "on"}, initial=1))
    assert not bot.teaser_rules.exists()


def test_a_rules_text_is_translated_with_the_bots_texts_and_shown_in_the_visitors_language(
    admin_client, client, bot, url
):
    Bot.objects.update(languages="de,ar")
    rule = bot.teaser_rules.create(text="Questions?", texts={"fr": "Des questions ?"})
    box = f"teaser-{rule.pk}"
    assert admin_client.post(f"{url}?words=de", {"teaser": "", "launcher_label": "", box: "Fragen?"}).status_code == 302
    rule.refresh_from_db()
    assert rule.texts == {"fr": "Des questions ?", "de": "Fragen?"}
    for language, is_missing in (("de", False), ("ar", True)):
        page = html.fromstring(admin_client.get(f"{url}?words={language}").content.decode())
        [row] = page.xpath(f"//*[@name='{box}']/ancestor::*[contains(@class, 'form-row')]")
        assert "Questions?" in row.text_content()
        assert ("Missing" in row.text_content()) is is_missing
    read = {
        code: client.get(f"/embed/help/launcher.json?lang={code}").json()["rules"][0]["text"] for code in ("de", "ar")
    }
    assert read == {"de": "Fragen?", "ar": "Questions?"}
    admin_client.post(f"{url}?words=de", {box: "x" * 141})
    rule.refresh_from_db()
    assert rule.texts["de"] == "Fragen?"
    admin_client.post(f"{url}?words=de", {box: ""})
    rule.refresh_from_db()
    assert rule.texts == {"fr": "Des questions ?"}
