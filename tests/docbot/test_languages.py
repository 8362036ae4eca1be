"""Questions in languages whose words have several spellings or no spaces between them."""

from pathlib import Path

import pytest

from docbot.answering.answers import PastExchange, answer
from docbot.retrieval import languages
from docbot.retrieval.index import Index
from docbot.retrieval.questions import read
from tests.docbot.conftest import index_of

DOCUMENTS = {
    "ar": {
        "المكتبة": "تقع المكتبة العامة في شارع النخيل، وتضم ١٢٠٠ كتاب. وافتُتحت أبوابها سنة ١٩٦٣.",
        "المتحف": "يعرض المتحف مجموعة من الأواني الخزفية. وكُتبت عن زخارفها دراسات كثيرة.",
        "المسبح": "يفتح المسبح صباحًا، ومياهه دافئة في الشتاء. ويُمنع الأطفال من دخوله دون مرافق.",
    },
    "hi": {
        "पुस्तकालय": "पुस्तकालय में १,२०० किताबें हैं। हिन्दी की पत्रिकाएँ दूसरी मंज़िल पर रखी हैं।",
        "बाज़ार": "बाज़ार रविवार को बन्द रहता है। वहाँ ताज़ी सब्ज़ियाँ और फल बिकते हैं।",
        "बगीचा": "बगीचे में चाँदनी के फूल खिलते हैं। उसके माली का घर तालाब के पास है।",
    },
    "zh": {
        "图书馆": "图书馆藏书１２００册，周末照常开放。读者凭证件可以借五本书。",
        "市场": "市场每天清晨出售新鲜蔬菜。卖鱼的摊位在东门旁边。",
        "花园": "花园里种着两百棵樱桃树，春天游客最多。园丁住在湖边的小屋。",
    },
}


def index_in(language: str, folder: Path) -> Index:
    passages = ((title, "", text) for title, text in DOCUMENTS[language].items())
    return index_of(folder, *passages, language=language)


@pytest.mark.parametrize(
    ("language", "message", "quoted"),
    [
        ("ar", "متى افتتحت المكتبه؟", "١٩٦٣"),  # an ending that many spell differently; "and" before the verb
        ("ar", "كم كتابًا في مكتبة شارع النخيل؟", "١٢٠٠"),  # without the article
        ("ar", "ما هي الدراسات التي كتبت عن زخارف الأوانى؟", "الخزفية"),
        ("ar", "هل يدخل أطفال إلى مسبح؟", "مرافق"),
        ("ar", "كم كتبًا توجد في مكتبات الشارع؟", "١٢٠٠"),  # a plural, and one formed inside the word
        ("hi", "हिंदी पत्रिकाएं किस मंजिल पर हैं?", "दूसरी मंज़िल"),
        ("hi", "बाजार कब बंद रहता है?", "रविवार"),
        ("hi", "चांदनी के फूल कहाँ खिलते हैं?", "बगीचे"),
        ("hi", "1200 किताबें कहाँ हैं?", "पुस्तकालय"),
        ("zh", "1200册书在哪里？", "图书馆"),
        ("zh", "樱桃树有多少棵？", "两百棵"),
        ("zh", "卖鱼的在哪边？", "东门"),
        ("zh", "读者能借几本书？", "五本"),
    ],
)
def test_other_spellings_and_joined_words_are_understood(tmp_path, language, message, quoted):
    said = answer(index_in(language, tmp_path), message)
    assert (said.certainty, quoted in said.text) == ("sure", True), said.text


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("ar", "من هو رئيس البرازيل؟"),
        ("hi", "मुझे क्या करना चाहिए?"),
        ("zh", "怎么修理自行车？"),
    ],
)
def test_a_question_that_shares_only_function_words_is_not_known(tmp_path, language, message):
    assert answer(index_in(language, tmp_path), message).certainty != "sure"


PRICES = "\n".join(
    f"Bike: {bike}; Half day (€): {price}; Frame sizes: {sizes}; In stock: {price}"
    for price, (bike, sizes) in enumerate(
        {"City bike Tejo": "S, M, L", "E-bike Alfama": "M, L", "Road bike Sintra": "S, M, L, XL"}.items(), start=12
    )
)


DETECTED = {
    PRICES: "",
    PRICES * 20: "",
    "S, M, L, XL": "",
    "The road bike is in stock in S, M and L, and you get it at once.": "en",
    "Children's canoe, 20 l, 5 m; sit on top; men's paddle, on the water, 30 m; on stock, 4 m, 9 l. " * 3: "",
    "J'ai vu l'homme qui m'a parlé de toi.": "fr",
    "Wo ist S. M. Müller, und was sagt er dazu?": "de",
    "A week in spring.": "",  # "week" and "in" are Dutch, too
}


def test_the_language_of_a_text_is_detected_and_a_price_list_has_none():
    assert {text: languages.detect(text) for text in DETECTED} == DETECTED


SHORT = {
    "Wie lange dauert die Testphase?": "de",
    "wie is de baas": "nl",
    "posso pagare con paypal": "it",
    "posso pagar com paypal": "pt",
    "ile kosztuje plan": "pl",
    "paypal ile ödeyebilir miyim": "tr",
    "r u open on boxing day?": "en",
}


def test_of_languages_that_share_the_function_words_of_a_short_question_its_letters_tell_which():
    assert {text: languages.detect(text, is_message=True) for text in SHORT} == SHORT


