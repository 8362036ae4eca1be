"""The bots' pages as their owner sees them: the form, its preview, the test of a bot, and its key."""

import io

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from lxml import html
from PIL import Image

from desk.bot import tabs
from desk.bot.form import BotForm
from desk.privacy import deleting
from docbot.endpoint import keys
from docbot.models import TrainedBot
from kiosk.models import Device
from tests.desk.conftest import page
from webchat import encryption
from webchat.appearance.color_palette import LIGHT_GROUND, contrast, palettes
from webchat.models import Bot

LIST = "/admin/webchat/bot/"


@pytest.fixture
def fields(bot) -> dict[str, object]:
    """What the tabs' forms can't do without, as it stands there."""
    return {
        "name": bot.name,
        "slug": bot.slug,
        "greeting": bot.greeting,
        "switched_on": "on",
        "answers_when_closed": "on",
        "launcher_icon": "chat",
        "launcher_position": "end",
        "widget_theme": "auto",
        "teaser_after": 10,
        "queue_minutes": 5,
        "teaser_rules-TOTAL_FORMS": 0,
        "teaser_rules-INITIAL_FORMS": 0,
    }


TABS = ("change/", "answers/", "look/", "places/", "people/", "limits/", "service/")
PREVIEW = "preview/chat/?tab=desk_bot_look"


def url(bot: Bot, rest: str = "change/") -> str:
    return f"{LIST}{bot.pk}/{rest}"


def test_the_form_is_saved_and_the_page_shows_it_at_once(admin_client, client, bot, fields):
    words = {"greeting": "Welcome to the **shop**", "retention_days": 30, "hours-0-0-from": "9", "hours-0-0-to": "17"}
    for tab in ("look/", "limits/", "people/"):
        response = admin_client.post(url(bot, tab), fields | words)
        assert response["Location"] == url(bot, tab)
    bot.refresh_from_db()
    assert (bot.retention_days, bot.hours) == (30, "Mon 9:00-17:00")
    assert b"Welcome to the <strong>shop</strong>" in client.get("/chat/help/").content


def test_every_setting_stands_on_one_tab_and_a_tab_saves_its_own_alone(admin_client, bot):
    shown = [name for tab in (tabs.OVERVIEW, *tabs.SETTINGS) for name in tab.model_fields]
    assert sorted(shown) == sorted(BotForm.Meta.fields)
    Bot.objects.update(suggestions="What?", retention_days=7, switched_on=True, in_portal=True)
    assert admin_client.post(url(bot, "look/"), {"greeting": "Hi"}).status_code == 302
    bot.refresh_from_db()
    assert (bot.greeting, bot.suggestions) == ("Hi", "")
    assert (bot.name, bot.retention_days, bot.switched_on, bot.in_portal) == ("Ada", 7, True, True)


def test_each_tab_names_itself_and_leads_to_the_others(admin_client, bot):
    for tab in TABS:
        shown = page(admin_client.get(url(bot, tab)))
        [here] = shown.xpath("//nav[@aria-label='Pages of this bot']//a[@aria-current]/@href")
        assert here == url(bot, tab)
        links = shown.xpath("//nav[@aria-label='Pages of this bot']//a/@href")
        assert links == [*[url(bot, each) for each in TABS], "/admin/insights/?bot=help"]


def test_what_is_refused_is_summed_up_above_with_links_to_the_fields(admin_client, bot, fields):
    wrong = {"hours-0-0-from": "whenever", "handover_email": "nobody", "contact": "still here"}
    shown = page(admin_client.post(url(bot, "people/"), fields | wrong))
    [summary] = shown.xpath("//section[@data-problems]")
    assert "Nothing was saved under “People & hours”" in summary.text_content()
    assert summary.xpath(".//a/@href") == ["#id_hours-0-0-from", "#id_handover_email"]
    for link in summary.xpath(".//a/@href"):
        assert shown.get_element_by_id(link[1:]) is not None
    assert shown.get_element_by_id("id_hours-0-0-from").value == "whenever"
    assert shown.get_element_by_id("id_contact").value == "still here"
    assert shown.xpath("//title")[0].text.startswith("Error: ")


