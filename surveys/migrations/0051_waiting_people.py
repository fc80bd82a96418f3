from django.db import migrations, models

from surveys.schema import keep_no_samples


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, ["surveys_invitationbatch"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0050_names_of_drafts")]
    operations = [
        migrations.AddField("invitationbatch", "waiting", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
