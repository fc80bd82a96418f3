from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from surveys.schema import keep_no_samples

ROLES = ("owner", "editor", "analyst", "viewer", "clerk")


def promise(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    keep_no_samples(editor, ["surveys_survey"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0067_no_second_waves")]
    operations = [
        migrations.AddField("survey", "tablets_alone_since", models.DateField(null=True, editable=False)),
        migrations.AddField("survey", "turned_away", models.JSONField(null=True, editable=False)),
        migrations.AlterField(
            "membership",
            "role",
            models.CharField(
                choices=[*((role, role) for role in ROLES), ("asks", "interviewer")],
                max_length=8,
                verbose_name="role",
            ),
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
