"""Processes that mine are forked from one that is warm, so that a short run is not mostly imports."""

import logging
import os
import resource
import subprocess
import sys
from types import SimpleNamespace

import pytest

from mining.domain.run import counting_environment
from surveys.children import forked, warm


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_processes_are_forked_from_one_that_stays_and_from_another_once_it_is_gone():
    """How each of them ended is told: with status 1, because there is no such run."""
    seen = []
    for _ in range(3):
        process = forked.start("mining.child", 0, "of no run")
        assert process.wait() == 1
        process.stdin.close()
        process.stdout.close()
        seen.append(process.warm)
        if len(seen) == 2:
            process.warm.process.kill()
            process.warm.process.wait()
    assert seen[0] is seen[1] is not seen[2]


def test_what_fails_in_such_a_process_is_one_record_of_the_log(monkeypatch, caplog):
    """So it is one line where lines are JSON, and a traceback in it."""
    monkeypatch.setattr(logging, "shutdown", lambda: None)
    assert warm._status(SimpleNamespace(main=int), ["no number"]) == 1
    assert [(line.name, line.exc_info[0]) for line in caplog.records] == [("surveys.children", ValueError)]


def test_the_first_queries_of_every_run_are_put_into_words_without_a_connection():
    """In the process that stays; here it could reach no database."""
    pytest.importorskip("psycopg")
    code = """
import sys, django
django.setup()
from django.db import connection
from mining import child
child.prepare()
print(connection.vendor, connection.connection, "django.db.models.sql.compiler" in sys.modules)
"""
    away = {"DATABASE_URL": "postgresql://nobody:nothing@127.0.0.1:1/nowhere"}
    said = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | away, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == ["postgresql", "None", "True"]


def run_as_child(code: str) -> str:
    """What this prints in the environment of a process that mines."""
    environment = forked.child_environment(counting_environment())
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_memory_that_was_fetched_from_the_system_once_serves_the_next_array():
    """Arrays of a part's size, one after the other: their pages are asked for once, not for each of them again."""
    code = """
import resource, numpy
faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt
def arrays(count):
    for _ in range(count):
        both = [numpy.ones(3 << 20, numpy.uint8) for _ in range(2)]
arrays(3)
before = faults()
arrays(100)
print(faults() - before)
"""
    said = run_as_child(code)
    assert int(said) < 100 * 3 * 2**20 // resource.getpagesize()  # half of what they would be


@pytest.mark.parametrize(
    ("said", "tuned"),
    [
        (None, "glibc.malloc.hugetlb=1"),
        (
            "glibc.malloc.hugetlb=0:glibc.malloc.perturb=1",
            "glibc.malloc.hugetlb=1:glibc.malloc.hugetlb=0:glibc.malloc.perturb=1",
        ),
    ],
)
def test_what_the_operator_tunes_is_said_last_and_so_holds(said, tuned, monkeypatch):
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    if said is not None:
        monkeypatch.setenv("GLIBC_TUNABLES", said)
    assert forked.child_environment(counting_environment())["GLIBC_TUNABLES"] == tuned
