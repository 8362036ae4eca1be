"""Runs the benches: `python -m tests.bench [NAME …] [OPTION …]`, or `make bench BENCH="NAME …"`; without a name, all.

A bench is a module `bench_NAME.py` beside this one, with `main(arguments)`, which prints what it has measured. Options
(whatever begins with a hyphen, and all after it) are handed to each bench that is run.
"""

import importlib
import sys
from itertools import takewhile
from pathlib import Path

NAMES = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main(arguments: list[str]) -> None:
    names = list(takewhile(lambda word: not word.startswith("-"), arguments))
    options = arguments[len(names) :]
    unknown = set(names) - set(NAMES)
    if unknown or options == ["--help"]:
        sys.exit(f"{__doc__}\nBenches: {', '.join(NAMES)}.")
    for name in names or NAMES:
        bench = importlib.import_module(f"tests.bench.bench_{name}")
        print(f"— {name}: {(bench.__doc__ or '').splitlines()[0]}", flush=True)
        bench.main(options)


if __name__ == "__main__":
    main(sys.argv[1:])
