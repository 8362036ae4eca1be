"""A URL that stands in the text by itself is a link, as bots and people often write it."""

import regex
from markdown_it.rules_inline import StateInline

_SCHEME = regex.compile(r"(?i)(?<![a-z\d+.-])https?$")
# It ends where a script begins that writes no spaces, such as Japanese. Brackets belong to it in pairs.
_LETTER = r"\p{Ll}\p{Lu}"
_HOST = rf"(?:[{_LETTER}\d-]++\.)+[{_LETTER}]+(?::\d{{1,5}})?"
_CHARACTER = rf'[[!-~{_LETTER}]--[<>"`\\()]]'
_REST = regex.compile(rf"://{_HOST}(?:[/?#](?:{_CHARACTER}|\({_CHARACTER}*+\))*+)?", regex.V1)
_AFTER_IT = ".,;:!?'*_~]"  # the sentence's, or emphasis


def bare_url(state: StateInline, silent: bool) -> bool:
    """Make it a link; markdown-it's own rule needs another library."""
    scheme = _SCHEME.search(state.pending[-6:]) if state.src.startswith("://", state.pos) else None
    if silent or state.linkLevel or not scheme or not (found := _REST.match(state.src, state.pos)):
        return False
    rest = found[0].rstrip(_AFTER_IT)
    url = scheme[0] + rest
    state.pending = state.pending[: -len(scheme[0])]
    state.push("link_open", "a", 1).attrs = {"href": state.md.normalizeLink(url)}
    state.push("text", "", 0).content = url
    state.push("link_close", "a", -1)
    state.pos += len(rest)
    return True
