from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0057_no_patterned_blocks")]
    operations = [migrations.AddField("survey", "tested", models.JSONField(null=True, editable=False))]
