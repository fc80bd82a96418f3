from django.db import migrations

from surveys.schema import keep_no_samples

TABLES = (
    "surveys_inbox",
    "surveys_submission",
    "surveys_spenttoken",
    "surveys_invitation",
    "surveys_trialresponse",
    "surveys_part",
)


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, TABLES)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0008_text_once_closed")]
    operations = [migrations.RunPython(promise, migrations.RunPython.noop)]
