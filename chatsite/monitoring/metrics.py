"""Prometheus metrics, summed over all processes of this machine. Imported only if METRICS_TOKEN is set.

Under gunicorn each process writes to its own file in PROMETHEUS_MULTIPROC_DIR.
"""

import os

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from webchat import signals
from webchat.models import Turn
from webchat.upstream import failure_rules

CONTENT_TYPE = CONTENT_TYPE_LATEST
METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE")  # any other method is counted as OTHER
SECONDS = (0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300)

REQUESTS = Counter("webchat_requests", "Requests answered.", ["method", "status"])
TURNS = Counter("webchat_turns", "Turns that were asked, by what became of them.", ["bot", "outcome", "code"])
REPLY_SECONDS = Histogram("webchat_reply_seconds", "From asking to the stored outcome.", ["bot"], buckets=SECONDS)
IN_FLIGHT = Gauge("webchat_turns_in_flight", "Turns being asked now.", multiprocess_mode="livesum")


def connect() -> None:
    signals.asking.connect(_count_start, dispatch_uid="metrics")
    signals.asked.connect(_count_outcome, dispatch_uid="metrics")


def count_request(method: str, status: int) -> None:
    REQUESTS.labels(method if method in METHODS else "OTHER", status).inc()


def render() -> bytes:
    """Return the metrics in Prometheus' text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)


def _count_start(sender: object, turn: Turn, **_: object) -> None:
    IN_FLIGHT.inc()


def _count_outcome(sender: object, turn: Turn, seconds: float, **_: object) -> None:
    """Count an outcome. Unknown codes are counted as OTHER, so that an upstream can't create endless labels."""
    IN_FLIGHT.dec()
    bot = turn.conversation.bot.slug
    code = turn.code if not turn.code or turn.code in failure_rules.RULES else "OTHER"
    outcome = turn.state if not turn.is_waiting else "not stored"
    TURNS.labels(bot, outcome, code).inc()
    REPLY_SECONDS.labels(bot).observe(seconds)
