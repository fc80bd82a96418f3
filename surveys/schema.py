"""What the database promises beyond Django's models: tables without order, and triggers. Migrations call this module.

To alter a SQLite table Django makes it again, and both promises are lost without a word. A later migration that alters
one of these tables must therefore end with the same call. tests/surveys/test_no_order_schema.py reads the schema that
the migrations leave.
"""

from collections.abc import Iterable

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

REWRITING = (
    "candor.rewriting"  # what a transaction of PostgreSQL sets to "on" that rewrites rows without any effect for people
)


class AtOnce(Operation):
    """Operations of a new database in one step. After each step Django makes every model again that is related to what
    was changed: for one table after the other, this would take most of the first start.
    """

    reversible = False

    def __init__(self, *operations: Operation) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        vars(state).pop("apps", None)  # is made when it is asked for
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)


def keep_no_order(schema_editor: BaseDatabaseSchemaEditor, tables: Iterable[str]) -> None:
    """On SQLite, make the tables WITHOUT ROWID: rows are then stored in the order of their random keys alone."""
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


def keep_no_samples(
    schema_editor: BaseDatabaseSchemaEditor, tables: Iterable[str], *, but_of_row_numbers: bool = False
) -> None:
    """On PostgreSQL, let the planner take no samples of the columns.

    It would keep some hundreds of values outside the tables, as they were when it looked: this tells who had come by
    then, and what a row held that is erased. A table that is empty keeps the samples that it had.
    Rows of these tables are found by their keys, for which the planner needs no samples. Giving a column a type, even
    its own, removes samples that were taken before.

    `but_of_row_numbers`: the numbers that count rows and refer to them keep their samples. By these the planner knows
    how many rows refer to one, and they say nothing.
    """
    if schema_editor.connection.vendor != "postgresql":
        return
    while schema_editor.deferred_sql:  # references of new tables, by which row numbers are known
        schema_editor.execute(schema_editor.deferred_sql.pop(0), None)
    row_number = (
        "atttypid IN ('int4'::regtype, 'int8'::regtype) AND EXISTS (SELECT 1 FROM pg_constraint"
        " WHERE conrelid = attrelid AND contype IN ('p', 'f') AND attnum = ANY(conkey))"
    )
    with schema_editor.connection.cursor() as cursor:
        for table in tables:
            cursor.execute(
                "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
                " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
                f" AND NOT (%s AND {row_number})",
                [table, but_of_row_numbers],
            )
            for column, kind in cursor.fetchall():
                cursor.execute(f'ALTER TABLE "{table}" ALTER COLUMN "{column}" SET STATISTICS 0')
                cursor.execute(f'ALTER TABLE "{table}" ALTER COLUMN "{column}" TYPE {kind}')


def forbid_updates(schema_editor: BaseDatabaseSchemaEditor, tables: Iterable[str]) -> None:
    """Let rows of the tables be added and deleted, but never changed."""
    for table in tables:
        _refuse(schema_editor, f"{table}_immutable", table, "UPDATE", None, f"{table} is immutable")


def take_no_rows(schema_editor: BaseDatabaseSchemaEditor, tables: Iterable[str]) -> None:
    """Refuse new rows in tables that nobody reads any more, until a later version removes the tables."""
    for table in tables:
        _refuse(schema_editor, f"{table}_over", table, "INSERT", None, f"{table} takes no more rows")


