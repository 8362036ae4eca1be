"""Measures docbot's replies: trains bots on question sets' documents with `manage.py train` and asks them over HTTP.

For each set in eval_bot.py's folder, and our own in `languages`, it asks: all questions; follow-ups also without their
conversation; single questions with one typing error each; and off-topic questions, taken from the other sets in the
same language unless their document has a namesake here. The manual's bot is asked off-topic questions, too.
"""

import json
import random
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import regex

from docbot.retrieval.analysis import query_words
from tests.bench.served_docbot import ServedDocbot
from tests.browser.site import ROOT

# The goals: the share of good replies, or of refusals.
GOOD = {"squad": 0.84, "nq": 0.84, "stackfaq": 0.72, "places": 0.60}
GOOD_ELSEWHERE, ADVANTAGE, OTHER_LANGUAGES, TYPING, OFF_TOPIC = 0.77, 0.15, 0.78, 0.79, 0.90
STRANGERS = 150  # questions of each other set
FEW = 30  # questions; the share of fewer says nothing
MANUAL = "manual"
OWN = Path(__file__).parent / "languages"
BY_EVAL = Path(__file__).parent / "asked_by_eval.py"
NOT_LETTERS = regex.compile(r"[^\p{L}\p{M}\p{N}]+")


class QuestionSet:
    """Documents and questions about them: one of the sets of eval_bot.py."""

    def __init__(self, name: str, scripts: Path, limit: int) -> None:
        self.name = name
        self._scripts = scripts
        by_kind = defaultdict(list)
        for question in self._all_questions():
            by_kind[question["kind"]].append(question)
        self.questions = [question for some in by_kind.values() for question in sample(some, limit)]
        self.language: str = next((question["lang"] for question in self.questions), "en")

    def _all_questions(self) -> list[dict]:
        return read_lines(next((self._scripts / "data").glob(f"{self.name}.*questions.jsonl")))

    def write_documents(self, folder: Path) -> None:
        run(sys.executable, self._scripts / "prepare_corpus.py", self.name, folder)

    @cached_property
    def texts(self) -> dict[str, str]:
        """Map titles to texts, both as plain lower-case words."""
        documents = read_lines(self._scripts / "data" / f"{self.name}.corpus.jsonl")
        return {plain(document["title"]): plain(document["text"]) for document in documents}

    @cached_property
    def titles(self) -> list[frozenset[str]]:
        return names(self.texts, self.language)

    def titles_of(self, question: dict) -> list[frozenset[str]]:
        """Return the titles of the documents that hold the answer."""
        if question.get("doc"):
            return names([plain(question["doc"])], self.language)
        wanted = [plain(gold)[:60] for gold in question.get("gold", ())]
        found = (title for title, text in self.texts.items() if any(one and one in text for one in wanted))
        return names(found, self.language)


class OwnSet(QuestionSet):
    """One of ours: questions in a folder named as their language, about Markdown files, their first line the title."""

    def __init__(self, questions: Path, scripts: Path, limit: int) -> None:
        self._questions = questions
        super().__init__(own_name(questions), scripts, limit)

    def _all_questions(self) -> list[dict]:
        return read_lines(self._questions)

    def write_documents(self, folder: Path) -> None:
        shutil.copytree(self._questions.parent / "corpus", folder)

    @cached_property
    def texts(self) -> dict[str, str]:
        written = [path.read_text(encoding="utf-8") for path in self._questions.parent.glob("corpus/*.md")]
        return {plain(text.partition("\n")[0]): plain(text) for text in written}


def own_name(questions: Path) -> str:
    """`de/questions.jsonl` is "own-de", `de/near.jsonl` "own-de-near"."""
    name = f"own-{questions.parent.name}"
    return name if questions.stem == "questions" else f"{name}-{questions.stem}"


def question_sets(scripts: Path, limit: int) -> dict[str, QuestionSet]:
    public = sorted(path.name.removesuffix(".corpus.jsonl") for path in (scripts / "data").glob("*.corpus.jsonl"))
    own = sorted(OWN.glob("*/*.jsonl"))
    return {
        **{name: QuestionSet(name, scripts, limit) for name in public},
        **{own_name(questions): OwnSet(questions, scripts, limit) for questions in own},
    }


def plain(text: str) -> str:
    return NOT_LETTERS.sub(" ", text).strip().casefold()


def names(titles: Iterable[str], language: str) -> list[frozenset[str]]:
    return [frozenset(query_words(title, language)) for title in titles]


def measure_quality(scripts: Path, only: list[str], limit: int, folder: Path) -> None:
    sets = question_sets(scripts, limit)
    verdicts: list[str] = []
    with ServedDocbot(folder) as docbot:
        for name in only or [*sets, MANUAL]:
            documents = ROOT / "docs"
            if name in sets:
                documents = folder / name
                sets[name].write_documents(documents)
            began = time.perf_counter()
            key = docbot.add_bot(name, documents=documents)
            print(f"— {name}: trained in {time.perf_counter() - began:.1f} s", flush=True)
            asking = Asking([sys.executable, BY_EVAL, scripts, "--url", docbot.url, "--key", key], folder)
            verdicts += judged(asking, name, sets)
            if name in sets:
                shutil.rmtree(documents)
    print("— in all\n" + "\n".join(verdicts))


