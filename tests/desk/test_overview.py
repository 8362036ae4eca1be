"""The overview as an owner, or a colleague with fewer rights, sees it: figures and to-dos."""

import datetime

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone
from lxml import html

from desk import trained_bots
from desk.models import Tally, TaughtTurn
from desk.overview import badges
from desk.statistics import counting
from desk.team import membership
from docbot.models import Document, TrainedBot
from kiosk.models import Device
from tests.desk.overview_page import PAGE, card, links, page, shown_cards, words
from webchat.limits import budget
from webchat.models import Alarm, Bot, Channel, Conversation, Delivery, Handover, TeamMember, Turn
from webchat.models.team import Role
from webchat.notifications import alarms

RIGHTS = {
    "alarms": "webchat.view_alarm",
    "waiting": "webchat.answer_conversation",
    "to-teach": "webchat.answer_conversation",
    "documents": "docbot.view_document",
    "budget": "desk.view_tally",
}


@pytest.fixture
def trained(db) -> TrainedBot:
    return TrainedBot.objects.create(slug="help", name="Bicycle workshop")


@pytest.fixture
def unanswered_question(not_known, said) -> None:
    """Two questions that a bot didn't know and one whose answer was of no help; the others don't count."""
    for thing in ("tents", "boats"):
        not_known(f"Do you rent out {thing}?")
    said("How high is the tower?", feedback=-1)
    not_known("Thank you!")
    not_known("Is there a pool?", days_ago=100)
    TaughtTurn.objects.create(turn=not_known("Do you sell gift vouchers?"))
    said("When are you open?")


@pytest.fixture
def everything(bot, said, waiting, trained, unanswered_question) -> None:
    """Something for each card."""
    said(code="INVALID_API_KEY")
    alarms.raise_alarm(bot, Alarm.Cause.KEY_REFUSED, code="INVALID_API_KEY")
    Handover.objects.create(bot=bot, surface="chat", visitor="0" * 64, email="jo@example.com", message="Call me")
    Document.objects.create(trained_bot=trained, kind="upload", location="/prices.xls", problem="can't be read")
    Bot.objects.update(daily_budget=10)
    bot.refresh_from_db()
    budget.reserve(bot)
    counting.count_changed_days()


def test_todays_figures_are_beside_those_of_the_same_weekday(admin_client, said):
    for seconds in (1, 5):
        said(seconds=seconds)
    said(code="NO_ANSWER")
    for _ in range(2):
        said(days_ago=7, seconds=4)
    said(days_ago=3)
    said(seconds=1).conversation.join_queue()
    counting.count_changed_days()
    shown = words(card(admin_client, "today"))
    weekday = timezone.localdate().strftime("%A")
    assert f"Messages 4 2 last {weekday}" in shown
    assert f"Conversations 4 2 last {weekday}" in shown
    assert f"Half of the replies within 1.0 s 4.2 s last {weekday}" in shown
    assert f"Resolved without a person 75% 100% last {weekday}" in shown


def test_the_overview_says_what_is_to_do_without_a_word_of_a_visitor(admin_client, staff, said, request):
    said()
    shown = page(admin_client)
    assert "Nothing needs your attention right now." in words(shown)
    assert shown_cards(admin_client) == {"set-up"}
    assert shown.xpath("//nav[@aria-label='Desk'][1]//*[contains(@class, 'badge') and not(@hidden)]") == []
    request.getfixturevalue("everything")
    shown = words(page(admin_client))
    assert shown_cards(admin_client) == {*RIGHTS, "set-up"}
    for absent in ("Nothing needs you", "Is my parcel lost?", "Do you rent out", "Call me", "jo@example.com"):
        assert absent not in shown
    client = staff("webchat.view_alarm", "desk.view_tally")
    for url in links(page(client)).values():  # none leads where the account has no access
        assert client.get(url).status_code in (200, 302), url


def test_a_refused_key_is_shown_with_its_time_and_what_to_do(admin_client, bot, said):
    said()
    at = timezone.now() - datetime.timedelta(hours=3)
    for hours in (0, 1):
        raised = at + datetime.timedelta(hours=hours)
        facts = {"code": "INVALID_API_KEY"}
        Alarm.objects.create(
            bot=bot, cause=Alarm.Cause.KEY_REFUSED, number=hours + 1, raised_at=raised, facts=facts, held_back=4
        )
    Turn.objects.update(created_at=at - datetime.timedelta(minutes=1))
    shown = card(admin_client, "alarms")
    local = timezone.localtime(at)
    assert "Ada’s service has refused its key since" in words(shown)
    assert f"{local:%H:%M}. Visitors get no replies. It has happened 10 times." in words(shown)
    assert links(shown)["Enter the key again"] == f"/admin/webchat/bot/{bot.pk}/service/#id_new_key"
    assert links(shown)["Test it"] == f"/admin/webchat/bot/{bot.pk}/test/"
    assert words(shown).count("refused its key") == 1
    said(bot=Bot.objects.create(slug="other", name="Other"))
    assert card(admin_client, "alarms") is not None
    said()  # a visitor gets a reply
    assert card(admin_client, "alarms") is None


