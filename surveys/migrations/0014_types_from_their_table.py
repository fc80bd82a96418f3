from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0013_no_replacing")]
    operations = [
        migrations.AlterField(
            "question",
            "type",
            models.CharField(default="yesno", max_length=20, verbose_name="type"),
        ),
        migrations.AlterField(
            "question", "minimum", models.CharField(blank=True, max_length=20, verbose_name="minimum")
        ),
        migrations.AlterField(
            "question",
            "maximum",
            models.CharField(blank=True, help_text="Of a text: its length.", max_length=20, verbose_name="maximum"),
        ),
    ]
