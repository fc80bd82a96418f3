import django.db.models.deletion
from django.db import migrations, models

from surveys.schema import forbid_updates, keep_no_samples


def promise(apps, schema_editor):
    forbid_updates(schema_editor, ["surveys_noisycounts"])
    keep_no_samples(schema_editor, ["surveys_noisycounts"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0047_citation_keys")]
    operations = [
        migrations.CreateModel(
            name="NoiseBudget",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("spent", models.PositiveBigIntegerField(db_default=0, default=0)),
                ("surveys", models.ManyToManyField(related_name="noise_budgets", to="surveys.survey")),
            ],
        ),
        migrations.CreateModel(
            name="NoisyCounts",
            fields=[
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="noisy_counts",
                        serialize=False,
                        to="surveys.surveyversion",
                    ),
                ),
                ("answer", models.JSONField()),
            ],
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
