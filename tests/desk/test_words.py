"""A bot's texts in each of its languages, and the rules for when its widget speaks up by itself."""

import pytest
from django.contrib.admin.models import LogEntry
from lxml import html

from tests.desk.conftest import page
from webchat.models import Bot, BotWords


@pytest.fixture
def spoken(bot: Bot) -> Bot:
    """A bot in English, German and Arabic."""
    Bot.objects.update(language="en", languages="de,ar", suggestions="When?", consent="I agree.")
    bot.refresh_from_db()
    return bot


def url(bot: Bot, tab: str = "look", language: str = "de") -> str:
    return f"/admin/webchat/bot/{bot.pk}/{tab}/" + (f"?words={language}" if language else "")


def languages(shown: html.HtmlElement) -> list[str]:
    links = shown.xpath("//nav[@aria-label='Language of the texts']//a")
    return [" ".join(link.text_content().split()) for link in links]


def test_each_tab_counts_its_own_missing_texts(admin_client, spoken):
    for tab, missing in (("look", 2), ("limits", 1), ("places", 0), ("people", 0)):
        mark = f" {missing} missing" if missing else ""
        shown = page(admin_client.get(url(spoken, tab, "")))
        assert languages(shown) == ["English (default)", f"Deutsch{mark}", f"العربية{mark}"]
        assert languages(page(admin_client.get(url(spoken, tab)))) == languages(shown)
    spoken.teaser_rules.create(text="Need a hand?", texts={"de": "Kann ich helfen?"})
    assert languages(page(admin_client.get(url(spoken, "places"))))[1:] == ["Deutsch", "العربية 1 missing"]
    for language in ("fr", "en", "xx"):
        assert admin_client.get(url(spoken, language=language))["Location"] == url(spoken, language="")
    Bot.objects.update(languages="")
    assert languages(page(admin_client.get(url(spoken, language="")))) == []


def test_texts_are_entered_beside_the_default_and_visitors_read_them_immediately(admin_client, client, spoken):
    default = url(spoken, language="")
    for chosen in (["de"], ["de", "ar"]):
        sent = {"greeting": "Hello!", "suggestions": "When?", "languages": chosen}
        assert admin_client.post(default, sent).status_code == 302
        assert Bot.objects.get().languages == ",".join(chosen)
        shown = page(admin_client.get(default))
        assert shown.xpath("//input[@name='languages'][@checked]/@value") == chosen
    refused = page(admin_client.post(url(spoken, "places"), {"teaser": "x" * 141, "launcher_label": "Fragen"}))
    assert refused.xpath("//section[@data-problems]//a/@href") == ["#id_teaser"]
    assert refused.get_element_by_id("id_teaser").value == "x" * 141
    assert refused.get_element_by_id("id_launcher_label").value == "Fragen"
    assert not BotWords.objects.exists()
    shown = page(admin_client.get(url(spoken)))
    fields = shown.xpath("//fieldset//textarea/@name")
    assert fields == ["greeting", "suggestions", "next_questions"]
    assert shown.xpath("//textarea[@name='greeting']/@lang") == ["de"]
    assert shown.xpath("//blockquote/text()") == ["Hello!", "When?"]
    assert len(shown.xpath("//fieldset//*[@class='missing']")) == 2
    response = admin_client.post(url(spoken), {"greeting": "Guten Tag!", "suggestions": ""})
    assert response["Location"] == f"{url(spoken)}#id_greeting"  # the first text that was entered
    assert (Bot.objects.get().greeting, BotWords.objects.get().greeting) == ("Hello!", "Guten Tag!")
    assert languages(page(admin_client.get(url(spoken))))[1] == "Deutsch 1 missing"
    assert "Guten Tag!" in client.get("/chat/help/?lang=de").content.decode()
    admin_client.post(url(spoken), {"greeting": "Moin!", "suggestions": "Wann?"})
    entry = LogEntry.objects.first()
    assert entry.object_id == str(spoken.pk)
    assert entry.get_change_message() == "Changed Greeting and Suggested questions for language “Deutsch”."
    assert "Moin" not in entry.change_message