@pytest.mark.parametrize(
    ("language", "text", "searched"),
    [
        ("en", "The shop prints any text on a mug.", {"test": False, "shipping": False, "priints": True}),
        ("de", "Wir kommen weiter als zehn Meilen mit dem Werkzeug.", {"wetter": False, "werkzueg": True}),
    ],
)
def test_a_word_missing_from_the_documents_is_not_mistaken_for_another(tmp_path, language, text, searched):
    shop = index_of(tmp_path, ("Shop", "", text), language=language)
    assert {word: read(shop, word, language).words[0].corrected for word in searched} == searched


@pytest.mark.parametrize(
    ("asked", "joined"), [("How do I back up?", "How do I backup?"), ("do it like that", ""), ("I set up my page", "")]
)
def test_two_words_are_also_the_one_that_documents_make_of_them(tmp_path, asked, joined):
    site = index_of(
        tmp_path,
        ("Site", "Making a backup", "It copies the data into an archive."),
        ("Site", "Taking it back", "Press the arrow and come back."),
        ("Site", "How to look", "Like that, with the do-it-yourself kit."),
        *(("Site", "Setting", f"You set page {number} of yours; set it well, then look up.") for number in range(5)),
        ("Site", "Commands", "The command setup prints a link."),
    )
    question = read(site, asked, "en")
    assert ("backup" in question.weights(), question.corrected) == (bool(joined), joined or asked)


def test_in_german_a_day_of_a_month_stays_in_its_sentence_and_a_short_word_is_no_typing_error(tmp_path):
    pool = index_of(
        tmp_path,
        ("Bad", "Hallenbad", "Das Hallenbad hat eine Rutsche. Legen Sie bitte eine Parkscheibe aus."),
        ("Bad", "Freibad", "Das Freibad ist vom 15. Mai bis zum 15. September geöffnet."),
        language="de",
    )
    assert answer(pool, "Wann ist das Freibad offen?").text.startswith(
        "Das Freibad ist vom 15. Mai bis zum 15. September"
    )
    assert "Parkscheibe" not in answer(pool, "Wann ist es leer?").text
    assert answer(pool, "hallo").text == "Hallo! Was möchten Sie wissen?"


def test_in_german_to_have_on_means_to_be_open(tmp_path):
    driving = "Nach zehn Stunden auf einem Schaltwagen dürfen Sie auch diesen fahren."
    hours = ("Schule", "Bürozeiten", "Montag bis Freitag von 15 bis 19 Uhr. Samstags ist geschlossen.")
    school = index_of(tmp_path, hours, ("Schule", "Automatik", driving), language="de")
    for message in ("Wann habt ihr auf?", "Habt ihr samstags zu?"):
        assert "geschlossen" in answer(school, message).text


DAYS = "Día: Jueves; Mañana: 9:30; Tarde: 21:00\nDía: Viernes; Mañana: 9:00; Tarde: 15:00"
STAFF = "Nombre: Inés; Días: jueves; Idiomas: inglés\nNombre: Lucía; Días: martes y jueves; Idiomas: francés"
BRACES = "Aparato: Brackets; Duración: 24 meses; Edad: 11 años\nAparato: Alineadores; Duración: 18 meses; Edad: 16 años"
CLINIC = (
    ("Horario y equipo", "Horario", DAYS),
    ("Horario y equipo", "Equipo", STAFF),
    ("Ortodoncia", "", BRACES),
    ("Pagos", "", "Aceptamos tarjeta y efectivo. Para financiar el tratamiento necesitamos una nómina."),
)


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("¿Hasta qué hora están el jueves?", "Jueves – Mañana: 9:30, Tarde: 21:00"),
        ("Cual es el aparato mas rapido?", "Alineadores – Duración: 18 meses"),
        ("hablan frances?", "Lucía – Idiomas: francés"),
        ("y a plazos?", "Aceptamos tarjeta y efectivo. Para financiar"),
    ],
)
def test_spanish_is_understood_without_accents_and_in_other_words(tmp_path, message, begins):
    clinic = index_of(tmp_path, *CLINIC, language="es")
    assert answer(clinic, message, sure=0.3).text.startswith(begins)


def test_a_follow_up_of_function_words_is_about_what_was_asked_before(tmp_path):
    times = ("Halle", "Zeiten", "An Feiertagen ist die Halle zu. Wann es wieder losgeht, steht am Tor.")
    hall = index_of(tmp_path, times, ("Halle", "Sauna", "Die Sauna im Keller öffnet dienstags um vier."), language="de")
    assert "dienstags" in answer(hall, "Und wann ist das?", [PastExchange("Gibt es eine Sauna?")], sure=0.1).text


def test_inside_a_conversation_another_subject_is_not_known(tmp_path):
    library = index_of(
        tmp_path,
        ("Ausweis", "Anmelden", "Bringen Sie den Pass mit. Kinder brauchen eine Unterschrift."),
        ("Angebote", "Drucken", "Ein Ausdruck kostet 10 Cent. Scannen auf einen Stick ist frei."),
        ("Angebote", "Essen", "Das Lesecafé ist der beste Ort für Kaffee. Essen ist dort erlaubt."),
        language="de",
    )
    history = [PastExchange(first := "Was kostet ein Ausdruck?", answer(library, first).sources)]
    assert answer(library, "Was ist der Sinn des Lebens?", history).certainty == "unknown"
    assert answer(library, "Und Scannen?", history).certainty == "sure"
