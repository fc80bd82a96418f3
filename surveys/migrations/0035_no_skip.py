from django.db import migrations, models


class Migration(migrations.Migration):
    """Nobody has said yet why a question goes without “Prefer not to say”."""

    dependencies = [("surveys", "0034_retention")]
    operations = [
        migrations.AddField(
            "question",
            "no_skip",
            models.CharField(
                blank=True,
                null=True,
                max_length=200,
                verbose_name="why it has no “Prefer not to say”",
                help_text="Of a disguised question: ethics boards ask. It stands in the protocol and in what is "
                "published.",
            ),
        ),
    ]
