"""Small talk in the page's languages, and similar messages that are questions."""

import pytest

from docbot.answering.smalltalk import small_talk

SAID = {
    "hello": (
        "Hallo zusammen!",
        "Wie geht's?",
        "Bonjour madame",
        "¡Hola, buen día!",
        "Oi, como vai?",
        "please",
        "Bitte!",
    ),
    "thanks": (
        "Herzlichen Dank",
        "Merci pour votre aide !",
        "Muchísimas gracias",
        "Obrigada pela ajuda",
        "Valeu!",
        "thanks thats great",
        "That was really helpful, thank you!",
        "Danke, das hat mir sehr geholfen",
        "Merci, c'est parfait",
        "Gracias, eso es todo",
        "Está ótimo, obrigada",
        "Grazie, va bene",
        "Bedankt, dat is duidelijk",
        "Dzięki, to wszystko",
        "هذا رائع",
        "यह बहुत अच्छा है",
        "参考になりました",
        "太好了",
    ),
    "goodbye": ("Schönen Tag noch!", "Bonne journée", "¡Hasta mañana!", "Até mais", "Tenha um bom dia!"),
    "human": (
        "can I speak to a human, please?",
        "I want to talk to a real person",
        "id like to talk to a real person please",
        "let me talk to someone please",
        "Kann ich mit einem Menschen sprechen?",
        "Kann ich mit jemandem sprechen?",
        "Können Sie mich bitte mit einer Mitarbeiterin verbinden?",
        "Ich brauche einen Menschen",
        "Je voudrais parler à un conseiller",
        "Est-ce que je peux parler à quelqu’un ?",
        "Mettez-moi en relation avec un conseiller",
        "¿Puedo hablar con una persona?",
        "Me gustaría hablar con alguien",
        "Páseme con un agente, por favor",
        "Quero falar com um atendente",
        "Como falo com um atendente?",
        "Pode me transferir para uma pessoa?",
        "Vorrei parlare con un operatore",
        "Posso parlare con l'assistenza?",
        "Puoi farmi parlare con un operatore?",
        "Dá para falar com um atendente?",
        "Kan ik een medewerker spreken?",
        "Ik wil met iemand praten",
        "Chcę rozmawiać z człowiekiem",
        "Proszę o kontakt z konsultantem",
        "أريد التحدث مع شخص",
        "ممكن أكلم موظف من فضلك",
        "मुझे किसी इंसान से बात करनी है",
        "मुझे किसी से बात करनी है",
        "人間と話したいです",
        "担当の方と話したいのですが",
        "我要转人工客服",
        "请帮我联系客服",
        "Połącz mnie z konsultantem",
        "オペレーターにつないでください",
    ),
    "about_me": (
        "are you a robot?",
        "Am I talking to a real person?",
        "what can you do",
        "Bist du ein Mensch?",
        "Was kannst du?",
        "Êtes-vous un robot ?",
        "¿Eres un robot?",
        "Você é um robô?",
        "Sei un robot?",
        "Ben je een robot?",
        "Czy jesteś robotem?",
        "هل أنت روبوت؟",
        "क्या आप रोबोट हैं?",
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
        "This is so stupid!",
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
        "that's not what I asked",
        "Das ist doch Mist",
        "Ça ne m'aide pas",
        "Esto no sirve",
        "Isto não ajuda",
        "Non mi aiuti",
        "Dit helpt niet",
        "To nie pomaga",
        "هذا غير مفيد",
        "यह बेकार है",
        "没用",
    ),
}


@pytest.mark.parametrize("kind", SAID)
def test_small_talk_is_recognised(kind):
    assert {message: small_talk(message) for message in SAID[kind]} == dict.fromkeys(SAID[kind], (kind, ""))


@pytest.mark.parametrize("message", ["buenos dias", "¡Hola, qué tal!", "tschuss", "dziekuje", "You are no help at all"])
def test_small_talk_is_recognised_without_accents_and_with_more_words(message):
    assert small_talk(message)[0]


def test_an_angry_request_for_a_person_is_a_request_for_a_person():
    assert small_talk("You are useless, can I speak to a human?") == ("human", "")


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
        "that is great for children",
        "¿Es útil?",
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
