"""What the site asks of PostgreSQL."""

import os
import subprocess
import sys

import pytest

from tests.servers import ROOT


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
