from django.db import migrations

from surveys.schema import forbid_replacing


def promise(apps, schema_editor):
    forbid_replacing(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0012_for_good")]
    operations = [migrations.RunPython(promise, migrations.RunPython.noop)]
