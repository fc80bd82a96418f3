from django.db import migrations

from surveys.schema import give_defaults_to_columns_of_drafts

# What the document of a draft says, and must hold something in the table. Machines of the version before read these
# columns, so they stay for one version, with a value for rows that this version makes.
COLUMNS = (
    *("languages", "heading", "who", "why", "consent", "closing"),
    *("direct", "comprehension", "early", "beside", "lot", "anchor", "anchor_share"),
)


def set_defaults(apps, schema_editor):
    give_defaults_to_columns_of_drafts(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0045_drafts_as_documents")]
    operations = [
        migrations.RunPython(set_defaults, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField("survey", name) for name in COLUMNS]
        ),
    ]
