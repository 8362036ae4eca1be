"""Markdown's blocks as replies need them: headings, tasks, columns of numbers, definitions."""

import re
from collections.abc import Iterator

import regex
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_TASK = re.compile(r"\[([ xX])\](?=[ \t])")
_BOXES = {" ": "☐", "x": "☑\N{VARIATION SELECTOR-15}"}  # as text, not as an emoji
# An amount with its unit: "−1,200.50 €", "$5", "30 %", "2.5 kg"; not a date or a time.
_AMOUNT = regex.compile(
    r"[+±−~≈<>-]?\s?\p{Sc}?\s?[+−-]?\d[\d.,'’\u00a0\u202f ]*\s?(?:[%‰°]\p{L}?|\p{Sc}|\p{L}{1,3}\.?)?"
)
_NONE = {"", "–", "—", "-"}
_TERM_AND_DEFINITIONS = re.compile(r"(?:(?!: )[^\n]+(?:\n: [^\n]+)+(?:\n|\Z))+")
_ALIGNED = {"text-align:right": "end", "text-align:center": "middle", "text-align:left": ""}


def headings_below_the_speaker(state: StateCore) -> None:
    """Renumber headings to start below the speaker's h3, without skipping a level (WCAG 1.3.1)."""
    above: list[int] = []
    for token in state.tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
            above = [*(each for each in above if each < level), level]
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(3 + len(above), 6)}"


def tasks(state: StateCore) -> None:
    """Turn `[x]` at the start of a list item into ☑, which is read out and copied like any other character."""
    for item, _, inline in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if item.type == "list_item_open" and inline.type == "inline" and inline.children:
            text = inline.children[0]
            if text.type == "text" and (task := _TASK.match(text.content)):
                text.content = _BOXES[task[1].lower()] + text.content[task.end() :]
                item.attrSet("class", "task")


def columns(state: StateCore) -> None:
    """Align cells as the author says; without that, align columns of amounts at the end."""
    for table in _tables(state.tokens):
        rows = [[cell for cell in row if cell[0].type in ("th_open", "td_open")] for row in table]
        for cells in zip(*rows, strict=False):
            style = str(cells[0][0].attrGet("style") or "")
            words = ["".join(part.content for part in text.children or ()).strip() for _, text in cells[1:]]
            are_amounts = not _NONE.issuperset(words) and all(
                word in _NONE or _AMOUNT.fullmatch(word) for word in words
            )
            side = _ALIGNED.get(style, "end" if are_amounts else "")
            for cell, _ in cells:
                cell.attrs = {"class": side} if side else {}


def _tables(tokens: list[Token]) -> Iterator[list[list[tuple[Token, Token]]]]:
    """Yield each table as its rows, each row as its cells with their text."""
    rows: list[list[tuple[Token, Token]]] = []
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append((token, tokens[place + 1]))
        elif token.type == "table_close":
            yield rows


def definitions(state: StateCore) -> None:
    """Make a term with definitions of a line followed by lines that begin with `: `."""
    tokens: list[Token] = []
    waiting = iter(state.tokens)
    for token in waiting:
        tokens.append(token)
        if (
            token.type != "inline"
            or tokens[-2].type != "paragraph_open"
            or not _TERM_AND_DEFINITIONS.fullmatch(token.content)
        ):
            continue
        opening, closing = tokens[-2], next(waiting)
        del tokens[-2:]
        if tokens and tokens[-1].type == "dl_close" and tokens[-1].level == opening.level:
            tokens.pop()  # an empty line between two terms
        else:
            tokens.append(Token("dl_open", "dl", 1, block=True, level=opening.level))
        for line in token.content.split("\n"):
            tag = "dd" if line.startswith(": ") else "dt"
            text = Token("inline", "", 0, block=True, level=token.level + 1, children=[], map=token.map)
            text.content = line.removeprefix(": ").strip()
            tokens += [Token(f"{tag}_open", tag, 1, block=True, level=token.level), text]
            tokens.append(Token(f"{tag}_close", tag, -1, block=True, level=token.level))
        tokens.append(Token("dl_close", "dl", -1, block=True, level=closing.level))
    state.tokens = tokens
