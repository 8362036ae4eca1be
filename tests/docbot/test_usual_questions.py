"""The opening hours and prices: whatever words visitors ask for them in, these are the reply."""

import pytest

from docbot.answering.answers import PastExchange, answer
from docbot.answering.usual.questions import asked
from docbot.retrieval import index
from docbot.retrieval.index import Index, IndexedPassage
from tests.docbot.conftest import index_of

WEEK = "Day: Monday; Hours: closed\nDay: Tuesday to Friday; Hours: 11 am to 6 pm\nDay: Saturday; Hours: 10 am to 6 pm"
SHOP = (
    (
        "The shop",
        "Giving us records",
        "Bring records in opening hours. We are open to gifts, but closed for classical music.",
    ),
    ("The shop", "When we are here", WEEK),
    ("The shop", "When we are here", "We are away on 25 and 26 December."),
    ("The shop", "Concerts", "On the first Friday a band plays at 8.30 pm. The doors open at 8 pm."),
)
BAKERY = (
    ("Bäckerei", "Öffnungszeiten", "Montag bis Freitag: 6 bis 18 Uhr. Samstag: 6 bis 13 Uhr."),
    ("Bäckerei", "Bestellung", "Bestellungen nehmen wir bis 15 Uhr an."),
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return index_of(tmp_path_factory.mktemp("shop"), *SHOP)


@pytest.mark.parametrize(
    "message",
    ["When are you open?", "opening hours", "what time do u close", "are you open today", "open on boxing day?"],
)
def test_the_reply_is_the_whole_section_with_the_hours(shop, message):
    said = answer(shop, message).text
    assert said.startswith("| Day | Hours |\n|---|---|\n| Monday | closed |")
    assert "We are away on 25 and 26 December." in said


def test_a_taught_answer_comes_before_the_hours_in_the_documents(tmp_path):
    documents = [IndexedPassage(number, 1, *each, language="en") for number, each in enumerate(SHOP, start=1)]
    taught = IndexedPassage(9, 2, "When are you open?", "", "We open again in May.", taught_on="2026-11-26")
    index.build(tmp_path, [*documents, taught])
    assert answer(index.open_index(tmp_path), "When are you open?").text.startswith("We open again in May.")


@pytest.mark.parametrize("message", ["bis wann habt ihr auf", "Habt ihr samstags offen?"])
def test_hours_in_sentences_are_the_reply_in_german(tmp_path, message):
    assert answer(index_of(tmp_path, *BAKERY, language="de"), message).text.startswith(
        "Montag bis Freitag: 6 bis 18 Uhr"
    )


# For the opening hours, for the prices, and for the way there.
ASKED = {
    "en": ("when do you close?", "what are your prices?", "how do I get there?"),
    "de": ("wann macht ihr auf?", "Was kostet das?", "Wie komme ich zu euch?"),
    "es": ("¿A qué hora cierran los domingos?", "¿cuánto cuesta?", "¿cómo llego?"),
    "fr": ("vous êtes ouverts quand ?", "c'est combien ?", "comment venir chez vous ?"),
    "it": ("a che ora chiudete", "quanto costa", "come si arriva?"),
    "nl": ("tot hoe laat zijn jullie open", "wat kost het", "hoe kom ik er?"),
    "pl": ("do której otwarte", "ile to kosztuje", "jak dojechać?"),
    "pt": ("a que horas fecham", "quanto custa?", "como chego aí?"),
    "ru": ("до скольки вы работаете", "сколько это стоит", "как до вас добраться?"),
    "tr": ("kaçta kapanıyorsunuz", "ne kadar", "nasıl gelirim?"),
    "ar": ("متى تفتحون", "كم السعر", "كيف أصل؟"),
    "hi": ("कब खुलते हैं", "इसकी कीमत क्या है", "कैसे पहुँचें?"),
    "ja": ("何時まで開いてますか", "いくらですか", "行き方を教えてください"),
    "zh": ("几点关门", "多少钱?", "怎么去?"),
    "ko": ("몇 시에 닫아요?", "얼마예요?", "어떻게 가요?"),
}


@pytest.mark.parametrize("language", ASKED)
def test_the_usual_questions_are_recognised_in_each_language(language):
    kinds = [asked(message, language) for message in ASKED[language]]
    assert kinds == ["opening_hours", "prices", "directions"]


# More of what is said for them in languages whose words change with the place, the person and the speaker.
SAID = {
    ("ar", "opening_hours"): "متى يفتح المحل؟ | هل أنتم مفتوحون؟ | مواعيدكم في رمضان | هل تعملون يوم الجمعة؟",
    ("ar", "prices"): "كم يكلف ذلك؟ | قائمة الأسعار | كم سعره",
    ("ar", "email"): "ما إيميلكم؟",
    ("ar", "phone"): "رقم الجوال من فضلك | كيف أتصل بكم؟",
    ("ar", "address"): "أين يقع المتجر؟ | وين موقعكم",
    ("ar", "directions"): "كيف أصل إليكم؟ | كيف يمكنني الوصول إلى المحل؟",
    ("ar", "reach"): "ما طرق التواصل معكم؟",
    ("hi", "opening_hours"): "दुकान कितने बजे खुलती है? | क्या सोमवार को दुकान खुली है? | गुरुवार को कब तक खुला है? | टाइमिंग",
    ("hi", "prices"): "कितने पैसे लगेंगे? | फ़ीस कितनी है? | रेट लिस्ट",
    ("hi", "email"): "आपकी ईमेल आईडी क्या है?",
    ("hi", "phone"): "संपर्क नंबर | मैं आपको कॉल कैसे करूँ?",
    ("hi", "address"): "पता बताइए | एड्रेस क्या है?",
    ("hi", "directions"): "मैं वहाँ कैसे पहुँचूँ? | आने का रास्ता क्या है?",
    ("hi", "reach"): "मैं आपसे कैसे संपर्क करूँ?",
    ("ar", None): "متى يفتح باب التسجيل؟ | كيف تعملون؟ | كيف أصل إلى حسابي؟ | كم سعر التوصيل؟ | أين يقع الطلب؟",
    ("hi", None): "खाता कब बंद होगा? | मेरा पैकेट कहाँ है? | कितने पैसे वापस मिलेंगे? | मैं ऑर्डर तक कैसे पहुँचूँ?",
}


@pytest.mark.parametrize(("language", "what"), SAID)
def test_a_usual_question_is_told_from_others_in_arabic_and_hindi(language, what):
    said = SAID[language, what].split(" | ")
    assert {message: asked(message, language) for message in said} == dict.fromkeys(said, what)


def test_another_question_with_such_words_is_not_about_the_hours():
    others = ["how close are you", "can I open the widget", "when does the café open", "closing a file"]
    assert [message for message in others if asked(message, "en") == "opening_hours"] == []


LONG_WEEK = f"{WEEK}\nDay: Sunday; Hours: 12 noon to 4 pm"
WEEKEND = "| Day | Hours |\n|---|---|\n| Saturday | 10 am to 6 pm |\n| Sunday | 12 noon to 4 pm |\n\n"
LESSONS = "Lesson: Guitar; Day: Saturday; Room opens: 9.45 am\nLesson: Piano; Day: Monday; Room opens: 2.45 pm"


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("open at the weekend?", WEEKEND),
        ("what time do you open on weekends", WEEKEND),
        ("are you open on Saturday", "Saturday – Hours: 10 am to 6 pm\n"),
        ("what time do you close on sat", "Saturday – Hours: 10 am to 6 pm\n"),
    ],
)
def test_the_hours_of_a_day_or_of_the_weekend_are_those_rows(message, begins, tmp_path):
    shop = index_of(tmp_path, SHOP[0], ("The shop", "When we are here", LONG_WEEK), SHOP[3])
    assert answer(shop, message).text.startswith(begins)


