"""Tells small talk (greetings, thanks, goodbyes) from questions, in many languages."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import regex

from docbot.retrieval.analysis import fold

Kind = Literal["hello", "thanks", "goodbye", "about_me", "anger", "human"]

_SAID: dict[Kind, str] = {
    "hello": """hello; hello there; hi; hi there; hey; hey there; good morning; good afternoon; good evening;
        greetings; how are you; how are you doing; how do you do; nice to meet you; hallo; guten tag; guten
        morgen; guten abend; grüß gott; moin; servus; wie geht es dir; wie geht es ihnen; wie gehts; bonjour;
        salut; bonsoir; coucou; comment ça va; ça va; comment allez vous; hola; buenos días; buenas tardes; buenas
        noches; buenas; qué tal; cómo estás; cómo está; olá; oi; bom dia; boa tarde; boa noite; tudo bem; ciao;
        salve; buongiorno; buonasera; come stai; come sta; goedemorgen; goedemiddag; goedenavond; goedendag; hoi;
        hoe gaat het; cześć; dzień dobry; dobry wieczór; witaj; jak się masz; привет; здравствуйте; здравствуй;
        добрый день; доброе утро; добрый вечер; как дела; вітаю; добрий день; γεια; γεια σας; γεια σου; καλημέρα;
        καλησπέρα; bună; bună ziua; salutare; hej; hejsan; god morgon; god dag; merhaba; selam; günaydın; iyi
        günler; nasılsın; xin chào; chào bạn; chào; مرحبا; أهلا; أهلا وسهلا; السلام عليكم; صباح الخير; مساء الخير;
        كيف حالك; नमस्ते; नमस्कार; हैलो; हाय; आप कैसे हैं; सुप्रभात; こんにちは; こんばんは; おはよう;
        おはようございます; はじめまして; 元気ですか; 你好; 您好; 你好吗; 早上好; 下午好; 晚上好; 嗨; 哈喽; 안녕;
        안녕하세요; สวัสดี; สวัสดีครับ; สวัสดีค่ะ""",
    "thanks": """thank you; thanks; thank you very much; thank you so much; thanks a lot; many thanks; thx; ty;
        cheers; great; perfect; ok; okay; got it; i see; very interesting; interesting; that is fine; that's fine;
        good to know; nice; cool; super; danke; danke schön; vielen dank; dankeschön; alles klar; prima; merci;
        merci beaucoup; d'accord; parfait; gracias; muchas gracias; vale; perfecto; de acuerdo; obrigado;
        obrigada; muito obrigado; muito obrigada; grazie; grazie mille; perfetto; va bene; bedankt; dank je; dank
        u; dank je wel; dank u wel; dziękuję; dzięki; dziękuję bardzo; спасибо; большое спасибо; спасибо большое;
        благодарю; понятно; хорошо; дякую; ευχαριστώ; ευχαριστώ πολύ; mulțumesc; mersi; tack; tack så mycket;
        teşekkürler; teşekkür ederim; sağ ol; cảm ơn; cảm ơn bạn; شكرا; شكرا جزيلا; شكرا لك; حسنا; धन्यवाद;
        शुक्रिया; बहुत धन्यवाद; ठीक है; ありがとう; ありがとうございます; どうも; わかりました; 谢谢; 谢谢你;
        谢谢您; 多谢; 好的; 明白了; 感谢; 감사합니다; 고마워; 고맙습니다; ขอบคุณ; ขอบคุณครับ; ขอบคุณค่ะ""",
    "goodbye": """bye; goodbye; good bye; bye bye; see you; see you later; good night; tschüss; auf wiedersehen;
        bis bald; gute nacht; au revoir; à bientôt; bonne nuit; adiós; hasta luego; hasta pronto; chao; tchau; até
        logo; adeus; arrivederci; a presto; buonanotte; tot ziens; doei; dag; do widzenia; pa pa; на все добре; до
        свидания; пока; до побачення; αντίο; la revedere; hej då; hoşça kal; hoşça kalın; görüşürüz; güle güle;
        tạm biệt; مع السلامة; إلى اللقاء; وداعا; अलविदा; फिर मिलेंगे; さようなら; またね; 再见; 拜拜; 안녕히
        계세요; 잘 가; ลาก่อน""",
    "about_me": """who are you; what are you; what is your name; what's your name; are you a bot; are you human;
        are you a human; are you a robot; what can you do; what do you do; what can i ask; what can i ask you; how
        can you help me; help; help me; can you help me; how does this work; wer bist du; wer sind sie; wie heißt
        du; bist du ein bot; bist du ein mensch; was kannst du; was können sie; hilfe; kannst du mir helfen;
        können sie mir helfen; qui es tu; qui êtes vous; que peux tu faire; que pouvez vous faire; aide; aidez
        moi; quién eres; quién es usted; qué puedes hacer; eres un bot; ayuda; ayúdame; quem é você; o que você
        pode fazer; ajuda; chi sei; cosa puoi fare; cosa sai fare; aiuto; wie ben je; wie bent u; wat kun je; help
        mij; kim jesteś; co potrafisz; pomoc; pomocy; кто ты; кто вы; что ты умеешь; что вы умеете; помощь;
        помоги; помогите; хто ти; хто ви; ποιος είσαι; βοήθεια; cine ești; ajutor; vem är du; hjälp; kimsin; sen
        kimsin; ne yapabilirsin; yardım; bạn là ai; giúp tôi; من أنت; ماذا يمكنك أن تفعل; مساعدة; ساعدني; आप कौन
        हैं; तुम कौन हो; आप क्या कर सकते हैं; मदद; मेरी मदद करो; あなたは誰ですか; 誰ですか; 何ができますか;
        ヘルプ; 助けて; 你是谁; 您是谁; 你能做什么; 你会什么; 帮助; 帮帮我; 누구세요; 누구야; 도와줘; 도움말;
        คุณคือใคร; ช่วยด้วย""",
}
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_STOP = regex.compile(r"[,.!?;:\n…،؟。！？、।]")
_LONGEST = 6  # words of a phrase
_ASKS = 3  # words after a greeting that make a question even without a comma


@cache
def _kinds() -> dict[tuple[str, ...], Kind]:
    return {
        tuple(_WORD.findall(fold(phrase))): kind for kind, phrases in _SAID.items() for phrase in phrases.split(";")
    }


@cache
def _patterns() -> dict[Kind, regex.Pattern]:
    patterns = tomllib.loads((Path(__file__).parent / "small_talk.toml").read_text(encoding="utf-8"))
    return {kind: regex.compile("|".join(f"(?:{fold(one)})" for one in several)) for kind, several in patterns.items()}


def small_talk(message: str) -> tuple[Kind | None, str]:
    """The kind of small talk, if the message is nothing else, and the rest of the message to search for.

    "Hi!" is `hello` and leaves nothing; "Hi, what does it cost?" is none and leaves the question.
    """
    folded = fold(message)
    matches = list(_WORD.finditer(folded))
    words = [match[0] for match in matches]
    found: list[Kind] = []
    place = 0
    while place < len(words):
        length, kind = _longest(words[place : place + _LONGEST])
        whole = _clause(folded, matches, place)
        for other, pattern in _patterns().items():
            if len(whole) > length and pattern.fullmatch(" ".join(whole)):
                length, kind = len(whole), other
        if kind is None:
            break
        found.append(kind)
        place += length
    if not found:
        return None, message
    if place == len(words):
        return max(found, key=("hello", "goodbye", "thanks", "anger", "about_me", "human").index), ""
    between = folded[matches[place - 1].end() : matches[place].start()]
    if _STOP.search(between) or (set(found) == {"hello"} and len(words) - place >= _ASKS):
        return None, folded[matches[place].start() :]
    return None, message  # "great wall", "help me to …": part of the question


def _clause(folded: str, matches: list[regex.Match], place: int) -> list[str]:
    """The words from this place to the next comma or full stop."""
    end = place + 1
    while end < len(matches) and not _STOP.search(folded[matches[end - 1].end() : matches[end].start()]):
        end += 1
    return [match[0] for match in matches[place:end]]


def _longest(words: list[str]) -> tuple[int, Kind | None]:
    for length in range(len(words), 0, -1):
        kind = _kinds().get(tuple(words[:length]))
        if kind:
            return length, kind
    return 0, None
