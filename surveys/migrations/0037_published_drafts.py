import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Versions that were published before have none: their drafts may be others by now."""

    dependencies = [("surveys", "0036_used_once")]
    operations = [
        migrations.CreateModel(
            name="PublishedDraft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("document", models.JSONField()),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft",
                        to="surveys.surveyversion",
                    ),
                ),
            ],
        ),
    ]
