"""The site on PostgreSQL."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import ROOT, running_site


def test_the_whole_site_runs_on_postgresql(tmp_path: Path, postgres: str) -> None:
    """DATABASE_URL is all it takes: tables, demo and administrator are made there, and no SQLite file appears."""
    with running_site(tmp_path / "data", DATABASE_URL=postgres) as site:
        definition = json.loads(site.get("/s/demo/questionnaire"))
    assert definition["slug"] == "demo"
    printed = site.printed.read_text()
    assert f"Administrator: admin, password: in the file {tmp_path / 'data' / 'first_password'} " in printed
    assert list((tmp_path / "data").glob("*.sqlite3*")) == []


@pytest.mark.parametrize(
    ("module", "more", "timeouts"),
    [
        ("config.wsgi", "", ["4s", "20s"]),
        ("django", "", ["4s", "0"]),  # the sealing job and the worker
        ("config.wsgi", "&options=-c%20lock_timeout%3D1s", ["1s", "20s"]),
    ],
)
def test_nobody_waits_for_a_lock_for_ever(postgres: str, module: str, more: str, timeouts: list[str]) -> None:
    """A lock gets four seconds, a statement of the web server twenty; DATABASE_URL may say otherwise."""
    ask = (
        f"import {module}, django; django.setup()\n"
        "from django.db import connection\n"
        "for name in ('lock_timeout', 'statement_timeout'):\n"
        "    print(connection.cursor().execute(f'SHOW {name}').fetchone()[0])"
    )
    own = {"DATABASE_URL": postgres + more, "DJANGO_SETTINGS_MODULE": "config.settings"}
    said = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, env=os.environ | own, capture_output=True, check=True)
    assert said.stdout.decode().split() == timeouts
