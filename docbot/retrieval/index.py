"""Builds and searches the index of one bot's passages, which many threads and processes may read."""

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import lru_cache
from math import log
from pathlib import Path

import tantivy

from docbot.retrieval import atomic_directory
from docbot.retrieval.analysis import terms
from docbot.retrieval.sentences import Piece, joined, pieces, size

FORMAT = 12  # raise it when the format changes: an index of another format counts as missing
_HEAP = 64_000_000  # bytes in memory before the writer writes a segment
_DESCRIPTION = "description.json"
_MOST_TITLES = 5
_MOST_BEGINNING = 50  # terms
_SEVERAL, _OFTEN = 3, 0.3  # documents with the same heading; the share of passages below such headings

# Every passage of a long document has its title, which says little about any of them.
BOOSTS = {"title": 1.0, "long_title": 0.3, "heading": 1.0, "text": 1.0}
TITLES = {"title": 1.0, "long_title": 1.0}
# Languages that write compounds as one word. Their terms are also indexed backwards, to be found by their endings.
COMPOUNDING = frozenset({"de", "nl", "sv", "da", "no", "nb", "nn", "fi", "et", "hu"})
_SHORTEST_COMPOUND = 7  # letters


class IndexMissing(Exception):
    """There is no index in this folder, or none that this version can read: train the bot."""


@dataclass(frozen=True)
class IndexedPassage:
    """A passage as stored in the index: everything an answer needs."""

    id: int
    document_id: int
    title: str
    heading: str
    text: str
    url: str = ""
    language: str = ""
    in_long_document: bool = False  # one of more than 4 passages
    taught_on: str = ""  # of a taught answer, whose title is one of the ways to ask it: the day, as 2026-11-23

    @property
    def section(self) -> tuple[int, str]:
        return self.document_id, self.heading


@dataclass(frozen=True)
class AnalysedPiece:
    """A piece of a passage with its analysed terms, so that no reply has to analyse it again."""

    piece: Piece
    length: int  # in words
    terms: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """A passage and its BM25 score for the query."""

    passage: IndexedPassage
    score: float
    name_terms: tuple[str, ...]  # of title and heading
    parts: tuple[AnalysedPiece, ...]
    encoder: str = ""  # that compared its meaning
    # In meaning: of each part to the message, and to the message without its conversation; at -1 of the name.
    likeness: Mapping[int, float] = dataclass_field(default_factory=dict)
    likeness_alone: Mapping[int, float] = dataclass_field(default_factory=dict)
    likeness_with_name: float = 0.0  # of the part that comes closest together with the name
    on_subject: float = 0.0  # the mean likeness of all the bot's sentences to the message


@dataclass(frozen=True)
class Description:
    """A summary of what an index holds."""

    passages: int
    documents: int
    languages: tuple[str, ...]  # the most frequent first, without unknown ones
    titles: tuple[str, ...]  # all of them if there are few, otherwise none
    letters: str  # of the words in it
    repeats: bool = False  # the same headings stand in several documents: they describe things of one kind
    taught: int = 0  # of the passages: ways to ask what was taught


@lru_cache(maxsize=1)
def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in BOOSTS:
        builder.add_text_field(field, stored=False, tokenizer_name="whitespace", index_option="freq")
    for field in ("backwards", "document", "number"):
        builder.add_text_field(field, stored=False, tokenizer_name="whitespace", index_option="basic")
    builder.add_bytes_field("passage", stored=True, indexed=False, fast=False)
    return builder.build()


def build(
    folder: Path, passages: Iterable[IndexedPassage], *, progress: Callable[[int], None] = lambda done: None
) -> None:
    """Build an index of the passages and replace the old one, which answers until then and stays after an exception."""
    with atomic_directory.replacing(folder) as fresh:
        writer = tantivy.Index(_schema(), path=str(fresh)).writer(heap_size=_HEAP, num_threads=1)
        description = _Describing()
        for done, passage in enumerate(passages, start=1):
            writer.add_document(_document(passage, description))
            progress(done)
        writer.commit()
        writer.wait_merging_threads()
        (fresh / _DESCRIPTION).write_text(json.dumps(description.result() | {"format": FORMAT}), encoding="utf-8")


