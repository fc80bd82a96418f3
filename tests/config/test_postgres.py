"""The site on PostgreSQL."""

import json
from pathlib import Path

from tests.servers import end_site, run_site


def test_the_whole_site_runs_on_postgresql(tmp_path: Path, postgres: str) -> None:
    """DATABASE_URL is all it takes: tables, demo and administrator are made there, and no SQLite file appears."""
    site = run_site(tmp_path / "data", DATABASE_URL=postgres)
    try:
        definition = json.loads(site.get("/s/demo/questionnaire"))
    finally:
        end_site(site)
    assert definition["slug"] == "demo"
    assert len(site.admin_password) == 16
    assert list((tmp_path / "data").glob("*.sqlite3*")) == []
