"""Finds the passages that tell a phone number, an e-mail address or a postal address."""

from collections.abc import Sequence
from dataclasses import replace

import regex

from docbot.answering.candidates import Candidate
from docbot.answering.usual.questions import Usual

_PHONE = regex.compile(
    r"(?<![\p{L}\p{N}.,:/€£$-])"
    r"(?:(?:\+|\(?0)[\p{N} ()/.–-]{5,}\d|\(?[1-9]\d{1,2}\)?[ .-]\d{3}[ .-]\d{2,4}(?:[ .-]\d{2,4})?)(?![\p{L}\p{N}:€£$])"
)
_DATE = regex.compile(r"\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d\d")
_FEWEST, _MOST = 7, 15  # digits of a phone number
_EMAIL = regex.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_STREETS = (  # in English, which stand after the number and the name
    "Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Yard|Square|Way|Drive|Close|Court|Place|Hill|Row|Quay|Wharf|Terrace"
)
_BEFORE_NUMBER = r"[Ss]tra(?:ß|ss)e|[Ss]tr\.|\p{L}(?:weg|platz|gasse|allee|straat|laan)"
_BEFORE_NAME = r"ul\.|ул\.|улица|Calle|[Rr]ue|Via|Rua|Avenida|Plaza|شارع"
_POSTCODE = (
    r"\p{Lu}{1,2}\d[\p{Lu}\d]? \d\p{Lu}{2}\b|(?<=, )\p{Lu}{2} \d{5}\b|\d{2,4}-\d{3} \p{Lu}\p{Ll}"
    r"|(?<=[,:\n] ?|^)\d{4,6}(?: \p{Lu}{2})?,? \p{Lu}\p{Ll}{2}"  # not a year within a sentence
)
_POSTAL = regex.compile(
    rf"\b(?:{_POSTCODE})|〒|[市区路街]\p{{N}}+号|(?:{_BEFORE_NUMBER}) \d"
    rf"|\d,? (?:{_BEFORE_NAME}) |\b(?:{_BEFORE_NAME}) [\p{{L}} .’'-]+,? \d"
    rf"|\b\d+\p{{L}}?,? (?:\p{{Lu}}[\p{{L}}’']+ ){{1,3}}(?:{_STREETS})\b"
    r"|\b\p{Lu}\p{L}+ (?:Street|Road|Lane|Avenue)\b"
)
_A_KIND = 0.5  # the weight of each other kind of detail in the passage: "Contact" has them all


def find_contact_detail(best: Sequence[Candidate], detail: Usual | None) -> Candidate | None:
    """Return the passage that tells this detail and looks most like contact details; what tells it is quoted first."""
    if detail == "reach":
        return find_contact_detail(best, "phone") or find_contact_detail(best, "email")
    if detail == "directions":
        return best[0] if best and best[0].named else find_contact_detail(best, "address")
    found = [(it, kinds) for it in best if detail in (kinds := _kinds(it.found.passage.text))]
    if not found:
        return None
    likeliest = max(found, key=lambda one: one[0].score + _A_KIND * len(one[1]))[0]
    tells = [detail in _kinds(part.piece.text) for part in likeliest.found.parts]
    return replace(likeliest, fits=[fit + told for fit, told in zip(likeliest.fits, tells, strict=True)])


def _kinds(text: str) -> list[str]:
    numbers = any(map(_is_phone, _PHONE.findall(text)))
    told = {"phone": numbers, "email": _EMAIL.search(text), "address": _POSTAL.search(text)}
    return [kind for kind, its in told.items() if its]


def _is_phone(number: str) -> bool:
    return _FEWEST <= sum(map(str.isdigit, number)) <= _MOST and not _DATE.match(number)
