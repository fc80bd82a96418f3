"""While one machine after the other starts a new version, those of the version before go on beside it.

The first machine changes the tables, so the older program meets tables of the newer one. What it reads must still be
there, and what it does not know must not be asked of it.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

pytestmark = pytest.mark.django_db

# The last migration of each app in the version before: each release sets them anew (docs/releases/README.md).
BEFORE = (
    ("surveys", "0029_table_releases_step"),
    ("mining", "0006_bins"),
    ("site", "0003_account_invitations"),
)


Columns = dict[str, Any]


def tables() -> Iterator[tuple[str, set[str], Columns]]:
    """Each table that the version before knows: its name, the columns known then, and those of today."""
    apps = MigrationLoader(connection).project_state(list(BEFORE)).apps
    with connection.cursor() as cursor:
        for label, _ in BEFORE:
            for model in apps.get_app_config(label).get_models(include_auto_created=True):
                described = connection.introspection.get_table_description(cursor, model._meta.db_table)
                known = {field.column for field in model._meta.local_concrete_fields}
                yield model._meta.db_table, known, {column.name: column for column in described}


def test_what_the_version_before_reads_is_still_there() -> None:
    """Every column of every table of it; a later version may take away what this one no longer reads."""
    gone = [f"{table}.{name}" for table, known, columns in tables() for name in sorted(known - columns.keys())]
    assert gone == []


def test_nothing_is_asked_of_the_version_before_that_it_does_not_know() -> None:
    """A new column of an old table may be empty, or the database has a value for it (`db_default`)."""
    asked = [
        f"{table}.{name}"
        for table, known, columns in tables()
        for name, column in columns.items()
        if name not in known and not column.null_ok and column.default is None
    ]
    assert asked == []
