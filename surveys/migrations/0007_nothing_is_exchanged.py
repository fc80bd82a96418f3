import django.db.models.deletion
from django.db import migrations, models

from surveys.schema import forbid_exchanges, keep_no_order

GROWING = ("surveys_submission", "surveys_spenttoken", "surveys_invitation")


def promise(apps, schema_editor):
    keep_no_order(schema_editor, GROWING)
    forbid_exchanges(schema_editor)


def loose_foreign_key(model, **options):
    return models.ForeignKey(to=model, db_constraint=False, **options)


survey = loose_foreign_key(
    "surveys.survey", on_delete=django.db.models.deletion.PROTECT, db_index=False, related_name="+"
)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0006_least_stays")]
    operations = [
        # Without a default: SQLite then adds the column in place, and the table's triggers stay.
        migrations.AddField("survey", "erasing_since", models.DateTimeField(editable=False, null=True)),
        migrations.AddField("residue", "rewritten", models.BooleanField(default=False)),
        migrations.AlterField("submission", "survey", survey),
        migrations.AlterField("spenttoken", "survey", survey),
        migrations.AlterField(
            "invitation",
            "batch",
            loose_foreign_key(
                "surveys.invitationbatch", on_delete=django.db.models.deletion.CASCADE, related_name="invitations"
            ),
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
