"""While one machine after the other starts a new version, those of the version before go on beside it.

The first machine changes the tables, so the older program meets tables of the newer one. What it reads must still be
there, and what it does not know must not be asked of it.
"""

from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader

# The last migrations of the oldest version that goes on beside this one. No release has them: 0.1.0 is older. Each
# release writes its own here (docs/releases/README.md), so that the next one goes on beside it.
BEFORE = (
    ("surveys", "0029_table_releases_step"),
    ("mining", "0006_bins"),
    ("site", "0003_account_invitations"),
)
RELEASE_0_1_0 = (("surveys", "0016_wrapped_keys"), ("mining", "0003_reasons_by_code"))


Columns = dict[str, Any]
Migrations = tuple[tuple[str, str], ...]


def tables(migrations: Migrations) -> Iterator[tuple[str, set[str], Columns]]:
    """Each table that the version with these migrations knows: its name, the columns known then, and those of today."""
    apps = MigrationLoader(connection, replace_migrations=False).project_state(list(migrations)).apps
    with connection.cursor() as cursor:
        for label, _ in migrations:
            for model in apps.get_app_config(label).get_models(include_auto_created=True):
                described = connection.introspection.get_table_description(cursor, model._meta.db_table)
                known = {field.column for field in model._meta.local_concrete_fields}
                yield model._meta.db_table, known, {column.name: column for column in described}


def missing_names(migrations: Migrations) -> list[str]:
    """What that version reads and is not there any more."""
    return [f"{table}.{name}" for table, known, now in tables(migrations) for name in sorted(known - now.keys())]


def required_columns(migrations: Migrations) -> list[str]:
    """What that version does not write and must: a new column that may not be empty and has no `db_default`."""
    return [
        f"{table}.{name}"
        for table, known, columns in tables(migrations)
        for name, column in columns.items()
        if name not in known and not column.null_ok and column.default is None
    ]


def test_what_the_version_before_reads_is_still_there() -> None:
    """Every column of every table of it; a later version may take away what this one no longer reads."""
    assert missing_names(BEFORE) == []


def test_nothing_is_asked_of_the_version_before_that_it_does_not_know() -> None:
    """A new column of an old table may be empty, or the database has a value for it (`db_default`)."""
    assert required_columns(BEFORE) == []


def test_machines_of_0_1_0_cannot_go_on_beside_this_version() -> None:
    """So the guide says that all of them stop for the first upgrade: they could neither keep an answer nor mine."""
    assert missing_names(RELEASE_0_1_0) == ["surveys_inbox.open", "surveys_inbox.record"]
    assert sorted(required_columns(RELEASE_0_1_0)) == [
        "mining_miningrun.bins",
        "mining_miningrun.cases",
        "surveys_inbox.box",
        "surveys_inbox.round_id",
    ]
