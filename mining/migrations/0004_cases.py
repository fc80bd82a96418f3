"""Runs of before took complete cases, and so they do if they are run again."""

from django.db import migrations, models

CASES = [
    ("available", "available: everyone who was asked a part of it"),
    ("complete", "complete: only those who were asked all of it"),
]


class Migration(migrations.Migration):
    dependencies = [("mining", "0003_reasons_by_code")]

    operations = [
        migrations.RemoveConstraint(model_name="miningrun", name="one_run_per_request"),
        migrations.AddField(
            model_name="miningrun",
            name="cases",
            field=models.CharField(choices=CASES, default="complete", max_length=9, verbose_name="cases"),
        ),
        migrations.AlterField(
            model_name="miningrun",
            name="cases",
            field=models.CharField(choices=CASES, default="available", max_length=9, verbose_name="cases"),
        ),
        migrations.AddConstraint(
            model_name="miningrun",
            constraint=models.UniqueConstraint(
                fields=(
                    "snapshot",
                    "min_support",
                    "min_confidence",
                    "max_length",
                    "negated",
                    "estimator",
                    "engine",
                    "cases",
                ),
                name="one_run_per_request",
            ),
        ),
    ]