def test_the_overview_says_of_each_tab_how_it_stands(admin_client, bot):
    Bot.objects.update(daily_budget=9, origins="https://www.example.com", people_answer=True)
    shown = " ".join(page(admin_client.get(url(bot))).xpath("string(//aside)").split())
    for sentence in ("on 1 website", "At most 9 messages a day", "people answer in the inbox", "0 conversations"):
        assert sentence in shown


def test_a_website_that_may_show_it_is_listed_with_its_check(admin_client, client, bot):
    Bot.objects.update(origins="https://www.example.com")
    [link] = page(admin_client.get(url(bot, "places/"))).xpath("//ul[@class='websites']//a/@href")
    assert "The list allows it" in client.get(link, secure=True).content.decode()


def test_the_kiosks_of_the_bot_are_listed_with_their_state(admin_client, staff, bot):
    places = url(bot, "places/")
    assert "None yet." in page(admin_client.get(places)).xpath("string(//*[@data-kiosks])")
    lobby = Device.objects.create(bot=bot, name="Lobby")
    Device.objects.create(bot=Bot.objects.create(slug="other", name="Grace"), name="Elsewhere")
    shown = page(admin_client.get(places))
    [kiosk] = shown.xpath("//*[@data-kiosks]/li")
    assert " ".join(kiosk.text_content().split()) == "Lobby No screen yet"
    assert kiosk.xpath("./a/@href") == [f"/admin/kiosk/device/{lobby.pk}/change/"]
    assert shown.xpath(f"//a[@href='/admin/kiosk/device/add/?bot={bot.pk}']")
    assert not page(staff("webchat.view_bot").get(places)).xpath("//*[@data-kiosks]")


def test_proof_of_work_is_off_until_its_owner_ticks_it_and_the_preview_has_it_before(admin_client, client, bot, fields):
    admin_client.post(url(bot, "limits/"), fields)
    assert "data-challenge" not in client.get("/chat/help/").content.decode()
    ticked = fields | {"asks_for_proof": "on"}
    assert "data-challenge" in admin_client.post(url(bot, "preview/chat/?tab=desk_bot_limits"), ticked).content.decode()
    admin_client.post(url(bot, "limits/"), ticked)
    assert "data-challenge" in client.get("/chat/help/").content.decode()
    assert (
        "while"
        in page(admin_client.get(url(bot, "limits/"))).xpath("string(//*[@id='id_asks_for_proof_helptext'])").lower()
    )


@pytest.mark.parametrize(
    ("field", "tab", "wrong"),
    [
        ("time_zone", "people/", "Europe/Atlantis"),
        ("webhook_url", "service/", "http://example.com/hook"),
        ("base_url", "service/", "http://example.com"),
        ("origins", "places/", "javascript:alert(1)"),
        ("accent", "look/", "red"),
        ("retention_days", "limits/", "0"),
        ("daily_budget", "limits/", "-1"),
        ("slug", "change/", "../admin"),
    ],
)
def test_what_makes_no_sense_is_refused_beside_its_field(admin_client, bot, fields, field, tab, wrong):
    response = admin_client.post(url(bot, tab), fields | {field: wrong})
    assert page(response).xpath(f"//*[contains(@class, 'field-{field}')]//ul[contains(@class, 'errorlist')]/li")


# --- The week ---


def boxes(*times: tuple[int, str, str]) -> dict[str, str]:
    """Of the grid: a day's number, from and to; a day's second times stand in its second pair."""
    filled: dict[str, str] = {}
    for day, start, end in times:
        pair = sum(name.startswith(f"hours-{day}-") for name in filled) // 2
        filled |= {f"hours-{day}-{pair}-from": start, f"hours-{day}-{pair}-to": end}
    return filled


def in_boxes(shown: html.HtmlElement) -> list[tuple[str, str]]:
    """The boxes that aren't empty."""
    found = shown.xpath("//div[@id='id_hours']//input[@type='text']")
    return [(box.get("aria-label"), box.value) for box in found if box.value]


