"""What answers for a bot: a trained bot of this site, or a service with a key, which nobody sees again."""

import io

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command

from desk import trained_bots
from docbot.endpoint import keys
from docbot.models import TrainedBot
from tests.desk.bot_pages import LIST, TABS, url
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
    other = fields | {"name": "Other", "slug": "other"}  # which never silently uses the site's own service
    assert "Nothing answers for this bot yet" in errors_of(admin_client.post(f"{LIST}add/", other), "answered_by")
    assert not Bot.objects.filter(slug="other").exists()
    assert admin_client.post(f"{LIST}add/", other | {"answered_by": "site"}).status_code == 302
    assert Bot.objects.get(slug="other").sealed_key == ""


def test_a_renamed_bot_renames_the_trained_bot_that_answers_for_it(admin_client, bot, fields, in_process):
    trained_bots.link(bot, trained_bots.make_for(bot))
    bot.save()
    admin_client.post(url(bot), fields | {"name": "Bella", "slug": "bakery"})
    bot.refresh_from_db()
    trained = trained_bots.answering_for(bot)
    assert (bot.slug, trained.name, trained.slug) == ("bakery", "Bella", "help")  # commands keep their short name


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
    service = url(bot, "service/")

    def save(**more: object) -> str:
        assert admin_client.post(service, fields | more).status_code == 302
        bot.refresh_from_db()
        return bot.sealed_key

    refused = admin_client.post(service, fields | {"base_url": "an address"})
    assert "Enter the service’s address" in errors_of(refused, "base_url")
    assert save() == save(answered_by="site") == ""
    assert not page(admin_client.get(service)).xpath("//input[@type='checkbox'][@name='forget_key']")
    of_shop = {"answered_by": f"trained-{shop.pk}"}
    assert save(**of_shop) == save(**of_shop) != ""
    assert page(admin_client.get(service)).xpath("//input[@type='checkbox'][@name='forget_key']")
    refused = admin_client.post(service, fields | of_shop | {"forget_key": "on"})
    assert "Nothing answers" in errors_of(refused, "answered_by")
    assert save(answered_by="site") == ""


def test_no_trained_bot_is_offered_or_linked_on_a_site_with_another_service(admin_client, bot, fields, shop, upstream):
    shown = page(admin_client.get(f"{LIST}add/"))
    assert shown.xpath("//select[@name='answered_by']/option/@value") == ["", "site"]
    assert upstream.base_url in shown.xpath("string(//select[@name='answered_by'])")
    assert not page(admin_client.get(url(bot, "answers/"))).xpath("//button[@name='trained']")
    assert admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"}).status_code == 403


def test_one_click_links_or_makes_a_trained_bot_with_a_key_that_nobody_sees(admin_client, in_process, bot, shop):
    def linked() -> TrainedBot:
        bot.refresh_from_db()
        return keys.find(encryption.unseal(bot.sealed_key)).trained_bot

    shown = page(admin_client.get(url(bot, "answers/")))
    assert f"{shop.pk}" in shown.xpath("//button[@name='trained']/@value")
    response = admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"}, follow=True)
    assert linked() == shop
    assert encryption.unseal(bot.sealed_key) not in response.content.decode()
    assert "“Ada” now uses the trained bot “Shop”." in page(response).text_content()
    for unknown in ("x", "0", "9" * 5000):
        assert admin_client.post(url(bot, "answers/"), {"trained": unknown}).status_code == 404
    TrainedBot.objects.create(slug="help", name="Manual")
    admin_client.post(url(bot, "answers/"), {"trained": "new"})
    assert (linked().slug, linked().name) == ("help-2", "Ada")


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


def test_the_pages_of_a_trained_bot_are_inside_those_of_its_bot(admin_client, in_process, bot, shop):
    other = Bot.objects.create(slug="other", name="Other")
    pages = [f"trainedbot/{shop.pk}/{rest}/" for rest in ("try", "keys", "change")]
    for each in (bot, other):
        admin_client.post(url(each, "answers/"), {"trained": f"{shop.pk}"})
    for each in (other, bot):  # of several bots it is inside the one looked at last
        admin_client.get(url(each, "answers/"))
        for where in (*pages, f"document/?trained_bot__id__exact={shop.pk}"):
            shown = page(admin_client.get(f"/admin/docbot/{where}"))
            assert shown.xpath("//h1/text()") == [each.name]
            [outer] = shown.xpath("//nav[@aria-label='Pages of this bot']")
            [inner] = shown.xpath("//nav[@aria-label='What it answers from']")
            assert outer.xpath(".//a[@aria-current]/@href") == [url(each, "answers/")]
            assert inner.xpath(".//a[@aria-current]")
            assert shown.xpath("//nav[@aria-label='Desk']//a[@aria-current]/@href") == [LIST]
    tabs = page(admin_client.get(f"/admin/docbot/{pages[1]}")).xpath("//nav[last()]//a[.='Conversations' or .='Teach']")
    assert [tab.get("href").partition("?")[2] for tab in tabs] == ["bot=help"] * 2
    TrainedBot.objects.create(slug="for-programs", name="For programs")
    shown = page(admin_client.get("/admin/docbot/trainedbot/"))
    assert shown.xpath("//p[@class='breadcrumbs']/a/@href") == [LIST]
    rows = shown.xpath("//*[@id='result_list']/tbody/tr")
    assert [row.xpath("string(*[contains(@class, 'field-answers_for')])") for row in rows] == ["–", "Ada, Other"]


