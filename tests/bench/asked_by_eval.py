"""Runs eval_bot.py (`asked_by_eval.py FOLDER OPTIONS …`) on the part of a reply that a visitor reads.

A source link's title holds the quoted passage, which the page shows only on demand: it doesn't count as the reply.
"""

import importlib
import re
import sys

TITLE = re.compile(r' "(?:[^"\\]|\\.)*"\)')


def main(folder: str) -> None:
    sys.path.insert(0, folder)
    eval_bot = importlib.import_module("eval_bot")
    whole_text = eval_bot.Bot.text
    eval_bot.Bot.text = lambda bot, reply: TITLE.sub(")", whole_text(bot, reply))
    eval_bot.main()


if __name__ == "__main__":
    main(sys.argv.pop(1))
