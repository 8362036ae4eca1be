"""What answers for a bot: a trained bot of this site, or a service, which the owner can test."""

import pytest
from django.contrib.admin.models import LogEntry

from desk import trained_bots
from docbot.endpoint import keys
from docbot.models import TrainedBot
from tests.desk.bot_pages import LIST, url
from tests.desk.conftest import page, words
from webchat import encryption
from webchat.models import Bot


@pytest.fixture
def shop(db) -> TrainedBot:
    return TrainedBot.objects.create(slug="shop", name="Shop")


@pytest.fixture
def in_process(settings) -> None:
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL


NEW = {"name": "Shop", "slug": "shop"}


def errors_of(response, field: str) -> str:
    return " ".join(page(response).xpath(f"//*[contains(@class, 'field-{field}')]//ul/li/text()"))


def test_a_new_bot_never_silently_uses_the_sites_own_service(admin_client, fields):
    refused = admin_client.post(f"{LIST}add/", fields | NEW)
    assert "Nothing answers for this bot yet" in errors_of(refused, "answered_by")
    assert not Bot.objects.filter(slug="shop").exists()
    assert admin_client.post(f"{LIST}add/", fields | NEW | {"answered_by": "site"}).status_code == 302
    assert Bot.objects.get(slug="shop").sealed_key == ""


def test_a_new_bot_answers_from_documents_of_its_own_unless_its_owner_chooses_otherwise(admin_client, fields):
    shown = page(admin_client.get(f"{LIST}add/"))
    assert shown.xpath("//select[@name='answered_by']/option[@selected]/@value") == ["new"]
    for about_its_key in ("Leave blank to keep the current one.", "Remove the key"):
        assert about_its_key not in shown.text_content()
    refused = admin_client.post(f"{LIST}add/", fields | NEW | {"answered_by": "new", "base_url": "https://a.example"})
    assert "Leave it blank" in errors_of(refused, "base_url")
    made = admin_client.post(f"{LIST}add/", fields | NEW | {"answered_by": "new"}, follow=True)
    bot = Bot.objects.get(slug="shop")
    assert made.request["PATH_INFO"] == url(bot, "answers/")
    assert trained_bots.answering_for(bot).name == "Shop"
    for shown in (page(made), page(admin_client.get(LIST))):
        assert shown.xpath("//*[@data-state='not_trained']/text()") == ["Not trained yet"]
    assert page(made).xpath("//input[@type='file']")


@pytest.mark.parametrize(
    ("field", "sentence"), [("base_url", "Enter the service’s address"), ("webhook_url", "Use https://…")]
)
def test_a_refused_address_is_called_an_address(admin_client, bot, fields, field, sentence):
    assert sentence in errors_of(admin_client.post(url(bot, "service/"), fields | {field: "an address"}), field)


def test_a_renamed_bot_renames_the_trained_bot_that_answers_for_it(admin_client, bot, fields, in_process):
    trained_bots.link(bot, trained_bots.make_for(bot))
    bot.save()
    admin_client.post(url(bot), fields | {"name": "Bella", "slug": "bakery"})
    bot.refresh_from_db()
    trained = trained_bots.answering_for(bot)
    assert (bot.slug, trained.name, trained.slug) == ("bakery", "Bella", "help")  # commands keep their short name


def test_a_key_and_a_secret_can_be_removed_only_where_there_is_one(admin_client, bot):
    def boxes() -> list[str]:
        found = page(admin_client.get(url(bot, "service/"))).xpath("//input[@type='checkbox']/@name")
        return [name for name in found if name.startswith("forget_")]

    assert boxes() == []
    bot.set_key("secret-key")
    bot.set_webhook_secret("secret")
    bot.save()
    assert boxes() == ["forget_key", "forget_webhook_secret"]


@pytest.mark.parametrize("given", [{"slug": "shop", "name": "Another"}, {"slug": "another", "name": "sHOP"}])
def test_a_trained_bot_of_the_same_name_is_offered_and_gives_the_new_bot_a_key(admin_client, fields, shop, given):
    refused = admin_client.post(f"{LIST}add/", fields | given)
    assert "Choose the trained bot “Shop”?" in errors_of(refused, "answered_by")
    assert admin_client.post(f"{LIST}add/", fields | given | {"answered_by": f"trained-{shop.pk}"}).status_code == 302
    made = Bot.objects.get(slug=given["slug"])
    assert keys.find(encryption.unseal(made.sealed_key)).trained_bot == shop
    shown = page(admin_client.get(url(made, "service/")))
    assert shown.xpath("//select[@name='answered_by']/option[@selected]/@value") == [f"trained-{shop.pk}"]


