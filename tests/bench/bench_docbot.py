"""docbot: what training a passage costs, how long a reply takes among 100,000 passages, and how good replies are.

Without options a corpus is made up and asked. With `--eval FOLDER` (the folder of eval_bot.py and its sets) a bot is
trained on each set by `manage.py train` and asked over HTTP: all questions of the set, the same mistyped, and
questions of the other sets, which have nothing to do with its documents. `--sets NAME …`: only these.
"""

import argparse
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from docbot.answers import PastExchange, answer
from docbot.content import ReadDocument, Section
from docbot.index import Index, IndexedPassage, build, open_index
from docbot.passages import cut
from tests.bench.served_docbot import ServedDocbot

ENGINE_LIMITS, REQUEST_LIMITS, TRAINING_LIMIT = (10, 30), (50, 150), 2  # ms: p50 and p95; a passage
QUESTIONS = 1000
REQUESTS = 300
WORDS = 60_000  # of the made-up language
SYLLABLES = [a + b for a in ("b", "d", "f", "gr", "k", "l", "m", "n", "pr", "r", "s", "t", "v", "w") for b in "aeiou"]
OFF_TOPIC = 150  # questions of each other set


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--eval", type=Path, metavar="FOLDER", help="measure the quality sets of this folder instead")
    parser.add_argument("--sets", nargs="*", default=[], metavar="NAME")
    options = parser.parse_known_args(arguments)[0]  # another bench's options aren't ours
    with tempfile.TemporaryDirectory() as folder:
        if options.eval:
            measure_quality(options.eval.resolve(), options.sets, Path(folder))
        else:
            measure_speed(options.passages, Path(folder))


# --- Speed ------------------------------------------------------------------------------------------------------------


def measure_speed(passages: int, folder: Path) -> None:
    language = Language()
    began, before = time.perf_counter(), peak_memory()
    made = Made(language, passages)
    build(folder / "index", made.passages())
    seconds = time.perf_counter() - began - made.seconds_of_making
    size = sum(path.stat().st_size for path in (folder / "index").rglob("*") if path.is_file())
    each = seconds / passages * 1000
    print(f"training: {each:.2f} ms a passage (at most {TRAINING_LIMIT}), {seconds:.0f} s for {passages:,} passages")
    print(f"          {size / 1e6:.0f} MB of index, {peak_memory() - before:.0f} MB of memory at most")
    index = open_index(folder / "index")
    for name, conversations in language.conversations(made.sentences).items():
        report(f"engine, {name}", [engine(index, turns) for turns in conversations], ENGINE_LIMITS)
    with ServedDocbot(folder) as docbot:
        key = docbot.add_bot("bench", index=folder / "index")
        conversations = language.conversations(made.sentences)["questions"][:REQUESTS]
        report("request", [docbot.ask(key, turns[0])[2] for turns in conversations], REQUEST_LIMITS)


def engine(index: Index, turns: list[str]) -> float:
    """Seconds that the last turn takes."""
    history: list[PastExchange] = []
    for turn in turns:
        began = time.perf_counter()
        reply = answer(index, turn, history)
        seconds = time.perf_counter() - began
        history.append(PastExchange(turn, reply.sources))
    return seconds


def report(name: str, seconds: list[float], limits: tuple[int, int]) -> None:
    ranked = sorted(one * 1000 for one in seconds)
    p50, p95 = statistics.median(ranked), ranked[int(len(ranked) * 0.95)]
    print(
        f"{name}: p50 {p50:.1f} ms (at most {limits[0]}), p95 {p95:.1f} ms (at most {limits[1]}), max {ranked[-1]:.1f}"
    )


def peak_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


class Language:
    """Words that are as frequent as those of a real language: the second half as often as the first, and so on."""

    def __init__(self) -> None:
        self.random = random.Random(7)
        words = {"".join(self.random.choices(SYLLABLES, k=self.random.randint(2, 5))) for _ in range(WORDS * 2)}
        self._words = sorted(words)[:WORDS]
        self.random.shuffle(self._words)
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(WORDS)))

    def words(self, count: int) -> list[str]:
        return self.random.choices(self._words, cum_weights=self._weights, k=count)

    def sentence(self) -> str:
        return " ".join(self.words(self.random.randint(12, 30))).capitalize() + "."

    def conversations(self, sentences: list[str]) -> dict[str, list[list[str]]]:
        """Questions, mistyped ones, and ones that others went before, all about sentences of the corpus."""
        asked = [self._question(self.random.choice(sentences)) for _ in range(QUESTIONS)]
        return {
            "questions": [[question] for question in asked],
            "mistyped": [[self._mistyped(question)] for question in asked],
            "follow-ups": [asked[place : place + 4] for place in range(0, QUESTIONS - 4, 4)],
        }

    def _question(self, sentence: str) -> str:
        words = sentence.lower().strip(".").split()
        return f"What is {' '.join(self.random.sample(words, min(7, len(words))))}?"

    def _mistyped(self, question: str) -> str:
        place = self.random.randrange(8, len(question) - 2)
        return question[:place] + question[place + 1] + question[place] + question[place + 2 :]


