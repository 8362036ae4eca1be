"""Removes from a text whatever identifies the visitor: names, e-mail addresses, numbers."""

import re

from webchat.models import Conversation, Detail

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NUMBER = re.compile(r"\+?\d(?:[ /().-]?\d){5,}")  # a phone number, an order's number
_HELLO = (
    r"(?i:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|liebe[rs]?"
    r"|sehr geehrte[rs]?|bonjour|bonsoir|salut|ch[eè]re?|hola|buen[oa]s (?:días|tardes|noches)|estimad[oa]|ol[aá]"
    r"|bom dia|boa (?:tarde|noite)|ciao|buon(?:giorno|asera)|gentile|beste|goede(?:morgen|middag|navond)"
    r"|dzień dobry|cześć|здравствуйте|добрый день|привет)\b"
)
_GREETING = re.compile(rf"\A\s*{_HELLO}[^\n,.:;!?]{{0,60}}[,.:;!\n]\s*")
_CAPITALISED = r"[A-ZÀ-ÝŁŚŻА-Я][\w'’-]*"
# A greeting may continue into the question: remove only what can't be part of the question.
_GREETS = re.compile(
    rf"\A\s*{_HELLO}(?:[ ](?:(?i:there|all|everyone|team|zusammen)|{_CAPITALISED})){{0,2}}[ ]*[,.!\n]+\s*"
    r"|\A\s*(?i:hi|hello|hey|hallo|hola|bonjour)[ ]+"
)
_INTRODUCTION = re.compile(
    r"\b((?i:my name is|i am called|this is|ich hei(?:ß|ss)e|mein name ist|je m'appelle|me llamo|mi nombre es"
    r"|meu nome é|mi chiamo|ik heet|nazywam się|меня зовут))\s+[^\W\d_][\w'’-]*(?:[ ]+[A-ZÀ-ÝŁŚŻА-Я][\w'’-]*)?",
)
# A name of two words, or one word after a greeting: "I'm British" or "Ich bin Rentner" belong to the question.
_I_AM_WORDS = r"(?i:i['’]?m|i am|ich bin|je suis|soy|sono|sou|ik ben)"
_I_AM = re.compile(
    rf"(\A\s*{_HELLO}[ ,.!]+{_I_AM_WORDS}|\b{_I_AM_WORDS}(?=[ ]{_CAPITALISED}[ ]{_CAPITALISED}))"
    rf"[ ]{_CAPITALISED}(?:[ ]{_CAPITALISED})?"
)
_CLOSING = re.compile(
    r"(?:\A|(?<=[.?!,\n]))\s*(?i:many thanks|thanks(?: a lot)?|thank you|cheers|(?:kind |best |warm )?regards"
    r"|best wishes|vielen dank|danke|(?:viele|liebe|beste|mit freundlichen) grü(?:ß|ss)en?|mfg|lg|merci|cordialement"
    r"|gracias|saludos|grazie|(?:cordiali )?saluti|obrigad[oa]|abraços|bedankt|(?:met vriendelijke )?groet(?:en)?"
    rf"|pozdrawiam|спасибо)[\s,.!–-]+{_CAPITALISED}(?:[ ]{_CAPITALISED})?[\s.!]*\Z"
)
_SHORTEST = 3  # letters of a name
GONE = "…"
_INTRODUCED = re.compile(rf"\A(?:[^{GONE},.!?;:]{{1,20}}[,.!]\s*)?[^{GONE},.!?;:]*{GONE}[,.!;:]\s+(?=\S)")
_SIGNED = re.compile(rf"(?<=[.!?])\s[^.!?{GONE}]{{0,40}}{GONE}[\s{GONE}.!]*\Z")


def without_names(text: str, conversation: Conversation | None = None, *, is_reply: bool = False) -> str:
    """Return a visitor's message, or a team member's reply to one, without what identifies the visitor.

    The conversation knows names that can't be told from other words. The team's own e-mail addresses and numbers stay
    in a reply; a greeting, which may hold any name, is removed.
    """
    text = _GREETING.sub("", text) if is_reply else _INTRODUCTION.sub(lambda match: f"{match[1]} {GONE}", text)
    if not is_reply:
        text = _I_AM.sub(lambda match: f"{match[1]} {GONE}", _CLOSING.sub("", text)).rstrip(" ,")
        text = _NUMBER.sub(GONE, _EMAIL.sub(GONE, text))
    for known in sorted(_known(conversation) if conversation else (), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(known)}(?!\w)", GONE, text, flags=re.IGNORECASE)
    return text.strip()


def only_the_question(text: str) -> str:
    """Return a message whose names are gone without its greeting, what introduced the visitor, and their signature."""
    return _SIGNED.sub("", _GREETS.sub("", _INTRODUCED.sub("", text))) or text


def _known(conversation: Conversation) -> set[str]:
    customer, found = conversation.customer, {conversation.reply_email}
    if customer:
        names = [customer.name, *([customer.user.first_name, customer.user.last_name] if customer.user else [])]
        found |= {customer.contact_email, *names, *(word for name in names for word in name.split())}
    for detail in conversation.details.all():
        found |= {detail.text, *(detail.text.split() if detail.kind == Detail.Kind.NAME else ())}
    return {one for one in found if len(one) >= _SHORTEST}