def test_testing_a_bot_sends_one_message_and_explains_the_result(admin_client, bot, upstream, settings):
    shown = page(admin_client.post(url(bot, "test/")))
    assert shown.xpath("//li[@data-finding='REPLY'][@data-kind='fine']")
    assert len(upstream.requests) == 1
    assert LogEntry.objects.latest("pk").change_message == "Tested: \u2068REPLY\u2069."
    settings.BOT_API_KEY = "sk-wrong"
    shown = page(admin_client.post(url(bot, "test/")))
    [finding] = shown.xpath("//li[@data-finding='INVALID_API_KEY'][@data-kind='wrong']")
    assert "Create a key" in finding.text_content()


def test_a_key_can_be_entered_and_is_never_shown(admin_client, bot, fields):
    admin_client.post(url(bot, "service/"), fields | {"base_url": "https://bots.example.com", "new_key": "sk-new"})
    bot.refresh_from_db()
    assert "sk-new" not in bot.sealed_key
    assert encryption.unseal(bot.sealed_key) == "sk-new"
    for rest in (*TABS, "preview/chat/", "test/"):
        assert "sk-new" not in admin_client.get(url(bot, rest)).content.decode()
    assert not [entry for entry in LogEntry.objects.all() if "sk-new" in entry.change_message + entry.object_repr]


def test_secrets_are_encrypted_again_after_a_change_of_the_secret_key(bot, trained, settings):
    former = settings.SECRET_KEY
    bot.set_key("sk-new")
    bot.set_webhook_secret("whsec")
    bot.save()
    TrainedBot.objects.update(sealed_model_key=encryption.seal("sk-model"))
    sealed, settings.SECRET_KEY = bot.sealed_key, "another secret key"
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit):
        call_command("reseal", stdout=out, stderr=err)
    assert "bot “Ada”: key" in err.getvalue()
    assert Bot.objects.get().sealed_key == sealed, "what cannot be decrypted is left alone"
    settings.SECRET_KEY_FALLBACKS = [former]
    call_command("reseal", stdout=out)
    assert "Encrypted again: 3" in out.getvalue()
    settings.SECRET_KEY_FALLBACKS = []
    bot.refresh_from_db()
    assert (encryption.unseal(bot.sealed_key), bot.webhook_secret) == ("sk-new", "whsec")
    assert encryption.unseal(TrainedBot.objects.get().sealed_model_key) == "sk-model"


@pytest.fixture
def refused(admin_client, bot, fields) -> dict[str, str]:
    """The form after a mistake beside two new secrets, as a browser sends it with the next "Save"."""
    given = {"base_url": "https://bots.example.com", "new_key": "sk-new", "new_webhook_secret": "sh-new"}
    response = admin_client.post(url(bot, "service/"), fields | given | {"alarm_email": "nobody"})
    assert "sk-new" not in response.content.decode()
    assert "sh-new" not in response.content.decode()
    shown = page(response)
    assert "What you entered is kept" in shown.xpath("string(//*[@id='id_new_key_helptext'])")
    return {name: value or "" for name, value in shown.get_element_by_id("bot_form").form_values()}


def test_a_kept_key_works_for_its_bot_and_its_field_only(admin_client, bot, refused):
    other = Bot.objects.create(slug="other", name="Other", sealed_webhook_secret=encryption.seal("sh-old"))
    swapped = refused | {"alarm_email": "", "kept_webhook_secret": refused["kept_key"]}
    admin_client.post(url(bot, "service/"), swapped)
    admin_client.post(url(other, "service/"), refused | {"alarm_email": "", "answered_by": "site", "base_url": ""})
    from_database = {"answered_by": "site", "kept_webhook_secret": encryption.seal("sh-stolen")}
    admin_client.post(url(other, "service/"), from_database)
    bot.refresh_from_db()
    other.refresh_from_db()
    assert (bot.webhook_secret, other.webhook_secret, other.sealed_key) == ("", "sh-old", "")


def test_typed_keys_survive_a_refusal_without_being_shown(admin_client, bot, refused):
    assert admin_client.post(url(bot, "service/"), refused | {"alarm_email": ""}).status_code == 302
    bot.refresh_from_db()
    assert (encryption.unseal(bot.sealed_key), bot.webhook_secret) == ("sk-new", "sh-new")
