from django.db import migrations, models

from surveys.schema import forbid_lowering_least


def promise_again(apps, schema_editor):
    """SQLite has remade the table for the new field, and dropped its trigger with the old one."""
    if schema_editor.connection.vendor == "sqlite":
        forbid_lowering_least(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0006_least_stays")]
    operations = [
        migrations.AddField(
            model_name="survey",
            name="closed",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="Shown to whoever opens the link afterwards. May be changed at any time.",
                verbose_name="text once it is closed",
            ),
        ),
        migrations.RunPython(promise_again, migrations.RunPython.noop),
    ]
