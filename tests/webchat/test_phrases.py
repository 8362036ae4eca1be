"""Which messages ask for a person, in each language, beside those that look alike and don't."""

import pytest
from django.conf import settings

from webchat.handover.phrases import asks_for_person

ASKS = {
    "en": [
        "can I speak to a human?",
        "I want to talk to a real person",
        "Talk to a person please",
        "let me chat with an agent",
        "agent",
        "Can someone call me?",
        "put me through to customer service",
        "Get me a human!",
        "I'd like to speak with somebody about my order",
    ],
    "de": [
        "Kann ich mit einem Menschen sprechen?",
        "ich möchte mit einem Mitarbeiter reden",
        "Verbinden Sie mich mit dem Kundendienst".replace("dem ", ""),
        "Mensch bitte",
    ],
    "fr": ["Je voudrais parler à une personne", "puis-je parler avec un conseiller ?", "parler à quelqu’un"],
    "es": ["Quiero hablar con una persona", "¿Puedo hablar con un agente?", "necesito hablar con alguien"],
    "it": ["Vorrei parlare con un operatore", "posso parlare con una persona reale?"],
    "pt": ["Quero falar com um atendente", "posso falar com uma pessoa?"],
    "nl": [
        "Ik wil met een medewerker praten",
        "kan ik iemand spreken met een mens".replace("iemand spreken", "praten"),
    ],
    "pl": ["Chcę porozmawiać z człowiekiem", "połącz mnie z konsultantem"],
    "ar": ["أريد التحدث مع شخص", "هل يمكنني التحدث إلى موظف؟"],
    "hi": ["क्या मैं किसी इंसान से बात कर सकता हूँ?", "एजेंट"],
    "ja": ["人と話したいです", "オペレーターにつないでください", "担当者と話せますか？"],
    "zh-hans": ["转人工", "我想和真人说话", "人工客服"],
}
LOOKS_ALIKE = [
    "is the person on the phone insured?",
    "How do I talk to human resources?",
    "What does a travel agent do?",
    "How many people fit in the van?",
    "Who is the contact person for returns?",
    "Can a person under 18 buy this?",
    "Does the price include an operator?",
    "I bought this for a person with small hands",
    "Is the real estate agent's fee included?",
    "Wie viele Menschen passen in den Bus?",
    "Braucht ein Mensch dafür ein Visum?",
    "Was kostet der Eintritt pro Person?",
    "Wann ist der Kundendienst offen?",
    "Combien de personnes peuvent dormir ici ?",
    "Quel est le numéro du service client ?",
    "¿Cuántas personas caben?",
    "¿Es agente de viajes?",
    "Quante persone può ospitare?",
    "Qual è l'operatore della linea?",
    "Quantas pessoas cabem?",
    "Hoeveel personen passen erin?",
    "Ile osób się zmieści?",
    "كم شخص يتسع؟",
    "कितने लोग आ सकते हैं?",
    "何人まで泊まれますか？",
    "能坐几个人？",
    "",
    "a" * 200,
]


def test_every_language_of_the_page_has_phrases():
    assert set(ASKS) == {code for code, _ in settings.LANGUAGES}


@pytest.mark.parametrize("message", [each for messages in ASKS.values() for each in messages])
def test_a_message_that_asks_for_a_person_is_recognised(message):
    assert asks_for_person(message)


@pytest.mark.parametrize("message", LOOKS_ALIKE)
def test_a_similar_message_is_left_to_the_bot(message):
    assert not asks_for_person(message)
