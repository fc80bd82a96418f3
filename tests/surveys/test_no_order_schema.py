"""The database itself keeps two promises: some tables have no order, others never change."""

from typing import Any

import numpy as np
import pytest
from django.db import DatabaseError, connection, models, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from privacy.records.packing import row_bytes
from surveys.domain.database import scrub
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal, snapshots
from surveys.domain.responses.snapshots import records
from surveys.models import NO_ORDER, CopyKey, Part, Snapshot, Survey, SurveyVersion, UsedEntry
from surveys.schema import keep_no_samples
from tests.cases import only_on
from tests.surveys.making import make_survey


@only_on("sqlite", "PostgreSQL has no sorted tables; sealing rewrites them")
@pytest.mark.parametrize("model", NO_ORDER)
def test_tables_on_the_no_order_list_are_sorted_by_their_key_on_sqlite(model: type[models.Model]) -> None:
    """Every table on the list is WITHOUT ROWID, whatever migrations have done to it since."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = %s", [model._meta.db_table])
        (sql,) = cursor.fetchone()
    assert sql.endswith("WITHOUT ROWID")


@pytest.mark.parametrize("model", NO_ORDER)
def test_tables_on_the_no_order_list_hold_no_time_and_no_sequence(model: type[models.Model]) -> None:
    """Their keys are bytes, drawn or hashed, and no column counts or dates."""
    kinds = {type(field) for field in model._meta.concrete_fields}
    assert isinstance(model._meta.pk, models.BinaryField)
    assert kinds <= {models.BinaryField, models.ForeignKey}


@only_on("postgresql", "SQLite takes none unless it is asked")
@pytest.mark.parametrize("model", [*NO_ORDER, Part, CopyKey])
def test_postgresql_takes_no_samples_of_what_is_sent(
    version_with_part: SurveyVersion, model: type[models.Model]
) -> None:
    """Its planner's samples would tell, outside the table that sealing rewrites, who had come when they were taken.

    And they would keep the key of a survey's copies for longer than the survey.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {model._meta.db_table}, surveys_survey")
        cursor.execute("SELECT DISTINCT tablename FROM pg_stats WHERE tablename LIKE 'surveys_%'")
        sampled = {table for (table,) in cursor.fetchall()}
        cursor.execute(
            "SELECT attname FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 0 AND attstattarget IS DISTINCT FROM 0",
            [model._meta.db_table],
        )
        assert cursor.fetchall() == []
    assert "surveys_survey" in sampled
    assert model._meta.db_table not in sampled


def is_row_number(field: Any) -> bool:
    """Whether a column counts rows or refers to them by such a number, and so says nothing."""
    return isinstance(field.target_field if isinstance(field, models.ForeignKey) else field, models.AutoField)


@only_on("postgresql", "SQLite takes none unless it is asked")
def test_postgresql_takes_no_samples_of_what_an_erasing_deletes() -> None:
    """An emptied table keeps the samples of what stood in it, so tables of surveys give them of row numbers alone.

    A migration that adds a table or a column calls `keep_no_samples`.
    """
    tables = {*scrub.IN_ORDER_OF_KEYS, UsedEntry, *scrub.SEALED, *scrub.tables_of_surveys()}
    content = {
        (model._meta.db_table, field.column)
        for model in tables
        for field in model._meta.concrete_fields
        if not is_row_number(field)
    }
    assert {("surveys_survey", "title"), ("mining_miningresult", "columns"), ("surveys_trial", "code")} <= content
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid"
            " WHERE relname = ANY(%s) AND relkind = 'r' AND attnum > 0 AND attstattarget IS DISTINCT FROM 0",
            [[model._meta.db_table for model in tables]],
        )
        assert sorted(content & set(cursor.fetchall())) == []