def test_the_weekend_has_a_name_in_other_languages(tmp_path):
    week = "Día: Lunes a viernes; Horario: 9:00 a 14:00\nDía: Sábado; Horario: 10:00 a 13:00"
    week = f"{week}\nDía: Domingo; Horario: cerrado"
    school = index_of(tmp_path, ("La escuela", "Horario", week), ("La escuela", "Pago", "Con tarjeta."), language="es")
    assert answer(school, "¿Abren el fin de semana?").text.startswith(
        "| Día | Horario |\n|---|---|\n| Sábado | 10:00 a 13:00 |\n| Domingo | cerrado |"
    )


def test_another_table_with_the_day_does_not_tell_the_hours(tmp_path):
    shop = index_of(tmp_path, ("Lessons", "", LESSONS), ("The shop", "When we are here", LONG_WEEK), SHOP[3])
    assert "10 am to 6 pm" in answer(shop, "when do you open on Saturdays?").text


def test_a_day_s_hours_come_before_a_text_that_names_the_day(tmp_path):
    week = "Tag: Montag; Werkstatt: geschlossen\nTag: Dienstag bis Freitag; Werkstatt: 10 bis 18 Uhr"
    by_hand = ("Werkstatt", "Selbst schrauben", "Montags seid ihr bei uns allein da, samstags hilft ein Mechaniker.")
    shop = index_of(tmp_path, ("Werkstatt", "Öffnungszeiten", week), by_hand, language="de")
    assert answer(shop, "Seid ihr montags da?").text.startswith("Montag – Werkstatt: geschlossen\n")


