"""Play schedules of the protocol for a given time: `make simulate MINUTES=10`, on all processors of the machine.

Uses SQLite in memory, or the server that DATABASE_URL names, where it must be able to create databases.
"""

import argparse
import multiprocessing
import os
import secrets
import sys

from tests.people import simulation


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.people", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="for the same schedules once more")
    options = parser.parse_args()
    processes = os.cpu_count() or 1
    print(f"Simulating for {options.minutes:g} minutes in {processes} processes, seed {options.seed}", flush=True)
    jobs = [(number, options.seed + number * 10**6, options.minutes * 60) for number in range(processes)]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        results = pool.starmap(simulation.play, jobs)
    schedules, steps = (sum(result[name] for result in results) for name in ("schedules", "steps"))
    print(f"{schedules} schedules, {steps} steps, {steps / options.minutes:.0f} steps a minute")
    broken = [result["broken"] for result in results if result["broken"]]
    print("\n".join(broken) or "The protocol holds.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