class Asking:
    """Runs eval_bot.py, which prints its table, and returns its figures by kind."""

    def __init__(self, command: list[object], folder: Path) -> None:
        self._command, self._folder = command, folder

    def __call__(self, questions: list[dict], *options: str) -> dict[str, dict]:
        if not questions:
            return {}
        asked, told = self._folder / "asked.jsonl", self._folder / "told.json"
        asked.write_text("".join(json.dumps(question) + "\n" for question in questions), encoding="utf-8")
        run(*self._command, asked, "--out", told, *options, shown=True)
        return {row["kind"]: row for row in json.loads(told.read_text())["rows"]}


def judged(asking: Asking, name: str, sets: dict[str, QuestionSet]) -> list[str]:
    verdicts = []
    if name in sets:
        questions = sets[name].questions
        own = asking(questions)
        language = sets[name].language
        least = GOOD.get(name, GOOD_ELSEWHERE) if language == "en" else OTHER_LANGUAGES
        verdicts += [
            verdict(f"{name}, answerable ({language}), good", own, "answerable", "good", least),
            verdict(f"{name}, follow-ups, good", own, "followup", "good", least),
            verdict(f"{name}, off-topic, refused", own, "offtopic", "refused", OFF_TOPIC),
        ]
        follow_ups = [question for question in questions if question["kind"] == "followup"]
        if follow_ups:
            alone = asking(follow_ups, "--no-history")
            more = own["followup"]["good"] - alone["followup"]["good"]
            verdicts.append(line(f"{name}, follow-ups, more than without history", more, ADVANTAGE))
        typing = asking(mistyped(questions))
        verdicts.append(verdict(f"{name}, with a typing error, good", typing, "answerable", "good", TYPING))
    strangers = asking(off_topic(sets, name))
    verdicts.append(verdict(f"{name}, off-topic, refused", strangers, "offtopic", "refused", OFF_TOPIC))
    return [one for one in verdicts if one]


def verdict(what: str, rows: dict[str, dict], kind: str, figure: str, least: float) -> str:
    row = rows.get(kind)
    return line(what, row[figure], least) if row and row["n"] - row["errors"] >= FEW else ""


def line(what: str, share: float, least: float) -> str:
    return f"  {what:48} {share:.3f}   at least {least:.2f}   {'reached' if share >= least else 'MISSED'}"


def off_topic(sets: dict[str, QuestionSet], name: str) -> list[dict]:
    """Return first turns of other sets in the same language, unless their documents share a subject with these."""
    here = sets[name].titles if name in sets else []
    language = sets[name].language if name in sets else "en"
    found = []
    for other in sets.values():
        if other.name == name or other.language != language:
            continue
        strange = [question for question in other.questions if question["kind"] not in ("unanswerable", "offtopic")]
        strange = [question for question in strange if is_strange(other.titles_of(question), here)]
        for question in sample(strange, STRANGERS):
            found.append(question | {"set": f"not {name}"[:12], "kind": "offtopic", "turns": question["turns"][:1]})
    return found


def is_strange(titles: list[frozenset[str]], here: list[frozenset[str]]) -> bool:
    """Return whether the titles are known and none of them contains one of these, or is contained in one."""
    return bool(titles) and not any(one <= other or other <= one for one in titles for other in here if one and other)


def mistyped(questions: list[dict]) -> list[dict]:
    """Return the answerable single questions, each with one typing error in one of its longer words."""
    found = []
    for question in questions:
        chance = random.Random(question["id"])
        words = question["turns"][-1].split()
        places = [place for place, word in enumerate(words) if len(word) >= 5 and word.isalpha()]
        if question["kind"] == "answerable" and len(question["turns"]) == 1 and places:
            place = chance.choice(places)
            words[place] = slip(words[place], chance)
            found.append(question | {"set": f"{question['set']} typo"[:12], "turns": [" ".join(words)]})
    return found


def slip(word: str, chance: random.Random) -> str:
    """Drop, double, replace or swap one letter."""
    place = chance.randrange(1, len(word) - 1)
    before, letter, after = word[:place], word[place], word[place + 1 :]
    wrong = chance.choice("abcdefghijklmnopqrstuvwxyz" if word.isascii() else word)
    swapped = before + after[0] + letter + after[1:]
    return chance.choice((before + after, before + wrong + letter + after, before + wrong + after, swapped))


def sample(questions: list[dict], most: int) -> list[dict]:
    return random.Random(1).sample(questions, most) if 0 < most < len(questions) else questions


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(*command: object, shown: bool = False) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=None if shown else subprocess.DEVNULL)
