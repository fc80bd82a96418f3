from django.db import migrations

from surveys.schema import forbid_detours, keep_no_samples

SENT = (
    "surveys_inbox",
    "surveys_submission",
    "surveys_spenttoken",
    "surveys_invitation",
    "surveys_trialresponse",
    "surveys_part",
)


def promise(apps, schema_editor):
    forbid_detours(schema_editor)
    keep_no_samples(schema_editor, SENT)  # 0009 left the samples that had been taken before it


class Migration(migrations.Migration):
    dependencies = [("surveys", "0010_page_titles")]
    operations = [migrations.RunPython(promise, migrations.RunPython.noop)]