def test_what_answers_for_a_bot_stays_until_its_owner_changes_it(admin_client, bot, fields, shop):
    for sent in ({}, {"answered_by": "site"}):
        assert admin_client.post(url(bot, "service/"), fields | sent).status_code == 302
    admin_client.post(url(bot, "service/"), fields | {"answered_by": f"trained-{shop.pk}"})
    bot.refresh_from_db()
    key = bot.sealed_key
    assert admin_client.post(url(bot, "service/"), fields | {"answered_by": f"trained-{shop.pk}"}).status_code == 302
    bot.refresh_from_db()
    assert bot.sealed_key == key
    refused = admin_client.post(
        url(bot, "service/"), fields | {"forget_key": "on", "answered_by": f"trained-{shop.pk}"}
    )
    assert "Nothing answers" in errors_of(refused, "answered_by")
    admin_client.post(url(bot, "service/"), fields | {"answered_by": "site"})
    bot.refresh_from_db()
    assert bot.sealed_key == ""


def test_no_trained_bot_is_offered_or_linked_on_a_site_with_another_service(admin_client, bot, fields, shop, upstream):
    shown = page(admin_client.get(f"{LIST}add/"))
    assert shown.xpath("//select[@name='answered_by']/option/@value") == ["", "site"]
    assert upstream.base_url in shown.xpath("string(//select[@name='answered_by'])")
    assert not page(admin_client.get(url(bot, "answers/"))).xpath("//button[@name='trained']")
    assert admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"}).status_code == 403


def test_one_click_links_a_trained_bot_with_a_key_that_nobody_sees(admin_client, in_process, bot, shop):
    shown = page(admin_client.get(url(bot, "answers/")))
    assert f"{shop.pk}" in shown.xpath("//button[@name='trained']/@value")
    response = admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"}, follow=True)
    bot.refresh_from_db()
    plain = encryption.unseal(bot.sealed_key)
    assert keys.find(plain).trained_bot == shop
    assert plain not in response.content.decode()
    assert "“Ada” now uses the trained bot “Shop”." in page(response).text_content()


def test_a_trained_bot_that_does_not_exist_cannot_be_chosen(admin_client, in_process, bot):
    for unknown in ("x", "0", "9" * 5000):
        assert admin_client.post(url(bot, "answers/"), {"trained": unknown}).status_code == 404


def test_a_trained_bot_is_made_for_a_bot_that_has_none(admin_client, in_process, bot, shop):
    TrainedBot.objects.create(slug="help", name="Manual")
    admin_client.post(url(bot, "answers/"), {"trained": "new"})
    bot.refresh_from_db()
    made = keys.find(encryption.unseal(bot.sealed_key)).trained_bot
    assert (made.slug, made.name) == ("help-2", "Ada")


def test_what_is_said_of_a_bot_names_the_trained_bot_that_answers_for_it(admin_client, in_process, bot, shop):
    deletion = f"/admin/docbot/trainedbot/{shop.pk}/delete/"
    assert "and its documents stay" not in words(admin_client.get(url(bot, "delete/")))
    assert "these bots can’t answer" not in words(admin_client.get(deletion))
    admin_client.post(url(bot, "answers/"), {"trained": shop.pk})
    assert "The trained bot “Shop” and its documents stay." in words(admin_client.get(url(bot, "delete/")))
    assert "Without it, these bots can’t answer: Ada." in words(admin_client.get(deletion))
    tested = words(admin_client.get(url(bot, "test/")))  # neither cost nor URL
    assert "“Hello” is sent to the trained bot “Shop”, and what comes back is explained." in tested
    assert "docbot://" not in tested
    assert "could not be read" not in words(admin_client.get(url(bot, "change/")))
    shop.documents.create(kind="upload", location="/a.pdf", problem="it is not a PDF")
    assert "answers, from 0 documents. 1 could not be read" in words(admin_client.get(url(bot, "change/")))
    answers = admin_client.get(url(bot, "answers/"))
    assert "0 documents · 1 could not be read" in words(answers)
    (again,) = page(answers).xpath("//button[normalize-space()='Train again']")
    assert "disabled" not in again.attrib


