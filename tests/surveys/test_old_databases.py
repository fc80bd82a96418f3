"""A database that an earlier version of the program made is the same questionnaire under this one."""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

from surveys.definition import Definition
from surveys.domain.responses.snapshots import unzip_lines
from tests.surveys.documents import document, question

ROOT = Path(__file__).parents[2]
TEXTS = {"heading": "{}", "who": "{}", "why": "{}", "consent": "{}", "closing": "{}", "closed": "{}"}
BLOCK = {"survey_id": 1, "keep": 0.3, "theta": 0.6, "ask": None, "flips": None, "gamma": None, "radius": None}
BLOCKS = [
    {"kind": "coin"},
    {"kind": "coin", "keep": 0.5, "theta": None, "ask": 2},
    {"kind": "each", "keep": 0.25},
    {"kind": "flip", "flips": "[0.5, 0.3, 0.2]", "ask": 2},
    {"kind": "flip", "keep": None, "theta": None, "gamma": 19.0, "radius": 2},
    {"kind": "flip", "flips": "null", "gamma": 9.0, "radius": 0},
]
CANARY = b"canary-4f1d"


def manage(database: Path, *arguments: str, **more: str) -> None:
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{database}", **more}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def insert(database: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    """A row; columns that must hold something and are not named hold an empty text or 0."""
    columns = database.execute(f"PRAGMA table_info(surveys_{table})").fetchall()
    needed = {name: "" if "char" in kind or kind == "text" else 0 for _, name, kind, filled, _, _ in columns if filled}
    values = {name: value for name, value in needed.items() if name != "id"} | row
    names, places = ", ".join(values), ", ".join("?" * len(values))
    database.execute(f"INSERT INTO surveys_{table} ({names}) VALUES ({places})", list(values.values()))


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site at work as the migrations up to 0014 left it, and then under today's: to be copied.

    Every value of a block had a column of its own there, and three responses waited as they were sent.
    """
    folder = tmp_path_factory.mktemp("old")
    path = folder / "site.sqlite3"
    manage(path, "migrate", "surveys", "0014", CANDOR_DATA=str(folder))
    with closing(sqlite3.connect(path)) as database, database:
        for number, slug in ((1, "old"), (2, "at-work")):
            survey = {"id": number, "slug": slug, "title": "Old", "languages": "en", "least": 20}
            insert(database, "survey", survey | TEXTS)
        for place, block in enumerate(BLOCKS, 1):
            insert(database, "block", BLOCK | {"position": place, "name": f"b{place}"} | block)
        asked = {"survey_id": 1, "text": "{}", "help": "{}", "low": "{}", "high": "{}"}
        for name, theta in (("drugs", None), ("age", 0.7)):
            insert(database, "question", asked | {"identifier": name, "type": "yesno", "theta": theta})
        for value, noise in (("young", 0.25), ("old", None)):
            insert(database, "option", {"question_id": 1, "value": value, "label": "{}", "noise": noise})
        frozen = Definition.parse(document(question("story", "text", max=40))).to_bytes()
        version = {"id": 1, "survey_id": 2, "number": 1, "definition": frozen, "published_on": "2026-01-01"}
        insert(database, "surveyversion", version | {"sha256": hashlib.sha256(frozen).hexdigest()})
        for place in range(3):
            story = b'{"story":"%s %d"}' % (CANARY, place)
            row = {"key": bytes([place]) * 16, "version_id": 1, "record": bytes(1), "open": story}
            insert(database, "inbox", row)
    manage(path, "migrate", CANDOR_DATA=str(folder))
    return folder


def test_the_values_of_a_block_stand_in_its_settings(upgraded: Path) -> None:
    """Each kind keeps what it asks for; an own θ and the noise of an option stay; nothing stands twice."""
    with closing(sqlite3.connect(upgraded / "site.sqlite3")) as database, database:
        stored = {
            table: [(kind, json.loads(settings)) for kind, settings in database.execute(query)]
            for table, query in {
                "blocks": "SELECT kind, settings FROM surveys_block ORDER BY id",
                "questions": "SELECT identifier, settings FROM surveys_question ORDER BY id",
                "options": "SELECT value, settings FROM surveys_option ORDER BY id",
            }.items()
        }
        columns = {name for _, name, *_ in database.execute("PRAGMA table_info(surveys_block)")}
    assert stored == {
        "blocks": [
            ("coin", {"keep": 0.3, "theta": 0.6}),
            ("coin", {"keep": 0.5, "ask": 2}),
            ("each", {"keep": 0.25, "theta": 0.6}),
            ("flip", {"flips": [0.5, 0.3, 0.2], "ask": 2}),
            ("flip", {"gamma": 19.0, "radius": 2}),
            ("flip", {"gamma": 9.0, "radius": 0}),
        ],
        "questions": [("drugs", {}), ("age", {"theta": 0.7})],
        "options": [("young", {"noise": 0.25}), ("old", {})],
    }
    assert columns == {"id", "survey_id", "position", "name", "kind", "settings"}


def test_what_waits_in_an_old_database_is_encrypted_and_then_sealed(upgraded: Path, tmp_path: Path) -> None:
    """Nothing is lost, and after one round no file of the database holds any of it in clear."""
    folder = copytree(upgraded, tmp_path / "data")
    path = folder / "site.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        waits = database.execute("SELECT count(*) FROM surveys_inbox").fetchone()
        (created,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'surveys_inbox'").fetchone()
        database.execute("UPDATE surveys_survey SET closed_at = '2026-01-02'")
    manage(path, "tend", "--once", CANDOR_DATA=str(folder))
    content = b"".join(file.read_bytes() for file in folder.glob("site.sqlite3*"))
    with closing(sqlite3.connect(path)) as database:
        sealed = database.execute("SELECT size, open FROM surveys_part").fetchall()
        triggers = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    assert waits == (3,)
    assert CANARY not in content
    assert created.endswith("WITHOUT ROWID")
    assert "surveys_surveyversion_left" in triggers
    assert [(size, sorted(unzip_lines(lines))) for size, lines in sealed] == [
        (3, [b'{"story":"%s %d"}' % (CANARY, place) for place in range(3)])
    ]
