from django.db import migrations, models

from surveys.schema import hold_lists_at_once


def promise(apps, schema_editor):
    hold_lists_at_once(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0037_published_drafts")]
    operations = [
        migrations.AddIndex(
            model_name="part",
            index=models.Index(fields=["version", "id", "sha256", "size"], name="surveys_part_listed"),
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
