"""Search by meaning in other languages than English: one encoder reads them all, whatever the visitor's is."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from docbot.answering.answers import PastExchange, answer, language_of
from docbot.answering.certainty import calibration
from docbot.answering.phrases import phrases
from docbot.retrieval import index
from docbot.retrieval.index import IndexedPassage, open_index
from docbot.retrieval.meaning import english, multilingual, vectors
from docbot.retrieval.meaning.encoders import encoders_for

STUDIOS = {
    "de": (
        ("Ermäßigung", "Auszubildende und Rentner zahlen gegen Vorlage ihres Ausweises die Hälfte."),
        ("Tiere", "Vierbeiner müssen leider draußen bleiben."),
        ("Stornierung", "Wer bis zum Vortag Bescheid gibt, erhält den vollen Betrag zurück."),
        ("Anfahrt", "Mit der Straßenbahn fahren Sie bis zur Haltestelle Lutherplatz."),
        ("Bewirtung", "Im Hof bekommen Sie Kaffee und belegte Brote."),
    ),
    "fr": (
        ("Tarif réduit", "Les étudiants et les retraités paient moitié prix sur présentation de leur carte."),
        ("Animaux", "Nos amis à quatre pattes restent malheureusement dehors."),
        ("Annulation", "Si vous nous prévenez la veille, vous êtes remboursé en totalité."),
        ("Accès", "Prenez le tram jusqu'à l'arrêt Hôtel de ville."),
        ("Restauration", "Du café et des sandwichs sont servis dans la cour."),
    ),
    "ja": (
        ("割引", "学生証をお持ちの方は半額です。"),
        ("動物", "ペットの同伴はご遠慮ください。"),
        ("取り消し", "前日までにご連絡いただければ全額を払い戻します。"),
        ("交通", "市電で市役所前までお越しください。"),
        ("飲食", "中庭でコーヒーとサンドイッチを用意しています。"),
    ),
}
OF_ENGLISH = (("Pets", "Pets have to stay outside."), ("Refunds", "Tell us the day before to get your money back."))


def build(folder: Path, sections: Sequence[tuple[str, str]], language: str, *, with_limits: bool = True) -> index.Index:
    """Build an index with vectors; its limits take a second, which a test that sets its own or asks for none saves."""
    found = [
        IndexedPassage(number, 1, "Studio", heading, text, language=language)
        for number, (heading, text) in enumerate(sections, start=1)
    ]
    index.build(folder, found)
    for encoder in encoders_for([language]):
        vectors.build(folder, found, encoder)
        if with_limits:
            calibration.calibrate(folder, f"{language} {found}", encoder.NAME)
    return open_index(folder)


@pytest.fixture(scope="module")
def studios(tmp_path_factory: pytest.TempPathFactory) -> dict[str, index.Index]:
    return {language: build(tmp_path_factory.mktemp("studio"), STUDIOS[language], language) for language in STUDIOS}


@pytest.fixture(params=STUDIOS)
def studio(request, studios: dict[str, index.Index]) -> index.Index:
    return studios[request.param]


@pytest.fixture(scope="module")
def english_one(tmp_path_factory: pytest.TempPathFactory) -> index.Index:
    return build(tmp_path_factory.mktemp("english"), OF_ENGLISH, "en")


ASKED = {
    "de": ("Krieg ich mein Geld zurück?", "den vollen Betrag"),
    "fr": ("Est-ce moins cher pour les élèves ?", "moitié prix"),
    "ja": ("犬を連れて行ってもいいですか", "ペット"),
}
COFFEE = {"de": "Kaffee", "fr": "café", "ja": "コーヒー"}
EVERYDAY = {
    "de": ("wie hoch ist der mount everest", "wer hat gestern das spiel gewonnen", "erzähl mir einen witz"),
    "fr": ("quelle est la hauteur de l'everest", "qui a gagné le match hier", "raconte-moi une blague"),
    "ja": ("エベレストの高さは", "昨日の試合はどっちが勝った", "冗談を言って"),
}


def test_a_question_in_other_words_is_answered_in_each_language_and_everyday_messages_are_refused(studio):
    language = studio.description.languages[0]
    question, told = ASKED[language]
    assert told in answer(studio, question).text
    assert answer(studio, question, by_meaning=False).certainty != "sure"
    for message in EVERYDAY[language]:
        assert answer(studio, message).certainty != "sure", message


def test_a_name_counts_beside_what_is_alike(tmp_path):
    article = Path(__file__).parents[1] / "bench/languages/ru/corpus/shahmaty.md"
    sections = tuple(("", text) for text in article.read_text(encoding="utf-8").split("\n\n")[1:])
    chess = build(tmp_path, sections, "ru", with_limits=False)
    assert "27 лет" in answer(chess, "Сколько времени Ласкер оставался чемпионом?", sure=0.1).text


def test_a_follow_up_in_a_script_without_spaces_is_read_with_what_was_said_before(studios):
    assert "前日まで" in answer(studios["ja"], "いつまでに？", [PastExchange("キャンセルできますか？")]).text


def test_english_documents_answer_visitors_who_write_in_another_language_but_no_everyday_messages(english_one):
    for message in ("Darf ich meinen Hund mitbringen?", "Puis-je venir avec mon chien ?", "犬を連れて行けますか"):
        assert "Pets have to stay outside." in answer(english_one, message).text
        assert answer(english_one, message, by_meaning=False).certainty != "sure"
    assert [answer(english_one, message).certainty for message in EVERYDAY["de"]] == ["unknown"] * 3


def test_what_documents_share_with_everyday_messages_in_their_language_is_not_needed_in_another(tmp_path):
    corpus = Path(__file__).parents[1] / "bench/languages/es-business/corpus"
    texts = [file.read_text(encoding="utf-8") for file in sorted(corpus.glob("*.md"))]
    sections = [tuple(section.split("\n", 1)) for text in texts for section in text.split("\n## ")[1:]]
    school = build(tmp_path, sections, "es")
    assert "seis alumnos" in answer(school, "how many people are in a group").text
    assert "sure" not in [answer(school, message).certainty for message in EVERYDAY["de"] + EVERYDAY["fr"]]


def test_a_visitor_who_writes_in_another_language_gets_the_section_and_is_told_of_its_language(studio):
    coffee = COFFEE[studio.description.languages[0]]
    reply = answer(studio, "Is there coffee?")
    assert reply.text.startswith("My documents say this in another language:")
    assert coffee in reply.text
    assert coffee in answer(studio, "هل هناك قهوة؟").text
    assert answer(studio, "احك لي نكتة").certainty == "unknown"


def test_a_message_in_another_language_is_read_with_its_function_words(tmp_path):
    sections = (
        ("Who sees the data?", "Nobody but you."),
        ("Where is it stored?", "In one folder."),
        ("How long is it kept?", "For a year."),
        ("Which time zone is it?", "That of the site."),
    )
    data = build(tmp_path, sections, "en")
    assert "For a year." in answer(data, "Wie lange bleibt das da?").text
    assert "Nobody but you." in answer(data, "Wer kann das sehen?").text


def test_a_table_in_another_language_is_announced_like_a_sentence(tmp_path):
    prices = "Fahrrad: Citybike; Ganzer Tag: 15 €\nFahrrad: E-Bike; Ganzer Tag: 36 €"
    rental = build(tmp_path, (("Leihräder", prices), *STUDIOS["de"]), "de", with_limits=False)
    reply = answer(rental, "How much does it cost to rent an E-Bike for a day?", sure=0.1)
    assert reply.text.startswith("My documents say this in another language:\n\nE-Bike – Ganzer Tag: 36 €")


COURSES = """Course: French beginners; Starts: 2027-01-19; Days: Tuesday
Course: Spanish beginners; Starts: 2027-01-20; Days: Wednesday
Course: Japanese weekend; Starts: 2027-03-06; Days: Saturday"""


@pytest.mark.parametrize("message", ["¿Cuándo empieza el curso de francés?", "wann beginnt der französischkurs"])
def test_of_a_table_in_another_language_the_rows_that_mean_the_same_are_quoted(tmp_path, message):
    school = build(tmp_path, (("Courses", COURSES), *OF_ENGLISH), "en", with_limits=False)
    quoted = answer(school, message, sure=0.01).text.partition("\n\n")[2]
    assert quoted.startswith("French beginners – Starts: 2027-01-19, Days: Tuesday\n")


def test_the_language_of_a_short_message_shows_in_its_letters_or_in_the_conversation(english_one):
    assert language_of(english_one, "Gdzie mogę zaparkować?", []) == "pl"
    earlier = [PastExchange("Darf mein Hund mit rein?"), PastExchange("?")]
    assert answer(english_one, "danke", earlier).text == phrases("de").welcome
    assert answer(english_one, "danke", [*earlier, *[PastExchange("?")] * 5]).text == phrases("en").welcome
    assert answer(english_one, "danke, is that all?", earlier).text.startswith(phrases("en").unknown)


@pytest.mark.parametrize(
    ("documents", "message", "earlier", "language"),
    [
        ("de", "Are dogs allowed?", "", "en"),
        ("de", "Do I need to book?", "", "en"),
        ("de", "am 4. september", "", "de"),
        ("de", "sale", "", "de"),  # "his" in Romanian
        ("en", "van hire", "", "en"),
        ("en", "son age", "", "en"),
        ("de", "posso pagare con paypal", "", "it"),
        ("ja", "取消料金", "", "ja"),
        ("ja", "您的取消政策", "", "zh"),
        ("en", "What about pets?", "Darf ich meinen Hund mitbringen?", "en"),
        ("en", "Do you refund me?", "Darf ich meinen Hund mitbringen?", "de"),  # a heading: perhaps its button
        ("en", "Do you refund me?", "", "en"),
    ],
)
def test_the_reply_is_in_the_language_of_short_messages_but_not_in_that_of_a_button(
    tmp_path, studios, documents, message, earlier, language
):
    refunds = (("Do you refund me?", "Tell us the day before."),)
    asked = studios.get(documents) or build(tmp_path, refunds, documents, with_limits=False)
    assert language_of(asked, message, [earlier] if earlier else []) == language


def test_sentences_with_the_same_meaning_have_similar_vectors_in_all_languages():
    same = ["Where can I park?", "Wo kann ich mein Auto abstellen?", "¿Dónde puedo aparcar?", "Где припарковаться?"]
    found = multilingual.encode([*same, "The weather in Peru", ""])
    likeness = found @ found.T
    assert likeness[0, 1:4].min() > 0.5
    assert np.abs(likeness[0:4, 4]).max() < 0.2
    assert np.allclose(np.diag(likeness), 1, atol=1e-5)
    assert np.allclose(multilingual.encode([same[0]]), found[0], atol=1e-5)  # alone and among longer ones


def test_there_are_everyday_messages_in_every_language_that_an_encoder_knows():
    for language in (english.LANGUAGES | multilingual.LANGUAGES) - {""}:
        written = calibration._messages((language,), "english" if language == "en" else "multilingual")["limit"]
        assert (len(set(written)), {spoken for _message, spoken in written}) == (165, {language})


def test_threads_that_encode_for_the_first_time_at_once_share_one_copy_of_the_weights():
    multilingual._loaded.cache_clear()
    with ThreadPoolExecutor(4) as threads:
        copies = [threads.submit(multilingual._weights) for _ in range(4)]
    assert len({id(copy.result()) for copy in copies}) == 1