CLOSED = ("On 24 and 31 December we close at 3 pm.", "In August we are away for two weeks.")
ON_HOLIDAYS = ("On bank holidays we are closed.", "Between 24 December and 3 January we rest.")


@pytest.mark.parametrize(
    ("message", "heading", "said"),
    [
        ("are you open on christmas eve", "Holidays", CLOSED),
        ("opening hours holidays?", "Holidays", CLOSED),
        ("are you open on boxing day", "When we are here", ON_HOLIDAYS),  # as part of the hours
    ],
)
def test_what_is_said_of_holidays_comes_before_the_hours(message, heading, said, tmp_path):
    shop = index_of(tmp_path, SHOP[0], SHOP[1], ("The shop", heading, " ".join(said)), SHOP[3])
    reply = answer(shop, message).text
    assert reply.startswith(said[0])
    assert "| Monday | closed |" in reply


def test_the_hours_of_holidays_are_not_the_opening_hours(tmp_path):
    closed = ("The shop", "Bank holidays", "We are open from 9 am to 5 pm for everything: opening hours are short.")
    assert answer(index_of(tmp_path, SHOP[1], SHOP[3], closed), "opening hours").text.startswith("| Day | Hours |")


# --- Prices -----------------------------------------------------------------------------------------------------------

PLANS = (
    "Plan: Solo; Price a month: £9; A year: £90; People: 1\nPlan: Studio; Price a month: £24; A year: £240; People: 5"
)
LIST = "| Plan | Price a month | A year |\n|---|---|---|\n| Solo | £9 | £90 |\n| Studio | £24 | £240 |\n\n"
ROOMS = "Room: Attic; Price: £60\nRoom: Garden; Price: £75\nRoom: Tower; Price: £95"
HELP = (
    ("Plans", "", PLANS),
    ("Billing", "Extra people", "Another person costs £4 a month with Studio and £3 with Agency."),
    ("Billing", "How we charge", "We charge your card once a month. It is much the same with a debit card."),
)


@pytest.mark.parametrize("message", ["How much is it?", "prices", "Is it expensive?"])
def test_a_question_for_prices_alone_gets_the_only_price_list(message, tmp_path):
    assert answer(index_of(tmp_path, *HELP), message).text.startswith(LIST)


def test_of_several_price_lists_the_one_that_is_called_so_is_meant(tmp_path):
    index = index_of(tmp_path, ("Rooms", "", ROOMS), ("Plans", "Prices", PLANS), *HELP[1:])
    assert answer(index, "how much is it").text.startswith(LIST)


def test_among_price_lists_that_may_all_be_meant_the_visitor_is_asked_which(tmp_path):
    said = answer(index_of(tmp_path, ("Rooms", "", ROOMS), *HELP), "how much is it")
    assert said.certainty == "unsure"
    assert "- [Plans](#ask)\n- [Rooms](#ask)" in said.text


def test_after_a_message_about_something_it_is_the_price_of_that(tmp_path):
    index = index_of(tmp_path, *HELP)
    before = [PastExchange("Can I add another person?", answer(index, "Can I add another person?").sources)]
    assert "Another person costs £4" in answer(index, "how much is it", before).text


NOT_PRICES = {
    "how much is the tower room": "en",
    "who pays the fees?": "en",
    "How do I charge it?": "en",
    "il y en a combien ?": "fr",
    "hoeveel zijn er": "nl",
}


def test_a_question_for_a_certain_price_or_for_something_else_is_not_about_all_prices():
    assert [message for message, language in NOT_PRICES.items() if asked(message, language) == "prices"] == []