def build_with(folder: Path, index: "Index", passages: Sequence[IndexedPassage], without: int | None) -> "Index":
    """Build in an empty folder a copy of an index with some taught passages more and a document less, and open it."""
    fresh = folder / index.generation.name
    shutil.copytree(index.generation, fresh)
    description = _Describing()
    writer = tantivy.Index.open(str(fresh)).writer(heap_size=_HEAP, num_threads=1)
    if without is not None:
        writer.delete_documents_by_term("document", str(without))
    for passage in passages:
        writer.add_document(_document(passage, description))
    writer.commit()
    writer.wait_merging_threads()
    facts = json.loads((fresh / _DESCRIPTION).read_text(encoding="utf-8"))
    facts |= {name: facts.get(name, 0) + len(passages) for name in ("passages", "taught")}
    # A taught answer may be the first one in its language.
    facts["languages"] += [each for each in description.result()["languages"] if each not in facts["languages"]]
    facts["letters"] = "".join(sorted({*facts["letters"], *description.letters}))
    (fresh / _DESCRIPTION).write_text(json.dumps(facts), encoding="utf-8")
    return Index(fresh)


def _document(passage: IndexedPassage, description: "_Describing") -> tantivy.Document:
    language = passage.language
    found = {
        "long_title" if passage.in_long_document else "title": terms(passage.title, language),
        "heading": terms(passage.heading, language),
    }
    name_terms = [term for part in found.values() for term in part]
    parts = [(part, terms(part.text, language)) for part in pieces(passage.text)]
    found["text"] = [term for _, part in parts for term in part]
    document = tantivy.Document()
    for field, part in found.items():
        if part:
            document.add_text(field, " ".join(part))
            description.letters.update("".join(part))
    if language in COMPOUNDING:
        long = {term[::-1] for term in found["text"] if len(term) >= _SHORTEST_COMPOUND}
        document.add_text("backwards", " ".join(long))
    description.add(passage, frozenset(found["heading"]).difference(terms(passage.title, language)))
    document.add_text("document", str(passage.document_id))
    document.add_text("number", str(passage.id))
    stored = [
        vars(passage) | {"text": ""},  # the text is that of its pieces
        " ".join(name_terms),
        [(part.text, part.before, part.kind, size(part.text), " ".join(its)) for part, its in parts],
    ]
    document.add_bytes("passage", json.dumps(stored, ensure_ascii=False).encode(errors="replace"))
    return document


class _Describing:
    def __init__(self) -> None:
        self.letters: set[str] = set()
        self._languages: Counter[str] = Counter()
        self._titles: dict[int, str] = {}  # of each document
        self._headed: defaultdict[frozenset[str], list[int]] = defaultdict(list)  # each passage's document, by heading
        self._passages = self._taught = 0

    def add(self, passage: IndexedPassage, heading: frozenset[str]) -> None:
        """Count a passage; `heading`: the terms of its heading that aren't in its title."""
        if heading:
            self._headed[heading].append(passage.document_id)
        if passage.language:
            self._languages[passage.language] += 1
        self._passages += 1
        if passage.taught_on:
            self._taught += 1
        else:
            self._titles[passage.document_id] = passage.title

    def result(self) -> dict[str, object]:
        repeated = sum(len(documents) for documents in self._headed.values() if len(set(documents)) >= _SEVERAL)
        titles = list(dict.fromkeys(self._titles.values()))
        return {
            "passages": self._passages,
            "documents": len(self._titles),
            "languages": [language for language, _ in self._languages.most_common()],
            "titles": titles if len(titles) <= _MOST_TITLES else [],
            "letters": "".join(sorted(self.letters)),
            "taught": self._taught,
            "repeats": repeated > _OFTEN * self._passages,
        }


