"""Tells a text's language by its script, for screen readers and reading aloud; not that of Latin script."""

import re

READ = 400  # characters: enough to tell
_SCRIPTS = {
    "ja": re.compile(r"[\u3040-\u30ff]"),  # before the Chinese characters, which Japanese has as well
    "zh-Hans": re.compile(r"[\u4e00-\u9fff]"),
    "ko": re.compile(r"[\uac00-\ud7a3]"),
    "ar": re.compile(r"[\u0620-\u064a]"),
    "hi": re.compile(r"[\u0904-\u0939]"),
    "he": re.compile(r"[\u05d0-\u05ea]"),
    "th": re.compile(r"[\u0e01-\u0e2e]"),
    "el": re.compile(r"[\u0391-\u03c9]"),
    "ru": re.compile(r"[\u0410-\u044f]"),
}
_LETTER = re.compile(r"[^\W\d_]")


def language_of(text: str) -> str:
    """Return the language that most speakers of the text's main script speak; "" for Latin and for a mixture."""
    if text.isascii():
        return ""
    start = text[:READ]
    letters = len(_LETTER.findall(start))
    kana = len(_SCRIPTS["ja"].findall(start))
    for language, script in _SCRIPTS.items():
        found = len(script.findall(start)) + (
            len(_SCRIPTS["zh-Hans"].findall(start)) if language == "ja" and kana else 0
        )
        if found * 2 > letters:
            return language
    return ""
