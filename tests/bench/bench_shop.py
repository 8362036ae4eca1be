"""shop: docbot's replies to the customers of twelve small businesses, to be graded by hand.

The documents and questions are in `shop/`; docs/decisions/docbot-shop.md has the first one's replies with their grades.
"""

import argparse
import json
import tempfile
import tomllib
import urllib.request
from pathlib import Path

from tests.bench.served_docbot import ServedDocbot
from tests.bench.shop_documents import SHOP, write_documents

BUSINESSES = (
    *("kayaks", "dentist", "campsite", "music_school", "vet", "pool"),
    *("railway", "coworking", "library", "storage", "bikes", "waste"),
)


def main(arguments: list[str]) -> None:
    argparse.ArgumentParser(description=__doc__).parse_known_args(arguments)  # another bench's options aren't ours
    for business in BUSINESSES:
        with tempfile.TemporaryDirectory() as folder:
            documents = Path(folder) / "documents"
            write_documents(business, documents)
            with ServedDocbot(Path(folder)) as docbot:
                key = docbot.add_bot(business, documents=documents)
                print(f"— {business}", flush=True)
                ask_all(docbot.url, key, SHOP / f"{business}.toml")


def ask_all(url: str, key: str, questions: Path) -> None:
    for number, question in enumerate(tomllib.loads(questions.read_text(encoding="utf-8"))["question"], 1):
        said = {}
        for message in question["ask"]:
            said = ask(url, key, {"message": message} | {k: said[k] for k in ("chatId",) if k in said})
        print(f"{number}. {' → '.join(question['ask'])}\n   wanted: {question['want']}")
        print(f"   {said['outcome']}: {said['message']}\n", flush=True)


def ask(url: str, key: str, message: dict[str, str]) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "X-BOT-API-KEY": key}
    request = urllib.request.Request(f"{url}/api/public/chat", json.dumps(message).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.loads(response.read())
