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


def test_each_language_of_the_interface_has_a_layout_with_its_letters_and_each_key_once(settings):
    assert {code for code, _name in settings.LANGUAGES} == LAYOUTS.keys() - {"symbols"}
    for language, word in WORDS.items():
        assert set(word) <= {key for row in LAYOUTS[language]["rows"] for key in row.split(" ")}, language
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
