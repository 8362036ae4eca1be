"""Faults of a cluster: a machine dies, loses the database or has a wrong clock; the database restarts."""

import contextlib
import os
import signal

from tests.chaos.faults import FaultInjector
from tests.chaos.upstream import UnreliableUpstream
from tests.cluster.machine import Machine
from tests.postgres_server import PostgresServer

AHEAD = 60  # seconds by which a clock is wrong


class FaultsOfACluster(FaultInjector):
    """Faults of one machine or of the database, one at a time, so that one machine always serves."""

    def __init__(
        self, machines: list[Machine], upstream: UnreliableUpstream, postgres: PostgresServer, seed: int
    ) -> None:
        super().__init__(upstream, postgres, seed)
        self.machines = machines
        self.faults = {
            self.kill_a_machine: 4,
            self.kill_a_worker: 2,
            self.cut_a_machine_off_from_the_database: 3,
            self.stall_a_machines_database: 2,
            self.restart_the_database: 2,
            self.crash_the_database: 1,
            self.move_a_clock: 2,
            self.stop_the_upstream: 1,
        }

    def kill_a_machine(self) -> None:
        machine = self._one()
        machine.go_down()
        self._wait(3, 8)
        machine.come_back()

    def kill_a_worker(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.random.choice(self._one().workers), signal.SIGKILL)

    def cut_a_machine_off_from_the_database(self) -> None:
        relay = self._one().relay
        relay.cut()
        self._wait(3, 12)
        relay.mend()

    def stall_a_machines_database(self) -> None:
        relay = self._one().relay
        relay.stall()
        self._wait(1, 6)
        relay.go_on()

    def move_a_clock(self) -> None:
        """Move the last machine's clock ahead, behind, and back."""
        self.machines[-1].move_clock(self.random.choice((AHEAD, -AHEAD, 0)))

    def _one(self) -> Machine:
        return self.random.choice(self.machines)
