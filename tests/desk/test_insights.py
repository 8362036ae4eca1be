"""The insights: figures counted by day without keeping any text, charts, tables, and who may see them."""

import csv
import datetime
import io
import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone
from lxml import etree, html

from desk.management import demo
from desk.models import AskedQuestion, Tally
from desk.statistics import counting
from desk.statistics.charts import CHARTS, DARK, LIGHT
from desk.statistics.insights import MESSAGES, Figures, Measure, Selection, top_questions
from desk.statistics.reply_times import bucket_of, percentile
from tests.desk.overview_page import words
from webchat.models import Bot, Conversation, Entry, Leader, TeamMember, Turn

PAGE = "/admin/insights/"
INK = {"--text", "--soft", "--line"}


@pytest.fixture
def week(said):
    for days_ago in range(5):
        said(days_ago=days_ago, feedback=1)
        said("Where are you?", days_ago=days_ago, surface="embed", code="BOT_UNAVAILABLE")
    counting.count_changed_days()


def page(client, url=PAGE) -> html.HtmlElement:
    response = client.get(url)
    assert response.status_code == 200
    return html.fromstring(response.content)


def downloaded(client, name: str) -> list[list[str]]:
    """Return the rows of a week's figures, below their head."""
    response = client.get(f"{PAGE}{name}.csv?days=7")
    rows = list(csv.reader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert len(rows) == 8
    return rows


def test_the_figures_of_a_month_of_one_bot_and_of_one_surface_are_shown(admin_client, week):
    Bot.objects.create(slug="other", name="Other")
    for query, number in (("", 10), ("?bot=other", 0), ("?bot=help", 10), ("?bot=help&surface=embed", 5)):
        shown = page(admin_client, PAGE + query)
        assert f"Messages {number}" in words(shown.xpath("//dl[@class='figures']")[0])
        assert shown.xpath("//select[@name='days']/option[@selected]/text()") == ["30 days"]
        entry = "/admin/webchat/bot/" if "bot" in query else PAGE
        assert shown.xpath("//nav[@aria-label='Desk']//a[@aria-current]/@href") == [entry]
    shown = page(admin_client)
    figures = words(shown.xpath("//dl[@class='figures']")[0])
    assert "Answered 50%" in figures
    assert "Failed 5" in figures
    for name in CHARTS:
        section = shown.xpath(f"//section[@aria-labelledby='chart-{name}']")[0]
        assert section.xpath(".//img/@alt")
        assert section.xpath(".//details//table//th[@scope='row']")
        assert section.xpath(".//a[@download]/@href")[0].startswith(f"{PAGE}{name}.csv")
    assert "Where are you?" in words(shown.xpath("//details[summary/h2/@id='failed']")[0])
    assert shown.xpath("//details[summary/h2/@id='questions']//a/@href")[0].startswith("/admin/webchat/conversation/")
    for query in ("days=x", "days=1000000000", "bot=nobody", "surface=x", "bot=%27--", "days=&bot="):
        assert "Messages 10" in words(page(admin_client, f"{PAGE}?{query}")), query
    assert ">50%<" in admin_client.get(f"{PAGE}?lang=ja").content.decode()


def test_a_chart_is_an_image_without_scripts(admin_client, bot, said):
    assert {admin_client.get(f"{PAGE}{name}.svg").status_code for name in CHARTS} == {200}  # empty ones
    said()
    counting.count_changed_days()
    for name, chart in CHARTS.items():
        response = admin_client.get(f"{PAGE}{name}.svg?days=7")
        assert response["Content-Type"].startswith("image/svg+xml")
        assert "script-src" not in response["Content-Security-Policy"]
        root = etree.fromstring(response.content)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert not root.xpath("//*[local-name()='script']")
        assert b"prefers-color-scheme:dark" in response.content.replace(b" ", b"")
        if chart.unit:
            assert "3 ث" in admin_client.get(f"{PAGE}{name}.svg?days=7&lang=ar").content.decode()


def test_a_colour_means_the_same_in_a_chart_and_its_legend():
    style = (settings.BASE_DIR / "static" / "desk" / "style" / "insights.css").read_text()
    legend = re.findall(r'\[data-means="([a-z-]+)"\] \{ --means: light-dark\((#\w+), (#\w+)\); \}', style)
    drawn = {name.removeprefix("--"): (colour, DARK[name]) for name, colour in LIGHT.items() if name not in INK}
    assert {name: (light, dark) for name, light, dark in legend} == drawn
    assert len(set(drawn.values())) == len(drawn) == 12


def test_outcomes_are_told_apart_and_failures_explained_in_words_and_with_their_code(admin_client, staff, week, said):
    said("Hello?", code="CODE_OF_THEIRS")
    said(outcome="not_sure")
    said(outcome="not_known")
    counting.count_changed_days()
    rows = downloaded(admin_client, "messages")
    assert rows[0] == ["Day", "Answered", "Not sure", "Didn’t know", "Failed"]
    assert rows[-1][1:] == ["1", "1", "1", "2"]
    drawn = admin_client.get(f"{PAGE}messages.svg?days=7").content.decode()
    legend = page(admin_client).xpath("//section[@aria-labelledby='chart-messages']//li/@data-means")
    assert legend == ["answered", "not-sure", "not-known", "failed"]
    assert all(f"--{each})" in drawn for each in legend)
    cause = "The bot was not available"
    chart = page(admin_client).get_element_by_id("chart-failures").getparent()
    rows = [[cell.text for cell in row] for row in chart.xpath(".//tbody/tr")]
    assert rows == [[cause, "BOT_UNAVAILABLE", "5"], ["CODE_OF_THEIRS", "CODE_OF_THEIRS", "1"]]
    assert cause in admin_client.get(f"{PAGE}failures.svg").content.decode()
    assert f"{cause} (BOT_UNAVAILABLE)" in words(page(admin_client).xpath("//details[summary/h2/@id='failed']")[0])
    assert cause in words(page(admin_client, "/admin/webchat/conversation/").get_element_by_id("changelist-filter"))
    shown = words(page(staff("desk.view_tally")))  # who may not read conversations
    assert "Messages 13" in shown
    assert "Where are you?" not in shown


def test_many_messages_take_no_more_queries(admin_client, week, said, django_assert_max_num_queries):
    for number in range(60):
        said(f"Question {number}", days_ago=number % 6, code="NO_ANSWER" if number % 2 else "")
    counting.count_changed_days()
    with django_assert_max_num_queries(16):
        admin_client.get(PAGE)
    with django_assert_max_num_queries(5):
        admin_client.get(f"{PAGE}messages.svg")


@pytest.fixture
def answered_in_person(said):
    """One visitor who waited 90 seconds for Ann, another whom nobody answered, and a third who asked for nobody."""
    ann = TeamMember.objects.create(user=User.objects.create(username="ann"), name="Ann")
    for is_answered in (True, False):
        conversation = said("Can I talk to a person?").conversation
        conversation.join_queue()
        if is_answered:
            conversation.claim(ann)
            joined = conversation.entries.get(kind=Entry.Kind.JOINED)
            asked = conversation.entries.get(kind=Entry.Kind.QUEUED)
            asked.created_at = joined.created_at - datetime.timedelta(seconds=90)
            asked.save()
    said("When are you open?")
    counting.count_changed_days()


def test_a_return_to_the_queue_counts_as_one_request_and_one_answer(admin_client, staff, answered_in_person):
    conversation = Conversation.objects.get(led_by=Leader.PERSON)
    for returns in range(2):
        if returns:
            conversation.release(ann := conversation.team_member)
            conversation.claim(ann)
        shown = words(page(admin_client).xpath("//details[summary/h2/@id='people']")[0])
        assert "Asked for a person 2" in shown
        assert "Answered 50%" in shown
        assert "Half waited at most 90 s" in shown
        assert "Resolved without a person 33.3%" in shown
        assert "Ann 1" in shown
    rows = downloaded(admin_client, "people")
    assert rows[0][1:4] == ["Asked for a person", "Answered", "Median wait (s)"]
    assert rows[-1][1:] == ["2", "1", "90.0", "1"]
    assert staff("webchat.view_conversation").get(f"{PAGE}people.csv").status_code == 403


WEEK = Selection(7)


def test_each_outcome_is_counted_apart_by_day_and_surface(said):
    for outcome in ("answered", "", "not_sure", "not_known", "not_known"):
        said(outcome=outcome)
    said(code="NO_ANSWER")
    for state in (Turn.State.PERSON, Turn.State.PENDING):
        Turn.objects.filter(pk=said().pk).update(state=state)
    said(surface="embed", feedback=1)
    late = said(days_ago=2, code="NO_ANSWER", feedback=-1)
    deleted = said(days_ago=20)
    for _ in range(2):  # counting again counts nothing twice
        counting.count_changed_days()
    figures = Figures(WEEK)
    counted = {measure: figures.total(measure) for measure in MESSAGES}
    assert counted == {"answered": 3, "not_sure": 1, "not_known": 2, "failed": 2, "person": 1, "waiting": 1}
    assert (figures.messages, figures.total(Measure.CONVERSATIONS)) == (10, 10)
    assert figures.total(Measure.FAILED, "NO_ANSWER") == 2
    assert figures.totals(Measure.FAILED)[-3:] == [1, 0, 1]
    assert figures.names(Measure.FEEDBACK) == ["-1", "1"]
    assert Figures(Selection(7, surface="embed")).messages == 1
    Turn.objects.filter(pk=late.pk).update(state="answered", code="", reply="At nine.", ended_at=timezone.now())
    deleted.conversation.delete()
    counting.count_changed_days()
    figures = Figures(WEEK)
    assert figures.totals(Measure.FAILED)[-3:] == [0, 0, 1]
    assert figures.series(Measure.ANSWERED)[-3:] == [1, 0, 3], "a late outcome counts on the day of its message"
    assert Figures(Selection(30)).messages == 11, "also of what was deleted long after"


def test_a_day_begins_at_midnight_in_the_sites_time_zone(said, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    said()
    Turn.objects.update(created_at=datetime.datetime(2026, 3, 1, 23, 30, tzinfo=datetime.UTC))
    Conversation.objects.update(started_at=datetime.datetime(2026, 3, 1, 23, 30, tzinfo=datetime.UTC))
    counting.count_changed_days()
    assert {str(day) for day in Tally.objects.values_list("day", flat=True)} == {"2026-03-02"}


def test_only_days_on_which_something_changed_are_counted_again(said, django_assert_max_num_queries):
    for days_ago in range(30):
        said(days_ago=days_ago)
    counting.count_changed_days()
    with django_assert_max_num_queries(4 + 2 * 12):  # today, and yesterday shortly after midnight
        counting.count_changed_days()


def test_a_question_in_different_spellings_is_the_same_question(said):
    for message in ("When are you open?", "when are you open", "WHEN  are you open!"):
        said(message)
    failed = said("Where are you?", code="NO_ANSWER")
    counting.count_changed_days()
    first, second = top_questions(WEEK)
    assert (first.number, first.failed, first.text) == (3, 0, "WHEN  are you open!")
    assert (second.number, second.failed) == (1, 1)
    assert "where" not in str(list(AskedQuestion.objects.values())).lower(), "no text is kept with the figures"
    failed.conversation.delete()
    assert top_questions(WEEK)[1:] == []


def test_percentiles_are_off_by_at_most_a_twentieth():
    times = [100 + 37 * number for number in range(1000)]
    buckets: dict[int, int] = {}
    for milliseconds in times:
        buckets[bucket_of(milliseconds)] = buckets.get(bucket_of(milliseconds), 0) + 1
    for share in (0.5, 0.95):
        exact = times[int(share * len(times))]
        assert abs(percentile(buckets, share) / exact - 1) < 0.05
    assert percentile({}, 0.5) is None


def test_demo_conversations_come_with_figures_and_leave_no_trace(bot, said):
    said("A real question")
    made = demo.create([bot], days=3, conversations_a_day=5)
    assert Figures(Selection(3)).total(Measure.CONVERSATIONS) == made + 1
    assert Turn.objects.filter(conversation__visitor__startswith="demo-").count() > made / 2
    demo.remove()
    assert Figures(Selection(3)).messages == 1
    assert Conversation.objects.count() == 1