def give_defaults_to_columns_of_drafts(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give defaults to columns of surveys that only the version before reads, so that this version can add rows.

    SQLite gives no default to a column that is there: the column is made again, and loses what it held.
    """
    columns = {
        "languages": ("varchar(100)", "'en'"),
        **dict.fromkeys(("heading", "who", "why", "consent", "closing"), ("text", "'{}'")),
        **dict.fromkeys(("direct", "comprehension", "early", "beside"), ("bool", "FALSE")),
    }
    with schema_editor.connection.cursor() as cursor:
        for name, (kind, default) in columns.items():
            if schema_editor.connection.vendor == "postgresql":
                cursor.execute(f"ALTER TABLE surveys_survey ALTER COLUMN {name} SET DEFAULT {default}")
            else:
                cursor.execute(f"ALTER TABLE surveys_survey DROP COLUMN {name}")
                cursor.execute(f"ALTER TABLE surveys_survey ADD COLUMN {name} {kind} NOT NULL DEFAULT {default}")


def forbid_lowering_least(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the smallest group that a published survey reports on become larger, but never smaller."""
    when = f"NEW.least < OLD.least AND {_PUBLISHED}"
    message = "least cannot be lowered after publication"
    _refuse(schema_editor, "surveys_survey_least", "surveys_survey", "UPDATE", when, message)


def forbid_lowering_quota(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the quota of a published survey be raised or removed, but neither lowered nor set again.

    Moved up and down it would tell how many responses wait: the survey is full or not, and everybody sees which.
    """
    when = f"NEW.quota IS NOT NULL AND (OLD.quota IS NULL OR NEW.quota < OLD.quota) AND {_PUBLISHED}"
    message = "quota can only be raised after publication"
    _refuse(schema_editor, "surveys_survey_quota", "surveys_survey", "UPDATE", when, message)


def forbid_keeping_longer(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the day after which a published survey is erased come earlier and never later; keep records of erasing."""
    when = (
        f"OLD.keep_until IS NOT NULL AND (NEW.keep_until IS NULL OR NEW.keep_until > OLD.keep_until) AND {_PUBLISHED}"
    )
    message = "keep_until can only come earlier after publication"
    _refuse(schema_editor, "surveys_survey_keep_until", "surveys_survey", "UPDATE", when, message)
    changed = "NEW.content <> OLD.content OR NEW.sha256 <> OLD.sha256 OR NEW.mark <> OLD.mark"
    when = f"{changed} OR OLD.removed_at IS NOT NULL"
    _refuse(schema_editor, "surveys_erasure_kept", "surveys_erasure", "UPDATE", when, "a record of erasing stays")


def forbid_exchanges(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let what was published be deleted only with its whole survey, and never be replaced.

    A version can be deleted only while its survey is being erased; this state cannot be undone and takes no new
    version. A snapshot and its list of parts can be deleted once its version has a newer snapshot, and a part once no
    snapshot lists it. The name in the links, the mark "simulated" and the end of collecting cannot be changed.
    """
    changed = " OR ".join(
        (
            f"(NEW.slug <> OLD.slug OR NEW.simulated <> OLD.simulated) AND {_PUBLISHED}",
            "(OLD.closed_at IS NOT NULL AND NEW.closed_at IS NULL)",
            "(OLD.erasing_since IS NOT NULL AND NEW.erasing_since IS NULL)",
        )
    )
    version = "SELECT 1 FROM surveys_surveyversion v JOIN surveys_survey s ON s.id = v.survey_id"
    newest = (
        f"EXISTS ({version} JOIN surveys_snapshot n ON n.version_id = v.id WHERE s.erasing_since IS NULL AND n.id = %s"
    )
    newest += " AND NOT EXISTS (SELECT 1 FROM surveys_snapshot m WHERE m.version_id = v.id AND m.id > n.id))"
    listed = f"EXISTS ({version} WHERE v.id = OLD.version_id AND s.erasing_since IS NULL)"
    listed += " AND EXISTS (SELECT 1 FROM surveys_snapshot_parts l WHERE l.part_id = OLD.id)"
    survey = "EXISTS (SELECT 1 FROM surveys_survey s WHERE s.id = %s.survey_id AND s.erasing_since IS %s)"
    rules: list[TriggerRule] = [
        ("surveys_survey", "published", "UPDATE", changed),
        ("surveys_surveyversion", "kept", "DELETE", survey % ("OLD", "NULL")),
        ("surveys_surveyversion", "ended", "INSERT", survey % ("NEW", "NOT NULL")),
        ("surveys_part", "kept", "DELETE", listed),
        ("surveys_snapshot", "kept", "DELETE", newest % "OLD.id"),
        ("surveys_snapshot_parts", "kept", "DELETE", newest % "OLD.snapshot_id"),
        ("surveys_snapshot_parts", "immutable", "UPDATE", None),
    ]
    if schema_editor.connection.vendor == "sqlite":
        rules += [
            _never_replaced("surveys_surveyversion", "id = NEW.id OR sha256 = NEW.sha256"),
            _never_replaced("surveys_part", "id = NEW.id"),
            _never_replaced("surveys_snapshot", "id = NEW.id"),
        ]
    _keep_published(schema_editor, rules)


def forbid_detours(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Forbid to replace a survey or a version within one transaction, while its parts wait for the new one.

    Foreign keys do not prevent this, because they are checked at the end of a transaction. So a version can be deleted
    only after its parts, a survey only after its versions, and no PostgreSQL table can be emptied while it holds what
    was published.
    """
    of_version = " OR ".join(
        f"EXISTS (SELECT 1 FROM {table} WHERE version_id = OLD.id)"
        for table in ("surveys_part", "surveys_snapshot", "surveys_inbox")
    )
    moved = f"NEW.id <> OLD.id AND {_PUBLISHED}"
    refused: list[TriggerRule] = [
        ("surveys_survey", "left", "DELETE", _PUBLISHED),
        ("surveys_survey", "same", "UPDATE", moved),
        ("surveys_surveyversion", "left", "DELETE", of_version),
    ]
    if schema_editor.connection.vendor == "sqlite":  # REPLACE deletes there without calling a trigger
        survey = "SELECT 1 FROM surveys_survey s JOIN surveys_surveyversion v ON v.survey_id = s.id"
        number = "SELECT 1 FROM surveys_surveyversion WHERE survey_id = NEW.survey_id AND number = NEW.number"
        refused += [
            ("surveys_survey", "once", "INSERT", f"EXISTS ({survey} WHERE s.id = NEW.id OR s.slug = NEW.slug)"),
            ("surveys_surveyversion", "number", "INSERT", f"EXISTS ({number})"),
        ]
    else:
        kept = "SELECT 1 FROM surveys_surveyversion v JOIN surveys_survey s ON s.id = v.survey_id"
        for table in ("survey", "surveyversion", "part", "snapshot", "snapshot_parts"):
            when = f"EXISTS ({kept} WHERE s.erasing_since IS NULL)"
            refused.append((f"surveys_{table}", "emptied", "TRUNCATE", when))
    _keep_published(schema_editor, refused)


def forbid_replacing(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the list of a snapshot take no more parts once it is whole.

    On SQLite also forbid UPDATE OR REPLACE, which deletes the row whose number or name it takes without calling a
    trigger, and forbid to replace a row of the list by another.
    """
    listed = "surveys_snapshot_parts l JOIN surveys_part p ON p.id = l.part_id WHERE l.snapshot_id = NEW.snapshot_id"
    respondents = "SELECT respondents FROM surveys_snapshot WHERE id = NEW.snapshot_id"
    whole = f"(SELECT COALESCE(SUM(p.size), 0) FROM {listed}) >= ({respondents})"
    refused: list[TriggerRule] = [("surveys_snapshot_parts", "whole", "INSERT", whole)]
    if schema_editor.connection.vendor == "sqlite":
        survey = (
            "SELECT 1 FROM surveys_survey s JOIN surveys_surveyversion v ON v.survey_id = s.id WHERE s.id <> OLD.id"
        )
        same = "id = NEW.id OR (snapshot_id = NEW.snapshot_id AND part_id = NEW.part_id)"
        refused += [
            ("surveys_survey", "taken", "UPDATE", f"EXISTS ({survey} AND (s.id = NEW.id OR s.slug = NEW.slug))"),
            _never_replaced("surveys_snapshot_parts", same),
        ]
    _keep_published(schema_editor, refused)


def hold_lists_at_once(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """On PostgreSQL, check the parts that one command adds to a snapshot's list all at once, no longer row by row.

    So a list of n parts is added up once and not n times. Refused is what makes a list that would be whole without the
    smallest of the new parts; of one new part that is `forbid_replacing`'s rule. A part that is not there yet counts as
    empty. SQLite, which ends long before, has no triggers of commands.
    """
    if schema_editor.connection.vendor != "postgresql":
        return
    name, table = "surveys_snapshot_parts_whole", "surveys_snapshot_parts"
    added = (
        "SELECT a.snapshot_id, MIN(COALESCE(p.size, 0)) AS least"
        " FROM added a LEFT JOIN surveys_part p ON p.id = a.part_id GROUP BY a.snapshot_id"
    )
    listed = f"SELECT SUM(p.size) FROM {table} l JOIN surveys_part p ON p.id = l.part_id WHERE l.snapshot_id = n.id"
    whole = f"SELECT 1 FROM surveys_snapshot n JOIN ({added}) a ON a.snapshot_id = n.id"
    whole += f" WHERE COALESCE(({listed}), 0) - a.least >= n.respondents"
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name} ON {table}")
        cursor.execute(
            f"CREATE OR REPLACE FUNCTION candor_{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            f" IF EXISTS ({whole}) THEN RAISE integrity_constraint_violation"
            f" USING MESSAGE = '{table} holds what was published'; END IF; RETURN NULL; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER {name} AFTER INSERT ON {table} REFERENCING NEW TABLE AS added"
            f" FOR EACH STATEMENT EXECUTE FUNCTION candor_{name}()"
        )


def keep_statements(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the statement of a closed survey and its list of receipts never change, and go only with the survey."""
    collecting = "EXISTS (SELECT 1 FROM surveys_survey s WHERE s.id = NEW.survey_id AND s.closed_at IS NULL)"
    kept = "EXISTS (SELECT 1 FROM surveys_survey s WHERE s.id = OLD.survey_id AND s.erasing_since IS NULL)"
    listed = "SELECT 1 FROM surveys_statement t JOIN surveys_survey s ON s.id = t.survey_id"
    piece_kept = f"EXISTS ({listed} WHERE t.id = OLD.statement_id AND s.erasing_since IS NULL)"
    refused: list[TriggerRule] = [
        ("surveys_statement", "immutable", "UPDATE", None),
        ("surveys_statement", "closed", "INSERT", collecting),
        ("surveys_statement", "kept", "DELETE", kept),
        ("surveys_receiptpiece", "immutable", "UPDATE", None),
        ("surveys_receiptpiece", "kept", "DELETE", piece_kept),
    ]
    if schema_editor.connection.vendor == "sqlite":
        piece = "id = NEW.id OR (statement_id = NEW.statement_id AND number = NEW.number)"
        refused.append(_never_replaced("surveys_statement", "id = NEW.id OR survey_id = NEW.survey_id"))
        refused.append(_never_replaced("surveys_receiptpiece", piece))
    else:
        for table in ("surveys_statement", "surveys_receiptpiece"):
            refused.append((table, "emptied", "TRUNCATE", f"EXISTS ({listed} WHERE s.erasing_since IS NULL)"))
    _keep_published(schema_editor, refused)


def keep_vacuum_away(schema_editor: BaseDatabaseSchemaEditor, tables: Iterable[str]) -> None:
    """On PostgreSQL, let no autovacuum tend the tables that each sealing rewrites: it would find little to do there,
    and a sealing that meets it gives up, because it waits for no longer than a second while people send.
    """
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'ALTER TABLE "{table}" SET (autovacuum_enabled = off)')


def refuse_used(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take no submission key and no token that was used before, wherever it has moved (surveys.domain.database.used).

    On SQLite it breaks a constraint, as a key that stands in the table does. On PostgreSQL nothing is inserted, as by
    ON CONFLICT DO NOTHING: an error would be written to its log.
    """
    postgresql = schema_editor.connection.vendor == "postgresql"
    with schema_editor.connection.cursor() as cursor:
        for letter, table, column in (("k", "surveys_submission", "key"), ("t", "surveys_spenttoken", "token")):
            used = _is_used(letter, column, postgresql)
            if postgresql:
                cursor.execute(
                    f"CREATE OR REPLACE FUNCTION candor_{table}_used() RETURNS trigger LANGUAGE plpgsql AS "
                    f"$$ BEGIN IF {used} THEN RETURN NULL; END IF; RETURN NEW; END $$"
                )
                action = f"FOR EACH ROW EXECUTE FUNCTION candor_{table}_used()"
            else:
                action = f"WHEN {used} BEGIN SELECT RAISE(ABORT, '{table} was used'); END"
            cursor.execute(f'CREATE TRIGGER "{table}_used" BEFORE INSERT ON "{table}" {action}')


def count_for_quotas(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add one to the kept count of a survey for each stored response, also if an older web server stores it.

    A key that was used adds none, because then nothing is inserted; nor do rows that are rewritten.
    """
    table = "surveys_submission"
    add = "UPDATE surveys_quotacount SET responses = responses + 1 WHERE survey_id = NEW.survey_id"
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "postgresql":
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION candor_{table}_counted() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN {add}; RETURN NULL; END $$"
            )
            sent = f"current_setting('{REWRITING}', true) IS DISTINCT FROM 'on'"
            action = f"FOR EACH ROW WHEN ({sent}) EXECUTE FUNCTION candor_{table}_counted()"
        else:
            action = f"BEGIN {add}; END"
        cursor.execute(f'CREATE TRIGGER "{table}_counted" AFTER INSERT ON "{table}" {action}')


_PUBLISHED = "EXISTS (SELECT 1 FROM surveys_surveyversion WHERE survey_id = OLD.id)"
TriggerRule = tuple[str, str, str, str | None]  # table, name, event, and when it is refused; None: always


def _never_replaced(table: str, same: str) -> TriggerRule:
    """For SQLite, where REPLACE deletes the `same` row without calling a trigger."""
    return table, "once", "INSERT", f"EXISTS (SELECT 1 FROM {table} WHERE {same})"


def _keep_published(schema_editor: BaseDatabaseSchemaEditor, rules: Iterable[TriggerRule]) -> None:
    for table, name, event, when in rules:
        _refuse(schema_editor, f"{table}_{name}", table, event, when, f"{table} holds what was published")


def _refuse(
    schema_editor: BaseDatabaseSchemaEditor, name: str, table: str, event: str, when: str | None, message: str
) -> None:
    """Make a trigger that refuses the event on rows for which `when` holds, or always. TRUNCATE has no rows."""
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "postgresql":
            error = f"RAISE integrity_constraint_violation USING MESSAGE = '{message}'"
            body = f"IF {when or 'TRUE'} THEN {error}; END IF; RETURN {'OLD' if event == 'DELETE' else 'NEW'};"
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION candor_{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
            )
            each = "STATEMENT" if event == "TRUNCATE" else "ROW"
            action = f"FOR EACH {each} EXECUTE FUNCTION candor_{name}()"
        else:
            action = f"WHEN {when or 'TRUE'} BEGIN SELECT RAISE(ABORT, '{message}'); END"
        cursor.execute(f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" {action}')


def _is_used(letter: str, column: str, postgresql: bool) -> str:
    """An SQL condition: whether the key or token to be inserted is on a page or in a row of used ones (see `used`)."""
    if postgresql:
        begin = f"convert_to('{letter}' || NEW.survey_id || ':', 'UTF8') || NEW.{column}"
        end = f"{begin} || '\\xffffffffffffffffffffffffffffffffff'::bytea"
        on_page = f"position(NEW.{column} IN (%s)) > 0"
    else:
        begin = f"CAST('{letter}' || NEW.survey_id || ':' || NEW.{column} AS BLOB)"
        end = f"CAST('{letter}' || NEW.survey_id || ':' || NEW.{column} || x'{'ff' * 17}' AS BLOB)"
        on_page = f"instr((%s), NEW.{column}) > 0"
    page = f"SELECT p.entries FROM surveys_usedpage p WHERE p.place <= {end} ORDER BY p.place DESC LIMIT 1"
    entry = f"SELECT 1 FROM surveys_usedentry e WHERE e.place >= {begin} AND e.place <= {end}"
    return f"(COALESCE({on_page % page}, FALSE) OR EXISTS ({entry}))"
