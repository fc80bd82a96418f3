"""The site on PostgreSQL."""

import json
from pathlib import Path

from tests.servers import running_site


def test_the_whole_site_runs_on_postgresql(tmp_path: Path, postgres: str) -> None:
    """DATABASE_URL is all it takes: tables, demo and administrator are made there, and no SQLite file appears."""
    with running_site(tmp_path / "data", DATABASE_URL=postgres) as site:
        definition = json.loads(site.get("/s/demo/questionnaire"))
    assert definition["slug"] == "demo"
    assert len(site.admin_password) == 16
    assert list((tmp_path / "data").glob("*.sqlite3*")) == []
