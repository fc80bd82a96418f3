import django.core.validators
from django.db import migrations, models

from surveys.schema import forbid_lowering_quota


def promise(apps, schema_editor):
    forbid_lowering_quota(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0018_direct_is_off_by_default")]
    operations = [
        migrations.AlterField(
            "survey",
            "quota",
            models.PositiveIntegerField(
                blank=True,
                help_text="Close for good after so many responses, over all versions. Once published it can only be raised.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="quota",
            ),
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
