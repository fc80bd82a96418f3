"""By which clock surveys are erased and closed: what this machine's said earlier."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0062_forgotten_people"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClockReading",
            fields=[
                ("row", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("machine", models.CharField(max_length=36)),
                ("first_start", models.DateTimeField()),
                ("start", models.DateTimeField()),
                ("even_since", models.FloatField()),
            ],
        ),
    ]
