"""Function words and question words per language: what a query leaves out, and what gives a language away."""

import tomllib
from pathlib import Path

_WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

# Words of these stand without spaces between them: they are cut out of a query as strings, the longest first.
UNSPACED = frozenset({"ja", "zh", "th"})

STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
