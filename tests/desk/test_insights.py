"""The insights as their owner sees them: figures, charts, tables, and who may see them."""

import csv
import datetime
import io
import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from lxml import etree, html

from desk.statistics import counting
from desk.statistics.charts import CHARTS, DARK, LIGHT
from tests.desk.overview_page import words
from webchat.models import Bot, Conversation, Entry, Leader, TeamMember

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


def test_the_figures_of_a_month_are_shown(admin_client, week):
    shown = words(page(admin_client).xpath("//dl[@class='figures']")[0])
    assert "Messages 10" in shown
    assert "Answered 50%" in shown
    assert "Failed 5" in shown
    assert ">50%<" in admin_client.get(f"{PAGE}?lang=ja").content.decode()


def test_a_chart_has_its_figures_beside_it(admin_client, week):
    shown = page(admin_client)
    for name in CHARTS:
        section = shown.xpath(f"//section[@aria-labelledby='chart-{name}']")[0]
        assert section.xpath(".//img/@alt")
        assert section.xpath(".//details//table//th[@scope='row']")
        assert section.xpath(".//a[@download]/@href")[0].startswith(f"{PAGE}{name}.csv")


def test_a_chart_is_an_image_without_scripts(admin_client, week):
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


def test_the_figures_of_one_bot_name_their_period(admin_client, week):
    chosen = page(admin_client, f"{PAGE}?bot=help").xpath("//select[@name='days']/option[@selected]")
    assert [each.text for each in chosen] == ["30 days"]


def test_the_insights_of_one_bot_belong_to_the_bots(admin_client, week):
    for query, entry in (("", PAGE), ("?bot=help", "/admin/webchat/bot/")):
        shown = page(admin_client, PAGE + query)
        assert shown.xpath("//nav[@aria-label='Desk']//a[@aria-current]/@href") == [entry]


def test_an_empty_chart_can_be_drawn(admin_client, bot):
    assert {admin_client.get(f"{PAGE}{name}.svg").status_code for name in CHARTS} == {200}


def test_the_figures_can_be_downloaded(admin_client, week):
    response = admin_client.get(f"{PAGE}messages.csv?days=7")
    rows = list(csv.reader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert rows[0] == ["Day", "Answered", "Failed"]
    assert len(rows) == 8
    assert rows[-1][1:] == ["1", "1"]


def test_not_sure_and_not_known_are_outcomes_of_their_own(admin_client, week, said):
    said(outcome="not_sure")
    said(outcome="not_known")
    counting.count_changed_days()
    response = admin_client.get(f"{PAGE}messages.csv?days=7")
    rows = list(csv.reader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert rows[0] == ["Day", "Answered", "Not sure", "Didn’t know", "Failed"]
    assert rows[-1][1:] == ["1", "1", "1", "1"]
    drawn = admin_client.get(f"{PAGE}messages.svg?days=7").content.decode()
    legend = page(admin_client).xpath("//section[@aria-labelledby='chart-messages']//li/@data-means")
    assert legend == ["answered", "not-sure", "not-known", "failed"]
    assert all(f"--{each})" in drawn for each in legend)


def test_the_figures_can_be_limited_to_one_bot_and_one_surface(admin_client, week):
    Bot.objects.create(slug="other", name="Other")
    assert "Messages 0" in words(page(admin_client, f"{PAGE}?bot=other").xpath("//dl[@class='figures']")[0])
    assert "Messages 5" in words(
        page(admin_client, f"{PAGE}?bot=help&surface=embed").xpath("//dl[@class='figures']")[0]
    )


@pytest.mark.parametrize("query", ["days=x", "days=1000000000", "bot=nobody", "surface=x", "bot=%27--", "days=&bot="])
def test_invalid_parameters_show_the_page_anyway(admin_client, week, query):
    assert "Messages 10" in words(page(admin_client, f"{PAGE}?{query}"))


def test_failures_and_frequent_questions_link_to_their_conversations(admin_client, week):
    shown = page(admin_client)
    assert "Where are you?" in words(shown.xpath("//details[summary/h2/@id='failed']")[0])
    assert shown.xpath("//details[summary/h2/@id='questions']//a/@href")[0].startswith("/admin/webchat/conversation/")


def test_failures_are_explained_in_words_and_with_their_code(admin_client, week, said):
    said("Hello?", code="CODE_OF_THEIRS")
    counting.count_changed_days()
    cause = "The bot was not available"
    chart = page(admin_client).get_element_by_id("chart-failures").getparent()
    rows = [[cell.text for cell in row] for row in chart.xpath(".//tbody/tr")]
    assert rows == [[cause, "BOT_UNAVAILABLE", "5"], ["CODE_OF_THEIRS", "CODE_OF_THEIRS", "1"]]
    assert cause in admin_client.get(f"{PAGE}failures.svg").content.decode()
    assert f"{cause} (BOT_UNAVAILABLE)" in words(page(admin_client).xpath("//details[summary/h2/@id='failed']")[0])
    assert cause in words(page(admin_client, "/admin/webchat/conversation/").get_element_by_id("changelist-filter"))


def test_staff_who_may_not_read_conversations_see_figures_without_text(staff, week):
    shown = page(staff("desk.view_tally"))
    assert "Messages 10" in words(shown)
    assert "Where are you?" not in words(shown)


def test_the_page_takes_the_same_number_of_queries_for_any_number_of_messages(
    admin_client, week, said, django_assert_max_num_queries
):
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


def test_a_return_to_the_queue_counts_as_one_request_and_one_answer(admin_client, answered_in_person):
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


def test_the_figures_of_people_can_be_downloaded(admin_client, staff, answered_in_person):
    response = admin_client.get(f"{PAGE}people.csv?days=7")
    rows = list(csv.reader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert rows[0][1:4] == ["Asked for a person", "Answered", "Median wait (s)"]
    assert rows[-1][1:] == ["2", "1", "90.0", "1"]
    assert len(rows) == 8
    assert staff("webchat.view_conversation").get(f"{PAGE}people.csv").status_code == 403