@only_on("postgresql", "SQLite takes none unless it is asked")
def test_the_planner_still_knows_how_many_rows_refer_to_one(version_with_part: SurveyVersion) -> None:
    """It would guess otherwise, and walk through large tables of runs and changes."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE surveys_surveyversion")
        cursor.execute("SELECT attname FROM pg_stats WHERE tablename = 'surveys_surveyversion'")
        assert {column for (column,) in cursor.fetchall()} == {"id", "survey_id"}


@only_on("postgresql", "SQLite takes none unless it is asked")
def test_samples_that_were_taken_before_are_dropped_on_postgresql(version_with_part: SurveyVersion) -> None:
    """A site that ran before samples were forbidden holds some."""
    with connection.cursor() as cursor, connection.schema_editor() as editor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE surveys_part ALTER COLUMN sha256 SET STATISTICS 100")
        cursor.execute("ANALYZE surveys_part")
        query = "SELECT attname FROM pg_stats WHERE tablename = 'surveys_part'"
        cursor.execute(query)
        assert cursor.fetchall() == [("sha256",)]
        keep_no_samples(editor, ["surveys_part"])
        cursor.execute(query)
        assert cursor.fetchall() == []


def test_a_published_version_cannot_be_changed(version: SurveyVersion) -> None:
    """UPDATE on a published version fails in the database, also around Django's models."""
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        SurveyVersion.objects.filter(pk=version.pk).update(definition=b"{}")
    assert SurveyVersion.objects.get().sha256 == version.sha256


@pytest.mark.parametrize("model", [SurveyVersion, Part, Snapshot])
def test_immutable_tables_have_their_trigger(model: type[models.Model]) -> None:
    """A later migration that remakes a table and loses the trigger is found here."""
    catalogue = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger",
    }
    with connection.cursor() as cursor:
        cursor.execute(catalogue[connection.vendor])
        triggers = {name for (name,) in cursor.fetchall()}
    assert f"{model._meta.db_table}_immutable" in triggers


