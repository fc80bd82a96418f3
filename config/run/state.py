"""How the site is: what load balancers, Prometheus and the administrators' page ask.

Nothing of it tells on a respondent. There is no count of responses, of visits or of bytes, of one survey or of all: one
that grows by one while somebody is known to sit at a questionnaire says that they have sent it.
"""

import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from importlib.metadata import version
from typing import Any

import django
import redis
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min
from django.utils import timezone

from config.run import heartbeats, last_backup, pooler
from mining.models import MiningRun
from privacy.version import version as own_version
from surveys.domain.database import damage
from surveys.domain.responses import sealing_keys
from surveys.models import TableRelease
from surveys.notes import WAITING, refusal

SEALING = "surveys.domain.responses.seal.seal_all"
LATE = 600.0  # seconds; it is a duty of each 180
WAITS = 60.0  # seconds; the sealing job tells the workers again of a run that nobody has taken, after MINING_LEASE


@dataclass(frozen=True)
class Readiness:
    """Whether questionnaires can be handed out and responses kept."""

    database: bool
    tables: bool  # are all there
    damaged: bool
    key: bool  # that this machine encrypts responses to: none before another seals, with a wrong clock or SECRET_KEY
    pool: bool | None  # was seen to lead to this database; None where DATABASE_POOL names no other address

    @property
    def ready(self) -> bool:
        return self.readable and self.key and self.pool is not False

    @property
    def readable(self) -> bool:
        return self.database and self.tables and not self.damaged


@dataclass(frozen=True)
class Broker:
    answers: bool
    queue: int = 0  # tasks that wait
    parts: Sequence[heartbeats.Program] = ()
    refusal: str = ""  # what it says that answers and takes nothing
    duties: heartbeats.Duties = field(default_factory=lambda: heartbeats.Duties({}, ()))
    version: str = ""

    @property
    def seconds_since_sealing(self) -> float | None:
        """Seconds since the last sealing in which nothing failed; None if nobody has said of one within a day."""
        return self.duties.done.get(SEALING)

    @property
    def seals_late(self) -> bool:
        """Whether the last sealing without a failure is so long ago that three others should have followed it."""
        return self.seconds_since_sealing is not None and self.seconds_since_sealing > LATE


@dataclass(frozen=True)
class Runs:
    """Mining runs: how many are in each state, and for how many seconds the oldest has waited."""

    states: dict[str, int]
    waited: float

    @property
    def counts_by_label(self) -> list[tuple[str, int]]:
        """The states in the words of the pages."""
        return [(str(MiningRun.State(state).label), count) for state, count in self.states.items()]


def takes_none(heard: Broker, mining: Runs) -> bool:
    """Say whether a run waits although a worker is there and nobody works on a run or a release.

    Its main process speaks for the worker. Those that take runs may be stuck, and say nothing of it. A run that was
    taken before, and left to a worker of a newer version, is no sign of that.
    """
    running = {part.name for part in heard.parts if part.runs}
    waiting = MiningRun.objects.filter(state=MiningRun.State.QUEUED, started_at=None)
    ago = timezone.now() - timedelta(seconds=WAITS)
    if not {heartbeats.WORKER, heartbeats.SEALING_JOB} <= running or not waiting.filter(requested_at__lt=ago).exists():
        return False
    releases = TableRelease.objects.filter(state=TableRelease.State.RUNNING)
    return mining.states[MiningRun.State.RUNNING] == 0 and not releases.exists()


_all_tables = False  # once they are there, they stay


def readiness() -> Readiness:
    damaged, pool = damage.is_reported(), pooler.is_same() if pooler.is_used() else None
    try:
        tables = has_all_tables()
        return Readiness(True, tables, damaged, tables and _has_key(), pool)
    except (DatabaseError, InterfaceError):
        return Readiness(False, False, damaged, False, pool)


def has_all_tables() -> bool:
    """Whether every table of this version is there; DatabaseError where the database does not answer."""
    global _all_tables
    if not _all_tables:
        executor = MigrationExecutor(connection)
        _all_tables = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _all_tables


