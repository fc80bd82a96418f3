import django.db.models.deletion
from django.db import migrations, models

from surveys.schema import keep_no_samples


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, ["surveys_groupcount"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0053_media")]
    operations = [
        migrations.CreateModel(
            name="GroupCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("question", models.CharField(max_length=40)),
                ("answer", models.CharField(max_length=200)),
                ("people", models.PositiveIntegerField(default=0)),
                ("more", models.PositiveSmallIntegerField()),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="groups", to="surveys.surveyversion"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("version", "question", "answer"), name="group_once")],
            },
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
