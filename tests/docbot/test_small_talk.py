"""Small talk in the page's languages, and similar messages that are questions."""

import pytest

from docbot.answering.smalltalk import small_talk

SAID = {
    "hello": (
        "Hallo zusammen!",
        "Wie geht's?",
        "¡Hola, buen día!",
        "Oi, como vai?",
    ),
    "thanks": (
        "Herzlichen Dank",
        "Merci pour votre aide !",
        "thanks thats great",
        "That was really helpful, thank you!",
        "Danke, das hat mir sehr geholfen",
        "Merci, c'est parfait",
        "Très utile, merci",
        "Gracias, eso es todo",
        "Está ótimo, obrigada",
        "Grazie, va bene",
        "Bedankt, dat is duidelijk",
        "Dzięki, to wszystko",
        "هذا رائع",
        "شكرًا على المساعدة",
        "यह बहुत अच्छा है",
        "मदद के लिए बहुत धन्यवाद",
        "参考になりました",
    ),
    "goodbye": (
        "Schönen Tag noch!",
        "Bonne journée",
    ),
    "human": (
        "can I speak to a human, please?",
        "Kann ich mit einem Menschen sprechen?",
        "Können Sie mich bitte mit einer Mitarbeiterin verbinden?",
        "Ich brauche einen Menschen",
        "Je voudrais parler à un conseiller",
        "Mettez-moi en relation avec un conseiller",
        "Pourriez-vous me passer un conseiller ?",
        "¿Puedo hablar con una persona?",
        "Páseme con un agente, por favor",
        "Quiero que me atienda una persona",
        "Quero falar com um atendente",
        "Pode me transferir para uma pessoa?",
        "Vorrei parlare con un operatore",
        "Kan ik een medewerker spreken?",
        "Ik wil met iemand praten",
        "Chcę rozmawiać z człowiekiem",
        "أريد التحدث مع شخص",
        "ممكن أكلم موظف من فضلك",
        "मुझे किसी इंसान से बात करनी है",
        "人間と話したいです",
        "我要转人工客服",
        "请帮我联系客服",
        "Połącz mnie z konsultantem",
        "オペレーターにつないでください",
    ),
    "about_me": (
        "are you a robot?",
        "Am I talking to a real person?",
        "what can you do",
        "Êtes-vous un robot ?",
        "¿Eres un robot?",
        "Você é um robô?",
        "Sei un robot?",
        "Ben je een robot?",
        "Czy jesteś robotem?",
        "هل أنت روبوت؟",
        "هل أتحدث مع إنسان؟",
        "क्या आप रोबोट हैं?",
        "क्या मैं किसी इंसान से बात कर रही हूँ?",
        "あなたはロボットですか",
        "你是机器人吗",
        "r u a bot",
        "is this a chatbot or a human?",
        "Spreche ich mit einer echten Person?",
        "Est-ce que je parle à un humain ?",
        "¿Estoy hablando con una persona real?",
        "Estou falando com um robô?",
        "Sto parlando con una persona vera?",
        "Praat ik met een mens?",
        "Czy rozmawiam z człowiekiem?",
    ),
    "anger": (
        "you are useless",
        "Du bist echt nutzlos",
        "Vous êtes nul",
        "Eres inútil",
        "Você é burro",
        "Sei stupido",
        "Je bent waardeloos",
        "Jesteś głupi",
        "أنت غبي",
        "तुम बेकार हो",
        "役に立たない",
        "你真没用",
        "you're not helping at all",
        "your software sucks",
        "Ça ne m'aide pas",
        "Vous ne servez à rien",
        "Esto no sirve",
        "Eso no es lo que pregunté",
        "Isto não ajuda",
        "Non mi aiuti",
        "Dit helpt niet",
        "To nie pomaga",
        "هذا غير مفيد",
        "यह बेकार है",
    ),
}


@pytest.mark.parametrize("kind", SAID)
def test_small_talk_is_recognised(kind):
    assert {message: small_talk(message) for message in SAID[kind]} == dict.fromkeys(SAID[kind], (kind, ""))


@pytest.mark.parametrize("message", ["buenos dias", "¡Hola, qué tal!", "tschuss", "dziekuje", "You are no help at all"])
def test_small_talk_is_recognised_without_accents_and_with_more_words(message):
    assert small_talk(message)[0]


@pytest.mark.parametrize(
    "message",
    ["You are useless, can I speak to a human?", "My parcel is broken. Kann ich mit jemandem sprechen?"],
)
def test_a_wish_for_a_person_counts_whatever_else_is_said(message):
    assert small_talk(message) == ("human", "")


@pytest.mark.parametrize(
    "message",
    [
        "is the robot vacuum waterproof?",
        "are you a robot dealer?",
        "can I talk to a person about my order at your shop in Leeds?",
        "what can you do about a broken screen?",
        "is a person needed for the installation?",
        "Ist das nutzlos ohne Akku?",
        "Kann ich mit einem Gutschein bezahlen?",
        "Can I speak to a human resources manager?",
        "what do you know about error E5?",
        "is it a robot?",
        "is that all?",
        "Your invoice is wrong",
        "that is great for children",
        "¿Es útil?",
        "Ça marche avec un iPhone ?",
        "Necesito ayuda con mi pedido",
        "please can you help me with it",
        "Que no sirve con esto?",
        "Mit wem spreche ich bei einer Reklamation?",
        "Puedo hablar con el robot por voz?",
        "C'è un operatore turistico?",
        "Kan ik met iemand anders komen praten over een huurfiets?",
        "Kontakt z serwisem",
        "机器人多少钱",
    ],
)
def test_a_message_that_only_resembles_small_talk_is_a_question(message):
    assert small_talk(message)[0] is None
