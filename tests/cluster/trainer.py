"""Trains a bot on one machine again and again, with one more document each time."""

import random
import string
import threading
import time
from collections import Counter
from pathlib import Path

from tests.chaos.verdict import ask
from tests.cluster.machine import Machine

PATIENCE = 180  # seconds until every machine answers from the last training, on a busy computer


class Trainer(threading.Thread):
    """Trains until `stop` is set. `counts`: how trainings ended; `words`: the colour of each thing in the documents."""

    def __init__(self, machine: Machine, seed: int, stop: threading.Event) -> None:
        super().__init__(name=f"trainer on {machine.name}", daemon=True)
        self.machine, self.stop = machine, stop
        self.random = random.Random(f"{seed} {self.name}")
        self.bot = f"bot-of-{machine.name}"
        self.key = ""
        self.words: dict[str, str] = {}
        self.counts: Counter[str] = Counter()

    @property
    def folder(self) -> Path:
        return self.machine.folder / "documents"

    def run(self) -> None:
        self.folder.mkdir()
        while not self.stop.is_set():
            self.learn_more()
            self.train()
            self.stop.wait(self.random.uniform(3, 10))

    def learn_more(self) -> None:
        thing, colour = ("".join(self.random.choices(string.ascii_lowercase, k=9)) for _ in range(2))
        self.words[thing] = colour
        (self.folder / f"{thing}.md").write_text(f"# The {thing}\n\nThe colour of the {thing} is {colour}.\n")

    def train(self) -> bool:
        new_key = () if self.key else ("--new-key",)
        done = self.machine.run("train", self.bot, str(self.folder), *new_key)
        self.counts["done" if done.returncode == 0 else "killed" if done.returncode < 0 else "failed"] += 1
        if done.returncode == 0 and new_key:
            self.key = done.stdout.split()[-1]
        return done.returncode == 0

    def judge(self, machines: list[Machine], database: str) -> list[str]:
        """After a last training without faults, return what is wrong."""
        wrong = [] if self.train() else [f"{self.bot}: can't be trained"]
        found = "FROM docbot_document JOIN docbot_trainedbot AS bot ON bot.id = trained_bot_id"
        stored = ask(database, f"SELECT location {found} WHERE bot.slug = '{self.bot}'")
        if sorted(Path(location).stem for (location,) in stored) != sorted(self.words):
            wrong.append(f"{self.bot}: {len(self.words)} documents were given, {len(stored)} are stored")
        thing, colour = list(self.words.items())[-1]
        end = time.monotonic() + PATIENCE
        for machine in machines:
            while colour not in machine.ask_docbot(self.key, f"What is the colour of the {thing}?"):
                if time.monotonic() > end:
                    wrong.append(f"{self.bot}: {machine.name} doesn't know its last document")
                    break
                time.sleep(1)
        return wrong
