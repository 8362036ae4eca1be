"""Messages that ask for a person, in each language, and similar ones that don't."""

import pytest
from django.conf import settings

from webchat.handover.phrases import LONGEST, asks_for_person

ASKS = {
    "en": [
        "can I speak to a human?",
        "I want to talk to a real person",
        "let me chat with an agent",
        "put me through to customer service",
        "I'd like to speak with somebody about my order",
        "I need to talk to a manager",
        "Please connect me with support",
        "Are there any real people here?",
        "Can you connect me to a live agent",
        "Could you put me in touch with a member of staff?",
    ],
    "de": [
        "Kann ich mit einem Menschen sprechen?",
        "ich möchte mit einem Mitarbeiter reden",
        "Verbinden Sie mich bitte mit dem Kundendienst",
        "Mensch bitte",
        "Kann ich mit einer echten Person chatten?",
        "Könnten Sie mich weiterleiten an einen Mitarbeiter?",
        "Kann ich mit eurem Support sprechen?",
        "Kann ich einen Kollegen von Ihnen sprechen?",
        "Kann ich bitte mit jemandem vom Team telefonieren?",
        "Ich möchte mit jemandem aus dem Support sprechen",
    ],
    "fr": [
        "Je voudrais parler à une personne",
        "puis-je parler avec un conseiller ?",
        "Passez-moi un humain",
        "un vrai humain svp",
        "Je souhaite être mis en relation avec un conseiller",
        "contacter le service client",
        "J'aimerais échanger avec un membre de l'équipe",
    ],
    "es": [
        "Quiero hablar con una persona",
        "Páseme con un operador",
        "¿Me puede atender una persona?",
        "Quiero hablar con el encargado",
        "¿Puedes pasarme con un agente?",
        "Quiero que me atienda una persona",
        "¿Puedo hablar con alguien de atención al cliente?",
    ],
    "it": [
        "Vorrei parlare con un operatore",
        "posso parlare con una persona reale?",
        "Mi passi un operatore",
        "Vorrei parlare con l’assistenza",
        "C'è un operatore?",
        "Mi metta in contatto con un consulente",
        "Puoi mettermi in contatto con una persona?",
    ],
    "pt": [
        "Quero falar com um atendente",
        "posso falar com uma pessoa?",
        "Me passa para um humano",
        "Pode me transferir para um atendente?",
        "Falar com o suporte",
        "Como falar com uma pessoa da equipe?",
        "Consigo ser atendido por uma pessoa?",
    ],
    "nl": [
        "kan ik praten met een mens",
        "Kan iemand me bellen?",
        "Verbind me door met een medewerker",
        "Mag ik een medewerker aan de lijn?",
        "Mens aub",
        "Is het mogelijk om met een medewerker te praten?",
        "Ik zou graag iemand willen spreken",
    ],
    "pl": [
        "połącz mnie z konsultantem",
        "Poproszę konsultanta",
        "Proszę o kontakt z konsultantem",
        "chcę porozmawiać z prawdziwą osobą",
        "Czy ktoś może do mnie zadzwonić?",
        "Jest tam ktoś?",
        "Chciałbym się skontaktować z konsultantem",
    ],
    "ar": [
        "أريد التحدث مع شخص",
        "هل يمكنني التحدث إلى موظف؟",
        "ممكن أكلم خدمة العملاء",
        "حولني لموظف",
        "ممكن أتكلم مع حد؟",
        "ابغى اكلم موظف",
        "بدي احكي مع حدا",
    ],
    "hi": [
        "ग्राहक सेवा से बात करनी है",
        "mujhe kisi insaan se baat karni hai",
        "हम किसी से बात करना चाहते हैं",
        "मेरी किसी इंसान से बात करवा दीजिए",
        "मेरी बात किसी व्यक्ति से कराइए",
        "कृपया मुझे एजेंट से बात करने दें",
        "मैं किसी असली इंसान से बात करना चाहती हूं",
    ],
    "ja": [
        "人と話したいです",
        "オペレーターにつないでください",
        "担当者と話せますか？",
        "有人対応をお願いします",
        "担当の方を呼んでください",
        "誰かいますか？",
        "人に代わって",
    ],
    "zh-hans": [
        "人工客服",
        "请帮我转接客服",
        "有真人吗？",
        "我要人工",
        "可以跟人聊吗",
        "为什么不能转人工？",
        "我想和真人聊天",
    ],
}

LOOKS_ALIKE = [
    "How do I talk to human resources?",
    "Is there a human resources department?",
    "Do you need a representative?",
    "Does the price include an operator?",
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
    "Was kostet ein Gespräch mit einem Berater?",
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
    "Mag je in de klas met iemand praten?",
    "Come faccio a parlare con una persona sorda?",
    "Perché devo parlare con un operatore per disdire?",
    "Jak rozmawiać z osobą niesłyszącą?",
    "Dlaczego muszę rozmawiać z konsultantem, żeby zrezygnować?",
    "Como falar com uma pessoa surda?",
    "बहरे व्यक्ति से बात कैसे करें?",
    "क्या मेरी बीमारी में किसी से बात हो सकती है?",
    "एजेंट से बात करने में कितना खर्च होता है?",
    "如何与人沟通",
    "转人工费用多少",
    "找客服要收费吗",
    "Pourquoi dois-je parler à un conseiller pour résilier ?",
    "友人と話したい",
    "",
]


def test_every_language_of_the_page_has_phrases():
    assert set(ASKS) == {code for code, _ in settings.LANGUAGES}


@pytest.mark.parametrize("language", ASKS)
def test_a_message_that_asks_for_a_person_is_recognised(language):
    assert [message for message in ASKS[language] if not asks_for_person(message)] == []


def test_a_similar_message_and_a_long_one_are_left_to_the_bot():
    assert [message for message in LOOKS_ALIKE if asks_for_person(message)] == []
    assert not asks_for_person("agent " + " " * LONGEST)
