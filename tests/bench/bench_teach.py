"""teach: which wordings of a taught question get its answer, and what teaching does to the other questions.

With `--eval FOLDER` (the folder of eval_bot.py and its sets). From a set that has several wordings for each answer, 50
answers are left out of the documents, then taught with one wording each. `--draw N`: another 50; `--wordings N`: taught
with so many; `--set NAME`.
"""

import argparse
import importlib
import random
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.bench.docbot_quality import line, read_lines, run
from tests.bench.served_docbot import ServedDocbot

TAUGHT, LEAST_RIGHT, MOST_WORSE = 50, 0.90, 0.01
BOT = "teach"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--eval", type=Path, metavar="FOLDER")
    parser.add_argument("--set", default="stackfaq", metavar="NAME")
    parser.add_argument("--draw", type=int, default=1, metavar="N")
    parser.add_argument("--wordings", type=int, default=1, metavar="N")
    options = parser.parse_known_args(arguments)[0]  # another bench's options aren't ours
    if not options.eval:
        print("not measured: the question sets are needed (--eval FOLDER)")
        return
    sys.path.insert(0, str(options.eval.resolve()))
    wordings = by_answer(read_lines(next((options.eval / "data").glob(f"{options.set}.*questions.jsonl"))))
    chosen = random.Random(options.draw).sample(sorted(wordings), TAUGHT)
    others = [question for text, asked in wordings.items() if text not in chosen for question in asked]
    with tempfile.TemporaryDirectory() as folder, ServedDocbot(Path(folder)) as docbot:
        documents = Path(folder) / "documents"
        run(sys.executable, options.eval / "prepare_corpus.py", options.set, documents)
        leave_out(documents, chosen)
        key = docbot.add_bot(BOT, documents=documents)
        before = [is_good(docbot, key, question) for question in others]
        docbot.teach(BOT, {text: [turn(one) for one in wordings[text][: options.wordings]] for text in chosen})
        unseen = [(text, turn(one)) for text in chosen for one in wordings[text][options.wordings :]]
        right = [opening(text) in opening(docbot.ask(key, asked)[1]) for text, asked in unseen]
        after = [is_good(docbot, key, question) for question in others]
    worse = [turn(one) for one, was, now in zip(others, before, after, strict=True) if was and not now]
    print(line(f"{len(right)} other wordings get the taught answer", sum(right) / len(right), LEAST_RIGHT))
    share = len(worse) / len(others)
    verdict = "reached" if share <= MOST_WORSE else "MISSED"
    print(f"  {f'{len(others)} other questions, worse':48} {share:.3f}   at most  {MOST_WORSE:.2f}   {verdict}")
    print(f"  {f'{len(others)} other questions, good before and after':48} {sum(before)}, {sum(after)}")
    for asked in worse:
        print(f"    worse: {asked}")


def by_answer(questions: list[dict]) -> dict[str, list[dict]]:
    """Return the questions of each answer that has at least two."""
    found = defaultdict(list)
    for question in questions:
        found["\n\n".join(question["gold"])].append(question)
    return {text: asked for text, asked in found.items() if text and len(asked) > 1}


def leave_out(documents: Path, answers: list[str]) -> None:
    """Delete the documents that hold one of the answers."""
    for document in documents.iterdir():
        text = " ".join(document.read_text(encoding="utf-8").split())
        if any(" ".join(answer.split()) in text for answer in answers):
            document.unlink()


def opening(text: str) -> str:
    """Return the first words of a text, by which an answer is known."""
    return " ".join(text.split()[:12])


def turn(question: dict) -> str:
    return question["turns"][-1]


def is_good(docbot: ServedDocbot, key: str, question: dict) -> bool:
    """Whether the reply has the answer and is no refusal, by eval_bot.py."""
    eval_bot = importlib.import_module("eval_bot")
    words = docbot.ask(key, turn(question))[1].split()
    is_refusal = re.search(eval_bot.REFUSAL, " ".join(words[:40]), re.IGNORECASE)
    return not is_refusal and eval_bot.is_hit(question, " ".join(words[:100]))
