from django.db import migrations, models

from surveys.schema import keep_no_samples


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, ["surveys_survey"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0046_surveys_without_drafts")]
    operations = [
        migrations.AddField("survey", "citation_key", models.BinaryField(null=True)),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
