from django.db import migrations

from surveys.schema import forbid_lowering_least


def promise(apps, schema_editor):
    forbid_lowering_least(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0005_least_respondents")]
    operations = [migrations.RunPython(promise, migrations.RunPython.noop)]
