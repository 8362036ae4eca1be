"""Two machines under load and faults: `make test-cluster`, or `make test-cluster CLUSTER="--minutes 10 --seed 7"`.

Visitors, team members and trainers work through nginx on one site, which two machines serve from one PostgreSQL. Either
machine is killed, cut off from the database, and one has a wrong clock; the database restarts. At the end each message
has one outcome, nobody was asked twice, what the pages show is what the database holds, one person at a time has led
each conversation, both machines know what was trained, and a message whose machine died was taken up by the other.
"""

import argparse
import contextlib
import itertools
import secrets
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.browser.site import API_KEY, bot_row, free_port
from tests.chaos.__main__ import NO_LIMITS
from tests.chaos.people import FIRST, Member, VisitorWithTeam, team_rows
from tests.chaos.transcripts import conversations_in, judge_transcripts
from tests.chaos.upstream import UnreliableUpstream
from tests.chaos.verdict import Verdict, judge, print_report, rows_of
from tests.chaos.visitors import RandomVisitor
from tests.cluster.death import die_while_asking
from tests.cluster.faults import AHEAD, FaultsOfACluster
from tests.cluster.machine import Machine
from tests.cluster.relay import Relay
from tests.cluster.trainer import Trainer
from tests.deploy.nginx import Nginx
from tests.deploy.proxies import find
from tests.postgres_server import PostgresServer, is_installed
from tests.webchat.certificates import Authority

SETTINGS = NO_LIMITS | {"CHAT_TIMEOUT": 10, "CHAT_CONNECT_TIMEOUT": 2, "WEB_THREADS": 64, "BEHIND_PROXY": 1}


def main() -> int:
    options = _options()
    print(f"Two machines for {options.minutes:g} minutes, seed {options.seed}", flush=True)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(PostgresServer())
        upstream = stack.enter_context(UnreliableUpstream(options.seed, api_key=API_KEY))
        authority = Authority(folder)
        ports = [free_port(), free_port()]
        nginx = stack.enter_context(Nginx(folder / "nginx", authority, *ports))
        (folder / "media").mkdir()
        machines = []
        rows = [bot_row(1, "help", people_answer=True), *team_rows(options.people)]
        settings = SETTINGS | {"SECRET_KEY": secrets.token_urlsafe(50), "SITE_URL": nginx.url}
        for name, port in zip(("one", "two"), ports, strict=True):
            relay = stack.enter_context(Relay(postgres.socket))
            settings["PORT"] = port
            machine = Machine(folder / name, upstream.base_url, rows, relay, folder / "media", **settings)
            machines.append(stack.enter_context(machine))
        _check_that_clocks_move(machines[-1])
        injector = FaultsOfACluster(machines, upstream, postgres, options.seed)
        crowd = Crowd(options, machines, nginx.url, str(authority.file))
        crowd.run(injector, options.minutes)
        verdict = crowd.judge(upstream, postgres.url)
        visitors = [*crowd.visitors, crowd.late_visitor]
        people = {"Visitors": visitors, "Team members": crowd.members, "Trainers": crowd.trainers}
        print_report(verdict, people, injector.done, upstream)
        if options.logs:
            for machine in machines:
                (Path(options.logs) / f"{machine.name}.log").write_text(machine.log.read_text())
    return 0 if verdict.is_good else 1


class Crowd:
    """Everybody who uses the site, and the faults that they find at the end."""

    def __init__(self, options: argparse.Namespace, machines: list[Machine], url: str, verify: str) -> None:
        self.machines, self.stop = machines, threading.Event()
        around = {"url": url, "seed": options.seed, "stop": self.stop, "verify": verify}
        self.visitors = [VisitorWithTeam(number, **around) for number in range(options.visitors)]
        self.members = [Member(FIRST + number, **around) for number in range(options.people)]
        self.trainers = [Trainer(machine, options.seed, self.stop) for machine in machines]
        self.late_visitor = RandomVisitor(options.visitors, **around)  # sends while a machine dies

    @property
    def everybody(self) -> list[VisitorWithTeam | Member | Trainer]:
        return [*self.visitors, *self.members, *self.trainers]

    def run(self, injector: FaultsOfACluster, minutes: float) -> None:
        for each in self.everybody:
            each.start()
        threading.Timer(minutes * 60, self.stop.set).start()
        injector.run(self.stop)
        injector.upstream.is_reliable = True
        for each in self.everybody:
            each.join()

    def judge(self, upstream: UnreliableUpstream, database: str) -> Verdict:
        """Judge with one clock wrong, after each machine has died while it asked."""
        self.machines[-1].move_clock(AHEAD)
        wrong = []
        for dying, other in itertools.permutations(self.machines, 2):
            print(f"{dying.name} dies while it asks", flush=True)
            wrong += die_while_asking(dying, other, self.late_visitor, upstream, database)
        time.sleep(SETTINGS["CHAT_TIMEOUT"] + 11)  # from then on turns of dead workers count as lost
        visitors = [*self.visitors, self.late_visitor]
        with ThreadPoolExecutor(len(visitors)) as settling:
            list(settling.map(RandomVisitor.settle, visitors))
        verdict = judge(visitors, rows_of(database), upstream)
        judge_transcripts(verdict, visitors, self.members, conversations_in(database))
        verdict.wrong += wrong
        for trainer in self.trainers:
            verdict.wrong += trainer.judge(self.machines, database)
        return verdict


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.cluster", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--visitors", type=int, default=16)
    parser.add_argument("--people", type=int, default=3, help="team members who answer")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="for the same faults once more")
    parser.add_argument("--logs", help="a folder to keep the machines' logs in")
    options = parser.parse_args()
    if not is_installed() or not find("nginx"):
        sys.exit("PostgreSQL or nginx is missing. Install them: apt-get install postgresql nginx")
    return options


def _check_that_clocks_move(machine: Machine) -> None:
    for seconds in (AHEAD, 0):
        machine.move_clock(seconds)
        said = machine.clock_is_ahead_by()
        assert abs(said - seconds) < AHEAD / 2, f"{machine.name}'s clock is {said:.0f} s ahead, not {seconds}"


if __name__ == "__main__":
    sys.exit(main())
