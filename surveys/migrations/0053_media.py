import django.db.models.deletion
from django.db import migrations, models

from surveys.schema import keep_no_samples


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, ["surveys_medium"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0052_mail")]
    operations = [
        migrations.CreateModel(
            name="Medium",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=90)),
                ("body", models.BinaryField()),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="media", to="surveys.survey"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("survey", "name"), name="medium_once")],
            },
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
