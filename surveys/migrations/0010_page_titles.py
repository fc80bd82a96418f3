import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0009_no_samples"),
    ]

    operations = [
        migrations.CreateModel(
            name="Page",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField(default=1, verbose_name="page")),
                ("title", models.JSONField(blank=True, default=dict, verbose_name="title")),
                (
                    "survey",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pages", to="surveys.survey"
                    ),
                ),
            ],
            options={
                "verbose_name": "page title",
                "verbose_name_plural": "page titles",
                "ordering": ("survey", "position", "id"),
            },
        ),
    ]
