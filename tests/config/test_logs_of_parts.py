"""What the servers under Candor write of themselves is written as Candor's own lines are."""

import json
import os
import subprocess
import sys

import pytest

from tests.cases import first
from tests.servers import ROOT

# Each lets the part set its log up as at its start, and then say that a process of it was killed.
WEB_SERVER = """
from gunicorn.config import Config
from gunicorn.glogging import Logger
import config.gunicorn as chosen

own = Config()
for name in ("accesslog", "loglevel", "logconfig_dict"):
    own.set(name, getattr(chosen, name))
Logger(own).error("Process %s was killed.", 7)
"""
WORKER = """
import django

django.setup()
from celery.utils.log import get_multiprocessing_logger
from config.celery import app

app.log.setup_logging_subsystem(loglevel="WARNING")
get_multiprocessing_logger().error("Process %s was killed.", 7)
"""


def run_and_read_log(script: str, log_format: str) -> list[str]:
    own = {"LOG_FORMAT": log_format, "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ | own, capture_output=True, text=True, check=True
    )
    return (done.stdout + done.stderr).splitlines()


@pytest.mark.long
@pytest.mark.parametrize(("script", "logger"), first(1, [(WEB_SERVER, "gunicorn.error"), (WORKER, "multiprocessing")]))
def test_a_part_whose_process_was_killed_says_so_once_and_without_the_time(script: str, logger: str) -> None:
    """As a line, and as an object where lines are objects."""
    assert run_and_read_log(script, "line") == [f"ERROR {logger}: Process 7 was killed."]
    (line,) = run_and_read_log(script, "json")
    assert json.loads(line) == {"level": "ERROR", "logger": logger, "message": "Process 7 was killed."}
