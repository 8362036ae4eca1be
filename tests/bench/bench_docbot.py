"""docbot: training time per passage, reply time among 100,000 passages, and the quality of replies.

Without options it trains a bot on generated documents with `manage.py train` and asks it. With `--eval FOLDER` (the
folder of eval_bot.py and its sets) it runs docbot_quality.py; `--sets NAME …` selects sets (`own-de` is our German
one); `--limit N` asks at most N questions of each kind.
"""

import argparse
import random
import statistics
import tempfile
import time
from itertools import accumulate
from pathlib import Path

from docbot.answering.answers import PastExchange, answer
from docbot.retrieval.index import Index, open_index
from tests.bench.docbot_quality import measure_quality
from tests.bench.served_docbot import ServedDocbot

ENGINE_LIMITS, REQUEST_LIMITS, TRAINING_LIMIT = (10, 30), (50, 150), 2  # ms: p50 and p95; a passage
QUESTIONS = 1000
REQUESTS = 300
WORDS = 60_000  # words in the generated language
SYLLABLES = [a + b for a in ("b", "d", "f", "gr", "k", "l", "m", "n", "pr", "r", "s", "t", "v", "w") for b in "aeiou"]
PASSAGES_OF_A_DOCUMENT = 10


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--eval", type=Path, metavar="FOLDER", help="measure the quality sets of this folder instead")
    parser.add_argument("--sets", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--limit", type=int, default=0, metavar="N")
    options = parser.parse_known_args(arguments)[0]  # another bench's options aren't ours
    with tempfile.TemporaryDirectory() as folder:
        if options.eval:
            measure_quality(options.eval.resolve(), options.sets, options.limit, Path(folder))
        else:
            measure_speed(options.passages, Path(folder))


def measure_speed(passages: int, folder: Path) -> None:
    language = Language()
    sentences = write_documents(folder / "documents", language, passages // PASSAGES_OF_A_DOCUMENT)
    with ServedDocbot(folder) as docbot:
        began = time.perf_counter()
        key = docbot.add_bot("bench", documents=folder / "documents")
        seconds = time.perf_counter() - began
        place = max((folder / "var" / "docbot").glob("*/current"), key=lambda path: path.stat().st_mtime).parent
        index = open_index(place)
        count = index.description.passages
        size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
        each = seconds / count * 1000
        print(f"training: {each:.2f} ms a passage (at most {TRAINING_LIMIT}), {seconds:.0f} s for {count:,} passages")
        print(f"          {docbot.processor_seconds / count * 1000:.2f} ms of processor time a passage")
        print(f"          {size / 1e6:.0f} MB of index, {docbot.most_memory:.0f} MB of memory at most", flush=True)
        conversations = language.conversations(sentences)
        for name, asked in conversations.items():
            before = time.process_time()
            report(f"engine, {name}", [engine(index, turns) for turns in asked], ENGINE_LIMITS)
            each = (time.process_time() - before) / sum(map(len, asked)) * 1000
            print(f"          {each:.1f} ms of processor time a message", flush=True)
        asked = conversations["questions"][:REQUESTS]
        report("request", [docbot.ask(key, turns[0])[2] for turns in asked], REQUEST_LIMITS)


def engine(index: Index, turns: list[str]) -> float:
    """Return the seconds that the last turn takes."""
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
        f"{name}: p50 {p50:.1f} ms (at most {limits[0]}), p95 {p95:.1f} ms (at most {limits[1]}), max {ranked[-1]:.1f}",
        flush=True,
    )


class Language:
    """A generated vocabulary with word frequencies as in a real language (Zipf's law)."""

    def __init__(self) -> None:
        self.random = random.Random(7)
        words = {"".join(self.random.choices(SYLLABLES, k=self.random.randint(2, 5))) for _ in range(WORDS * 2)}
        self._words = sorted(words)[:WORDS]
        self.random.shuffle(self._words)
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(WORDS)))

    def words(self, count: int) -> str:
        return " ".join(self.random.choices(self._words, cum_weights=self._weights, k=count))

    def sentence(self) -> str:
        return self.words(self.random.randint(12, 30)).capitalize() + "."

    def conversations(self, sentences: list[str]) -> dict[str, list[list[str]]]:
        """Return questions about sentences of the documents: plain, mistyped, and follow-ups."""
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


def write_documents(folder: Path, language: Language, count: int) -> list[str]:
    """Write documents of about ten passages each; return some of their sentences."""
    folder.mkdir()
    some = []
    for number in range(count):
        parts = [f"# {language.words(3)}"]
        for _ in range(5):
            sentences = [language.sentence() for _ in range(14)]
            some.append(sentences[0])
            parts += [f"## {language.words(3)}", " ".join(sentences)]
        (folder / f"{number}.md").write_text("\n\n".join(parts))
    return some
