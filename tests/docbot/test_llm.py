"""Replies written by a language model, and how docbot checks them."""

import re
from dataclasses import replace

import pytest

from docbot.answering import answers
from docbot.answering.llm import reply
from docbot.answering.model_server import ModelConfig
from docbot.answering.phrases import phrases
from docbot.endpoint import exchanges
from docbot.models import Exchange, TrainedBot
from docbot.retrieval.index import Found, IndexedPassage, open_index
from outbound.deadline import Deadline
from tests.docbot.model_replies import HOURS, QUOTED, cite, exchange, reply_of


def test_the_model_writes_the_reply_and_its_citation_becomes_the_source(ask, model):
    cite(model, "We are open **from nine to six** [{0}].", "nine to six")
    whole = reply_of(ask(HOURS))
    text, _, source = whole.partition("\n\n")
    assert text == "We are open **from nine to six**."
    assert source.startswith('Source: [Opening hours › Weekdays](#source "')
    assert "nine to six" in source
    assert (exchange().via, exchange().certainty, exchange().reply) == (Exchange.Via.MODEL, "sure", whole)
    assert [source["heading"] for source in exchange().sources] == ["Weekdays"]


def test_several_sources_are_numbered_in_the_order_in_which_they_are_cited(ask, model):
    cite(model, "On Saturdays from ten [{0}]. On weekdays from nine [{1}, {0}].", "ten to two", "nine to six")
    whole = reply_of(ask("When is the workshop open on weekdays and on Saturdays?"))
    assert re.sub(r' "[^"]+"', "", whole) == (
        "On Saturdays from ten \\[1\\]. On weekdays from nine \\[1\\]\\[2\\].\n\n"
        "\\[1\\] Source: [Opening hours › Saturdays](#source)\\\n"
        "\\[2\\] Source: [Opening hours › Weekdays](#source)"
    )
    assert [source["heading"] for source in exchange().sources] == ["Saturdays", "Weekdays"]


CITED = {
    "directly after a word": ("Nine to six[1]", "Nine to six"),
    "a footnote": ("Nine to six [^1].", "Nine to six."),
    "full width": ("九時から六時【1】", "九時から六時"),
    "twice": ("Nine [1] to six [1].", "Nine to six."),
    "beside the number of no passage": ("Nine to six [1] [99].", "Nine to six [99]."),
    "not in code": ("Nine [1]: `x [2]`", "Nine: `x [2]`"),
    "after thinking": ("<think>\nIs it [2]?\n</think>\nNine to six [1].", "Nine to six."),
    "with invalid characters": ("Nine\ud800\x00 to\x1b six \U000e0041[1].", "Nine to six."),
}


@pytest.mark.parametrize(("said", "text"), CITED.values(), ids=CITED)
def test_citations_are_read_in_every_form_that_models_write(ask, model, said, text):
    model.will_say(said)
    written, _, source = reply_of(ask(HOURS)).partition("\n\n")
    assert written == text
    assert source.startswith("Source: [")
    assert len(exchange().sources) == 1


def test_the_source_of_a_page_is_a_link_in_the_visitors_language(model):
    model.will_say("Neun [1].")
    hit = Found(IndexedPassage(1, 1, "Hours", "Weekdays", "From nine.", "https://shop.example/hours"), 1.0, (), ())
    config = ModelConfig(model.base_url, "small-one")
    text, _ = reply([hit], HOURS, [], said=phrases("de"), config=config, deadline=Deadline(5))
    assert text == 'Neun.\n\nQuelle: [Hours › Weekdays](<https://shop.example/hours> "From nine.")'


def test_a_refusal_becomes_the_bots_own_sentence_and_an_unanswered_question(ask, model):
    model.will_say("NO_ANSWER.")
    assert reply_of(ask(HOURS)).startswith("Sorry, I couldn’t find an answer")
    assert (exchange().via, exchange().certainty, exchange().sources) == (Exchange.Via.MODEL, "unknown", [])


def test_a_reply_that_was_cut_off_ends_visibly_and_keeps_its_source(ask, model):
    model.will_say("Open from nine [1] to", "length")
    assert reply_of(ask(HOURS)).startswith("Open from nine to …\n\nSource: [")
    model.will_say("Do this [1]:\n```\nopen()", "length")
    assert "open()\n```\n\nSource: [" in reply_of(ask(HOURS))


def test_a_reply_without_a_citation_gets_the_passage_that_contains_its_words(ask, model):
    said = "On weekdays the workshop is open from nine to six."
    model.will_say(said)
    text, source = reply_of(ask(HOURS)).split("\n\n")
    assert (text, exchange().via) == (said, Exchange.Via.MODEL)
    assert "Weekdays" in source


@pytest.mark.parametrize("said", ["The workshop is open from nine to eight.", "Yes."])
def test_a_reply_without_a_citation_whose_words_are_in_no_passage_is_replaced(ask, model, said):
    model.will_say(said)
    assert QUOTED in reply_of(ask(HOURS))
    assert exchange().via == Exchange.Via.FALLBACK


def test_the_model_is_asked_when_passages_are_close_in_meaning_though_docbot_would_not_quote_them(
    ask, model, monkeypatch
):
    found = replace(answers.answer(open_index(TrainedBot.objects.get().index_folder), HOURS), sources=())
    for is_close in (False, True):
        unknown = replace(found, certainty="unknown", text="I don't know.", is_close=is_close)
        monkeypatch.setattr(exchanges, "answer", lambda *_, answer=unknown, **__: answer)
        cite(model, "From nine to six [{0}].", "nine to six")
        reply_of(ask("Can I come at noon?"))
        assert (len(model.asked), exchange().certainty) == ((1, "unsure") if is_close else (0, "unknown"))


def test_the_model_is_not_asked_about_other_subjects(ask, model):
    reply_of(ask("Who wrote the Iliad?"))
    assert (model.asked, exchange().via, exchange().certainty) == ([], Exchange.Via.EXTRACTIVE, "unknown")


def test_a_reply_costs_one_credit_whoever_writes_it_and_a_refused_request_none(ask, model):
    TrainedBot.objects.update(credits=5)
    model.will_say("Nine [1].")
    ask(HOURS)
    model.will_answer(500, {})
    ask(HOURS)
    assert TrainedBot.objects.get().credits == 3
    folder = TrainedBot.objects.get().index_folder
    folder.rename(folder.with_name("away"))
    assert ask(HOURS).status_code == 503
    assert TrainedBot.objects.get().credits == 3
    assert Exchange.objects.count() == 2


def test_the_try_it_box_shows_who_wrote_the_reply_and_why_the_model_failed(admin_client, bot, model):
    model.will_say("From **nine** [1].")
    url = f"/admin/docbot/trainedbot/{bot.pk}/try/"
    shown = admin_client.post(url, {"message": "And on Saturdays?", "earlier": [HOURS, HOURS], "follow_up": "1"})
    assert "<strong>nine</strong>" in shown.text
    assert "Written by the model" in shown.text
    assert len(model.asked) == 1
    assert QUOTED in model.texts_of("earlier reply")[0]
    model.will_answer(401, {})
    shown = admin_client.post(url, {"message": HOURS}).text
    assert "Quoted, because the model failed (answered with status 401)" in shown
