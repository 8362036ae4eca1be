"""Styles: all text has enough contrast, with any accent, and no selector is slow."""

import base64
import hashlib
import math
import re
from itertools import product

import pytest
from django.conf import settings
from hypothesis import example, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from webchat.appearance import color_palette
from webchat.appearance.color_palette import DARK_GROUND, LIGHT_GROUND, contrast, palettes

STYLES = settings.BASE_DIR / "static" / "webchat"
TOKENS = (STYLES / "style" / "tokens.css").read_text()
TEXT, PART = 4.5, 3  # WCAG 1.4.3 and 1.4.11

# Colours on which others are used: text, and parts that must stand out from what is around them (edges, focus rings).
GROUNDS = ("ground", "raised", "sunk", "tint", "caution")
TEXTS = [
    *product(("text", "text-soft"), GROUNDS),
    *product(("accent",), GROUNDS),
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    *product(("code-word", "code-string", "code-name"), ("ground",)),
]
PARTS = [
    *product(("line-strong",), ("ground", "raised")),
    *product(("caution-line",), ("raised",)),
    *product(("accent",), GROUNDS),
]


def tokens() -> tuple[dict[str, str], dict[str, str]]:
    """Return each opaque colour's name and #rrggbb, light and dark; the accent is the site's own."""
    colour = r"(oklch\([^/;)]+\))"
    found = re.findall(rf"--(?:own-)?([\w-]+): light-dark\({colour}, {colour}\);", TOKENS)
    return {name: as_hex(light) for name, light, _ in found}, {name: as_hex(dark) for name, _, dark in found}


def as_hex(colour: str) -> str:
    lightness, chroma, hue = re.fullmatch(r"oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)", colour).groups()
    return color_palette._hex(float(lightness) / 100, float(chroma), math.radians(float(hue)))


LIGHT, DARK = tokens()
THEMES = {"light": LIGHT, "dark": DARK}


def assert_readable(colours: dict[str, str]) -> None:
    """Check text on its backgrounds, and parts beside what is around them."""
    for pairs, least in ((TEXTS, TEXT), (PARTS, PART)):
        assert [pair for pair in pairs if contrast(colours[pair[0]], colours[pair[1]]) < least] == [], colours


@pytest.mark.parametrize("theme", THEMES)
def test_the_sites_own_colours_are_readable(theme):
    assert_readable(THEMES[theme])


def test_the_palettes_use_the_backgrounds_of_the_style_sheet():
    assert (LIGHT["ground"], DARK["ground"]) == (LIGHT_GROUND, DARK_GROUND)


def test_contrast_is_computed_as_in_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#ffffff", "#767676") == pytest.approx(4.54, abs=0.005)


def colours_of(theme: str, accent: str) -> dict[str, str]:
    """Return the style sheet's colours, overridden by a bot's own palette, as on its page."""
    light, dark = palettes(accent)
    own = light if theme == "light" else dark
    names = {"accent": own.accent, "accent-hover": own.accent_hover, "on-accent": own.on_accent, "tint": own.tint}
    return THEMES[theme] | names


ACCENTS = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)


@effort(max_examples=30, deadline=None)
@example("#ffff00", "light")
@example("#0000ff", "dark")
@given(ACCENTS, st.sampled_from(sorted(THEMES)))
def test_any_accent_becomes_readable_colours(accent, theme):
    assert_readable(colours_of(theme, accent))


@effort(max_examples=30, deadline=None)
@given(ACCENTS)
def test_a_readable_accent_is_kept_as_it_is(accent):
    light, _ = palettes(accent)
    if min(contrast(accent, ground) for ground in (LIGHT_GROUND, light.tint)) >= TEXT + 0.3:
        assert color_palette._linear(light.accent) == pytest.approx(color_palette._linear(accent), abs=0.02)


def test_the_page_contains_the_bots_style_and_its_policy_allows_it(visitor, bot):
    assert not visitor.open().all("style")
    bot.accent = "#b3261e"
    bot.save()
    page = visitor.open()
    style = page.one("style").text
    light, dark = palettes("#b3261e")
    for colour in (light.accent, light.tint, dark.accent, dark.on_accent):
        assert colour in style
    fingerprint = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = visitor.client.get("/chat/help/")["Content-Security-Policy"]
    assert f"style-src 'self' 'sha256-{fingerprint}';" in policy


# Browsers check everything that such a rule may match whenever anything near it changes: "*" is a whole conversation.
REACHES_ANYTHING = re.compile(r"(:has\(.*\).*| [+~] )\*$")
# What each turn has. A rule such as `body:has(…) .under` would have browsers restyle it in all turns at every change.
IN_EACH_TURN = re.compile(
    r"\.(turn|said|mine|theirs|text|under|edit|thumb|copy|follow-ups)(?![\w-])|data-(state|turn|edit|reply)|figcaption"
)
