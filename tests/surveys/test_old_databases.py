"""A database that an earlier version of the program made is the same questionnaire under this one."""

import csv
import hashlib
import json
import lzma
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from io import StringIO
from pathlib import Path
from shutil import copy, copytree
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from surveys.domain.drafts.faults import faults
from surveys.domain.questionnaire.document import Document, empty, new_page, new_question, upgrade
from surveys.domain.responses.snapshots import unzip_lines
from tests.servers import Prepared, empty_database

ROOT = Path(__file__).parents[2]
# Made by the program of 0.1.0 itself (old_site/README.md), with what was sent to it and what it printed.
OLD_SITE = Path(__file__).parent / "old_site"
PRINTED: dict[str, Any] = json.loads((OLD_SITE / "printed.json").read_text())
CANARY = b"canary-4f1d"


def manage(database: Path, *arguments: str, **more: str) -> str:
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
    return done.stdout


# A new database gets one migration of each app in place of many. What a version did is done as if there were none.
ORIGINALS = """
from django.core.management import call_command
from django.db.migrations import executor

class Originals(executor.MigrationLoader):
    def load_disk(self):
        super().load_disk()
        self.disk_migrations = {key: each for key, each in self.disk_migrations.items() if not each.replaces}

executor.MigrationLoader = Originals
for target in %r:
    call_command("migrate", *target, verbosity=0)
"""


def migrate_as_then(database: Path, *targets: tuple[str, ...], then: str = "", **more: str) -> None:
    """Make the tables as the migrations up to these made them; without a target, as all of them did.

    `then` is what the program did on them.
    """
    manage(database, "shell", "--no-imports", "-c", ORIGINALS % (targets or ((),),) + then, **more)