class Made:
    """Documents of about ten passages each, cut as in a training; only the time of making them up isn't counted."""

    def __init__(self, language: Language, passages: int) -> None:
        self._language = language
        self._passages = passages
        self.seconds_of_making = 0.0
        self.sentences: list[str] = []

    def passages(self) -> Iterator[IndexedPassage]:
        number = document = 0
        while number < self._passages:
            document += 1
            read = self._document()
            found = cut(read)[: self._passages - number]
            for passage in found:
                number += 1
                yield IndexedPassage(
                    number,
                    document,
                    read.title,
                    passage.heading,
                    passage.text,
                    "",
                    "en",
                    in_long_document=len(found) > 4,
                )

    def _document(self) -> ReadDocument:
        began = time.perf_counter()
        sections = []
        for _ in range(5):
            sentences = [self._language.sentence() for _ in range(14)]
            self.sentences.append(sentences[0])
            sections.append(Section(" ".join(self._language.words(3)), " ".join(sentences)))
        document = ReadDocument(" ".join(self._language.words(3)), tuple(sections), "en")
        self.seconds_of_making += time.perf_counter() - began
        return document


# --- Quality ----------------------------------------------------------------------------------------------------------


def measure_quality(scripts: Path, names: list[str], folder: Path) -> None:
    data = scripts / "data"
    names = names or sorted(path.name.removesuffix(".corpus.jsonl") for path in data.glob("*.corpus.jsonl"))
    questions = {name: read_questions(next(data.glob(f"{name}.*questions.jsonl"))) for name in names}
    with ServedDocbot(folder) as docbot:
        for name in names:
            corpus = folder / "corpus" / name
            run(sys.executable, scripts / "prepare_corpus.py", name, corpus)
            began = time.perf_counter()
            key = docbot.add_bot(name, documents=corpus)
            print(f"— {name}: trained in {time.perf_counter() - began:.1f} s", flush=True)
            own, typing, others = (folder / f"{name}.{kind}.jsonl" for kind in ("own", "typing", "others"))
            write_questions(own, questions[name])
            write_questions(typing, mistyped(questions[name]))
            write_questions(others, off_topic(questions, name))
            command = (sys.executable, scripts / "eval_bot.py", "--url", docbot.url, "--key", key)
            run(*command, own, shown=True)
            run(*command, typing, shown=True)
            if any(len(question["turns"]) > 1 for question in questions[name]):
                print("without the conversation:", flush=True)
                run(*command, own, "--no-history", shown=True)
            if others.stat().st_size:
                run(*command, others, shown=True)
            shutil.rmtree(corpus)


def off_topic(questions: dict[str, list[dict]], name: str) -> list[dict]:
    """First turns of the other sets' questions; their documents are others, though a subject may be the same."""
    found = []
    for other in questions.keys() - {name}:
        asked = [question for question in questions[other] if question["kind"] != "unanswerable"]
        for question in random.Random(1).sample(asked, min(OFF_TOPIC, len(asked))):
            set_of = f"{name}<{other}"[:12]
            found.append(question | {"set": set_of, "kind": "offtopic", "turns": question["turns"][:1]})
    return found


def mistyped(questions: list[dict]) -> list[dict]:
    """The answerable questions of one turn, each with one slip in one of its longer words."""
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
    """One letter missing, too many, wrong, or changed with the next."""
    place = chance.randrange(1, len(word) - 1)
    before, letter, after = word[:place], word[place], word[place + 1 :]
    wrong = chance.choice("abcdefghijklmnopqrstuvwxyz")
    ways = (
        before + after,
        before + wrong + letter + after,
        before + wrong + after,
        before + after[0] + letter + after[1:],
    )
    return chance.choice(ways)


def read_questions(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_questions(path: Path, questions: list[dict]) -> None:
    path.write_text("".join(json.dumps(question) + "\n" for question in questions), encoding="utf-8")


def run(*command: object, shown: bool = False) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=None if shown else subprocess.DEVNULL)
