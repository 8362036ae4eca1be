"""Random faults under load: `make chaos`, or `make chaos CHAOS="--minutes 2 --postgres"`.

Visitors write to a real site over HTTP, and team members answer some of them, while its workers are killed and frozen,
its database is locked, restarted or full, its upstream refuses, forgets and goes away, and slow and large clients come.
At the end each message that was seen as accepted has exactly one stored outcome, the upstream was asked no more often
than the failure rules allow, the pages show what is stored, and one person at a time has led each conversation; else
the exit status is 1.
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
from tests.chaos.people import FIRST, Guest, Member, team_rows
from tests.chaos.storm import Storm
from tests.chaos.transcripts import conversations_in, judge_transcripts
from tests.chaos.upstream import MoodyUpstream
from tests.chaos.verdict import judge, rows_of, tell
from tests.postgres_server import PostgresServer, is_installed

NO_LIMITS = {"MESSAGES_PER_MINUTE": 0, "ADDRESS_MESSAGES_PER_MINUTE": 0, "CONVERSATIONS_PER_DAY": 0}
SETTINGS = NO_LIMITS | {"CHAT_TIMEOUT": 5, "CHAT_CONNECT_TIMEOUT": 2, "WEB_THREADS": 128}


def main() -> int:
    options = _options()
    print(f"Chaos for {options.minutes:g} minutes, {options.visitors} visitors, seed {options.seed}", flush=True)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(PostgresServer()) if options.postgres else None
        upstream = stack.enter_context(MoodyUpstream(options.seed, api_key=API_KEY))
        settings = SETTINGS | {"DATABASE_URL": postgres.url if postgres else ""}
        rows = [bot_row(1, "help", people_answer=True), *team_rows(options.people)]
        site = stack.enter_context(Site(folder, upstream.base_url, rows, **settings))
        storm = Storm(site, upstream, postgres, options.seed)
        visits, members = _run(site, storm, upstream, options)
        database = postgres.url if postgres else folder / "var" / "db.sqlite3"
        verdict = judge(visits, rows_of(database), upstream)
        judge_transcripts(verdict, visits, members, conversations_in(database))
        tell(verdict, {"Visitors": visits, "Team members": members}, storm.done, upstream)
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
    site: Site, storm: Storm, upstream: MoodyUpstream, options: argparse.Namespace
) -> tuple[list[Guest], list[Member]]:
    """Run visitors, team members and faults together, then only visitors until no turn is waiting."""
    leaving = threading.Event()
    visits = [Guest(number, site.url, options.seed, leaving) for number in range(options.visitors)]
    members = [Member(FIRST + number, site.url, options.seed, leaving) for number in range(options.people)]
    for each in (*visits, *members):
        each.start()
    timer = threading.Timer(options.minutes * 60, leaving.set)
    timer.start()
    storm.run(leaving)
    upstream.is_kind = True
    for each in (*visits, *members):
        each.join()
    time.sleep(SETTINGS["CHAT_TIMEOUT"] + 1)  # until no worker asks any more
    storm.move_clock(hours=24)  # turns of dead workers count as lost
    settling = [threading.Thread(target=visit.settle) for visit in visits]
    for thread in settling:
        thread.start()
    for thread in settling:
        thread.join()
    return visits, members


if __name__ == "__main__":
    sys.exit(main())
