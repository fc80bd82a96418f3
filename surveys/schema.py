"""What the tables promise beyond Django's models, for migrations to put there.

Django remakes a SQLite table to alter it and drops both promises silently: a later migration that touches one of these
tables ends with the same call. tests/surveys/test_no_order_schema.py reads the schema that the migrations leave.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_no_order(schema_editor: BaseDatabaseSchemaEditor, tables: Iterable[str]) -> None:
    """SQLite: make the tables WITHOUT ROWID, so that rows lie sorted by their random key and by nothing else."""
    if schema_editor.connection.vendor != "sqlite":
        return
    with schema_editor.connection.cursor() as cursor:
        for table in tables:
            cursor.execute("SELECT sql FROM sqlite_master WHERE tbl_name = %s AND sql IS NOT NULL", [table])
            created = sorted((sql for (sql,) in cursor.fetchall()), key=lambda sql: not sql.startswith("CREATE TABLE"))
            cursor.execute(created[0].replace(f'"{table}"', f'"{table}_new"', 1) + " WITHOUT ROWID")
            cursor.execute(f'INSERT INTO "{table}_new" SELECT * FROM "{table}"')
            cursor.execute(f'DROP TABLE "{table}"')
            cursor.execute(f'ALTER TABLE "{table}_new" RENAME TO "{table}"')
            for index in created[1:]:
                cursor.execute(index)


def forbid_updates(schema_editor: BaseDatabaseSchemaEditor, tables: Iterable[str]) -> None:
    """Rows of the tables can be added and deleted, never changed."""
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "postgresql":
            cursor.execute(
                "CREATE OR REPLACE FUNCTION candor_immutable() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE integrity_constraint_violation USING MESSAGE = TG_TABLE_NAME || ' is immutable'; END $$"
            )
        for table in tables:
            if schema_editor.connection.vendor == "postgresql":
                body = "FOR EACH ROW EXECUTE FUNCTION candor_immutable()"
            else:
                body = f"BEGIN SELECT RAISE(ABORT, '{table} is immutable'); END"
            cursor.execute(f'CREATE TRIGGER "{table}_immutable" BEFORE UPDATE ON "{table}" {body}')


def forbid_lowering_least(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What a published survey promised not to report on may become more people, never fewer."""
    with schema_editor.connection.cursor() as cursor:
        published = "EXISTS (SELECT 1 FROM surveys_surveyversion WHERE survey_id = OLD.id)"
        if schema_editor.connection.vendor == "postgresql":
            cursor.execute(
                "CREATE OR REPLACE FUNCTION candor_least() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN IF NEW.least < OLD.least AND {published} THEN RAISE integrity_constraint_violation "
                "USING MESSAGE = 'least cannot be lowered after publication'; END IF; RETURN NEW; END $$"
            )
            body = "FOR EACH ROW EXECUTE FUNCTION candor_least()"
        else:
            body = (
                f"WHEN NEW.least < OLD.least AND {published} "
                "BEGIN SELECT RAISE(ABORT, 'least cannot be lowered after publication'); END"
            )
        cursor.execute(f"CREATE TRIGGER surveys_survey_least BEFORE UPDATE ON surveys_survey {body}")
