import django.db.models.deletion
from django.db import migrations, models

from surveys.schema import keep_no_order, keep_no_samples, keep_vacuum_away


def promise(apps, schema_editor):
    keep_no_order(schema_editor, ["surveys_invitee"])
    keep_no_samples(schema_editor, ["surveys_invitee"])
    keep_vacuum_away(schema_editor, ["surveys_invitee"])
    keep_no_samples(schema_editor, ["surveys_mailing"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0051_waiting_people")]
    operations = [
        migrations.CreateModel(
            name="Mailing",
            fields=[
                (
                    "survey",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="mailing",
                        serialize=False,
                        to="surveys.survey",
                    ),
                ),
                ("page", models.URLField(max_length=300)),
                ("reply_to", models.EmailField(blank=True, max_length=254)),
                ("texts", models.JSONField()),
                ("days", models.JSONField()),
                ("looked_on", models.DateField(null=True)),
                ("done", models.PositiveSmallIntegerField(default=0)),
                ("trouble", models.CharField(blank=True, max_length=60)),
                ("token", models.CharField(blank=True, max_length=32)),
                ("until", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Invitee",
            fields=[
                ("key", models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                ("box", models.BinaryField()),
                (
                    "survey",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitees",
                        to="surveys.survey",
                    ),
                ),
            ],
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
