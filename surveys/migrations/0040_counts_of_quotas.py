import django.db.models.deletion
from django.db import migrations, models

from surveys.schema import count_for_quotas, keep_no_samples, keep_vacuum_away

TABLES = ("surveys_quotacount",)


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, TABLES)
    keep_vacuum_away(schema_editor, TABLES)
    count_for_quotas(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0039_reasons_of_releases")]
    operations = [
        migrations.CreateModel(
            name="QuotaCount",
            fields=[
                (
                    "survey",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="quota_count",
                        serialize=False,
                        to="surveys.survey",
                    ),
                ),
                ("responses", models.PositiveIntegerField()),
            ],
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