def _has_key() -> bool:
    """Whether there is a key for new responses, by the database: a key that is known in memory may have ended."""
    try:
        sealing_keys.recipients()
    except sealing_keys.NoKeyError:
        return False
    return True


def broker() -> Broker:
    try:
        with heartbeats.client() as client:
            queue, server = int(client.llen(WAITING)), client.info("server")
        named = f"Redis {server['redis_version']}"
        return Broker(True, queue, heartbeats.parts(), duties=heartbeats.read_duties(), version=named)
    except redis.RedisError as error:
        return Broker(False, refusal=refusal(error))


def runs() -> Runs:
    counted = MiningRun.objects.order_by().values_list("state").annotate(Count("pk"))
    first = MiningRun.objects.filter(state=MiningRun.State.QUEUED).aggregate(first=Min("requested_at"))["first"]
    waited = (timezone.now() - first).total_seconds() if first else 0.0
    return Runs({state.value: 0 for state in MiningRun.State} | dict(counted), waited)


def versions() -> dict[str, str]:
    names = {"candor": own_version(), "python": platform.python_version(), "django": django.get_version()}
    return names | {"celery": version("celery"), "database": _database_version()}


def _database_version() -> str:
    database: Any = connection  # each kind knows its version in its own way
    if connection.vendor == "postgresql":
        return "PostgreSQL " + ".".join(map(str, database.get_database_version()))
    return f"SQLite {database.Database.sqlite_version}"


def metrics() -> str:
    """The text of /metrics, for Prometheus; it costs four queries and two questions to the broker."""
    state, heard = readiness(), broker()
    lines: list[str] = []

    def gauge(name: str, help_text: str, values: list[tuple[dict[str, str], float]]) -> None:
        lines.extend([f"# HELP candor_{name} {help_text}", f"# TYPE candor_{name} gauge"])
        for labels, value in values:
            written = ",".join(f'{label}="{_escape_label(text)}"' for label, text in labels.items())
            lines.append(f"candor_{name}{f'{{{written}}}' if written else ''} {value:.0f}")

    gauge("info", "Versions of what runs here.", [(versions() if state.database else {}, 1)])
    gauge("database_up", "Whether the database answers.", [({}, state.database)])
    gauge("tables_up_to_date", "Whether every table of this version is there.", [({}, state.tables)])
    gauge("database_damaged", "Whether the database was found damaged.", [({}, state.damaged)])
    gauge("sealing_key", "Whether there is a key that this machine encrypts responses to.", [({}, state.key)])
    if state.pool is not None:
        same = "Whether DATABASE_POOL points to the database of DATABASE_URL."
        gauge("pool_same_database", same, [({}, state.pool)])
    gauge("broker_up", "Whether the broker answers.", [({}, heard.answers)])
    if heard.answers:
        gauge("queue_tasks", "Tasks that no worker has taken yet.", [({}, heard.queue)])
        silent = [({"part": part.name, "host": part.host}, part.silent) for part in heard.parts]
        gauge("part_silent_seconds", "Seconds since a part of the site last reported.", silent)
        done = [({"duty": name}, seconds) for name, seconds in heard.duties.done.items()]
        gauge("duty_done_seconds", "Seconds since a duty was last done without an error.", done)
        failing = [({"duty": one.duty, "host": one.host}, float(one.failures)) for one in heard.duties.failing]
        gauge("duty_failures", "How many times in a row a duty has failed.", failing)
    if state.readable:
        mining = runs()
        gauge("runs", "Mining runs by their state.", [({"state": name}, n) for name, n in mining.states.items()])
        gauge("run_waiting_seconds", "How long the first waiting run has waited.", [({}, mining.waited)])
        backup = last_backup.age()
        gauge("backup_made", "Whether a good backup of this database has been made.", [({}, backup is not None)])
        if backup is not None:
            gauge("backup_done_seconds", "Seconds since the hour of the last good backup.", [({}, backup)])
    return "\n".join(lines) + "\n"


def _escape_label(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
