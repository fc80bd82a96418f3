"""Numbers and places can stand in itemsets as bins; runs of before had none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("mining", "0005_reviews_of_rules")]

    operations = [
        migrations.RemoveConstraint(model_name="miningrun", name="one_run_per_request"),
        migrations.AddField(
            model_name="miningrun",
            name="bins",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Numbers and places beside other answers: age=18,30,50;home=zones. Empty: left out.",
                max_length=300,
                verbose_name="bins",
            ),
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
                    "bins",
                ),
                name="one_run_per_request",
            ),
        ),
    ]
