"""The opening hours, prices and contact details: whatever words visitors ask for them in, these are the reply."""

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
    ["When are you open?", "opening hours", "what time do u close", "are you open today", "r u open on boxing day?"],
)
def test_the_reply_is_the_whole_section_with_the_hours(shop, message):
    said = answer(shop, message).text
    assert said.startswith("| Day | Hours |\n|---|---|\n| Monday | closed |")
    assert "We are away on 25 and 26 December." in said


def test_for_a_day_it_is_the_days_row(shop):
    assert answer(shop, "are you open on Saturday").text.startswith("Saturday – Hours: 10 am to 6 pm\n")


def test_a_taught_answer_comes_before_the_hours_in_the_documents(tmp_path):
    documents = [IndexedPassage(number, 1, *each, language="en") for number, each in enumerate(SHOP, start=1)]
    taught = IndexedPassage(9, 2, "When are you open?", "", "We open again in May.", taught_on="2026-11-26")
    index.build(tmp_path, [*documents, taught])
    assert answer(index.open_index(tmp_path), "When are you open?").text.startswith("We open again in May.")


@pytest.mark.parametrize("message", ["wann macht ihr zu?", "bis wann habt ihr auf", "Habt ihr samstags offen?"])
def test_hours_in_sentences_are_the_reply_in_german(tmp_path, message):
    assert answer(index_of(tmp_path, *BAKERY, language="de"), message).text.startswith(
        "Montag bis Freitag: 6 bis 18 Uhr"
    )


HOURS = {
    "en": "when do you close?",
    "de": "wann macht ihr auf?",
    "es": "¿A qué hora cierran los domingos?",
    "fr": "vous êtes ouverts quand ?",
    "it": "a che ora chiudete",
    "nl": "tot hoe laat zijn jullie open",
    "pl": "do której otwarte",
    "pt": "a que horas fecham",
    "ru": "до скольки вы работаете",
    "tr": "kaçta kapanıyorsunuz",
    "ar": "متى تفتحون",
    "hi": "कब खुलते हैं",
    "ja": "何時まで開いてますか",
    "zh": "几点关门",
    "ko": "몇 시에 닫아요?",
}


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


@pytest.mark.parametrize(
    "message", ["how close are you", "can I open the widget", "when does the café open", "closing a file"]
)
def test_another_question_with_such_words_is_not_about_the_hours(message):
    assert asked(message, "en") != "opening_hours"


LONG_WEEK = f"{WEEK}\nDay: Sunday; Hours: 12 noon to 4 pm"
WEEKEND = "| Day | Hours |\n|---|---|\n| Saturday | 10 am to 6 pm |\n| Sunday | 12 noon to 4 pm |\n\n"
LESSONS = "Lesson: Guitar; Day: Saturday; Room opens: 9.45 am\nLesson: Piano; Day: Monday; Room opens: 2.45 pm"


@pytest.mark.parametrize("message", ["open at the weekend?", "what time do you open on weekends"])
def test_the_hours_of_the_weekend_are_those_of_its_days(message, tmp_path):
    shop = index_of(tmp_path, SHOP[0], ("The shop", "When we are here", LONG_WEEK), SHOP[3])
    assert answer(shop, message).text.startswith(WEEKEND)


def test_the_weekend_has_a_name_in_other_languages(tmp_path):
    week = "Día: Lunes a viernes; Horario: 9:00 a 14:00\nDía: Sábado; Horario: 10:00 a 13:00"
    week = f"{week}\nDía: Domingo; Horario: cerrado"
    school = index_of(tmp_path, ("La escuela", "Horario", week), ("La escuela", "Pago", "Con tarjeta."), language="es")
    assert answer(school, "¿Abren el fin de semana?").text.startswith(
        "| Día | Horario |\n|---|---|\n| Sábado | 10:00 a 13:00 |\n| Domingo | cerrado |"
    )


def test_a_day_may_be_abbreviated(tmp_path):
    shop = index_of(tmp_path, SHOP[0], ("The shop", "When we are here", LONG_WEEK), SHOP[3])
    assert answer(shop, "what time do you close on sat").text.startswith("Saturday – Hours: 10 am to 6 pm\n")


def test_another_table_with_the_day_does_not_tell_the_hours(tmp_path):
    shop = index_of(tmp_path, ("Lessons", "", LESSONS), ("The shop", "When we are here", LONG_WEEK), SHOP[3])
    assert "10 am to 6 pm" in answer(shop, "when do you open on Saturdays?").text


def test_a_day_s_hours_come_before_a_text_that_names_the_day(tmp_path):
    week = "Tag: Montag; Werkstatt: geschlossen\nTag: Dienstag bis Freitag; Werkstatt: 10 bis 18 Uhr"
    by_hand = ("Werkstatt", "Selbst schrauben", "Montags seid ihr bei uns allein da, samstags hilft ein Mechaniker.")
    shop = index_of(tmp_path, ("Werkstatt", "Öffnungszeiten", week), by_hand, language="de")
    assert answer(shop, "Seid ihr montags da?").text.startswith("Montag – Werkstatt: geschlossen\n")


