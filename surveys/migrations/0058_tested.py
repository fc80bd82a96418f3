from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from surveys.schema import keep_no_samples


def promise(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    keep_no_samples(editor, ["surveys_survey"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0057_no_patterned_blocks")]
    operations = [
        migrations.AddField("survey", "tested", models.JSONField(null=True, editable=False)),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
