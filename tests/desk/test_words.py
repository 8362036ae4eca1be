"""A bot's texts in each of its languages, entered on the tabs that they belong to."""

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


def test_languages_are_chosen_on_the_tab_look(admin_client, bot):
    assert languages(page(admin_client.get(url(bot, language="")))) == []
    response = admin_client.post(url(bot, language=""), {"greeting": "Hello!", "languages": ["de", "ar"]})
    assert response.status_code == 302
    assert Bot.objects.get().languages == "de,ar"
    shown = page(admin_client.get(url(bot, language="")))
    assert {each.get("value") for each in shown.xpath("//input[@name='languages'][@checked]")} == {"de", "ar"}
    assert languages(shown) == ["Default", "Deutsch 1 missing", "العربية 1 missing"]


@pytest.mark.parametrize(("tab", "missing"), [("look", 2), ("limits", 1), ("places", 0), ("people", 0)])
def test_each_tab_counts_its_own_missing_texts(tab, missing, admin_client, spoken):
    mark = f" {missing} missing" if missing else ""
    shown = page(admin_client.get(url(spoken, tab, "")))
    assert languages(shown) == ["English (default)", f"Deutsch{mark}", f"العربية{mark}"]
    assert languages(page(admin_client.get(url(spoken, tab)))) == languages(shown)


def test_a_teaser_rule_counts_as_missing_until_it_has_a_text_in_the_language(admin_client, spoken):
    def marks() -> list[str]:
        return languages(page(admin_client.get(url(spoken, "places", ""))))[1:]

    before = marks()
    rule = spoken.teaser_rules.create(text="Need a hand?", texts={"de": "Kann ich helfen?"})
    assert marks() == [before[0], "العربية 1 missing" if before[1] == "العربية" else before[1].replace("1", "2")]
    rule.texts["ar"] = "هل أساعدك؟"
    rule.save()
    assert marks() == before


def test_texts_are_entered_beside_the_default_and_visitors_read_them_immediately(admin_client, client, spoken):
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


def test_the_audit_trail_says_which_text_was_entered_in_which_language(admin_client, spoken):
    admin_client.post(url(spoken), {"greeting": "Guten Tag!", "suggestions": "Wann?"})
    entry = LogEntry.objects.first()
    assert entry.object_id == str(spoken.pk)
    assert entry.get_change_message() == "Changed Greeting and Suggested questions for language “Deutsch”."
    assert "Guten" not in entry.change_message


def test_typed_texts_are_kept_after_a_refusal(admin_client, spoken):
    shown = page(admin_client.post(url(spoken, "places"), {"teaser": "x" * 141, "launcher_label": "Fragen"}))
    assert shown.xpath("//section[@data-problems]//a/@href") == ["#id_teaser"]
    assert shown.get_element_by_id("id_teaser").value == "x" * 141
    assert shown.get_element_by_id("id_launcher_label").value == "Fragen"
    assert not BotWords.objects.exists()


def test_a_language_that_the_bot_does_not_have_redirects_to_the_tab(admin_client, spoken):
    for language in ("fr", "en", "xx"):
        assert admin_client.get(url(spoken, language=language))["Location"] == url(spoken, language="")


def test_the_preview_shows_texts_and_page_in_that_language(admin_client, spoken):
    BotWords.objects.create(bot=spoken, language="de", consent="Ich stimme zu.")
    preview = f"/admin/webchat/bot/{spoken.pk}/preview/chat/?tab=desk_bot_look&words=de"
    shown = admin_client.post(preview, {"greeting": "Guten Tag!", "suggestions": ""}).content.decode()
    for words in ('lang="de"', "Guten Tag!", "When?", "Ich stimme zu."):
        assert words in shown
    assert BotWords.objects.get().greeting == ""


def test_the_overview_counts_missing_texts_and_links_to_each_tab_that_lacks_some(admin_client, spoken):
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