class Index:
    """An open index. Any number of threads may use it at once, also while a newer one replaces it."""

    def __init__(self, generation: Path) -> None:
        facts = json.loads((generation / _DESCRIPTION).read_text(encoding="utf-8"))
        if facts.pop("format") != FORMAT:
            raise IndexMissing(f"The index in {generation.parent} is of another version.")
        self.description = Description(**{key: tuple(v) if isinstance(v, list) else v for key, v in facts.items()})
        self.generation, self.folder = generation, generation.parent
        self._searcher = tantivy.Index.open(str(generation)).searcher()
        self.rarest = self._rarity(0)  # the rarity of a term that no passage has

    def frequency(self, term: str) -> int:
        """Return the number of passages that have the term in text, heading or title."""
        return max(self._searcher.doc_freq(field, term) for field in BOOSTS)

    def rarity(self, term: str) -> float:
        """Return the term's inverse document frequency; unknown terms are the rarest."""
        return self._rarity(self.frequency(term))

    def _rarity(self, count: int) -> float:
        return log(1 + (self.description.passages - count + 0.5) / (count + 0.5))

    def beginning_with(self, letters: str) -> list[str]:
        """Return the terms of texts and headings with this prefix, the most frequent first."""
        found = (
            self._searcher.terms_with_prefix(field, letters, limit=_MOST_BEGINNING) for field in ("text", "heading")
        )
        return list(dict.fromkeys(term for terms in found for term, _ in terms))

    def ending_with(self, letters: str) -> list[str]:
        """Return the longer terms with this ending, in languages with compounds, the most frequent first."""
        ending = self._searcher.terms_with_prefix("backwards", letters[::-1], limit=_MOST_BEGINNING)
        return [term[::-1] for term, _ in ending]

    def search(
        self, weights: Mapping[str, float], limit: int, *, document: int | None = None, boosts: Mapping = BOOSTS
    ) -> list[Found]:
        """Return the best passages for weighted terms, best first; within one document, all its passages count."""
        query = tantivy.Query
        clauses = [
            (tantivy.Occur.Should, query.boost_query(query.term_query(_schema(), field, term, "freq"), weight * boost))
            for term, weight in weights.items()
            for field, boost in boosts.items()
        ]
        if document is not None:
            of_it = query.term_query(_schema(), "document", str(document), "basic")
            clauses.append((tantivy.Occur.Must, query.const_score_query(of_it, 0.0)))
        if not clauses:
            return []
        hits = self._searcher.search(query.boolean_query(clauses), limit, count=False).hits
        return [self._found(doc, score) for score, doc in hits]

    def passage(self, number: int) -> Found | None:
        """Return the passage with this id, without a score, or None if it isn't in the index."""
        query = tantivy.Query.term_query(_schema(), "number", str(number), "basic")
        hits = self._searcher.search(query, 1, count=False).hits
        return self._found(hits[0][1], 0.0) if hits else None

    def _found(self, doc: tantivy.DocAddress, score: float) -> Found:
        facts, name_terms, stored = json.loads(self._searcher.doc(doc).get_first("passage"))
        parts = tuple(
            AnalysedPiece(Piece(text, before, kind), length, tuple(its.split(" ")))
            for text, before, kind, length, its in stored
        )
        passage = IndexedPassage(**facts | {"text": joined([part.piece for part in parts])})
        return Found(passage, score, tuple(name_terms.split(" ")), parts)


_opened = atomic_directory.Opened(Index)


def open_index(folder: Path) -> Index:
    """Return the current index of a folder. Raises IndexMissing when there is none."""
    index = _opened(folder)
    if index is None:
        raise IndexMissing(f"There is no index in {folder}.")
    return index