@pytest.mark.parametrize("message", ["are you open on christmas eve", "opening hours holidays?"])
def test_what_is_said_of_holidays_comes_before_the_hours(message, tmp_path):
    closed = ("The shop", "Holidays", "On 24 and 31 December we close at 3 pm. In August we are away for two weeks.")
    shop = index_of(tmp_path, SHOP[0], SHOP[1], SHOP[3], closed)
    said = answer(shop, message).text
    assert said.startswith("On 24 and 31 December we close at 3 pm.")
    assert "| Monday | closed |" in said


def test_what_is_said_of_holidays_below_the_hours_comes_before_them(tmp_path):
    closed = (*SHOP[1][:2], "On bank holidays we are closed. Between 24 December and 3 January we rest.")
    said = answer(index_of(tmp_path, SHOP[0], SHOP[1], closed, SHOP[3]), "are you open on boxing day").text
    assert said.startswith("On bank holidays we are closed.")
    assert "| Monday | closed |" in said


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


@pytest.mark.parametrize("message", ["How much is it?", "prices", "what does it cost", "Is it expensive?"])
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


PRICES = {
    "en": "what are your prices?",
    "de": "Was kostet das?",
    "es": "¿cuánto cuesta?",
    "fr": "c'est combien ?",
    "it": "quanto costa",
    "nl": "wat kost het",
    "pl": "ile to kosztuje",
    "pt": "quanto custa?",
    "ru": "сколько это стоит",
    "tr": "ne kadar",
    "ar": "كم السعر",
    "hi": "इसकी कीमत क्या है",
    "ja": "いくらですか",
    "zh": "多少钱?",
    "ko": "얼마예요?",
}


@pytest.mark.parametrize("language", PRICES)
def test_both_questions_are_recognised_in_each_language(language):
    assert asked(HOURS[language], language) == "opening_hours"
    assert asked(PRICES[language], language) == "prices"


NOT_PRICES = {
    "how much is the tower room": "en",
    "how much time does it take": "en",
    "who pays the fees?": "en",
    "How do I charge it?": "en",
    "il y en a combien ?": "fr",
    "hoeveel zijn er": "nl",
    "ile macie": "pl",
}


@pytest.mark.parametrize(("message", "language"), NOT_PRICES.items(), ids=NOT_PRICES)
def test_a_question_for_a_certain_price_or_for_something_else_is_not_about_all_prices(message, language):
    assert asked(message, language) != "prices"


# --- Contact details --------------------------------------------------------------------------------------------------

OFFICE = (
    ("Office", "Address", "Bring a bank statement as a proof of address. Mobile phone bills have no phone number."),
    (
        "Office",
        "Finding us",
        "We are on the second floor. The office is at 3 Castle Yard, Exeter EX1 1PX. There is a lift.",
    ),
    ("Office", "Appointments", "We are closed on Fridays. Appointments have numbers. Ring 01632 960 415 to make one."),
    ("Office", "Documents", "Email us in good time. Send a scan to papers@lind.example by 2026-11-23."),
)
DETAILS = {
    "phone number?": "01632 960 415",
    "can i call you": "01632 960 415",
    "whats your email": "papers@lind.example",
    "adress?": "3 Castle Yard",
    "where are you located": "3 Castle Yard",
    "can you give me your phone number": "01632 960 415",
    "how can I reach you?": "01632 960 415",
}


@pytest.mark.parametrize(("message", "detail"), DETAILS.items(), ids=DETAILS)
def test_a_contact_detail_is_quoted_from_a_passage_that_has_one_not_from_one_that_has_the_word(
    message, detail, tmp_path
):
    assert detail in answer(index_of(tmp_path, *OFFICE), message).text


@pytest.mark.parametrize("message", ["phone number?", "what is your address"])
def test_for_a_contact_detail_that_no_document_tells_nothing_that_has_the_word_is_quoted(message, tmp_path):
    said = answer(index_of(tmp_path, OFFICE[0], OFFICE[3]), message)
    assert said.certainty == "unsure"
    assert "Mobile" not in said.text


NUMBERS = ("01632 960 415", "+44 (0)1632 960415", "(555) 123-4567", "0661 / 123 45-0", "22 123 45 67", "600 700 800")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_phone_number_is_known_however_it_is_written(number, tmp_path):
    office = (
        ("Office", "Phone", "The phone is in the hall since 1999-10-12."),
        ("Office", "", f"Phone us on {number}."),
    )
    assert number in answer(index_of(tmp_path, *office), "phone number?").text.replace("\\", "")


