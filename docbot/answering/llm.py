"""Has a language model write the reply from the passages found, with citations, or reports that it failed."""

import secrets
from collections.abc import Sequence
from pathlib import Path

import regex

from docbot.answering.answers import PastExchange, Source
from docbot.answering.model_server import ModelConfig, ModelFailed, complete
from docbot.answering.phrases import Phrases
from docbot.answering.quoting import NOT_TEXT, source_line
from docbot.retrieval.analysis import query_words, stem, terms
from docbot.retrieval.index import Found
from docbot.retrieval.languages import detect
from outbound.deadline import Deadline

_MOST_PASSAGES = 6  # the first three hold nearly every answer; the others are for comparison
_MOST_EARLIER = 6  # exchanges
_MOST_LETTERS = {"passage": 4000, "message": 4000, "earlier": 1500}  # characters
_LONGEST_REPLY = 16_000  # characters
_REFUSAL = "NO_ANSWER"
_MOST_OF_ITS_WORDS = 0.8  # of an uncited reply are in the passage that it is from; a few only join them

_RULES = Path(__file__).with_name("model_rules.txt").read_text(encoding="utf-8")

_THOUGHTS = regex.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", regex.DOTALL)
_NUMBERS = r"\^?\d{1,2}(?:\s*[,;]\s*\^?\d{1,2})*"
# A citation. Code is matched first, so that an index in it isn't taken for one; [1](…) is a link.
_CITATION = regex.compile(
    rf"```.*?(?:```|\Z)|`[^`\n]+`|[ ]?\\?[\[【](?P<numbers>{_NUMBERS})\\?[\]】](?!\()", regex.DOTALL
)


def reply(
    hits: Sequence[Found],
    message: str,
    history: Sequence[PastExchange],
    *,
    said: Phrases,
    config: ModelConfig,
    deadline: Deadline,
) -> tuple[str, tuple[Source, ...]]:
    """Return the model's reply in Markdown, and its sources; none if the passages hold no answer.

    The history is oldest first. Raises ModelFailed, also if no passage is the reply's source.
    """
    hits = hits[:_MOST_PASSAGES]
    text, is_cut = complete(config, instructions(hits, message, history), deadline=deadline)
    text = NOT_TEXT.sub("", _THOUGHTS.sub("", text)).strip()
    if len(text) > _LONGEST_REPLY:
        raise ModelFailed("a reply that is too long")
    if _REFUSAL in text:
        return said.unknown, ()
    text, sources = _cited(text, [Source.of(hit.passage) for hit in hits])
    sources = sources or _traced(text, hits)
    if not sources:
        raise ModelFailed("a reply that cites none of the passages" if text else "an empty reply")
    if is_cut:
        text += "\n```" if text.count("```") % 2 else " …"  # close an unfinished code block
    return f"{text}\n\n{_source_lines(said.source, sources, hits)}", sources


def instructions(hits: Sequence[Found], message: str, history: Sequence[PastExchange]) -> list[dict[str, str]]:
    """Return the messages for the model. The history is quoted: as its own turns, injected text would weigh more."""
    code = secrets.token_hex(8)  # unpredictable, so that no document or message can close a mark

    def marked(name: str, text: str, most: int) -> str:
        return f"<{name} code={code}>\n{NOT_TEXT.sub(' ', text[:most])}\n</{name} code={code}>"

    parts = []
    for past in history[-_MOST_EARLIER:]:
        parts.append(marked("earlier message of the visitor", past.message, _MOST_LETTERS["earlier"]))
        if past.reply:
            parts.append(marked("earlier reply of the chatbot", past.reply, _MOST_LETTERS["earlier"]))
    for number, hit in enumerate(hits, start=1):
        name = " › ".join(dict.fromkeys(filter(None, (hit.passage.title, hit.passage.heading))))
        parts.append(marked(f"passage [{number}]", f"{name}\n\n{hit.passage.text}", _MOST_LETTERS["passage"]))
    parts.append(marked("message of the visitor", message, _MOST_LETTERS["message"]))
    return [
        {"role": "system", "content": _RULES.format(code=code, refusal=_REFUSAL)},
        {"role": "user", "content": "\n\n".join(parts)},
    ]


def _cited(text: str, passages: Sequence[Source]) -> tuple[str, tuple[Source, ...]]:
    """Renumber the citations by source in order of first mention; return the text and the sources."""
    places: dict[tuple[str, str, str], int] = {}
    sources: list[Source] = []

    def numbers(match: regex.Match) -> list[int]:
        found = [int(number) for number in regex.findall(r"\d+", match["numbers"] or "")]
        return [number for number in found if 1 <= number <= len(passages)]

    for match in _CITATION.finditer(text):
        for number in numbers(match):
            source = passages[number - 1]
            name = (source.title, source.heading, source.url)
            if name not in places:
                sources.append(source)
                places[name] = len(sources)

    def anew(match: regex.Match) -> str:
        if match["numbers"] is None or not (found := numbers(match)):
            return match[0]
        if len(sources) == 1:
            return ""  # the only source is listed below
        names = ((one.title, one.heading, one.url) for one in (passages[number - 1] for number in found))
        # Escaped: a line such as "[1]: https://…" in the text would make links of them.
        return " " + "".join(f"\\[{place}\\]" for place in sorted({places[name] for name in names}))

    return _CITATION.sub(anew, text).strip(), tuple(sources)


def _traced(text: str, hits: Sequence[Found]) -> tuple[Source, ...]:
    """Return the passage that has nearly all words of the text and all of its numbers, if there is one."""
    language = detect(text)
    said = {stem(word, language) for word in query_words(text, language)}
    numbers = {word for word in said if any(map(str.isdigit, word))}
    best, most = (), _MOST_OF_ITS_WORDS * len(said)
    for hit in hits:
        passage = hit.passage
        there = said & frozenset(terms(f"{passage.title} {passage.heading} {passage.text}", language))
        if numbers <= there and there and len(there) >= most:
            best, most = (Source.of(passage),), len(there) + 1
    return best


def _source_lines(word: str, sources: Sequence[Source], hits: Sequence[Found]) -> str:
    passages = {Source.of(hit.passage): hit.passage.text for hit in hits}
    lines = [
        source_line(word, source.title, source.heading, source.url, passage=passages[source]) for source in sources
    ]
    if len(lines) == 1:
        return lines[0]
    # Not a Markdown list: it would continue a numbered list at the end of the text.
    return "\\\n".join(f"\\[{number}\\] {line}" for number, line in enumerate(lines, start=1))