def test_each_alarm_explains_itself(admin_client, bot):
    failures = {"failed": 7, "all": 9, "minutes": 15}
    for cause, facts, sentence, link in (
        ("key_refused", {"code": "MISSING_API_KEY"}, "Ada has had no key for its service since", "Enter the key again"),
        ("key_refused", {"code": "BAD_CONFIGURATION"}, "Ada’s key or address has not worked since", "Test it"),
        ("bot_disabled", {"code": "BOT_DISABLED"}, "Ada has been switched off at its service since", "Trained bots"),
        ("failures", failures, "7 of 9 messages to Ada failed in the 15 minutes before", "See what failed"),
    ):
        Alarm.objects.all().delete()
        alarms.raise_alarm(bot, cause, **facts)
        shown = card(admin_client, "alarms")
        assert sentence in words(shown)
        assert admin_client.get(links(shown)[link]).status_code == 200
    Alarm.objects.update(raised_at=F("raised_at") - datetime.timedelta(hours=1))
    assert card(admin_client, "alarms") is None, "many failures are shown for an hour"


def test_the_visitor_who_has_waited_longest_is_first(admin_client, said):
    for minutes in range(7):
        conversation = said().conversation
        conversation.join_queue()
        since = timezone.now() - datetime.timedelta(minutes=minutes, seconds=5)
        Conversation.objects.filter(pk=conversation.pk).update(led_since=since)
    shown = card(admin_client, "waiting")
    rows = [words(each) for each in shown.xpath(".//li")]
    assert rows[0] == "Visitor · Bot: Ada · waiting 6 min Answer"
    assert (len(rows), rows[-1]) == (6, "And 2 more visitors.")
    assert links(shown)["Open the inbox"] == "/admin/inbox/"
    assert links(shown)["Answer"].startswith("/admin/inbox/")


def test_a_request_by_form_is_counted_until_it_is_done_and_shown_if_it_could_not_be_delivered(admin_client, bot):
    asked = {"bot": bot, "surface": "chat", "visitor": "0" * 64, "email": "jo@example.com", "message": "Hi"}
    Handover.objects.create(**asked, is_suspect=True)
    handover = Handover.objects.create(**asked)
    Delivery.objects.create(handover=handover, channel=Channel.EMAIL, tries=4)
    alarms.raise_alarm(bot, Alarm.Cause.UNDELIVERED, tries=4)
    for name, sentence in (
        ("alarms", "could not be delivered"),
        ("waiting", "1 open request for an answer by e-mail."),
    ):
        shown = card(admin_client, name)
        assert sentence in words(shown)
        assert admin_client.get(links(shown)["Read the requests"]).status_code == 200
    Handover.objects.update(done_at=timezone.now())
    assert card(admin_client, "alarms") is card(admin_client, "waiting") is None


def test_the_questions_to_teach_are_counted_as_the_page_lists_them(admin_client, unanswered_question, monkeypatch):
    shown = card(admin_client, "to-teach")
    assert "3 questions got no helpful answer." in words(shown)
    assert links(shown) == {"Teach": "/admin/teach/"}
    listed = html.fromstring(admin_client.get(links(shown)["Teach"]).content)
    assert words(listed.xpath("//h2[@id='open']")[0]) == "Open questions 3"
    assert len(listed.xpath("//*[@data-to-teach]/li")) == 3
    monkeypatch.setattr(badges, "MOST_COUNTED", 2)
    assert "At least 2 questions got no helpful answer." in words(card(admin_client, "to-teach"))
    assert "Teach 2+ open" in words(page(admin_client).xpath("//nav[@aria-label='Desk']")[0])


def test_a_budget_shows_how_much_of_it_is_used(admin_client, bot):
    Bot.objects.update(daily_budget=4)
    bot.refresh_from_db()
    for used, level, sentence in (
        (1, None, "Ada: 1 of 4 used (25%)"),
        (3, "bad", "Nothing is sent to the bot until midnight"),
    ):
        for _ in range(used):
            budget.reserve(bot)
        shown = card(admin_client, "budget")
        assert sentence in words(shown)
        assert shown.xpath(".//li")[0].get("data-level") == level
    assert links(shown)["Change the limit"] == f"/admin/webchat/bot/{bot.pk}/limits/#id_daily_budget"


