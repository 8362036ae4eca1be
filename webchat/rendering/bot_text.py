"""The bot's Markdown as safe HTML; the only place where anything is marked safe.

Bot text is untrusted. markdown-it-py makes HTML without letting any through, nh3 then allows only what is listed here.
"""

import html
import re
from collections.abc import Sequence
from functools import lru_cache

import nh3
import regex
import segno
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, list_block, table
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from webchat.rendering import blocks, code
from webchat.rendering.bare_links import bare_email, bare_url

MAX_BYTES = 64 * 1024  # of Markdown
MAX_DEPTH = 18  # nested blocks: markdown-it drops what is deeper than 20, and a list item takes two levels
MAX_CELLS = 10_000  # a small reply can ask for a table of millions of empty cells
MAX_NAME = 100  # characters of a table's name, which is its header
ELLIPSIS = "…"
MAX_CODES = 8  # QR codes of one reply, each of some kilobytes
SHORT_CODE = 24  # characters: as many fit on a line of a small phone, inside two lists
MAX_CODED = 400  # characters of a URL: a longer one makes a code too fine for a phone to read off a screen

# Control characters except tab and line feed; tag characters (they can hide text from people, not from machines);
# bidirectional overrides (they can make a text read as another).
_INVISIBLE = regex.compile(r"[\p{Cc}--[\t\n]]|[\U000E0000-\U000E007F]|[\u202A-\u202E\u2066-\u2069]", regex.V1)

