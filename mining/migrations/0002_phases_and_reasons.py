"""Runs say their phase, and keep why they ended as a sentence and its values apart."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_sentences(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    for run in apps.get_model("mining", "MiningRun").objects.exclude(reason=""):
        run.ended_for = {"sentence": "{error}", "values": {"error": run.reason}}
        run.save(update_fields=["ended_for"])


class Migration(migrations.Migration):
    dependencies = [("mining", "0001_runs")]

    operations = [
        migrations.AddField("miningrun", "ended_for", models.JSONField(default=dict)),
        migrations.AddField(
            "miningrun",
            "phase",
            models.CharField(
                max_length=9,
                blank=True,
                choices=[
                    ("reading", "reading the answers"),
                    ("counting", "counting itemsets"),
                    ("reference", "mlxtend searches for itemsets"),
                    ("rules", "making rules"),
                    ("fitting", "fitting likely values where estimates are infeasible"),
                ],
                default="",
            ),
            preserve_default=False,
        ),
        migrations.RunPython(keep_sentences, migrations.RunPython.noop),
        migrations.RemoveField("miningrun", "reason"),
    ]
