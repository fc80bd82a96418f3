import django.db.models.deletion
from django.db import migrations, models

from surveys.schema import keep_no_samples


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, ["surveys_draftdocument"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0043_no_samples_of_surveys")]
    operations = [
        migrations.CreateModel(
            name="DraftDocument",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(default=0)),
                ("document", models.JSONField()),
                ("changed_at", models.DateTimeField(null=True)),
                (
                    "survey",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="draft", to="surveys.survey"
                    ),
                ),
            ],
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
