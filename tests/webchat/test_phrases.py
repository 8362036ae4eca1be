"""Messages that ask for a person, in each language, and similar ones that don't."""

import pytest
from django.conf import settings

from tests.webchat.requests_for_a_person import ASKS
from webchat.handover.phrases import asks_for_person

# Each is one word or one ending away from a request.
LOOKS_ALIKE = [
    "How do I talk to human resources?",
    "Is there a human resources department?",
    "Do you need a representative?",
    "Is anybody there on Sundays?",
    "Wer ist mein Ansprechpartner?",
    "Welche Sprachen kann ein Mitarbeiter sprechen?",
    "Ist da ein Mensch auf dem Bild?",
    "Quel est le numéro du service client ?",
    "C'è un operatore turistico in zona?",
    "ما مواعيد خدمة العملاء؟",
    "人工智能是什么？",
    "人工服务费是多少？",
    "Ab wann können Kinder mit Menschen sprechen?",
    "Mit wie vielen Personen kann ich chatten?",
    "Was kostet ein Gespräch mit einem Berater?",
    "Wo kann ich mit Menschen aus aller Welt chatten?",
    "Peut-on parler à quelqu'un au téléphone en conduisant ?",
    "Combien de personnes peuvent parler à un agent ?",
    "Comment parler à quelqu'un qui est en deuil ?",
    "Comment devenir conseiller ?",
    "¿Se puede hablar con alguien por teléfono mientras se conduce?",
    "¿Cuántas personas pueden hablar con un agente?",
    "¿Los loros pueden hablar con una persona?",
    "كيف أتحدث مع شخص أصم؟",
    "هل من الممكن التحدث مع موظف قبل الشراء لمعرفة المقاس؟",
    "ابني لا يريد التحدث مع أحد",
    "オウムは人と話せますか",
    "担当者は誰ですか",
    "Are agents paid to talk to someone?",
    "Can children talk to someone about bullying at your school?",
    "Wird mein Hund lernen, mit einem Menschen zu sprechen?",
    "Posso falar com alguém enquanto dirijo?",
    "Mag je tijdens het rijden met iemand praten?",
    "开车时可以和人聊天吗",
    "",
    "a" * 200,
    "Mag je in de klas met iemand praten?",
    "Come faccio a parlare con una persona sorda?",
    "Perché devo parlare con un operatore per disdire?",
    "Jak rozmawiać z osobą niesłyszącą?",
    "Dlaczego muszę rozmawiać z konsultantem, żeby zrezygnować?",
    "Como falar com uma pessoa surda?",
    "बहरे व्यक्ति से बात कैसे करें?",
    "क्या मेरी बीमारी में किसी से बात हो सकती है?",
    "एजेंट से बात करने में कितना खर्च होता है?",
    "转人工费用多少",
    "找客服要收费吗",
    "图书馆里能和人说话吗",
    "Pourquoi dois-je parler à un conseiller pour résilier ?",
]


def test_every_language_of_the_page_has_phrases():
    assert set(ASKS) == {code for code, _ in settings.LANGUAGES}


@pytest.mark.parametrize("language", ASKS)
def test_a_message_that_asks_for_a_person_is_recognised(language):
    assert [message for message in ASKS[language] if not asks_for_person(message)] == []


def test_a_similar_message_is_left_to_the_bot():
    assert [message for message in LOOKS_ALIKE if asks_for_person(message)] == []
