import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from surveys.schema import keep_no_samples


def promise(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    keep_no_samples(editor, ["surveys_paperbatch"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0058_tested")]
    operations = [
        migrations.AlterField(
            "membership",
            "role",
            models.CharField(
                "role",
                max_length=8,
                choices=[
                    ("owner", "owner"),
                    ("editor", "editor"),
                    ("analyst", "analyst"),
                    ("viewer", "viewer"),
                    ("clerk", "clerk"),
                ],
            ),
        ),
        migrations.CreateModel(
            "PaperBatch",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("counted", models.PositiveIntegerField()),
                ("aside", models.PositiveIntegerField()),
                ("compared", models.PositiveIntegerField()),
                ("differing", models.PositiveIntegerField()),
                ("file", models.CharField(max_length=64)),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="paper_batches",
                        to="surveys.surveyversion",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            "paperbatch", models.UniqueConstraint(fields=("version", "file"), name="one_batch_of_a_file")
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
