"""Small talk in the page's languages, and similar messages that are questions."""

import pytest

from docbot.answering.smalltalk import small_talk

SAID = {
    "hello": "Hallo zusammen! | Wie geht's? | Bonjour madame | ¡Hola, buen día! | Oi, como vai? | please | हेलो",
    "thanks": """
        Herzlichen Dank | thanks thats great | That was really helpful, thank you! |
        Danke, das hat mir sehr geholfen | Merci pour votre aide ! | Merci, c'est parfait | Très utile, merci |
        Muchas gracias por todo | Valeu! | Gracias, eso es todo | Obrigada pela ajuda | Está ótimo, obrigada |
        Grazie, va bene | Bedankt, dat is duidelijk | Dzięki, to wszystko | هذا رائع | شكرًا على المساعدة |
        मदद के लिए बहुत धन्यवाद | समझ गई | 参考になりました | 太好了
    """,
    "goodbye": "Schönen Tag noch! | Bonne journée | À tout à l’heure | ¡Hasta mañana! | Até mais | Tenha um bom dia!",
    "human": """
        can I speak to a human, please? | id like to talk to a real person please | let me talk to someone please |
        Kann ich mit jemandem sprechen? | Können Sie mich bitte mit einer Mitarbeiterin verbinden? |
        Ich brauche einen Menschen | Ich möchte lieber mit einem Mensch reden |
        Kann ich mit dem Kundenservice sprechen? | Est-ce que je peux parler à quelqu’un ? |
        Mettez-moi en relation avec un conseiller | J’ai besoin de parler à quelqu’un |
        Est-il possible de parler à un humain ? | Pourriez-vous me passer un conseiller ? |
        ¿Puedo hablar con una persona? | Páseme con un agente, por favor | Quiero que me atienda una persona |
        Quero falar com um atendente | Pode me transferir para uma pessoa? | Dá para falar com um atendente? |
        Vorrei parlare con un operatore | Puoi farmi parlare con un operatore? | Kan ik een medewerker spreken? |
        Ik wil met iemand praten | Chcę rozmawiać z człowiekiem | Proszę o kontakt z konsultantem |
        Połącz mnie z konsultantem | أريد التحدث مع شخص | ممكن أكلم موظف من فضلك | هل من الممكن التحدث إلى موظف؟ |
        मुझे किसी इंसान से बात करनी है | मैं किसी व्यक्ति से बात करना चाहती हूँ | मेरी किसी इंसान से बात करवा दीजिए |
        人間と話したいです | 担当の方と話したいのですが | オペレーターにつないでください | 我要转人工客服 |
        请帮我联系客服
    """,
    "about_me": """
        r u a bot | Am I talking to a real person? | is this a chatbot or a human? | what can you do |
        Was kannst du? | Bist du ein Mensch? | Spreche ich mit einer echten Person? | Êtes-vous un robot ? |
        Pouvez-vous m’aider ? | Est-ce que je parle à un humain ? | ¿En qué puedes ayudarme? |
        ¿Estoy hablando con una persona real? | Você é um robô? | Estou falando com um robô? |
        Sto parlando con una persona vera? | Praat ik met een mens? | Czy rozmawiam z człowiekiem? | هل أنت روبوت؟ |
        هل أتحدث مع إنسان؟ | क्या आप रोबोट हैं? | あなたはロボットですか | क्या मैं किसी इंसान से बात कर रही हूँ? |
        你是机器人吗
    """,
    "anger": """
        you are useless | This is so stupid! | you're not helping at all | that's not what I asked |
        this place is a joke | Du bist echt nutzlos | Das ist doch Mist | Vous êtes nul | Ça ne m'aide pas |
        Ce n’est pas ma question | Eres inútil | No sirves para nada | Eso no es lo que pregunté | Você é burro |
        Isto não ajuda | Sei stupido | Non mi aiuti | Je bent waardeloos | Dit helpt niet | Jesteś głupi |
        To nie pomaga | أنت غبي | هذا غير مفيد | तुम बेकार हो | यह बेकार है | 役に立たない | 你真没用 | 没用
    """,
}
QUESTIONS = """
    is the robot vacuum waterproof? | are you a robot dealer? | is it a robot? | 机器人多少钱 |
    C'è un operatore turistico? | can I talk to a person about my order at your shop in Leeds? |
    Can I speak to a human resources manager? | is a person needed for the installation? |
    what can you do about a broken screen? | Kontakt z serwisem | Mit wem spreche ich bei einer Reklamation? |
    Kann ich mit einem Gutschein bezahlen? | Your invoice is wrong | Ist das nutzlos ohne Akku? |
    Que no sirve con esto? | that is great for children | ¿Es útil? | is that all? | Ça marche avec un iPhone ? |
    Necesito ayuda con mi pedido | please can you help me with it |
    Kan ik met iemand anders komen praten over een huurfiets?
"""


def messages(text: str) -> list[str]:
    return [" ".join(each.split()) for each in text.split("|")]


@pytest.mark.parametrize("kind", SAID)
def test_small_talk_is_recognised(kind):
    said = messages(SAID[kind])
    assert {message: small_talk(message) for message in said} == dict.fromkeys(said, (kind, ""))


@pytest.mark.parametrize("message", ["buenos dias", "tschuss", "You are no help at all"])
def test_small_talk_is_recognised_without_accents_and_with_more_words(message):
    assert small_talk(message)[0]


def test_a_wish_for_a_person_counts_whatever_else_is_said():
    assert small_talk("My parcel is broken. Kann ich mit jemandem sprechen?") == ("human", "")


def test_a_message_that_only_resembles_small_talk_is_a_question():
    assert [message for message in messages(QUESTIONS) if small_talk(message)[0]] == []
