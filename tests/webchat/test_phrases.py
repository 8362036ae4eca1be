"""Messages that ask for a person, in each language, and similar ones that don't."""

import pytest
from django.conf import settings

from webchat.handover.phrases import asks_for_person

ASKS = {
    "en": [
        "can I speak to a human?", "I want to talk to a real person", "Talk to a person please",
        "let me chat with an agent", "agent", "Can someone call me?", "put me through to customer service",
        "Get me a human!", "I'd like to speak with somebody about my order", "Can I get a human?",
        "I need to talk to a manager", "Please connect me with support", "is there a real person here?",
        "I need a human being",
    ],
    "de": [
        "Kann ich mit einem Menschen sprechen?", "ich möchte mit einem Mitarbeiter reden",
        "Verbinden Sie mich bitte mit dem Kundendienst", "Mensch bitte", "Kann ich jemanden sprechen?",
        "Ich möchte einen echten Menschen sprechen", "Kann mich bitte jemand zurückrufen?",
        "Gibt es hier auch echte Menschen?", "Ich brauche einen Ansprechpartner", "Ist da ein Mensch?",
        "Rufen Sie mich bitte zurück", "Wie erreiche ich einen Mitarbeiter?",
    ],
    "fr": [
        "Je voudrais parler à une personne", "puis-je parler avec un conseiller ?", "parler à quelqu’un",
        "Parler au service client", "Passez-moi un humain", "Puis-je avoir un conseiller ?", "un vrai humain svp",
        "Je souhaite être mis en relation avec un conseiller", "contacter le service client",
        "Quelqu’un peut me rappeler ?", "Y a-t-il quelqu’un ?",
    ],
    "es": [
        "Quiero hablar con una persona", "¿Puedo hablar con un agente?", "necesito hablar con alguien",
        "¡Pásame con un agente!", "Páseme con un operador", "¿Me puede llamar alguien?", "¿Hay alguien ahí?",
    ],
    "it": [
        "Vorrei parlare con un operatore", "posso parlare con una persona reale?", "Mi passi un operatore",
        "Vorrei parlare con l’assistenza", "C'è un operatore?", "Mi può chiamare qualcuno?",
    ],
    "pt": [
        "Quero falar com um atendente", "posso falar com uma pessoa?", "Me passa para um humano",
        "Pode me transferir para um atendente?", "Falar com o suporte", "Alguém pode me ligar?",
    ],
    "nl": [
        "Ik wil met een medewerker praten", "kan ik praten met een mens", "Ik wil iemand spreken",
        "Kan ik een medewerker spreken?", "Medewerker alsjeblieft", "Kan iemand me bellen?",
        "Verbind me door met een medewerker",
    ],
    "pl": [
        "Chcę porozmawiać z człowiekiem", "połącz mnie z konsultantem", "Poproszę konsultanta",
        "Proszę o kontakt z konsultantem", "chcę porozmawiać z prawdziwą osobą", "Czy ktoś może do mnie zadzwonić?",
    ],
    "ar": ["أريد التحدث مع شخص", "هل يمكنني التحدث إلى موظف؟", "ممكن أكلم خدمة العملاء", "حولني لموظف"],
    "hi": [
        "क्या मैं किसी इंसान से बात कर सकता हूँ?",
        "एजेंट",
        "ग्राहक सेवा से बात करनी है",
        "मुझे एजेंट चाहिए",
        "mujhe kisi insaan se baat karni hai",
    ],
    "ja": [
        "人と話したいです",
        "オペレーターにつないでください",
        "担当者と話せますか？",
        "有人対応をお願いします",
        "担当の方を呼んでください",
    ],
    "zh-hans": [
        "转人工", "我想和真人说话", "人工客服", "请帮我转接客服", "有真人吗？", "我要人工", "我想联系客服",
        "可以跟人聊吗",
    ],
}  # fmt: skip
LOOKS_ALIKE = [
    "is the person on the phone insured?", "How do I talk to human resources?",
    "Is there a human resources department?", "Do you need a representative?", "What does a travel agent do?",
    "How many people fit in the van?", "Who is the contact person for returns?", "Can a person under 18 buy this?",
    "Does the price include an operator?", "I bought this for a person with small hands",
    "Is the real estate agent's fee included?", "How do I connect to the support page?",
    "Can I have people over in the evening?", "I want people to like my cat", "Where do I find the manager's address?",
    "Wer ist mein Ansprechpartner?", "Wie viele Menschen passen in den Bus?", "Braucht ein Mensch dafür ein Visum?",
    "Was kostet der Eintritt pro Person?", "Wann ist der Kundendienst offen?",
    "Kann man mit Menschen im Rollstuhl hinein?", "Welche Sprachen kann ein Mitarbeiter sprechen?",
    "Gibt es hier viele Menschen?", "Ist da ein Mensch auf dem Bild?", "Combien de personnes peuvent dormir ici ?",
    "Quel est le numéro du service client ?", "Puis-je venir avec une personne handicapée ?",
    "¿Cuántas personas caben?", "¿Puedo viajar con una persona mayor?", "¿A qué hora me puede llamar el repartidor?",
    "¿Es agente de viajes?", "Quante persone può ospitare?", "C'è un operatore turistico in zona?",
    "Mag ik iemand meenemen?", "Czy ktoś może do mnie przyjechać?", "मुझे कितने एजेंट चाहिए होंगे?",
    "Qual è l'operatore della linea?", "Posso viaggiare con una persona anziana?", "Quantas pessoas cabem?",
    "Posso ir com uma pessoa idosa?", "Tem alguém que fale inglês?", "Hoeveel personen passen erin?",
    "Welke talen kan een medewerker spreken in de winkel?", "Ile osób się zmieści?",
    "Czy mogę przyjechać z osobą niepełnosprawną?", "كم شخص يتسع؟", "ما مواعيد خدمة العملاء؟", "कितने लोग आ सकते हैं?",
    "एक व्यक्ति का किराया कितना है?", "何人まで泊まれますか？", "人と犬は一緒に入れますか？", "能坐几个人？",
    "人工智能是什么？", "我们可以和人工智能聊天吗？", "人工服务费是多少？", "", "a" * 200,
]  # fmt: skip


def test_every_language_of_the_page_has_phrases():
    assert set(ASKS) == {code for code, _ in settings.LANGUAGES}


@pytest.mark.parametrize("language", ASKS)
def test_a_message_that_asks_for_a_person_is_recognised(language):
    assert [message for message in ASKS[language] if not asks_for_person(message)] == []


def test_a_similar_message_is_left_to_the_bot():
    assert [message for message in LOOKS_ALIKE if asks_for_person(message)] == []
