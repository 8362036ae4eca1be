"""Derives a page's colours from one accent, for light and dark, with contrasts that everyone can read.

Lightness is chosen in OKLCH, where equal steps look equal, and checked with WCAG 2.2's contrast ratio (1.4.3).
Conversions: https://bottosson.github.io/posts/oklab/ and WCAG's definition of relative luminance.
"""

import math
import re
from dataclasses import dataclass

READABLE = 4.5  # to 1
# The backgrounds of the accent: `--ground` in static/webchat/style/tokens.css.
LIGHT_GROUND, DARK_GROUND = "#fcfcfe", "#111419"
STANDARD_ACCENT = "#2b59c8"  # `--accent` there, on a light background
HEX = re.compile(r"#[0-9a-fA-F]{6}")

Linear = tuple[float, float, float]  # sRGB without its gamma, 0 to 1


@dataclass(frozen=True)
class Palette:
    """Hexadecimal colours: the accent, the accent under the pointer, text on it, and a tint behind text."""

    accent: str
    accent_hover: str
    on_accent: str
    tint: str


def palettes(accent: str) -> tuple[Palette, Palette]:
    """Return the light and the dark palette for `#rrggbb`; for "" those of the standard accent."""
    lightness, chroma, hue = _oklch(_linear(accent or STANDARD_ACCENT))
    tint = min(chroma, 0.03)
    light = _darkest_needed(lightness, chroma, hue, [LIGHT_GROUND, "#ffffff", _hex(0.95, tint, hue)], step=-0.005)
    dark = _darkest_needed(max(lightness, 0.7), chroma, hue, [DARK_GROUND, _hex(0.31, tint, hue)], step=0.005)
    return (
        Palette(_hex(light, chroma, hue), _hex(light - 0.06, chroma, hue), "#ffffff", _hex(0.95, tint, hue)),
        Palette(_hex(dark, chroma, hue), _hex(min(dark + 0.06, 0.97), chroma, hue), DARK_GROUND, _hex(0.31, tint, hue)),
    )


def contrast(one: str, other: str) -> float:
    """Return WCAG's contrast ratio of two colours, from 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _darkest_needed(lightness: float, chroma: float, hue: float, grounds: list[str], step: float) -> float:
    """Return the lightness nearest to the wanted one, in one direction, that is readable on all the backgrounds."""
    while 0 < lightness < 1 and any(contrast(_hex(lightness, chroma, hue), ground) < READABLE for ground in grounds):
        lightness += step
    return min(max(lightness, 0.0), 1.0)


def _linear(colour: str) -> Linear:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return red, green, blue


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _oklch(colour: Linear) -> tuple[float, float, float]:
    red, green, blue = colour
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    return lightness, math.hypot(a, b), math.atan2(b, a)


def _from_oklch(lightness: float, chroma: float, hue: float) -> Linear:
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _hex(lightness: float, chroma: float, hue: float) -> str:
    """Return the colour for a screen; chroma that no screen can show at this lightness is reduced."""
    colour = _from_oklch(lightness, chroma, hue)
    while chroma > 0 and not all(-1e-4 <= channel <= 1 + 1e-4 for channel in colour):
        chroma -= 0.004
        colour = _from_oklch(lightness, max(chroma, 0), hue)
    channels = (min(max(channel, 0), 1) for channel in colour)
    encoded = (c * 12.92 if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in channels)
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in encoded)