LOCAL = {
    "de": ("wie ist eure Telefonnummer?", "Telefon: 0661 / 123 45-0.", "phone"),
    "es": ("¿cuál es la dirección?", "Estamos en la Calle Mayor 5, 28013 Madrid.", "address"),
    "fr": ("où êtes-vous ?", "Nous sommes au 12 rue des Lilas, 69003 Lyon.", "address"),
    "it": ("come posso contattarvi?", "Telefono: +39 06 1234 5678.", "reach"),
    "nl": ("wat is jullie e-mailadres", "Mail: info@winkel.example.", "email"),
    "pl": ("jaki jest numer telefonu?", "Telefon: 22 123 45 67 albo 600 700 800.", "phone"),
    "pt": ("qual é a morada?", "Morada: Rua do Sol 5, 1200-345 Lisboa.", "address"),
    "ru": ("где вы находитесь?", "Адрес: 125009 Москва, ул. Тверская, 5.", "address"),
    "tr": ("telefon numaranız nedir", "Telefon: 0212 555 12 34.", "phone"),
    "ar": ("ما هو عنوانكم؟", "عنوان الورشة: شارع الملك فهد 15.", "address"),
    "hi": ("आपका फ़ोन नंबर क्या है?", "फ़ोन: 011 2345 6789।", "phone"),
    "ja": ("電話番号は?", "お電話は 03-1234-5678 まで。", "phone"),
    "zh": ("你们的地址是什么", "地址：人民路88号。", "address"),
    "ko": ("연락처 알려주세요", "전화는 02-123-4567 입니다.", "reach"),
}


@pytest.mark.parametrize("language", LOCAL)
def test_contact_details_are_asked_for_and_written_in_each_language(language, tmp_path):
    message, text, kind = LOCAL[language]
    assert asked(message, language) == kind
    index = index_of(tmp_path, ("A", "B", text), language=language)
    assert text.split(":")[-1].strip(" .。।")[-8:] in answer(index, message).text


NOT_CONTACT = {
    "do you need my email address?": "en",
    "can I get it by mail?": "en",
    "where is it": "en",
    "where can I find the number": "en",
    "what should I call you": "en",
    "how do I change my phone number": "en",
    "where are you allowed to swim": "en",
    "is there a phone in the room": "en",
    "call": "en",
    "wo finde ich das?": "de",
    "¿dónde la encuentro?": "es",
    "où je le trouve ?": "fr",
    "waar vind ik het?": "nl",
    "onde o encontro?": "pt",
    "トイレの場所は?": "ja",
    "住所変更はできますか": "ja",
    "卫生间在哪里": "zh",
    "怎么修改收货地址": "zh",
    "화장실이 어디예요?": "ko",
}


@pytest.mark.parametrize(("message", "language"), NOT_CONTACT.items(), ids=NOT_CONTACT)
def test_another_question_with_such_words_is_not_about_contact_details(message, language):
    assert asked(message, language) is None


def test_contact_details_are_found_in_documents_of_another_language(tmp_path):
    office = (("Gîte", "Contact", "Vous pouvez nous joindre au 04 75 55 01 10 tous les jours de la semaine."),)
    index = index_of(tmp_path, *office, ("Gîte", "Lits", "Les draps sont fournis par nos soins."), language="fr")
    assert "04 75 55 01 10" in answer(index, "ما هو رقم الهاتف؟").text


WAYS_THERE = {
    "en": "how do I get there?",
    "de": "Wie komme ich zu euch?",
    "es": "¿cómo llego?",
    "fr": "comment venir chez vous ?",
    "it": "come si arriva?",
    "nl": "hoe kom ik er?",
    "pl": "jak dojechać?",
    "pt": "como chego aí?",
    "ru": "как до вас добраться?",
    "tr": "nasıl gelirim?",
    "ar": "كيف أصل؟",
    "hi": "कैसे पहुँचें?",
    "ja": "行き方を教えてください",
    "zh": "怎么去?",
    "ko": "어떻게 가요?",
}


@pytest.mark.parametrize("language", WAYS_THERE)
def test_the_way_there_is_asked_for_in_each_language(language):
    assert asked(WAYS_THERE[language], language) == "directions"


@pytest.mark.parametrize("message", ["how do I get there?", "directions please", "How do we get to you?"])
@pytest.mark.parametrize("place", ["Getting here", "Where we are"])
def test_the_way_there_is_under_such_a_heading_or_where_the_address_is(message, place, tmp_path):
    way = ("Office", place, "We are at 3 Castle Yard, Exeter EX1 1PX. Buses 4 and 9 stop at the gate.")
    assert "Castle Yard" in answer(index_of(tmp_path, *OFFICE[2:], way), message).text


@pytest.mark.parametrize("message", ["phone number?", "telephone", "contact details"])
def test_an_english_question_of_one_word_or_two_is_understood_where_the_documents_are_german(message, tmp_path):
    said = answer(
        index_of(tmp_path, *BAKERY, ("Bäckerei", "Kontakt", "Telefon: 0661 / 123 45-0."), language="de"), message
    )
    assert "0661" in said.text
    assert "Source:" in said.text


NO_ADDRESSES = (
    "Order number 4711-220-330 is the one with the matt address.",
    "In 1987 Edith changed the address of the office.",
)


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_a_number_beside_words_is_no_address(text, tmp_path):
    office = (("Office", "Address", text), ("Office", "Finding us", "We are at 3 Castle Yard, on the second floor."))
    assert "Castle Yard" in answer(index_of(tmp_path, *office), "what is your address?").text
