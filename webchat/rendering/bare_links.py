"""A URL or an e-mail address that stands in the text by itself is a link, as bots and people often write it."""

import regex
from markdown_it.rules_inline import StateInline

_SCHEME = regex.compile(r"(?i)(?<![a-z\d+.-])https?$")
# It ends where a script begins that writes no spaces, such as Japanese. Brackets belong to it in pairs.
_LETTER = r"\p{Ll}\p{Lu}"
_HOST = rf"(?:[{_LETTER}\d-]++\.)+[{_LETTER}]+(?::\d{{1,5}})?"
_CHARACTER = rf'[[!-~{_LETTER}]--[<>"`\\()]]'
_REST = regex.compile(rf"://{_HOST}(?:[/?#](?:{_CHARACTER}|\({_CHARACTER}*+\))*+)?", regex.V1)
_AFTER_IT = ".,;:!?'*_~]"  # the sentence's, or emphasis
_MAILBOX = regex.compile(r"(?i)[a-z\d][\w.%+-]*\w$", regex.ASCII)
_LABEL = r"[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?"
_MAIL_HOST = regex.compile(rf"(?i)@(?:{_LABEL}\.){{1,8}}[a-z]{{2,63}}(?![a-z\d_@-]|:\S)", regex.ASCII)
_GOES_ON = regex.compile(r"[\w.%+@/-]", regex.ASCII)  # before it: it is only the end of something longer
_LONGEST_MAILBOX = 64  # characters, RFC 5321


def bare_url(state: StateInline, silent: bool) -> bool:
    """Make it a link; markdown-it's own rule needs another library."""
    scheme = _SCHEME.search(state.pending[-6:]) if state.src.startswith("://", state.pos) else None
    if silent or state.linkLevel or not scheme or not (found := _REST.match(state.src, state.pos)):
        return False
    rest = found[0].rstrip(_AFTER_IT)
    _push_link(state, scheme[0], rest)
    return True


def bare_email(state: StateInline, silent: bool) -> bool:
    """Make it a link. Path not taken: linkify-it-py, which takes Japanese text after a URL for a part of it."""
    if silent or state.linkLevel or not state.src.startswith("@", state.pos):
        return False
    mailbox = _MAILBOX.search(state.pending[-_LONGEST_MAILBOX - 1 :])
    host = _MAIL_HOST.match(state.src, state.pos)
    if not mailbox or not host or len(mailbox[0]) > _LONGEST_MAILBOX:
        return False
    start = state.pos - len(mailbox[0])
    if start and _GOES_ON.match(state.src[start - 1]):
        return False
    _push_link(state, mailbox[0], host[0], "mailto:")
    return True


def _push_link(state: StateInline, begun: str, rest: str, scheme: str = "") -> None:
    """Push a link whose beginning is pending as text."""
    state.pending = state.pending[: -len(begun)]
    state.push("link_open", "a", 1).attrs = {"href": state.md.normalizeLink(scheme + begun + rest)}
    state.push("text", "", 0).content = begun + rest
    state.push("link_close", "a", -1)
    state.pos += len(rest)