@pytest.fixture
def version_with_part() -> SurveyVersion:
    """A published version with a snapshot of 20 responses in one part."""
    version = publish(make_survey())
    with transaction.atomic():
        seal.append(version, np.zeros((20, row_bytes(version.design)), np.uint8), [b""] * 20)
    return version


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("DELETE FROM surveys_surveyversion", id="a version deleted"),
        pytest.param("DELETE FROM surveys_snapshot_parts", id="a snapshot without its parts"),
        pytest.param("DELETE FROM surveys_snapshot", id="a snapshot deleted"),
        pytest.param("DELETE FROM surveys_part", id="a part deleted"),
        pytest.param("UPDATE surveys_snapshot_parts SET part_id = part_id + 1", id="a snapshot with other parts"),
        pytest.param("UPDATE surveys_survey SET slug = 'other'", id="another name"),
        pytest.param("DELETE FROM surveys_survey", id="a survey deleted before its versions"),
        pytest.param("UPDATE surveys_survey SET id = id + 1", id="a survey that gives its number away"),
        pytest.param("UPDATE surveys_survey SET simulated = NOT simulated", id="real people called simulated"),
    ],
)
def test_what_was_published_cannot_be_exchanged(version_with_part: SurveyVersion, sql: str) -> None:
    """The database refuses, so nothing can be put in its place under the old name or hash."""
    with (
        pytest.raises(DatabaseError, match=r"published|immutable"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)
    assert (SurveyVersion.objects.count(), Snapshot.objects.get().parts.count(), Part.objects.count()) == (1, 1, 1)


@only_on("postgresql", "PostgreSQL alone has TRUNCATE")
@pytest.mark.parametrize("table", ["survey", "surveyversion", "part", "snapshot", "snapshot_parts"])
def test_no_table_of_what_was_published_is_emptied_on_postgresql(version_with_part: SurveyVersion, table: str) -> None:
    """TRUNCATE asks no trigger of DELETE."""
    with pytest.raises(DatabaseError, match="published"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE surveys_{table} CASCADE")


def test_a_version_does_not_leave_its_responses_to_another(version_with_part: SurveyVersion) -> None:
    """Also while the survey is being erased: the foreign keys would only be asked when another is in its place."""
    Survey.objects.update(erasing_since=timezone.now())
    with pytest.raises(DatabaseError, match="published"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM surveys_surveyversion")
    assert SurveyVersion.objects.get().sha256 == version_with_part.sha256


@only_on("sqlite", "SQLite alone has REPLACE")
@pytest.mark.parametrize("table", ["surveys_survey", "surveys_surveyversion", "surveys_part", "surveys_snapshot"])
def test_replace_is_refused_on_sqlite(version_with_part: SurveyVersion, table: str) -> None:
    """REPLACE deletes a row without asking the triggers of DELETE; PostgreSQL's ON CONFLICT is an UPDATE."""
    with pytest.raises(DatabaseError, match="published"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"REPLACE INTO {table} SELECT * FROM {table}")


@only_on("sqlite", "SQLite alone has REPLACE")
@pytest.mark.parametrize(
    ("table", "other"),
    [
        ("surveys_survey", {"id": "id + 1"}),
        ("surveys_surveyversion", {"id": "id + 1", "sha256": "'0'"}),
    ],
)
def test_replace_under_another_number_is_refused_on_sqlite(
    version_with_part: SurveyVersion, table: str, other: dict[str, str]
) -> None:
    """A row goes for one that has the same name in links, or the same number among its survey's versions."""
    with connection.cursor() as cursor:
        columns = [column.name for column in connection.introspection.get_table_description(cursor, table)]
    values = ", ".join(other.get(column, column) for column in columns)
    with pytest.raises(DatabaseError, match="published"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"REPLACE INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table}")


@only_on("sqlite", "SQLite alone has REPLACE")
@pytest.mark.parametrize("taken", ["id = (SELECT id FROM surveys_survey WHERE slug = 'study')", "slug = 'study'"])
def test_a_draft_takes_no_published_number_or_name_on_sqlite(version_with_part: SurveyVersion, taken: str) -> None:
    """UPDATE OR REPLACE deletes the row that has it; PostgreSQL refuses a number or a name that appears twice."""
    make_survey("draft", names=())
    with pytest.raises(DatabaseError, match="published"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE OR REPLACE surveys_survey SET {taken} WHERE slug = 'draft'")


@pytest.fixture
def second_part(version_with_part: SurveyVersion) -> Part:
    """A part beside the sealed one, which stands in no snapshot."""
    part = Part.objects.get()
    part.pk = None
    part.save(force_insert=True)
    return part


def test_a_snapshot_takes_no_other_part(second_part: Part) -> None:
    """Its list is whole: with one more it would hold other responses under the same number and hash."""
    sql = "INSERT INTO surveys_snapshot_parts (snapshot_id, part_id) SELECT snapshot_id, %s FROM surveys_snapshot_parts"
    with pytest.raises(DatabaseError, match="published"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, [second_part.pk])
    assert Snapshot.objects.get().parts.count() == 1


def list_of(version: SurveyVersion, part: Part, respondents: int) -> Snapshot:
    """A snapshot that lists nothing yet."""
    days = {"first_day": part.first_day, "last_day": part.last_day}
    return Snapshot.objects.create(version=version, sha256="0" * 64, respondents=respondents, **days)


def test_no_command_adds_more_to_a_list_than_makes_it_whole(
    version_with_part: SurveyVersion, second_part: Part
) -> None:
    """A snapshot of twenty lists one part of twenty; of a command that names two, none stays."""
    snapshot = list_of(version_with_part, second_part, 20)
    with pytest.raises(DatabaseError, match="published"), transaction.atomic():
        snapshot.parts.add(*Part.objects.all())
    assert snapshot.parts.count() == 0


def test_a_list_may_grow_by_several_commands_until_it_is_whole(
    version_with_part: SurveyVersion, second_part: Part
) -> None:
    """On SQLite one command names some hundreds of parts at most. Then it takes none, of whatever size."""
    snapshot = list_of(version_with_part, second_part, 40)
    for part in Part.objects.all():
        snapshot.parts.add(part)
    for size in (0, 20):
        second_part.pk, second_part.size = None, size
        second_part.save(force_insert=True)
        with pytest.raises(DatabaseError, match="published"), transaction.atomic():
            snapshot.parts.add(second_part)
    assert snapshot.parts.count() == 2


def test_a_whole_list_takes_no_part_that_is_still_to_come(version_with_part: SurveyVersion, second_part: Part) -> None:
    """Foreign keys are asked at the end of a transaction, in which the part would be there."""
    with pytest.raises(DatabaseError, match="published"), transaction.atomic():
        Snapshot.parts.through.objects.create(snapshot=Snapshot.objects.get(), part_id=second_part.pk + 1)
    assert Snapshot.objects.get().parts.count() == 1


@only_on("sqlite", "PostgreSQL keeps long values apart")
def test_listing_parts_reads_no_records_on_sqlite(version_with_part: SurveyVersion) -> None:
    """The hash of a part stands behind its records, which SQLite would walk along; an index has all of a list."""
    with CaptureQueriesContext(connection) as asked:
        snapshots.list_parts(Snapshot.objects.get())
    (query,) = [one["sql"] for one in asked if '"surveys_part"."sha256"' in one["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query}")
        steps = [step for *_, step in cursor.fetchall() if "surveys_part " in step]
    assert steps == ["SEARCH surveys_part USING COVERING INDEX surveys_part_listed (version_id=?)"]


@only_on("sqlite", "PostgreSQL sorts keys, and fetches long values after it")
def test_reading_parts_writes_no_records_on_sqlite(version_with_part: SurveyVersion) -> None:
    """What SQLite sorts before it answers goes to a temporary file, with all records in it."""
    with CaptureQueriesContext(connection) as asked:
        assert len(list(snapshots.parts(Snapshot.objects.get()))) == 1
    (query,) = [one["sql"] for one in asked if '"surveys_part"."records"' in one["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query}")
        steps = [step.partition(" USING ")[0] for *_, step in cursor.fetchall()]
    assert steps == ["SEARCH surveys_snapshot_parts", "SEARCH surveys_part"]


@only_on("sqlite", "SQLite alone has REPLACE")
def test_no_row_of_a_list_goes_for_one_of_another_on_sqlite(
    version_with_part: SurveyVersion, second_part: Part
) -> None:
    """REPLACE would delete it: a snapshot that promises more than it lists would take the parts of others."""
    robbed = Snapshot.objects.get()
    robber = list_of(version_with_part, second_part, 1000)
    listed = "(id, snapshot_id, part_id) SELECT id, %s, %s FROM surveys_snapshot_parts"
    with pytest.raises(DatabaseError, match="published"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"REPLACE INTO surveys_snapshot_parts {listed}", [robber.pk, second_part.pk])
    assert robbed.parts.count() == 1


def test_a_closed_survey_stays_closed(version_with_part: SurveyVersion) -> None:
    """Its last responses have been sealed, however few; nobody may collect again behind them."""
    close(version_with_part.survey)
    with pytest.raises(DatabaseError, match="published"), transaction.atomic():
        Survey.objects.filter(pk=version_with_part.survey.pk).update(closed_at=None)


def test_a_definition_that_is_not_the_one_published_is_not_read(version_with_part: SurveyVersion) -> None:
    """A person who gets around the triggers is found by the hash."""
    version_with_part.definition = bytes(version_with_part.definition).replace(b"drugs?", b"sweets?")
    version_with_part.__dict__.pop("parsed", None)
    with pytest.raises(ValueError, match="published under its hash"):
        _ = version_with_part.parsed


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("UPDATE surveys_snapshot SET respondents = %s", 21),
        ("UPDATE surveys_snapshot SET sha256 = %s", "0" * 64),
        ("UPDATE surveys_part SET sha256 = %s", "0" * 64),
        ("UPDATE surveys_part SET records = %s", b"\x40" * 20),
        ("UPDATE surveys_part SET open = %s", b"\x40"),
        ("UPDATE surveys_part SET size = %s", 19),
        ("DELETE FROM surveys_snapshot_parts WHERE snapshot_id > %s", 0),
    ],
)
def test_a_snapshot_that_is_not_the_one_sealed_is_not_read(
    version_with_part: SurveyVersion, sql: str, value: object
) -> None:
    """A person who gets around the triggers is found by the hashes."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name}")
        cursor.execute(sql, [value])
    with pytest.raises(ValueError, match="sealed under its hash"):
        records(Snapshot.objects.get())


def test_a_published_survey_reports_on_no_fewer_people_than_it_promised(survey: Survey) -> None:
    """The database refuses to lower the number of respondents a report needs; before publication it may change."""
    Survey.objects.filter(pk=survey.pk).update(least=50)
    publish(Survey.objects.get())
    Survey.objects.filter(pk=survey.pk).update(least=60)
    with pytest.raises(DatabaseError, match="lowered"), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(least=59)
    assert Survey.objects.get().least == 60
