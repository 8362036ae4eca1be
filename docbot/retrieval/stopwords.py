"""Holds the function and question words of each language, which a query leaves out and which tell the language."""

import tomllib
from pathlib import Path

_WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

# Words of these stand without spaces between them: they are cut out of a query as strings, the longest first.
UNSPACED = frozenset({"ja", "zh", "th"})

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