GRIDS = {
    "": ({}, ""),
    "two days": (boxes((0, "9:00", "17:30"), (5, "10", "12")), "Mon 9:00-17:30\nSat 10:00-12:00"),
    "a break": (boxes((1, "9", "12"), (1, "13.30", "17")), "Tue 9:00-12:00, 13:30-17:00"),
    "past midnight": (boxes((4, "22:00", "2:00")), "Fri 22:00-2:00"),
    "the whole day": (boxes((6, "0:00", "24:00")), "Sun 0:00-24:00"),
    "like Monday": (boxes((0, "9", "17")) | {"hours-same": "on"}, "Mon-Fri 9:00-17:00"),
}


@pytest.mark.parametrize(("grid", "stored"), GRIDS.values(), ids=GRIDS)
def test_the_week_is_entered_day_by_day_and_stored_as_lines(admin_client, bot, fields, grid, stored):
    assert admin_client.post(url(bot, "people/"), fields | grid).status_code == 302
    assert Bot.objects.get().hours == stored
    before = in_boxes(page(admin_client.get(url(bot, "people/"))))
    assert len(before) == 2 * sum(len(line.split(",")) for line in stored.splitlines()) or "-Fri" in stored
    shown = page(admin_client.get(url(bot, "people/")))
    again = {box.name: box.value for box in shown.xpath("//div[@id='id_hours']//input[@type='text']")}
    admin_client.post(url(bot, "people/"), fields | again)
    assert Bot.objects.get().hours == stored


def test_lines_from_before_the_grid_stand_in_it(admin_client, bot):
    Bot.objects.update(hours="Mon-Tue 9-12, 13:00-17:00\nSunday: 10.30 – 11")
    shown = page(admin_client.get(url(bot, "people/")))
    monday = [("Monday, from", "9:00"), ("Monday, to", "12:00"), ("Monday, from", "13:00"), ("Monday, to", "17:00")]
    assert in_boxes(shown)[:4] == monday
    assert in_boxes(shown)[-2:] == [("Sunday, from", "10:30"), ("Sunday, to", "11:00")]
    assert len(shown.xpath("//input[starts-with(@name, 'hours-0-')]")) == 6  # an empty pair for more


@pytest.mark.parametrize("times", [("9", ""), ("", "17"), ("9", "9"), ("9", "25"), ("nine", "five")])
def test_times_that_make_no_sense_are_refused_by_the_day_with_everything_kept(admin_client, bot, fields, times):
    wrong = boxes((0, "9", "17"), (2, *times)) | {"contact": "still here"}
    shown = page(admin_client.post(url(bot, "people/"), fields | wrong))
    [sentence] = shown.xpath("//*[contains(@class, 'field-hours')]//ul[contains(@class, 'errorlist')]/li/text()")
    assert sentence.startswith("Wednesday: ")
    assert [value for _name, value in in_boxes(shown)] == ["9", "17", *[each for each in times if each]]
    assert shown.get_element_by_id("id_contact").value == "still here"
    assert Bot.objects.get().hours == ""


def test_holidays_are_entered_in_rows_and_stored_as_lines(admin_client, bot, fields):
    rows = {"holidays-0-first": "2026-12-24", "holidays-0-last": "2027-01-01"}
    rows |= {"holidays-1-first": "2026-12-31", "holidays-1-from": "9", "holidays-1-to": "12"}
    assert admin_client.post(url(bot, "people/"), fields | rows).status_code == 302
    assert Bot.objects.get().holidays == "2026-12-24 – 2027-01-01\n2026-12-31 9:00-12:00"
    shown = page(admin_client.get(url(bot, "people/")))
    again = {box.name: box.value or "" for box in shown.xpath("//div[@id='id_holidays']//input")}
    assert {name: value for name, value in again.items() if value} == rows | {
        "holidays-1-from": "9:00",
        "holidays-1-to": "12:00",
    }
    wrong = again | {"holidays-2-first": "2026-12-20", "holidays-2-last": "2026-12-19"}
    refused = page(admin_client.post(url(bot, "people/"), fields | wrong))
    assert refused.xpath("//*[contains(@class, 'field-holidays')]//ul[contains(@class, 'errorlist')]/li")
    assert refused.xpath("//input[@name='holidays-2-last']")[0].value == "2026-12-19"
    many = {f"holidays-{row}-first": f"2027-{1 + row // 28:02}-{1 + row % 28:02}" for row in range(101)}
    refused = page(admin_client.post(url(bot, "people/"), fields | many))
    [sentence] = refused.xpath("//*[contains(@class, 'field-holidays')]//ul[contains(@class, 'errorlist')]/li/text()")
    assert sentence.startswith("At most 100 holidays")
    assert refused.xpath("//input[@name='holidays-100-first']")[0].value == "2027-04-17"
    admin_client.post(url(bot, "people/"), fields | dict.fromkeys(again, ""))
    assert Bot.objects.get().holidays == ""


