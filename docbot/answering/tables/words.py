"""Words in which visitors ask for rows of a table, in the page's languages."""

import regex

# What is asked for, by dimension ("" is any number), and whether the largest is wanted.
_EXTREMES = (
    (
        "money",
        False,
        """cheapest|least expensive|lowest price[sd]?|most affordable|günstigste\\w*|am günstigsten|billigste\\w*
        am billigsten|más (?:barat|económic)\\w+|(?:le|la|les) moins chère?s?|mais barat\\w+|più economic\\w+
        meno car[oaie]|goedkoopste|najtańsz\\w+|الأرخص|ارخص|أرخص|सबसे सस्त\\w+|(?:一番|いちばん|最も)安い\\w*
        最安|最便宜""",
    ),
    (
        "money",
        True,
        """most expensive|priciest|dearest|highest price[sd]?|teuerste\\w*|am teuersten|más car[oa]s?|plus chère?s?
        mais car[oa]s?|più car[oaie]|duurste|najdroższ\\w+|الأغلى|أغلى|सबसे महंग\\w+|(?:一番|いちばん
        最も)高い\\w*|最贵""",
    ),
    (
        "weight",
        False,
        "lightest|leichteste\\w*|más ligero\\w*|plus léger\\w*|mais leve|più legger\\w+|lichtste|najlżejsz\\w+",
    ),
    (
        "weight",
        True,
        "heaviest|schwerste\\w*|más pesad\\w+|plus lourde?s?|mais pesad\\w+|più pesant\\w+|zwaarste|najcięższ\\w+",
    ),
    (
        "time",
        False,
        """fastest|quickest|schnellste\\w*|más rápid\\w+|plus rapides?|mais rápid\\w+|più veloc\\w+
        più rapid\\w+|snelste|najszybsz\\w+""",
    ),
    ("time", True, "slowest|longest|langsamste\\w*|längste\\w*|más lent\\w+|plus lente?s?|mais lent\\w+|langzaamste"),
    (
        "length",
        False,
        "smallest|shortest|narrowest|kleinste\\w*|kürzeste\\w*|más pequeñ\\w+|plus petite?s?|più piccol\\w+",
    ),
    ("length", True, "biggest|largest|tallest|widest|größte\\w*|más grandes?|plus grande?s?|più grand[ei]|grootste"),
    ("", False, "lowest|fewest|least|wenigsten?|niedrigste\\w*|minste|laagste|najmniej|最少|最低"),
    ("", True, "highest|most|meisten?|höchste\\w*|meeste|hoogste|najwięcej|最多|最高"),
)
_AT_MOST = """
    under|below|less than|cheaper than|lighter than|up to|at most|no more than|within|unter|weniger als
    billiger als|höchstens|bis zu|maximal|menos de|por debajo de|hasta|moins de|au plus|abaixo de
    até|meno di|sotto i?|fino a|minder dan|onder
    hoogstens|poniżej|mniej niż|أقل من|تحت
"""
_AT_LEAST = """
    over|above|more than|at least|heavier than|über|mehr als|mindestens|más de|al menos|plus de|au moins|mais de
    acima de|più di|almeno|meer dan|boven|minstens|powyżej|więcej niż|أكثر من|فوق
"""
_COUNT = """
    how many|number of|wie ?viele|anzahl|cuánt[oa]s|combien d['e]|quant[oa]s|quanti|quante|hoeveel|ile|كم عدد
    कितन[ेी]|いくつ|何個|多少个|几个|有几
"""
_WHICH = """
    which|what|who|where|list|show|welche[rsnm]?|was|wo|cuál(?:es)?|qué|que|quels?|quelles?|quais|qual|quali|quale
    welke?|wat|któr[eya]|jakie|أي|ما|कौन|どの|どれ|哪些?|有什么
"""
_NOT = """
    not|no|without|isn['’]t|aren['’]t|don['’]t|doesn['’]t|nicht|keine?n?|ohne|sin|sans|pas
    sem|não|senza|non|zonder|niet|geen|bez|nie
"""
_STOCK = """
    in stock|available|availability|stock|auf lager|vorrätig|verfügbar\\w*|lieferbar|lagerbestand|bestand
    en existencias?|disponib\\w+|en stock|em estoque|disponíve\\w+|op voorraad|voorraad|beschikbaar
    dostępn\\w+|متوفر\\w*|उपलब्ध
    स्टॉक|在庫|有货|库存
"""
# What a question asks for without naming the column.
_ASKED = {
    "money": """how much|costs?|prices?|was kosten?|kostet|kosten|preise?|cuánto cuestan?|cuestan?|precios?
    combien|coûten?t?
        prix|quanto custam?|custam?|preços?|quanto costa(?:no)?|costa(?:no)?|prezz[oi]|kost|prijs|ile kosztuj\\w+
        kosztuj\\w+
        cen[ay]|سعر|كم سعر|कीमत|दाम|いくら|値段|多少钱|价格""",
    "weight": "how heavy|weighs?|weight|wie schwer|wiegt|gewicht|pesan?|peso|pèsent?|poids|weegt|waży|重さ|多重|重量",
    "time": "how (?:long|fast)|how quickly|wie (?:lange|schnell)|cuánto tarda\\w*|combien de temps|quanto tempo",
}
_FALSE = regex.compile(
    r"(?:no|none|0|closed|sold out|out of stock|unavailable|never|false|nein|keine?r?|geschlossen|ausverkauft|nie|non"
    r"|fermée?|cerrad[oa]|agotado|não|fechad[oa]|esgotado|chius[oa]|esaurito|nee|gesloten|uitverkocht|zamknięte|brak"
    r"|لا|مغلق|नहीं|बंद|いいえ|なし|休み|否|无|没有|关闭|[-–—✗✘×]|n/?a)",
    regex.IGNORECASE,
)


def _any_of(text: str) -> regex.Pattern:
    choices = "|".join(line.strip() for line in text.strip().splitlines())
    letter = r"[\p{L}\p{M}]"
    unspaced = r"[\p{Han}\p{Hiragana}\p{Katakana}]"
    return regex.compile(
        rf"(?:(?<!{letter})|(?<={unspaced}))(?:{choices})(?:(?!{letter})|(?={unspaced}))", regex.IGNORECASE
    )


EXTREMES = tuple((dimension, largest, _any_of(words)) for dimension, largest, words in _EXTREMES)
AT_MOST, AT_LEAST, COUNT, WHICH, NOT, STOCK = map(_any_of, (_AT_MOST, _AT_LEAST, _COUNT, _WHICH, _NOT, _STOCK))
ASKED = {dimension: _any_of(words) for dimension, words in _ASKED.items()}


def is_false(cell: str) -> bool:
    return not cell.strip() or bool(_FALSE.fullmatch(cell.strip()))
