"""Style sheets inside the page, so that the first paint needs no second response.

The Content-Security-Policy allows each by its hash (`chatsite/security.py`), and no other.
"""

import base64
import functools
import hashlib

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from webchat.appearance import color_palette


def page_style(request: HttpRequest | None, name: str) -> SafeString:
    """Return a page's whole style sheet, or a link to it.

    A link if files aren't collected or the policy can't name its hash.
    """
    collected = getattr(staticfiles_storage, "text_of", lambda name: "")(name)
    if collected and request:
        return _within(request, collected)
    return format_html('<link rel="stylesheet" href="{}">', static(name))


def saved_style() -> SafeString:
    """Return the style sheet of a saved conversation: a file on the visitor's disk, without a policy."""
    return format_html("<style>{}</style>", mark_safe(render_to_string("webchat/saved.css")))  # noqa: S308 - a file of ours


def mail_style(accent: str) -> SafeString:
    """Return the style sheet of a mail, with colours derived from an accent, `#rrggbb` or empty."""
    light, dark = color_palette.palettes(accent)
    style = render_to_string("webchat/mail.css", {"light": light, "dark": dark})
    return format_html("<style>{}</style>", mark_safe(style))  # noqa: S308 - a template of ours


def color_style(request: HttpRequest, accent: str, within: str) -> SafeString:
    """Return the style element with the colours derived from an accent, `#rrggbb` or empty, for what is `within`."""
    return _within(request, _rendered_color_style(accent, within))


def _within(request: HttpRequest, style: str) -> SafeString:
    request.webchat.styles.append(_fingerprint(style))
    return format_html("<style>{}</style>", mark_safe(style))  # noqa: S308 - a file and a template of ours


@functools.lru_cache(maxsize=64)
def _rendered_color_style(accent: str, within: str) -> str:
    light, dark = color_palette.palettes(accent)
    return render_to_string("webchat/color_style.css", {"light": light, "dark": dark, "within": within})


@functools.lru_cache(maxsize=64)
def _fingerprint(style: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
