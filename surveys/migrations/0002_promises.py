from django.db import migrations

from surveys.schema import forbid_updates, keep_no_order

NO_ORDER = (
    "surveys_inbox",
    "surveys_submission",
    "surveys_spenttoken",
    "surveys_invitation",
    "surveys_trialresponse",
)
IMMUTABLE = ("surveys_surveyversion", "surveys_part", "surveys_snapshot")


def promise(apps, schema_editor):
    keep_no_order(schema_editor, NO_ORDER)
    forbid_updates(schema_editor, IMMUTABLE)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0001_initial")]
    operations = [migrations.RunPython(promise, migrations.RunPython.noop)]