def test_the_line_to_copy_names_the_bot(admin_client, bot):
    shown = page(admin_client.get(url(bot, "places/")))
    snippet = shown.get_element_by_id("copy-snippet").value
    assert snippet == '<script src="http://testserver/embed.js" data-bot="help" async></script>'


# --- The key ---


def test_a_key_goes_in_and_never_comes_out(admin_client, bot, fields):
    admin_client.post(url(bot, "service/"), fields | {"base_url": "https://bots.example.com", "new_key": "sk-new"})
    bot.refresh_from_db()
    assert "sk-new" not in bot.sealed_key
    assert encryption.unseal(bot.sealed_key) == "sk-new"
    for rest in (*TABS, "history/", "preview/chat/", "test/"):
        assert "sk-new" not in admin_client.get(url(bot, rest)).content.decode()
    assert not [entry for entry in LogEntry.objects.all() if "sk-new" in entry.change_message + entry.object_repr]


def test_secrets_are_sealed_anew_after_a_change_of_the_secret_key(bot, settings):
    former = settings.SECRET_KEY
    bot.set_key("sk-new")
    bot.set_webhook_secret("whsec")
    bot.save()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another secret key", [former]
    out = io.StringIO()
    call_command("reseal", stdout=out)
    assert "Encrypted again: 2" in out.getvalue()
    settings.SECRET_KEY_FALLBACKS = []
    bot.refresh_from_db()
    assert (encryption.unseal(bot.sealed_key), bot.webhook_secret) == ("sk-new", "whsec")


def test_a_secret_that_no_key_opens_is_named_and_left_alone(bot, settings):
    bot.set_key("sk-new")
    bot.save()
    sealed = bot.sealed_key
    settings.SECRET_KEY = "another secret key"
    err = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("reseal", stdout=io.StringIO(), stderr=err)
    assert "bot “Ada”: key" in err.getvalue()
    bot.refresh_from_db()
    assert bot.sealed_key == sealed


# --- The preview ---


@pytest.mark.parametrize("surface", ["chat", "embed", "kiosk", "portal"])
def test_the_preview_shows_what_is_not_saved_yet(admin_client, bot, fields, surface):
    unsaved = {"greeting": "Hi from Grace", "suggestions": "What is new?", "accent": "#0a7f5a"}
    response = admin_client.post(url(bot, f"preview/{surface}/?tab=desk_bot_look"), fields | unsaved)
    shown = page(response)
    assert "Ada" in shown.text_content()
    assert "What is new?" in shown.text_content()
    assert shown.xpath("//body[@inert]")
    assert not shown.xpath("//script")
    [look] = shown.xpath("//style")
    assert f"--accent: light-dark({palettes('#0a7f5a')[0].accent}," in look.text
    assert "style-src 'self' 'sha256-" in response["Content-Security-Policy"]
    bot.refresh_from_db()
    assert (bot.greeting, bot.accent) == ("Hello!", "")


def test_a_picture_is_shown_before_it_is_stored(admin_client, bot, fields):
    drawn = io.BytesIO()
    Image.new("RGB", (20, 20), "green").save(drawn, "PNG")
    face = SimpleUploadedFile("face.png", drawn.getvalue(), "image/png")
    response = admin_client.post(url(bot, PREVIEW), fields | {"face": face})
    assert page(response).xpath("//img[starts-with(@src, 'data:image/webp;base64,')]")
    bot.refresh_from_db()
    assert not bot.face