def test_the_overview_counts_missing_texts_and_links_to_each_tab_that_lacks_some(admin_client, spoken):
    kept = BotWords.objects.create(bot=spoken, language="de", consent="Ich stimme zu.")
    preview = f"/admin/webchat/bot/{spoken.pk}/preview/chat/?tab=desk_bot_look&words=de"
    shown = admin_client.post(preview, {"greeting": "Guten Tag!", "suggestions": ""}).content.decode()
    for words in ('lang="de"', "Guten Tag!", "When?", "Ich stimme zu."):
        assert words in shown
    assert BotWords.objects.get().greeting == ""
    kept.delete()
    BotWords.objects.create(bot=spoken, language="de", greeting="Hallo!", suggestions="Wann?")
    rule = spoken.teaser_rules.create(text="Need a hand?", texts={"de": "Kann ich helfen?"})
    said = "Texts that are missing in a language: \u2068Deutsch 1\u2069, \u2068العربية 4\u2069."
    [item] = page(admin_client.get(url(spoken, "change", ""))).xpath(f"//aside//li[contains(., '{said}')]")
    fields = [("look", "ar", "greeting"), ("places", "ar", f"teaser-{rule.pk}"), ("limits", "de", "consent")]
    links = item.xpath(".//a/@href")
    assert links == [f"{url(spoken, tab, language)}#id_{field}" for tab, language, field in fields]
    for link in links:
        box = page(admin_client.get(link)).get_element_by_id(link.partition("#")[2])
        assert not (box.value or "").strip()


@pytest.fixture
def places(bot: Bot) -> str:
    return f"/admin/webchat/bot/{bot.pk}/places/"


def form(*rules: dict[str, object], initial: int = 0) -> dict[str, object]:
    fields = {"launcher_icon": "chat", "launcher_position": "end", "widget_theme": "auto", "teaser_after": 10}
    fields |= {"teaser_rules-TOTAL_FORMS": len(rules), "teaser_rules-INITIAL_FORMS": initial}
    for number, rule in enumerate(rules):
        usual = {"text": "", "page": "", "visitors": "", "seconds": 10, "scrolled": 0}
        fields |= {f"teaser_rules-{number}-{name}": value for name, value in (usual | rule).items()}
    return fields


def test_a_rule_applies_to_the_page_that_was_meant(admin_client, bot, places):
    for typed, path in (
        ("prices", "/prices"),
        ("https://shop.example/prices?week=1#now", "/prices"),
        ("https://[shop.example/prices", "/prices"),
        ("/shop/*", "/shop/*"),
        ("*", "*"),
        ("", ""),
    ):
        response = admin_client.post(places, form({"text": "Questions?", "page": typed, "scrolled": 40}))
        assert response.status_code == 302
        rule = bot.teaser_rules.get()
        assert (rule.text, rule.page, rule.seconds, rule.scrolled) == ("Questions?", path, 10, 40)
        rule.delete()


def test_an_empty_or_wrong_rule_is_not_stored_and_a_rule_can_be_deleted(admin_client, bot, places):
    admin_client.post(places, form({}))
    wrong = admin_client.post(places, form({"text": "Questions?", "scrolled": 101}))
    assert "100" in html.fromstring(wrong.content.decode()).xpath("//*[@data-problems]")[0].text_content()
    assert not bot.teaser_rules.exists()
    rule = bot.teaser_rules.create(text="Questions?")
    admin_client.post(places, form({"id": rule.pk, "text": "Questions?", "DELETE": "on"}, initial=1))
    assert not bot.teaser_rules.exists()


def test_a_rules_text_is_translated_and_shown_in_the_visitors_language(admin_client, client, bot, places):
    Bot.objects.update(languages="de,ar")
    rule = bot.teaser_rules.create(text="Questions?", texts={"fr": "Des questions ?"})
    box = f"teaser-{rule.pk}"
    assert (
        admin_client.post(f"{places}?words=de", {"teaser": "", "launcher_label": "", box: "Fragen?"}).status_code == 302
    )
    rule.refresh_from_db()
    assert rule.texts == {"fr": "Des questions ?", "de": "Fragen?"}
    for language, is_missing in (("de", False), ("ar", True)):
        page = html.fromstring(admin_client.get(f"{places}?words={language}").content.decode())
        [row] = page.xpath(f"//*[@name='{box}']/ancestor::*[contains(@class, 'form-row')]")
        assert "Questions?" in row.text_content()
        assert ("Missing" in row.text_content()) is is_missing
    read = {
        code: client.get(f"/embed/help/launcher.json?lang={code}").json()["rules"][0]["text"] for code in ("de", "ar")
    }
    assert read == {"de": "Fragen?", "ar": "Questions?"}
    admin_client.post(f"{places}?words=de", {box: "x" * 141})
    rule.refresh_from_db()
    assert rule.texts["de"] == "Fragen?"
    admin_client.post(f"{places}?words=de", {box: ""})
    rule.refresh_from_db()
    assert rule.texts == {"fr": "Des questions ?"}
