"""Messages that ask for a person, in each language, and similar ones that don't."""

import pytest
from django.conf import settings

from webchat.handover.phrases import LONGEST, asks_for_person

# Between bars.
ASKS = {
    "en": """
        can I speak to a human? | I want to talk to a real person | let me chat with an agent |
        I'd like to speak with somebody about my order | Please connect me with support |
        Are there any real people here? | Can you connect me to a live agent
    """,
    "de": """
        Kann ich mit einem Menschen sprechen? | Verbinden Sie mich bitte mit dem Kundendienst |
        Kann ich mit einer echten Person chatten? | Könnten Sie mich weiterleiten an einen Mitarbeiter? |
        Kann ich mit eurem Support sprechen? | Kann ich einen Kollegen von Ihnen sprechen? |
        Ich möchte mit jemandem aus dem Support sprechen
    """,
    "fr": """
        Je voudrais parler à une personne | puis-je parler avec un conseiller ? | un vrai humain svp |
        contacter le service client
    """,
    "es": """
        Quiero hablar con una persona | Páseme con un operador | ¿Puedes pasarme con un agente? |
        ¿Puedo hablar con alguien de atención al cliente?
    """,
    "it": """
        Vorrei parlare con un operatore | posso parlare con una persona reale? |
        Mi metta in contatto con un consulente | Puoi mettermi in contatto con una persona?
    """,
    "pt": """
        Me passa para um humano | Pode me transferir para um atendente? | Falar com o suporte |
        Como falar com uma pessoa da equipe?
    """,
    "nl": """
        kan ik praten met een mens | Mag ik een medewerker aan de lijn? | Mens aub |
        Ik zou graag iemand willen spreken
    """,
    "pl": """
        połącz mnie z konsultantem | Proszę o kontakt z konsultantem | chcę porozmawiać z prawdziwą osobą |
        Chciałbym się skontaktować z konsultantem
    """,
    "ar": "أريد التحدث مع شخص | هل يمكنني التحدث إلى موظف؟ | ممكن أكلم خدمة العملاء | بدي احكي مع حدا",
    "hi": """
        mujhe kisi insaan se baat karni hai | हम किसी से बात करना चाहते हैं | मेरी बात किसी व्यक्ति से कराइए |
        मैं किसी असली इंसान से बात करना चाहती हूं
    """,
    "ja": "人と話したいです | オペレーターにつないでください | 担当者と話せますか？ | 有人対応をお願いします",
    "zh-hans": "请帮我转接客服 | 可以跟人聊吗 | 为什么不能转人工？ | 我想和真人聊天",
}
LOOKS_ALIKE = """
    How do I talk to human resources? | Do you need a representative? | Is anybody there on Sundays? |
    Wer ist mein Ansprechpartner? | Welche Sprachen kann ein Mitarbeiter sprechen? |
    Ist da ein Mensch auf dem Bild? | Quel est le numéro du service client ? |
    C'è un operatore turistico in zona? | ما مواعيد خدمة العملاء؟ | 人工智能是什么？ |
    Peut-on parler à quelqu'un au téléphone en conduisant ? |
    Combien de personnes peuvent parler à un agent ? |
    ¿Se puede hablar con alguien por teléfono mientras se conduce? |
    ¿Cuántas personas pueden hablar con un agente? | كيف أتحدث مع شخص أصم؟ | ابني لا يريد التحدث مع أحد |
    オウムは人と話せますか | 担当者は誰ですか | Are agents paid to talk to someone? |
    Posso falar com alguém enquanto dirijo? |
    Mag je tijdens het rijden met iemand praten? | 开车时可以和人聊天吗 | Come faccio a parlare con una persona sorda? |
    Perché devo parlare con un operatore per disdire? | Jak rozmawiać z osobą niesłyszącą? |
    Dlaczego muszę rozmawiać z konsultantem, żeby zrezygnować? | बहरे व्यक्ति से बात कैसे करें? |
    एजेंट से बात करने में कितना खर्च होता है? | 转人工费用多少
"""


def messages(text: str) -> list[str]:
    return [" ".join(each.split()) for each in text.split("|")]


def test_every_language_of_the_page_has_phrases():
    assert set(ASKS) == {code for code, _ in settings.LANGUAGES}


@pytest.mark.parametrize("language", ASKS)
def test_a_message_that_asks_for_a_person_is_recognised(language):
    assert [each for each in messages(ASKS[language]) if not asks_for_person(each)] == []


def test_a_similar_message_and_a_long_one_are_left_to_the_bot():
    assert [each for each in messages(LOOKS_ALIKE) if asks_for_person(each)] == []
    assert not asks_for_person("agent " + " " * LONGEST)