# Browsers read "https:page" as a page of this site.
_ABSOLUTE = regex.compile(r"(?i)https?://[^/]|mailto:.")
_ABSOLUTE_OR_CALL = regex.compile(rf"{_ABSOLUTE.pattern}|tel:.")  # for QR codes: a phone can call
_NUMBER = re.compile(r"(\d{1,9})[.)][ \t]+\S")
_FOOTNOTE = re.compile(r"\[\^([^\s\[\]^]{1,32})\]:?")
_LINK = re.compile(r'<a href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)  # as nh3 writes it

_ALLOWED = {
    **{tag: {"dir"} for tag in ("p", "h4", "h5", "h6", "blockquote", "ul", "ol", "dl", "div")},
    **{tag: set() for tag in ("table", "li", "thead", "tbody", "tr", "th", "td", "dt", "dd")},
    **{tag: set() for tag in ("figure", "figcaption", "pre", "code", "span", "em", "strong", "s", "sup", "br", "hr")},
    "a": {"href", "title"},
    "div": {"dir", "aria-label"},
    "ol": {"dir", "start"},
}
_CLASSES = {"code": {"short"}, "li": {"task"}, "span": set("kmnsc"), "th": {"end", "middle"}, "td": {"end", "middle"}}
_SET = {
    "a": {"target": "_blank", "aria-describedby": "new-tab"},
    # So that wide code and tables can also be scrolled with the keyboard.
    "pre": {"tabindex": "0"},
    "figure": {"dir": "ltr"},
    "div": {"role": "group", "tabindex": "0"},
}


class _Renderer(RendererHTML):
    def renderToken(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Give each paragraph, list or table its own direction, but nothing inside it, which `auto` would then skip."""
        token = tokens[index]
        if token.block and token.level == 0 and token.nesting == 1:
            token.attrSet("dir", "auto")
        return super().renderToken(tokens, index, options, env)

    def link_open(self, tokens: list[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Show only the text of a link that leads nowhere from here; nh3 drops the end tag that remains."""
        if not env.get("leads", _ABSOLUTE).match(str(tokens[index].attrs["href"])):
            return ""
        link = self.renderToken(tokens, index, options, env)
        return link if "href" in _cleaner_with_calls.clean(link) else ""  # nh3 keeps no host or port that can't be

    def image(self, tokens: list[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Make an image a link to it: reading a reply must not contact another host."""
        token = tokens[index]
        link = Token("link_open", "a", 1, attrs={"href": token.attrs.get("src", "")})
        text = self.renderInlineAsText(token.children, options, env) or token.attrs.get("src", "")
        return self.link_open([link], 0, options, env) + nh3.clean_text(str(text)) + "</a>"

    def table_open(self, tokens: list[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Put the table into a frame that scrolls, named by the table's header.

        Path not taken: a table that scrolls by itself is no table any more for some screen readers.
        """
        direction = ' dir="auto"' if tokens[index].level == 0 else ""
        header = html.escape(self._header(tokens, index, options, env))
        name = f' aria-label="{header}"' if header else ""
        return f"<div{direction}{name}><table>"

    def table_close(self, tokens: list[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return "</table></div>\n"

    def fence(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return code.figure(tokens[index].content, tokens[index].info)

    def code_inline(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Mark code that is short enough to stay on one line."""
        content = tokens[index].content
        if len(content) <= SHORT_CODE and content.isascii():
            tokens[index].attrSet("class", "short")
        return super().code_inline(tokens, index, options, env)

    def code_block(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return code.figure(tokens[index].content, "")

    def _header(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        cells: list[str] = []
        while tokens[index].type != "thead_close":
            if tokens[index].type == "inline":
                cells.append(self.renderInlineAsText(tokens[index].children or [], options, env).strip())
            index += 1
        return ", ".join(filter(None, cells))[:MAX_NAME]


def _footnote(state: StateInline, silent: bool) -> bool:
    """Make `[^1]` a raised 1, in the text and before the note itself, which stays where the bot wrote it."""
    mark = _FOOTNOTE.match(state.src, state.pos)
    if silent or not mark:  # silent: markdown-it is only looking for the end of a link
        return False
    state.push("sup_open", "sup", 1)
    state.push("text", "", 0).content = mark[1]
    state.push("sup_close", "sup", -1)
    state.pos = mark.end()
    return True


def _continued_list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Begin an item with a list's next number even right after a paragraph, unlike CommonMark."""
    last = state.env.setdefault("last_numbers", {})  # of each level
    if silent and state.parentType == "paragraph":
        begin = state.bMarks[start] + state.tShift[start]
        number = _NUMBER.match(state.src[begin : begin + 40])
        if number and not state.is_code_block(start) and int(number[1]) - 1 == last.get(state.level):
            return True
    if not list_block(state, start, end, silent):
        return False
    if not silent:
        items = (token for token in reversed(state.tokens) if token.type == "list_item_open")
        number = next(item.info for item in items if item.level == state.level + 1)
        last[state.level] = int(number) if number else None
    return True


def _plain_lines(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Show what is nested too deeply as it was written."""
    if state.level < MAX_DEPTH:
        return False
    line = start
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
    state.line = line
    state.push("paragraph_open", "p", 1)
    text = state.push("inline", "", 0)
    text.content, text.children = state.getLines(start, line, state.blkIndent, False).strip(), []
    state.push("paragraph_close", "p", -1)
    return True


def _bounded_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    columns = state.src.count("|", state.bMarks[start], state.eMarks[start])
    return columns * (end - start) <= MAX_CELLS and table(state, start, end, silent)


_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}, renderer_cls=_Renderer)
_markdown.enable(["table", "strikethrough"])
_markdown.block.ruler.at("table", _bounded_table, {"alt": ["paragraph"]})
_markdown.block.ruler.before("table", "plain_lines", _plain_lines)
_markdown.block.ruler.at("list", _continued_list, {"alt": ["paragraph", "reference", "blockquote"]})
_markdown.core.ruler.after("block", "headings", blocks.headings_below_the_speaker)
_markdown.core.ruler.after("block", "definitions", blocks.definitions)
_markdown.core.ruler.after("inline", "tasks", blocks.tasks)
_markdown.core.ruler.after("inline", "columns", blocks.columns)
_markdown.inline.ruler.after("link", "footnote", _footnote)
_markdown.inline.ruler.after("text", "bare_url", bare_url)
_markdown.inline.ruler.after("bare_url", "bare_email", bare_email)
# Link definitions disappear from the text, and a small reply could repeat a long one a thousand times.
_markdown.disable("reference")


def _cleaner_for(schemes: set[str]) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(_ALLOWED),
        attributes=_ALLOWED,
        url_schemes=schemes,
        url_relative="deny",
        link_rel="noopener noreferrer nofollow ugc",
        allowed_classes=_CLASSES,
        set_tag_attribute_values=_SET,
    )


_cleaner = _cleaner_for({"http", "https", "mailto"})
_cleaner_with_calls = _cleaner_for({"http", "https", "mailto", "tel"})


def without_invisible(text: str) -> str:
    return _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def bounded(text: str) -> str:
    """Return the text's first MAX_BYTES bytes, cut between characters."""
    encoded = text.encode()
    return text if len(encoded) <= MAX_BYTES else encoded[: MAX_BYTES - 3].decode(errors="ignore") + ELLIPSIS


def markdown(text: str) -> SafeString:
    """Return the bot's Markdown as HTML; HTML inside it is shown as text."""
    return _safe_html(bounded(without_invisible(text)))


def markdown_with_codes(text: str, label: str, summary: str) -> SafeString:
    """Return it for surfaces that nothing may leave: a link becomes its text, with a QR code at the end.

    `label` is the code's accessible name; "#" in it stands for the URL, number or e-mail address. The codes open
    below the `summary`.
    """
    return _safe_html_with_codes(bounded(without_invisible(text)), label, summary)


def qr_code(url: str, label: str) -> SafeString:
    """Return an SVG without style attributes, as the Content-Security-Policy requires.

    The style sheet has its colours.
    """
    return mark_safe(_svg(url, label))  # noqa: S308 - segno's own, the label escaped


@lru_cache(maxsize=512)  # reloading a long transcript shows the same replies again
def _safe_html(text: str) -> SafeString:
    html = without_invisible(_markdown.render(text))  # again: "&#x202e;" is a character only now
    return mark_safe(_cleaner.clean(html))  # noqa: S308 - cleaned by nh3


@lru_cache(maxsize=128)
def _safe_html_with_codes(text: str, label: str, summary: str) -> SafeString:
    html_of_text = without_invisible(_markdown.render(text, {"leads": _ABSOLUTE_OR_CALL}))
    codes: dict[str, str] = {}

    def as_text(link: re.Match[str]) -> str:
        url = html.unescape(link[1])
        if url not in codes:
            if len(codes) == MAX_CODES or len(url) > MAX_CODED:
                return f'<span class="linked">{link[2]}</span>'
            codes[url] = f'<li data-number="{len(codes) + 1}">{_svg(url, label)}{_caption(url)}</li>'
        number = [*codes].index(url) + 1
        return f'<span class="linked" data-number="{number}">{link[2]}</span>'

    cleaned = _LINK.sub(as_text, _cleaner_with_calls.clean(html_of_text))
    if codes:
        listed = f'<ul class="codes">{"".join(codes.values())}</ul>'
        cleaned += f"<details data-codes><summary>{html.escape(summary)}</summary>{listed}</details>"
    return mark_safe(cleaned)  # noqa: S308 - cleaned by nh3; what is added holds only escaped text


def _svg(url: str, label: str) -> str:
    code = segno.make(url, error="l", micro=False)  # no logo covers it, and fewer dots can be larger
    svg = code.svg_inline(omitsize=True, svgclass="qr", lineclass=None, border=4)
    name = label.replace("#", re.sub(r"(?i)^(mailto|tel):", "", url))
    return svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(name)}" ', 1)


def _caption(url: str) -> str:
    """Return the URL as one would type it."""
    read = re.sub(r"(?i)^(https?://(www\.)?|mailto:|tel:)", "", url).removesuffix("/")
    return f'<span dir="ltr">{html.escape(read)}</span>'
