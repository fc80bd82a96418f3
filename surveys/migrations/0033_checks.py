import django.core.validators
from django.db import migrations, models

PERCENT = [django.core.validators.MinValueValidator(0.01), django.core.validators.MaxValueValidator(99.99)]
WHOLE = [django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(99)]


class Migration(migrations.Migration):
    """No survey that exists draws who is asked directly, or names an answer of known share."""

    dependencies = [("surveys", "0032_copy_keys")]
    operations = [
        migrations.AddField(
            "survey",
            "lot",
            models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=WHOLE,
                verbose_name="percent asked directly by lot",
                help_text="Devices draw so many of 100 respondents, who are asked to answer undisguised and may "
                "decline; the others are not. The report then tells whether the disguise changes what people say. "
                "Empty: people choose.",
            ),
        ),
        migrations.AddField(
            "survey",
            "anchor",
            models.CharField(
                blank=True,
                null=True,
                max_length=100,
                verbose_name="answer of known share",
                help_text="A disguised answer whose share is known from elsewhere: born, or month=jan. The report "
                "holds responses against it, and finds devices that do not disguise.",
            ),
        ),
        migrations.AddField(
            "survey",
            "anchor_share",
            models.FloatField(blank=True, null=True, validators=PERCENT, verbose_name="its share in percent"),
        ),
    ]