@pytest.mark.parametrize("rest", ["{}/try/", "{}/keys/", "{}/change/", "document"])
def test_the_pages_of_a_trained_bot_are_inside_those_of_its_bot(admin_client, in_process, bot, shop, rest):
    admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"})
    trained = f"/admin/docbot/trainedbot/{rest.format(shop.pk)}"
    where = f"/admin/docbot/document/?trained_bot__id__exact={shop.pk}" if rest == "document" else trained
    shown = page(admin_client.get(where))
    assert shown.xpath("//h1/text()") == ["Ada"]
    [outer] = shown.xpath("//nav[@aria-label='Pages of this bot']")
    [inner] = shown.xpath("//nav[@aria-label='What it answers from']")
    assert outer.xpath(".//a[@aria-current]/@href") == [url(bot, "answers/")]
    assert inner.xpath(".//a[@aria-current]")
    assert shown.xpath("//nav[@aria-label='Desk']//a[@aria-current]/@href") == [LIST]


def test_docbots_own_history_is_a_tab_of_a_trained_bot_that_only_programs_ask(admin_client, in_process, bot, shop):
    def tabs(rest: str) -> dict[str, str]:
        links = page(admin_client.get(f"/admin/docbot/trainedbot/{shop.pk}/{rest}/")).xpath("//nav[last()]//a")
        return {link.text: link.get("href").partition("?")[2] for link in links}

    assert "Chat history" in tabs("keys")
    admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"})
    assert "Chat history" not in tabs("keys")
    assert (tabs("keys")["Conversations"], tabs("keys")["Teach"]) == ("bot=help", "bot=help")
    [history] = page(admin_client.get(f"/admin/docbot/trainedbot/{shop.pk}/keys/")).xpath("//a[.='Chat history']/@href")
    inner = page(admin_client.get(history)).xpath("//nav[@aria-label='What it answers from']")[0]
    assert inner.xpath(".//a[@aria-current]/text()") == ["Keys"]


def test_a_trained_bot_of_several_bots_is_shown_inside_the_one_looked_at_last(admin_client, in_process, bot, shop):
    other = Bot.objects.create(slug="other", name="Other")
    for each in (bot, other):
        admin_client.post(url(each, "answers/"), {"trained": f"{shop.pk}"})
    for each in (other, bot, other):
        admin_client.get(url(each, "answers/"))
        shown = page(admin_client.get(f"/admin/docbot/trainedbot/{shop.pk}/try/"))
        assert shown.xpath("//h1/text()") == [each.name]


def test_testing_a_bot_sends_one_message_and_explains_the_result(admin_client, bot, upstream):
    shown = page(admin_client.post(url(bot, "test/")))
    assert shown.xpath("//li[@data-finding='REPLY'][@data-kind='fine']")
    assert len(upstream.requests) == 1
    assert LogEntry.objects.latest("pk").change_message == "Tested: \u2068REPLY\u2069."


def test_a_refused_key_is_explained(admin_client, bot, upstream, settings):
    settings.BOT_API_KEY = "sk-wrong"
    shown = page(admin_client.post(url(bot, "test/")))
    [finding] = shown.xpath("//li[@data-finding='INVALID_API_KEY'][@data-kind='wrong']")
    assert "Create a key" in finding.text_content()


def test_the_list_of_trained_bots_leads_back_to_the_bots(admin_client, shop):
    [back] = page(admin_client.get("/admin/docbot/trainedbot/")).xpath("//p[@class='breadcrumbs']/a")
    assert back.get("href") == LIST


def test_the_list_of_trained_bots_says_for_which_bots_each_answers(admin_client, in_process, bot, shop):
    TrainedBot.objects.create(slug="for-programs", name="For programs")
    admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"})
    shown = page(admin_client.get("/admin/docbot/trainedbot/"))
    rows = shown.xpath("//*[@id='result_list']/tbody/tr")
    assert [row.xpath("string(*[contains(@class, 'field-answers_for')])") for row in rows] == ["–", "Ada"]