def insert(database: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    """A row; columns that must hold something and are not named hold an empty text or 0."""
    columns = database.execute(f"PRAGMA table_info(surveys_{table})").fetchall()
    needed = {name: "" if "char" in kind or kind == "text" else 0 for _, name, kind, filled, _, _ in columns if filled}
    values = {name: value for name, value in needed.items() if name != "id"} | row
    names, places = ", ".join(values), ", ".join("?" * len(values))
    database.execute(f"INSERT INTO surveys_{table} ({names}) VALUES ({places})", list(values.values()))


@pytest.fixture(scope="module")
def site_0_1_0(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site at work that version 0.1.0 made, under today's tables: to be copied."""
    folder = tmp_path_factory.mktemp("0.1.0")
    path = folder / "site.sqlite3"
    with closing(sqlite3.connect(path)) as database, lzma.open(OLD_SITE / "site.sql.xz", "rt") as script:
        database.executescript(script.read())
    manage(path, "migrate", CANDOR_DATA=str(folder))
    return folder


def schema_in(path: Path) -> list[list[str]]:
    """All that the database has. A table is what its columns are, in whatever order."""
    with closing(sqlite3.connect(path)) as database:
        made = database.execute("SELECT type, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return sorted(sorted(re.split(r"[(), ]*[(),][(), ]*", sql)) if kind == "table" else [sql] for kind, sql in made)


# These migrations stay as they are for ever: `make test-long` alone runs them one by one. Every run looks at what they
# leave of the models (`test_the_migrations_leave_the_models_of_this_version`).
@pytest.mark.long
def test_a_site_of_0_1_0_has_the_tables_of_a_new_one(site_0_1_0: Path, prepared: Prepared) -> None:
    """Its program made them, not today's migrations up to those that it had."""
    assert schema_in(site_0_1_0 / "site.sqlite3") == schema_in(prepared.data / "candor.sqlite3")


@pytest.mark.long
def test_an_old_survey_knows_its_newest_version(site_0_1_0: Path) -> None:
    """One that was published before the number stood beside it; a survey that was not has none."""
    with closing(sqlite3.connect(site_0_1_0 / "site.sqlite3")) as database:
        newest = dict(database.execute("SELECT slug, newest FROM surveys_survey").fetchall())
    assert newest == {"demo": 1, "demo-ten": 1, "demo-ten-coin": 1, "old": None, "at-work": 1}


@pytest.mark.long
def test_runs_of_0_1_0_print_the_figures_that_it_printed(site_0_1_0: Path, tmp_path: Path) -> None:
    """Digit by digit in its files, of three surveys, but for the test of two answers, which is the report's now.

    Columns came beside these, and all pages of runs open.
    """
    folder = copytree(site_0_1_0, tmp_path / "data")
    opened = shell(folder / "site.sqlite3", RUNS, CANDOR_DATA=str(folder))

    assert [status for status, _files in opened.values()] == [200] * 3
    for slug, files in PRINTED["runs"].items():
        for name, before in files.items():
            now = as_written_then(opened[slug][1][name])
            then = as_written_then(before) if "\n" in before else before  # of many figures the hash
            assert then in (now, hashlib.sha256(now.encode()).hexdigest()), (slug, name)


RUNS = """
import json
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from mining.models import MiningRun

staff, found = Client(SERVER_NAME="localhost"), {}
staff.force_login(User.objects.get())
for run in MiningRun.objects.all():
    files = {}
    for name in ("rules.csv", "itemsets.csv"):
        page = staff.get(reverse("mining_run_export", args=[run.pk, name]))
        files[name] = (b"".join(page.streaming_content) if page.streaming else page.content).decode()
    page = staff.get(reverse("mining_run", args=[run.pk]), follow=True)
    found[run.snapshot.version.survey.slug] = [page.status_code, files]
print(json.dumps(found))
"""


def as_written_then(table: str) -> str:
    """The table without later columns and needless quotes, and without p and q of rules between two answers."""
    written = StringIO()
    rows = list(csv.DictReader(StringIO(table)))
    names = [name for name in rows[0] if not name.startswith(("listed", "others", "shrunken"))]
    writer = csv.DictWriter(written, names, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        of_pair = "antecedent" in row and "," not in row["antecedent"] + row["consequent"]
        writer.writerow(row | {"p": "", "q": ""} if of_pair else row)
    return written.getvalue()


@pytest.mark.long
def test_a_database_with_drafts_of_rows_has_the_tables_of_a_new_one(of_rows: Path, prepared: Prepared) -> None:
    """The same of one whose drafts were stored in rows."""
    assert schema_in(of_rows) == schema_in(prepared.data / "candor.sqlite3")


@pytest.mark.long
@pytest.mark.parametrize("version", [(("surveys", "0016"), ("mining", "0003")), ()], ids=["0.1.0", "all"])
def test_an_old_database_has_the_tables_of_a_new_one_on_postgresql(
    postgres_server: tuple[Path, Path], tables: str, tmp_path: Path, version: tuple[tuple[str, str], ...]
) -> None:
    """Of a site that has upgraded from version 0.1.0, and of one that has run all migrations one by one."""
    programs, folder = postgres_server
    old = empty_database(programs, folder)
    own = {"DATABASE_URL": old, "CANDOR_DATA": str(tmp_path)}
    migrate_as_then(tmp_path, *version, **own)
    manage(tmp_path, "migrate", **own)
    dumps = []
    for url in (old, tables):
        command = [programs / "pg_dump", "--schema-only", url]
        dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        made = (part.splitlines() for part in dump.split("\n-- Name: ")[1:])
        dumps.append(sorted(sorted(line.rstrip(",") for line in part if line[:1] != "\\") for part in made))
    assert dumps[0] == dumps[1]


def test_the_migrations_leave_the_models_of_this_version() -> None:
    """Both the one of each app that makes a new database, and those that it replaces."""
    for replace in (True, False):
        loader = MigrationLoader(connection, replace_migrations=replace)
        last = [key for key in loader.graph.leaf_nodes() if replace or key not in loader.replacements]
        made = MigrationAutodetector(loader.project_state(last), ProjectState.from_apps(apps))
        assert made.changes(loader.graph) == {}


@pytest.mark.long
def test_sessions_of_an_old_cookie_end(site_0_1_0: Path) -> None:
    """Browsers show them under a name that is not read any more; there was no table of the site by then."""
    with closing(sqlite3.connect(site_0_1_0 / "site.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM django_session").fetchone() == (0,)


@pytest.mark.long
def test_respondents_and_staff_find_on_an_old_site_what_they_left(site_0_1_0: Path, tmp_path: Path) -> None:
    """The questionnaire byte by byte, its page, the receipt of who has answered, also of who sends again, and none of
    who has not; a draft and a survey at work, of which no page is refused."""
    folder = copytree(site_0_1_0, tmp_path / "data")
    manage(folder / "site.sqlite3", "tend", "--once", CANDOR_DATA=str(folder))
    opened = shell(folder / "site.sqlite3", OPENED % (PRINTED["sent"],), CANDOR_DATA=str(folder))

    assert opened["again"] == [[200, answer] for _sent, _status, answer in PRINTED["sent"]]
    assert opened["respondent"] == [200] * 5 + [404]
    assert opened["questionnaire"] == PRINTED["questionnaire"]
    assert {key: status for key, status in opened["staff"].items() if status != 200} == {}


OPENED = """
import json
from hashlib import sha256
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from surveys.models import Survey

before = %r
own, staff = (Client(SERVER_NAME="localhost") for _ in range(2))
staff.force_login(User.objects.get())
again = [own.post("/s/at-work/responses", sent, content_type="application/json") for sent, _status, _answer in before]
receipts = [f"receipts/{answer['receipt']}" for _sent, _status, answer in before]
pages = [own.get(f"/s/at-work/{end}") for end in ("", "questionnaire", *receipts, "receipts/" + "0" * 64)]
steps = ("write", "protect", "try", "publish", "fieldwork", "report", "files", "history", "people", "log")
found = {
    f"{survey.slug} {step}": staff.get(reverse(f"studio:{step}", args=[survey.pk]), follow=True).status_code
    for survey in Survey.objects.all()
    for step in steps
}
respondent = [page.status_code for page in pages]
digest = sha256(pages[1].content).hexdigest()
again = [[one.status_code, one.json()] for one in again]
print(json.dumps({"again": again, "respondent": respondent, "questionnaire": digest, "staff": found}))
"""


def draft_in(path: Path, slug: str) -> Document:
    """The draft as the program reads it: fields that came after its migration are empty."""
    query = "SELECT document FROM surveys_draftdocument d JOIN surveys_survey s ON s.id = d.survey_id WHERE s.slug = ?"
    with closing(sqlite3.connect(path)) as database:
        ((document,),) = database.execute(query, [slug]).fetchall()
    upgraded: Document = upgrade(json.loads(document))
    return upgraded


def text(english: str, chinese: str = "") -> dict[str, str]:
    return {"en": english} | ({"zh-hans": chinese} if chinese else {})


@pytest.fixture(scope="module")
def of_rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a site whose drafts were rows, under today's program: every type, and a draft of the studio."""
    folder = tmp_path_factory.mktemp("rows")
    path = folder / "site.sqlite3"
    targets = (("surveys", "0043"), ("mining", "0007"), ("site", "0005"))
    migrate_as_then(path, *targets, then=ROWS, CANDOR_DATA=str(folder))
    manage(path, "migrate", CANDOR_DATA=str(folder))
    return path


# What the program did then, by the models of that time: `every_type` of test_question_types, and a draft of two people.
ROWS = """
import json
from datetime import datetime, timezone
from django.db import connection
from django.db.migrations.loader import MigrationLoader

last = [("surveys", "0043_no_samples_of_surveys"), ("contenttypes", "0002_remove_content_type_name")]
apps = MigrationLoader(connection, replace_migrations=False).project_state(last).apps
Survey, SurveyVersion, Block, Page, Question, Option, DraftState, DraftChange, LogEntry, User, ContentType = (
    apps.get_model(*name.split("."))
    for name in (
        "surveys.Survey surveys.SurveyVersion surveys.Block surveys.Page surveys.Question surveys.Option"
        " surveys.DraftState surveys.DraftChange admin.LogEntry auth.User contenttypes.ContentType"
    ).split()
)

texts = {name: {"en": name.title()} for name in ("heading", "who", "why", "consent", "closing")}
survey = Survey.objects.create(slug="study", title="Study", direct=True, languages="en", closed=None, **texts)
coin = Block.objects.create(survey=survey, name="all", settings={"keep": 0.3, "theta": 0.6})
flips = Block.objects.create(survey=survey, name="flips", kind="flip", settings={"flips": [0.5, 0.3, 0.2]})


def ask(name, **fields):
    rows, fields = fields.pop("rows", ()), {"text": {"en": f"{name}?"}, **fields}
    question = Question.objects.create(survey=survey, identifier=name, **fields)
    for place, value in enumerate(rows):
        noise = {"noise": (0.5, 0.3, 0.2)[place]} if name == "role" else {}
        Option.objects.create(
            question=question, position=place, value=value, label={"en": value.title()}, last=value == "secret",
            settings=noise,
        )


for place, name in enumerate(("drugs", "cheating", "theft")):
    ask(name, block=coin, position=place)
ask("role", type="choice", block=coin, shuffle=True, rows=("a", "b", "secret"))
ask("trust", type="scale", block=coin, minimum="-1", maximum="3", low={"en": "none"}, position=2)
ask("drinks", type="several", block=flips, position=3, help={"en": "Tick.", "fr": "Cochez."}, rows=("beer", "wine"))
ask("told", type="yesno", block=coin, position=4, rows=("1", "0", "secret"))
ask("job", required=True, page=3, position=0)
sports = {"when_question": "job", "when_values": "1"}
ask("sports", type="several", page=3, position=1, rows=("run", "swim"), **sports)
city = {"when_question": "sports", "when_values": "run,swim"}
ask("city", type="choice", page=3, position=2, rows=("x", "y,z"), **city)
ask("mood", type="scale", minimum="0", maximum="10", page=3, position=3)
ask("hours", type="number", minimum="0.5", maximum="80", page=3, position=4)
ask("since", type="date", minimum="2000-01-01", page=3, position=5)
ask("remark", type="text", maximum="300", page=3, position=6)
ask("word", type="text", page=3, position=7)

both = {"en": "Words", "zh-hans": "文字"}
texts = dict.fromkeys(("heading", "who", "why", "consent", "closing", "closed"), both)
survey = Survey.objects.create(
    slug="studio", title="Studio", languages="zh-hans en", access="invitation", early=True, beside=True, lot=20,
    direct=True, anchor="stolen", anchor_share=12.5, expected=250, comprehension=True, **texts,
)
block = Block.objects.create(survey=survey, name="Block 1", kind="zones", settings={"epsilon": 2.0}, position=2)
other = Block.objects.create(survey=survey, name="Block 2", kind="coin", settings={"keep": 0.25}, position=1)
Page.objects.create(survey=survey, position=2, title=both)
Page.objects.create(survey=survey, position=7, title={"en": "Later"})
zone = {"map": {"width": 4, "height": 3, "cell": 1}, "zones": [[0, 0, 1, 1]]}
ask("home", type="place", page=2, block=block, settings=zone)
ask("stolen", page=2, position=0, block=other, text=both, no_skip="The board wants it.")
ask("canteen", type="matrix", page=4, minimum="1", maximum="3", high=both, rows=("price", "taste"))
dear = {"when_question": "canteen", "when_values": '"price=1","a, b", price=2'}
ask("dear", type="text", page=4, position=2, **dear)

at = datetime(2026, 5, 1, tzinfo=timezone.utc)
protection = {"by": "hand", "sure": 33}
DraftState.objects.create(survey=survey, number=7, document={}, protection=protection, changed_at=at)
ann = User.objects.create(username="ann")
parts = {"survey.who": [{"en": "Words"}, both]}
DraftChange.objects.create(survey=survey, number=7, by=ann, tab="a", at=at, name="survey", parts=parts)
texts = dict.fromkeys(("heading", "who", "why", "consent", "closing"), {})
old = Survey.objects.create(slug="old", title="Old", **texts)
published = {"number": 1, "definition": b'{"design": {"blocks": []}}', "published_on": "2026-03-01"}
SurveyVersion.objects.create(survey=old, sha256="0", **published)
for day, message in ((2, '[{"changed": {"fields": ["Consent"]}}]'), (3, "Ann became editor.")):
    at_noon = datetime(2026, 4, day, 12, tzinfo=timezone.utc)
    noted = {"user": ann, "action_flag": 2, "action_time": at_noon, "change_message": message}
    kind, _new = ContentType.objects.get_or_create(app_label="surveys", model="survey")
    study = Survey.objects.get(slug="study")
    LogEntry.objects.create(content_type=kind, object_id=study.pk, object_repr="Study", **noted)
kind, _new = ContentType.objects.get_or_create(app_label="surveys", model="question")
LogEntry.objects.create(user=ann, content_type=kind, object_id="1", object_repr="drugs", action_flag=2)
Survey.objects.create(slug="bare", title="Bare", **texts)
"""


def shell(path: Path, code: str, **more: str) -> Any:
    """What the program prints as JSON."""
    return json.loads(manage(path, "shell", "--no-imports", "-c", code, **more))


@pytest.mark.long
def test_what_would_be_published_of_rows_is_published_of_their_document(of_rows: Path) -> None:
    """To the byte, of a draft with every type of question (test_question_types has the same digest)."""
    digest = """
import json
from hashlib import sha256
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.compose import compose
from surveys.models import Survey
draft = Draft.load(Survey.objects.get(slug="study"))
print(json.dumps(sha256(compose(draft).to_bytes()).hexdigest()))
"""
    assert shell(of_rows, digest) == "952dab0959ca2ab06ce181b43df0bd87597ed435b411a9cd677cf1f19d49ad4e"
    assert list(faults(draft_in(of_rows, "study"))) == []


@pytest.mark.long
def test_a_document_says_all_that_the_rows_said(of_rows: Path) -> None:
    """In both languages, with conditions, zones, reasons, titles of pages and the choices that blocks follow from.

    A question of known share alone has left drafts: people who do not read are seen by a pair.
    """
    both = text("Words", "文字")
    texts = dict.fromkeys(("heading", "who", "why", "consent", "closing", "closed"), both)
    on_map = {"map": {"width": 4, "height": 3, "cell": 1}, "zones": [[0, 0, 1, 1]]}
    rows = [
        {"value": value, "label": text(value.title()), "last": False, "settings": {}} for value in ("price", "taste")
    ]
    home = new_question("home", "place") | {"text": text("home?"), "settings": on_map}
    stolen = new_question("stolen", "yesno") | {"text": both, "no_skip": "The board wants it."}
    canteen = {"text": text("canteen?"), "min": "1", "max": "3", "high": both, "options": rows}
    dear = {"text": text("dear?"), "when": {"question": "canteen", "is": ["price=1", "a, b", "price=2"]}}
    assert draft_in(of_rows, "studio") == {
        **empty("Studio", ["zh-hans", "en"]),
        **texts,
        "access": "invitation",
        **dict.fromkeys(("direct", "comprehension", "early", "beside"), True),
        "lot": 20,
        "expected": 250,
        "protection": {"by": "hand", "sure": 33},
        "blocks": [
            {"name": "Block 2", "kind": "coin", "settings": {"keep": 0.25}, "questions": ["stolen"]},
            {"name": "Block 1", "kind": "zones", "settings": {"epsilon": 2.0}, "questions": ["home"]},
        ],
        "pages": [
            new_page(2, [stolen, home]) | {"title": both},
            new_page(4, [new_question("canteen", "matrix") | canteen, new_question("dear", "text") | dear]),
            new_page(7) | {"title": text("Later")},
        ],
    }
    assert draft_in(of_rows, "bare") == empty("Bare", ["en"])


@pytest.mark.long
def test_a_draft_of_rows_was_saved_when_it_was_last_changed(of_rows: Path) -> None:
    """By the studio or a form, else by the day of its version; of others nobody knows when. Other notes change none."""
    query = "SELECT slug, changed_at FROM surveys_draftdocument d JOIN surveys_survey s ON s.id = d.survey_id"
    with closing(sqlite3.connect(of_rows)) as database:
        saved = dict(database.execute(query).fetchall())
    assert saved == {
        "study": "2026-04-02 12:00:00",
        "studio": "2026-05-01 00:00:00",
        "old": "2026-03-01 00:00:00",
        "bare": None,
    }


@pytest.mark.long
def test_the_last_change_of_a_draft_of_rows_is_taken_back(of_rows: Path, tmp_path: Path) -> None:
    """History goes on where it was, by the numbers that it had."""
    path = Path(copy(of_rows, tmp_path / "site.sqlite3"))
    undo = """
import json
from django.contrib.auth.models import User
from surveys.domain.drafts import history
from surveys.models import Survey
made = history.undo(Survey.objects.get(slug="studio"), history.Editor(User.objects.get(), "a", 7))
print(json.dumps([made.number, made.document["who"]]))
"""
    assert shell(path, undo) == [8, {"en": "Words"}]


@pytest.mark.long
def test_no_rows_of_drafts_stay_and_none_are_taken(of_rows: Path, tmp_path: Path) -> None:
    """A machine of the version before is refused, rather than what it writes lost; a survey can be erased."""
    path = copy(of_rows, tmp_path / "site.sqlite3")
    with closing(sqlite3.connect(path)) as database:
        for table in ("block", "page", "question", "option", "draftstate"):
            assert database.execute(f"SELECT count(*) FROM surveys_{table}").fetchone() == (0,)
        with pytest.raises(sqlite3.IntegrityError, match="surveys_page takes no more rows"):
            insert(database, "page", {"survey_id": 1, "title": "{}"})
        assert database.execute("SELECT DISTINCT object_repr FROM django_admin_log").fetchall() == [("Study",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    erased = """
import json
from surveys.domain.closed.erase import erase
from surveys.models import DraftChange, DraftDocument, Survey
for survey in Survey.objects.all():
    erase(survey)
print(json.dumps([model.objects.count() for model in (Survey, DraftDocument, DraftChange)]))
"""
    assert shell(Path(path), erased) == [0, 0, 0]


@pytest.mark.long
def test_what_waits_in_an_old_database_is_encrypted_and_then_sealed(site_0_1_0: Path, tmp_path: Path) -> None:
    """Nothing is lost, and after one round no file of the database holds any of it in clear."""
    folder = copytree(site_0_1_0, tmp_path / "data")
    path = folder / "site.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        waits = database.execute("SELECT count(*) FROM surveys_inbox").fetchone()
        (created,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'surveys_inbox'").fetchone()
        database.execute("UPDATE surveys_survey SET closed_at = '2026-01-02' WHERE slug = 'at-work'")
    manage(path, "tend", "--once", CANDOR_DATA=str(folder))
    content = b"".join(file.read_bytes() for file in folder.glob("site.sqlite3*"))
    with closing(sqlite3.connect(path)) as database:
        sealed = database.execute("SELECT size, open FROM surveys_part ORDER BY id DESC LIMIT 1").fetchall()
        triggers = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    assert waits == (3,)
    assert CANARY not in content
    assert created.endswith("WITHOUT ROWID")
    assert "surveys_surveyversion_left" in triggers
    assert [(size, sorted(unzip_lines(lines))) for size, lines in sealed] == [
        (3, [b'{"story":"%s %d"}' % (CANARY, place) for place in range(3)])
    ]
