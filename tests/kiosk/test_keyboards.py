"""The layout files of the on-screen keyboard."""

import json

from tests.browser.site import ROOT

LAYOUTS = {path.stem: json.loads(path.read_text()) for path in (ROOT / "static/kiosk/keyboards").glob("*.json")}

WORDS = {
    "de": "schöß",
    "fr": "élève",
    "es": "mañana",
    "pt": "ação",
    "it": "città",
    "nl": "één",
    "pl": "żółw",
    "ar": "سلام",
    "hi": "नमस्ते",
    "ja": "か゛つ小は゜",
}


def test_a_layout_has_each_key_once_and_as_many_rows_as_the_others():
    for language in sorted(LAYOUTS.keys() - {"symbols", "zh-hans"}):
        layout = LAYOUTS[language]
        assert layout["lang"] == language
        for rows in (layout["rows"], layout.get("shift", layout["rows"])):
            keys = [key for row in rows for key in row.split(" ") if key != "_"]
            assert len(rows) == 4, language
            assert "" not in keys, language
            assert len(layout["rows"][-1].split(" ")) <= 14, language
        keys = [key for row in layout["rows"] for key in row.split(" ") if key != "_"]
        assert len(set(keys)) == len(keys), language
        assert len(layout["punctuation"].split(" ")) in (3, 4), language


def test_there_is_a_layout_for_every_language_of_the_interface(settings):
    assert {code for code, _name in settings.LANGUAGES} == LAYOUTS.keys() - {"symbols"}


def test_each_language_has_its_letters():
    for language, word in WORDS.items():
        assert set(word) <= {key for row in LAYOUTS[language]["rows"] for key in row.split(" ")}, language
