import django.db.models.deletion
from django.db import migrations, models

from surveys.schema import keep_no_order, keep_no_samples, keep_vacuum_away


def promise(apps, schema_editor):
    keep_no_order(schema_editor, ["surveys_invitee"])
    keep_no_samples(schema_editor, ["surveys_invitee"])
    keep_vacuum_away(schema_editor, ["surveys_invitee"])
    keep_no_samples(schema_editor, ["surveys_mailing", "surveys_notice"], but_of_row_numbers=True)


def note_old(apps, schema_editor):
    """Nobody is sent a notice of what happened before there were any."""
    surveys = apps.get_model("surveys", "Survey").objects
    pairs = {("first", pk) for pk in surveys.filter(versions__snapshots__isnull=False).values_list("pk", flat=True)}
    pairs |= {("closed", pk) for pk in surveys.filter(closed_at__isnull=False).values_list("pk", flat=True)}
    notice = apps.get_model("surveys", "Notice")
    notice.objects.bulk_create(notice(survey_id=pk, kind=kind) for kind, pk in sorted(pairs))


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
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=10)),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notices", to="surveys.survey"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("survey", "kind"), name="notice_once")],
            },
        ),
        migrations.RunPython(note_old, migrations.RunPython.noop),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
