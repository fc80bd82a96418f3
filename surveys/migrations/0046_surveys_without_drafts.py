from django.db import migrations

# What the document of a draft says, and must hold something in the table. Machines of the version before read these
# columns, so they stay for one version, with a value for rows that this version makes.
COLUMNS = {
    "languages": ("varchar(100)", "'en'"),
    **dict.fromkeys(("heading", "who", "why", "consent", "closing"), ("json", "'{}'")),
    **dict.fromkeys(("direct", "comprehension", "early", "beside"), ("bool", "FALSE")),
}
NULLABLE = ("lot", "anchor", "anchor_share")


def set_defaults(apps, schema_editor):
    """SQLite gives no default to a column that is there: the column is made anew, and loses what it held."""
    with schema_editor.connection.cursor() as cursor:
        for name, (kind, default) in COLUMNS.items():
            if schema_editor.connection.vendor == "postgresql":
                cursor.execute(f"ALTER TABLE surveys_survey ALTER COLUMN {name} SET DEFAULT {default}")
            else:
                cursor.execute(f"ALTER TABLE surveys_survey DROP COLUMN {name}")
                sqlite = "text" if kind == "json" else kind
                cursor.execute(f"ALTER TABLE surveys_survey ADD COLUMN {name} {sqlite} NOT NULL DEFAULT {default}")


class Migration(migrations.Migration):
    dependencies = [("surveys", "0045_drafts_as_documents")]
    operations = [
        migrations.RunPython(set_defaults, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField("survey", name) for name in (*COLUMNS, *NULLABLE)]
        ),
    ]
