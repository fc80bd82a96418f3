import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from surveys.schema import keep_no_samples


def promise(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    keep_no_samples(editor, ["surveys_typedsheets"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0060_marked_batches"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.CreateModel(
            "TypedSheets",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=64, unique=True)),
                ("content", models.BinaryField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="typed_sheets",
                        to="surveys.surveyversion",
                    ),
                ),
            ],
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