def test_each_card_is_shown_only_to_those_who_may_see_it(staff, colleague, everything):
    for right in set(RIGHTS.values()):
        shown = {name for name, needed in RIGHTS.items() if needed == right}
        client = staff(right)
        assert shown_cards(client) == shown | {"set-up"}, right
        assert (card(client, "today") is not None) == (right == "desk.view_tally")
    client = staff()
    assert shown_cards(client) == {"set-up"}
    assert words(card(client, "set-up")) == "Still missing in set-up Your login has no second factor. Add one"
    assert words(card(staff("webchat.view_handover"), "waiting")) == (
        "Waiting for a person 1 open request for an answer by e-mail. Read the requests"
    )
    other = Bot.objects.create(slug="other", name="Other")
    assert card(colleague("Ann", other)[0], "waiting") is None


def test_the_navigation_shows_how_much_is_open_and_documents_are_counted_by_bot(admin_client, trained, everything):
    for url in (PAGE, "/admin/webchat/bot/", "/admin/webchat/alarm/"):
        shown = html.fromstring(admin_client.get(url).content)
        (nav,) = shown.xpath("//nav[@aria-label='Desk']")
        entries = [words(each) for each in nav.xpath(".//a[.//*[contains(@class, 'badge')]]")]
        opened = {"Inbox 1 unread", "Requests for a person 1 open", "Teach 4 open", "Alarms 1 open"}
        assert {*opened, "Bots 1 of their documents could not be read"} <= set(entries)
        remedy = "Enter the key again" if "alarm" in url else "See why"
        assert remedy in links(shown)  # each page that the navigation entry leads to explains the badge's number
    other = TrainedBot.objects.create(slug="other", name="Other")
    for number, bot in enumerate((trained, other)):
        Document.objects.create(trained_bot=bot, kind="upload", location=f"/{number}.xls", problem="can't be read")
    Document.objects.create(trained_bot=trained, kind="upload", location="/fine.md")
    shown = card(admin_client, "documents")
    assert [words(each) for each in shown.xpath(".//li/p[1]")] == [
        "2 documents of Bicycle workshop could not be read.",
        "1 document of Other could not be read.",
    ]
    listed = html.fromstring(admin_client.get(links(shown)["See why"]).content)
    assert len(listed.xpath("//*[@id='result_list']/tbody/tr")) == 1


@pytest.fixture
def everything_on(bot, settings) -> None:
    """What else an owner can switch on, and what it needs: alarms, mail, a second factor, the portal, a kiosk."""
    settings.CHAT_BASE_URL, settings.STAFF_MFA = settings.IN_PROCESS_URL, "REQUIRED"
    settings.EMAIL_HOST = ""  # so that the desk's own is asked for
    on = {"alarm_email": "owner@example.com", "handover": True, "takes_files": True, "notifies_visitors": True}
    Bot.objects.update(languages="de,fr", hours="Mon 9-17", retention_days=30, consent="I agree.", **on)
    Device.objects.create(name="Lobby", bot=bot)
    User.objects.create(username="customer")


@pytest.mark.parametrize("role", list(Role))
def test_the_page_takes_twelve_statements_however_much_there_is(
    client, owner, bot, everything, everything_on, said, django_assert_max_num_queries, role
):
    mine = [bot]
    for number in range(5):
        mine.append(Bot.objects.create(slug=f"b{number}", name=f"Bot {number}", daily_budget=9, people_answer=True))
        said(bot=mine[-1]).conversation.join_queue()
        alarms.raise_alarm(mine[-1], Alarm.Cause.BOT_DISABLED, code="BOT_DISABLED")
        trained = TrainedBot.objects.create(slug=f"t{number}", name="T")
        trained_bots.link(mine[-1], trained)
        mine[-1].save()
        Document.objects.create(trained_bot=trained, kind="upload", location="/x", problem="can't be read")
        Turn.objects.filter(pk=said("Do you rent out tents?", bot=mine[-1]).pk).update(outcome="not_known")
    counting.count_changed_days()
    member = TeamMember.objects.create(user=User.objects.create(username="colleague"), name="Colleague")
    Authenticator.objects.create(user=member.user, type=Authenticator.Type.TOTP, data={})
    answers, reads = {"waiting", "to-teach"}, {"alarms", "waiting", "documents", "budget"}
    shows = {Role.ANSWERS: answers, Role.READS: reads}.get(role, {*RIGHTS, "set-up"})
    for is_quiet in (False, True):
        if is_quiet:
            Tally.objects.all().delete()
        for of_all_bots in (True, False):
            membership.give_role(member, role, of_all_bots, mine[:-1])
            client.force_login(member.user)
            client.get(PAGE)
            with django_assert_max_num_queries(12):
                assert shown_cards(client) == shows, (of_all_bots, is_quiet)
