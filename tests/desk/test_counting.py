"""The figures behind the insights: counted by day, the same each time, without keeping any text."""

import datetime

from django.utils import timezone

from desk.management import demo
from desk.models import AskedQuestion, Tally
from desk.statistics import counting
from desk.statistics.insights import MESSAGES, Figures, Measure, Selection, top_questions
from desk.statistics.reply_times import bucket_of, percentile
from webchat.models import Conversation, Turn

WEEK = Selection(7)


def tallies() -> list[tuple]:
    return sorted(Tally.objects.values_list("day", "bot", "surface", "measure", "name", "number"))


def test_messages_conversations_codes_and_feedback_are_counted_by_day_and_surface(said):
    said(feedback=1)
    said(surface="embed", code="NO_ANSWER")
    said("And on Sundays?", days_ago=2, feedback=-1)
    counting.count_changed_days()
    figures = Figures(WEEK)
    assert (figures.messages, figures.total(Measure.CONVERSATIONS)) == (3, 3)
    assert figures.total(Measure.FAILED, "NO_ANSWER") == 1
    assert figures.series(Measure.ANSWERED)[-3:] == [1, 0, 1]
    assert figures.names(Measure.FEEDBACK) == ["-1", "1"]
    assert Figures(Selection(7, surface="embed")).messages == 1


def test_each_outcome_is_counted_apart(said):
    for outcome in ("answered", "", "not_sure", "not_known", "not_known"):
        said(outcome=outcome)
    said(code="NO_ANSWER")
    for state in (Turn.State.PERSON, Turn.State.PENDING):
        Turn.objects.filter(pk=said().pk).update(state=state)
    counting.count_changed_days()
    figures = Figures(WEEK)
    counted = {measure: figures.total(measure) for measure in MESSAGES}
    assert counted == {"answered": 2, "not_sure": 1, "not_known": 2, "failed": 1, "person": 1, "waiting": 1}
    assert figures.messages == 8


def test_a_day_begins_at_midnight_in_the_sites_time_zone(said, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    said()
    Turn.objects.update(created_at=datetime.datetime(2026, 3, 1, 23, 30, tzinfo=datetime.UTC))
    Conversation.objects.update(started_at=datetime.datetime(2026, 3, 1, 23, 30, tzinfo=datetime.UTC))
    counting.count_changed_days()
    assert {str(day) for day in Tally.objects.values_list("day", flat=True)} == {"2026-03-02"}


def test_counting_again_counts_nothing_twice(said):
    said()
    said(days_ago=1)
    counting.count_changed_days()
    once = tallies()
    counting.count_changed_days()
    assert tallies() == once


def test_only_days_on_which_something_changed_are_counted_again(said, django_assert_max_num_queries):
    for days_ago in range(30):
        said(days_ago=days_ago)
    counting.count_changed_days()
    with django_assert_max_num_queries(4 + 2 * 12):  # today, and yesterday shortly after midnight
        counting.count_changed_days()


def test_a_late_outcome_is_counted_on_the_day_of_its_message(said):
    turn = said(days_ago=2, code="NO_ANSWER")
    counting.count_changed_days()
    Turn.objects.filter(pk=turn.pk).update(state="answered", code="", reply="At nine.", ended_at=timezone.now())
    counting.count_changed_days()
    figures = Figures(WEEK)
    assert (figures.total(Measure.FAILED), figures.total(Measure.ANSWERED)) == (0, 1)
    assert figures.series(Measure.ANSWERED)[-3] == 1


def test_conversations_deleted_long_after_stay_in_the_figures(said):
    old = said(days_ago=20)
    counting.count_changed_days()
    old.conversation.delete()
    counting.count_changed_days()
    assert Figures(Selection(30)).messages == 1


def test_no_text_is_kept_with_the_figures(said):
    said("A very particular question")
    counting.count_changed_days()
    kept = [str(value) for row in AskedQuestion.objects.values() for value in row.values()]
    assert kept
    assert not [value for value in kept if "particular" in value.lower()]


def test_a_question_in_different_spellings_is_the_same_question(said):
    for message in ("When are you open?", "when are you open", "WHEN  are you open!"):
        said(message)
    said("Where are you?", code="NO_ANSWER")
    counting.count_changed_days()
    first, second = top_questions(WEEK)
    assert (first.number, first.failed, first.text) == (3, 0, "WHEN  are you open!")
    assert (second.number, second.failed) == (1, 1)


def test_the_text_of_a_deleted_conversation_is_removed_from_the_questions(said):
    turn = said("Where do I live?")
    counting.count_changed_days()
    turn.conversation.delete()
    assert top_questions(WEEK) == []


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