def test_a_preview_stands_in_the_desk_s_own_frames_only(admin_client, bot):
    preview = admin_client.get(url(bot, "preview/chat/"))
    assert "frame-ancestors 'self'" in preview["Content-Security-Policy"]
    assert "X-Frame-Options" not in preview
    form = admin_client.get(url(bot))
    assert "frame-src 'self'" in form["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in form["Content-Security-Policy"]
    assert form["X-Frame-Options"] == "DENY"


def test_a_reader_sees_the_bot_and_changes_nothing(staff, bot, fields):
    reader = staff("webchat.view_bot")
    for tab in TABS:
        shown = page(reader.get(url(bot, tab)))
        assert not shown.xpath("//input[@type='password'] | //input[@name='_save'] | //button[@name='trained']")
        assert reader.post(url(bot, tab), fields | {"name": "Taken over", "trained": "new"}).status_code == 403
    assert reader.post(url(bot, "test/")).status_code == 403


# --- The test of a bot ---


def test_testing_a_bot_sends_one_message_and_explains_what_came(admin_client, bot, upstream):
    shown = page(admin_client.post(url(bot, "test/")))
    assert shown.xpath("//li[@data-finding='REPLY'][@data-kind='fine']")
    assert len(upstream.requests) == 1
    assert LogEntry.objects.latest("pk").change_message == "Tested: REPLY."


def test_a_refused_key_is_explained(admin_client, bot, upstream, settings):
    settings.BOT_API_KEY = "sk-wrong"
    shown = page(admin_client.post(url(bot, "test/")))
    [finding] = shown.xpath("//li[@data-finding='INVALID_API_KEY'][@data-kind='wrong']")
    assert "Make a key" in finding.text_content()


def test_the_list_takes_the_same_number_of_queries_for_any_number_of_bots(
    admin_client, bot, django_assert_max_num_queries
):
    for number in range(20):
        Bot.objects.create(slug=f"bot-{number}", name=f"Bot {number}")
    with django_assert_max_num_queries(11):
        assert "Online" in page(admin_client.get(LIST)).text_content()


# --- What answers ---


@pytest.fixture
def shop(db) -> TrainedBot:
    return TrainedBot.objects.create(slug="shop", name="Shop")


NEW = {"name": "Shop", "slug": "shop"}


def errors_of(response, field: str) -> str:
    return " ".join(page(response).xpath(f"//*[contains(@class, 'field-{field}')]//ul/li/text()"))


def test_a_new_bot_never_falls_back_on_the_sites_own_in_silence(admin_client, fields):
    refused = admin_client.post(f"{LIST}add/", fields | NEW)
    assert "Nothing answers for this bot yet" in errors_of(refused, "answered_by")
    assert not Bot.objects.filter(slug="shop").exists()
    assert admin_client.post(f"{LIST}add/", fields | NEW | {"answered_by": "site"}).status_code == 302
    assert Bot.objects.get(slug="shop").sealed_key == ""


@pytest.mark.parametrize("given", [{"slug": "shop", "name": "Another"}, {"slug": "another", "name": "sHOP"}])
def test_the_trained_bot_of_that_name_is_offered_and_gives_it_a_key(admin_client, fields, shop, given):
    refused = admin_client.post(f"{LIST}add/", fields | given)
    assert "Choose the trained bot “Shop”?" in errors_of(refused, "answered_by")
    assert admin_client.post(f"{LIST}add/", fields | given | {"answered_by": f"trained-{shop.pk}"}).status_code == 302
    made = Bot.objects.get(slug=given["slug"])
    assert keys.find(encryption.unseal(made.sealed_key)).trained_bot == shop
    shown = page(admin_client.get(url(made, "service/")))
    assert shown.xpath("//select[@name='answered_by']/option[@selected]/@value") == [f"trained-{shop.pk}"]


def test_a_bot_keeps_what_answers_for_it_until_its_owner_chooses_anew(admin_client, bot, fields, shop):
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


def test_where_another_service_answers_no_trained_bot_is_offered(admin_client, bot, fields, shop, upstream):
    shown = page(admin_client.get(f"{LIST}add/"))
    assert shown.xpath("//select[@name='answered_by']/option/@value") == ["", "site"]
    assert upstream.base_url in shown.xpath("string(//select[@name='answered_by'])")


@pytest.fixture
def refused(admin_client, bot, fields) -> dict[str, str]:
    """The form as it stands after a mistake beside two new secrets: what a browser sends back with the next "Save"."""
    given = {"base_url": "https://bots.example.com", "new_key": "sk-new", "new_webhook_secret": "sh-new"}
    response = admin_client.post(url(bot, "service/"), fields | given | {"alarm_email": "nobody"})
    assert "sk-new" not in response.content.decode()
    assert "sh-new" not in response.content.decode()
    shown = page(response)
    assert "What you entered is kept" in shown.xpath("string(//*[@id='id_new_key_helptext'])")
    return {name: value or "" for name, value in shown.get_element_by_id("bot_form").form_values()}


def test_keys_that_were_typed_survive_a_refusal_without_being_shown(admin_client, bot, refused):
    assert admin_client.post(url(bot, "service/"), refused | {"alarm_email": ""}).status_code == 302
    bot.refresh_from_db()
    assert (encryption.unseal(bot.sealed_key), bot.webhook_secret) == ("sk-new", "sh-new")


def test_a_kept_key_works_for_that_bot_and_that_field_only(admin_client, bot, refused):
    other = Bot.objects.create(slug="other", name="Other", sealed_webhook_secret=encryption.seal("sh-old"))
    swapped = refused | {"alarm_email": "", "kept_webhook_secret": refused["kept_key"]}
    admin_client.post(url(bot, "service/"), swapped)
    admin_client.post(url(other, "service/"), refused | {"alarm_email": "", "answered_by": "site", "base_url": ""})
    from_database = {"answered_by": "site", "kept_webhook_secret": encryption.seal("sh-stolen")}
    admin_client.post(url(other, "service/"), from_database)
    bot.refresh_from_db()
    other.refresh_from_db()
    assert (bot.webhook_secret, other.webhook_secret, other.sealed_key) == ("", "sh-old", "")


# --- The trained bot inside ---


@pytest.fixture
def in_process(settings) -> None:
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL


def test_one_click_links_a_trained_bot_with_a_key_that_nobody_sees(admin_client, in_process, bot, shop):
    shown = page(admin_client.get(url(bot, "answers/")))
    assert f"{shop.pk}" in shown.xpath("//button[@name='trained']/@value")
    response = admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"}, follow=True)
    bot.refresh_from_db()
    plain = encryption.unseal(bot.sealed_key)
    assert keys.find(plain).trained_bot == shop
    assert plain not in response.content.decode()
    assert "“Shop” answers for “Ada” from now on." in page(response).text_content()


def test_a_trained_bot_is_made_for_a_bot_that_has_none(admin_client, in_process, bot, shop):
    TrainedBot.objects.create(slug="help", name="Manual")
    admin_client.post(url(bot, "answers/"), {"trained": "new"})
    bot.refresh_from_db()
    made = keys.find(encryption.unseal(bot.sealed_key)).trained_bot
    assert (made.slug, made.name) == ("help-2", "Ada")


def test_where_another_service_answers_nothing_is_linked(admin_client, bot, shop, upstream):
    assert not page(admin_client.get(url(bot, "answers/"))).xpath("//button[@name='trained']")
    assert admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"}).status_code == 403


@pytest.mark.parametrize("rest", ["{}/try/", "{}/keys/", "{}/change/", "document"])
def test_the_pages_of_a_trained_bot_stand_inside_those_of_its_bot(admin_client, in_process, bot, shop, rest):
    admin_client.post(url(bot, "answers/"), {"trained": f"{shop.pk}"})
    trained = f"/admin/docbot/trainedbot/{rest.format(shop.pk)}"
    where = f"/admin/docbot/document/?trained_bot__id__exact={shop.pk}" if rest == "document" else trained
    shown = page(admin_client.get(where))
    assert shown.xpath("//h1/text()") == ["Ada"]
    [outer] = shown.xpath("//nav[@aria-label='Pages of this bot']")
    [inner] = shown.xpath("//nav[@aria-label='What it answers from']")
    assert outer.xpath(".//a[@aria-current]/@href") == [url(bot, "answers/")]
    assert inner.xpath(".//a[@aria-current]")


def test_a_trained_bot_of_several_stands_inside_the_one_that_was_looked_at(admin_client, in_process, bot, shop):
    other = Bot.objects.create(slug="other", name="Other")
    for each in (bot, other):
        admin_client.post(url(each, "answers/"), {"trained": f"{shop.pk}"})
    for each in (other, bot, other):
        admin_client.get(url(each, "answers/"))
        shown = page(admin_client.get(f"/admin/docbot/trainedbot/{shop.pk}/try/"))
        assert shown.xpath("//h1/text()") == [each.name]


# --- The accent ---


def test_the_shades_made_of_the_accent_are_shown_and_explained(admin_client, bot):
    Bot.objects.update(accent="#ff8800")
    row = page(admin_client.get(url(bot, "look/"))).xpath("//*[contains(@class, 'field-shades')]")[0]
    light, dark = palettes("#ff8800")
    assert row.xpath(".//rect/@fill") == ["#ff8800", light.accent, dark.accent]
    assert "darkened" in row.text_content()
    assert "contrast of 4.5 to 1" in row.text_content()


def test_the_picker_is_told_the_contrast_of_a_colour_before_it_is_saved(admin_client, client, bot):
    shown = admin_client.get(f"{LIST}shades/?accent=%23ff8800").content.decode()
    light = palettes("#ff8800")[0].accent
    assert f"contrast {contrast(light, LIGHT_GROUND):.1f} to 1" in " ".join(shown.split())
    assert "own blue" in admin_client.get(f"{LIST}shades/?accent=<b>").content.decode()
    assert client.get(f"{LIST}shades/").status_code == 302


def test_before_a_bot_is_deleted_its_owner_reads_what_goes_with_it(admin_client, bot, said):
    said()
    shown = html.fromstring(admin_client.get(f"/admin/webchat/bot/{bot.pk}/delete/").content.decode())
    asked = shown.xpath("//main")[0]
    assert asked.findtext(".//h1") == f"Delete “{bot}”?"
    assert [item.text for item in asked.xpath(".//li")] == ["Conversations: 1"]  # not each turn, and no numbers of rows
    assert asked.xpath(".//a[text()='Cancel']/@href") == [f"/admin/webchat/bot/{bot.pk}/change/"]
    admin_client.post(f"/admin/webchat/bot/{bot.pk}/delete/", {"post": "yes"})
    assert not Bot.objects.filter(pk=bot.pk).exists()


def test_what_takes_too_long_to_delete_is_deleted_with_the_next_press(admin_client, bot, said, monkeypatch):
    said(), said()
    delete = f"/admin/webchat/bot/{bot.pk}/delete/"
    monkeypatch.setattr(deleting, "SECONDS", 0)
    again = admin_client.post(delete, {"post": "yes"}, follow=True)
    assert "Press “Delete” again" in again.content.decode()
    assert "Conversations: 2" in page(again).text_content()
    assert page(again).xpath("//form[@data-again]")  # which a script presses again
    assert not page(admin_client.get(delete)).xpath("//form[@data-again]")
    assert Bot.objects.get(pk=bot.pk).switched_on is False  # nobody begins another one meanwhile
    monkeypatch.setattr(deleting, "SECONDS", 20)
    admin_client.post(delete, {"post": "yes"})
    assert not Bot.objects.filter(pk=bot.pk).exists()


def test_a_list_without_rows_says_so_and_offers_no_filters(admin_client, bot):
    shown = html.fromstring(admin_client.get("/admin/webchat/conversation/").content)
    assert shown.xpath("//p[@class='empty']")
    assert not shown.xpath("//*[@id='changelist-filter']")
    shown = html.fromstring(admin_client.get("/admin/webchat/conversation/?q=nothing").content)
    assert "Nothing matches" in shown.xpath("//p[@class='empty']")[0].text
    assert shown.xpath("//*[@id='changelist-filter']//summary")


def test_a_field_that_is_wrong_is_shown_as_it_was(admin_client, bot, fields):
    response = admin_client.post(url(bot, PREVIEW), fields | {"accent": "reddish", "greeting": "Hi there"})
    assert "Hi there" in page(response).text_content()
    assert not page(response).xpath("//style")
