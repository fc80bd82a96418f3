"""A change of a draft says on which page of the studio it was made: a page takes back its own."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from surveys.schema import keep_no_samples


def promise(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    keep_no_samples(editor, ["surveys_draftchange"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0064_no_fingerprints")]

    operations = [
        migrations.AddField(
            "draftchange", "step", models.CharField(max_length=10, blank=True, default="", db_default="")
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
