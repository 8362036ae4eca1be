"""Random faults under load: `make chaos`, or `make chaos CHAOS="--minutes 2 --postgres"`.

Visitors write to a real site over HTTP, and team members answer some of them, while its workers are killed and frozen,
its database is locked, restarted or full, its upstream refuses, forgets and goes away, and other clients send slowly or
too much. At the end each message that was seen as accepted has exactly one stored outcome, the upstream was asked no
more often than the failure rules allow, the pages show what is stored, and one person at a time has led each
conversation; else the exit status is 1.
"""

import argparse
import contextlib
import secrets
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.browser.site import API_KEY, Site, bot_row
from tests.chaos.faults import FaultsOfASite
from tests.chaos.people import FIRST, Member, VisitorWithTeam, team_rows
from tests.chaos.transcripts import conversations_in, judge_transcripts
from tests.chaos.upstream import UnreliableUpstream
from tests.chaos.verdict import judge, print_report, rows_of
from tests.postgres_server import PostgresServer, is_installed

NO_LIMITS = {"MESSAGES_PER_MINUTE": 0, "ADDRESS_MESSAGES_PER_MINUTE": 0, "CONVERSATIONS_PER_DAY": 0}
SETTINGS = NO_LIMITS | {"CHAT_TIMEOUT": 5, "CHAT_CONNECT_TIMEOUT": 2, "WEB_THREADS": 128}


def main() -> int:
    options = _options()
    print(f"Chaos for {options.minutes:g} minutes, {options.visitors} visitors, seed {options.seed}", flush=True)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(PostgresServer()) if options.postgres else None
        upstream = stack.enter_context(UnreliableUpstream(options.seed, api_key=API_KEY))
        settings = SETTINGS | {"DATABASE_URL": postgres.url if postgres else ""}
        rows = [bot_row(1, "help", people_answer=True), *team_rows(options.people)]
        site = stack.enter_context(Site(folder, upstream.base_url, rows, **settings))
        injector = FaultsOfASite(site, upstream, postgres, options.seed)
        visitors, members = _run(site, injector, upstream, options)
        database = postgres.url if postgres else folder / "var" / "db.sqlite3"
        verdict = judge(visitors, rows_of(database), upstream)
        judge_transcripts(verdict, visitors, members, conversations_in(database))
        print_report(verdict, {"Visitors": visitors, "Team members": members}, injector.done, upstream)
        if options.log:
            Path(options.log).write_text(site.log.read_text())
    return 0 if verdict.is_good else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--visitors", type=int, default=40)
    parser.add_argument("--people", type=int, default=3, help="team members who answer")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own, which is restarted")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="for the same faults once more")
    parser.add_argument("--log", help="a file to keep the site's log in")
    options = parser.parse_args()
    if options.postgres and not is_installed():
        sys.exit("PostgreSQL's initdb and pg_ctl are missing. Install them: apt-get install postgresql")
    return options


def _run(
    site: Site, injector: FaultsOfASite, upstream: UnreliableUpstream, options: argparse.Namespace
) -> tuple[list[VisitorWithTeam], list[Member]]:
    """Run visitors, team members and faults together, then only visitors until no turn is waiting."""
    stop = threading.Event()
    visitors = [VisitorWithTeam(number, site.url, options.seed, stop) for number in range(options.visitors)]
    members = [Member(FIRST + number, site.url, options.seed, stop) for number in range(options.people)]
    for each in (*visitors, *members):
        each.start()
    timer = threading.Timer(options.minutes * 60, stop.set)
    timer.start()
    injector.run(stop)
    upstream.is_reliable = True
    for each in (*visitors, *members):
        each.join()
    time.sleep(SETTINGS["CHAT_TIMEOUT"] + 1)  # until no worker asks any more
    injector.shift_asked_turns(hours=24)  # turns of dead workers count as lost
    settling = [threading.Thread(target=visitor.settle) for visitor in visitors]
    for thread in settling:
        thread.start()
    for thread in settling:
        thread.join()
    return visitors, members


if __name__ == "__main__":
    sys.exit(main())
