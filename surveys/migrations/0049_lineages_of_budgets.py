from django.db import migrations, models

ONE = models.UniqueConstraint(fields=["mark"], condition=models.Q(mark__isnull=False), name="one_budget_of_a_mark")


class Migration(migrations.Migration):
    dependencies = [("surveys", "0048_noisy_counts")]
    operations = [
        migrations.AddField("noisebudget", "mark", models.UUIDField(null=True)),
        migrations.AddConstraint("noisebudget", ONE),
    ]
