from django.db import migrations


class Migration(migrations.Migration):
    """No release had counts with noise; surveys.domain.database.former refuses a site that has them."""

    dependencies = [("surveys", "0065_steps_of_changes")]

    operations = [migrations.DeleteModel("NoisyCounts"), migrations.DeleteModel("NoiseBudget")]
