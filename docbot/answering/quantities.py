"""Detects questions for a time or a number, and sentences that have one, in many languages."""

import regex

_HOW_MANY = """
    how (?:many|much|long|old|tall|far|big|large|high|often|fast|deep|wide|heavy|late|early)
    (?:what|which) (?:year|date|day|month|century|decade|percentage|number|time|age)
    wie ?viele?|wie (?:lange|alt|hoch|groß|weit|oft|schnell|tief|teuer)|welche[mns]? (?:jahr|datum|tag|jahrhundert)
    combien|quel âge|quelle (?:année|date|heure)|quel (?:jour|siècle)
    cu[aá]nt[oa]s?|qué (?:año|fecha|día|siglo|edad|hora)
    quant[oa]s?|quanti|quante|(?:que|qual) (?:o )?(?:ano|data|dia|século|idade)
    (?:che|quale) (?:anno|data|giorno|età|ora)
    hoeveel|hoe (?:lang|oud|groot|hoog|vaak|ver)|welk(?:e)? (?:jaar|datum|dag|eeuw)
    ile|jak (?:długo|często|daleko)|którym roku|któr(?:y|ego) (?:rok|dnia|wieku)
    сколько|как (?:долго|часто|далеко)|како(?:м|й) (?:году|год|дата|веке|день)|скільки|якому році
    πόσ(?:α|ο|οι|ες|η|ους|ων)|ποια χρονιά|ποιο έτος
    cât|câți|câte|câtă|ce an|ce dată
    hur (?:många|mycket|länge|gammal|ofta|långt)|vilket (?:år|datum)
    kaç|ne kadar|hangi (?:yıl|tarih|yılda|tarihte)
    bao nhiêu|bao lâu|mấy|(?:năm|ngày) nào
    كم|(?:أي|اي) (?:عام|سنة|سنه|تاريخ|يوم)|कितन[ेाी]|किस (?:वर्ष|साल|तारीख|दिन)
    何年|何月|何日|何時|何人|いくつ|いくら|どのくらい|多少|几|哪一?年|多久|多长|多大|多高|幾|몇|얼마|กี่|เท่าไร|เท่าไหร่
"""
# Question words only at the beginning; elsewhere they are conjunctions ("What happens when …?").
_WHEN_FIRST = """
    when|wann|quand|cuándo|quando|wanneer|kiedy|когда|коли|πότε|când|när
"""
_WHEN = "ne zaman|khi nào|متى|कब|いつ|什么时候|什麼時候|何时|何時|언제|เมื่อไร|เมื่อไหร่|เมื่อใด"


def _any_of(text: str) -> str:
    return "|".join(line.strip() for line in text.strip().splitlines())


_LETTER = r"[\p{L}\p{M}]"
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]"
_ASKED = regex.compile(
    rf"(?:(?<!{_LETTER})|(?<={_UNSPACED}))(?:{_any_of(_HOW_MANY)}|{_WHEN})(?:(?!{_LETTER})|(?={_UNSPACED}))"
    rf"|^\W*(?:\w+ )?(?:{_any_of(_WHEN_FIRST)})\b",
    regex.IGNORECASE,
)
_NUMBER = regex.compile(r"\p{N}|[一二三四五六七八九十百千万億]")


def is_asked(message: str) -> bool:
    return bool(_ASKED.search(message))


def is_told(text: str) -> bool:
    return bool(_NUMBER.search(text))
