"""Telephone, e-mail, address and the way there: whatever words visitors ask for them in, these are the reply."""

import pytest

from docbot.answering.answers import answer
from docbot.answering.usual.questions import asked
from tests.docbot.conftest import index_of

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
    "whats your email": "papers@lind.example",
    "adress?": "3 Castle Yard",
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


NUMBERS = ("01632 960 415", "+44 (0)1632 960415", "(555) 123-4567", "0661 / 123 45-0", "600 700 800")


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
    "where is it": "en",
    "what should I call you": "en",
    "how do I change my phone number": "en",
    "where are you allowed to swim": "en",
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


def test_another_question_with_such_words_is_not_about_contact_details():
    assert {message: asked(message, language) for message, language in NOT_CONTACT.items()} == dict.fromkeys(
        NOT_CONTACT
    )


def test_contact_details_are_found_in_documents_of_another_language(tmp_path):
    office = (("Gîte", "Contact", "Vous pouvez nous joindre au 04 75 55 01 10 tous les jours de la semaine."),)
    index = index_of(tmp_path, *office, ("Gîte", "Lits", "Les draps sont fournis par nos soins."), language="fr")
    assert "04 75 55 01 10" in answer(index, "ما هو رقم الهاتف؟").text


@pytest.mark.parametrize("place", ["Getting here", "Where we are"])
def test_the_way_there_is_under_such_a_heading_or_where_the_address_is(place, tmp_path):
    way = ("Office", place, "We are at 3 Castle Yard, Exeter EX1 1PX. Buses 4 and 9 stop at the gate.")
    assert "Castle Yard" in answer(index_of(tmp_path, *OFFICE[2:], way), "How do we get to you?").text


@pytest.mark.parametrize("message", ["telephone", "contact details"])
def test_an_english_question_of_one_word_or_two_is_understood_where_the_documents_are_german(message, tmp_path):
    orders = ("Bäckerei", "Bestellung", "Bestellungen nehmen wir bis 15 Uhr an.")
    contact = ("Bäckerei", "Kontakt", "Telefon: 0661 / 123 45-0.")
    said = answer(index_of(tmp_path, orders, contact, language="de"), message)
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
