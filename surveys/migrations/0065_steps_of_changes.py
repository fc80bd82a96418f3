"""A change of a draft says on which page of the studio it was made: a page takes back its own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0064_no_fingerprints")]

    operations = [
        migrations.AddField(
            "draftchange", "step", models.CharField(max_length=10, blank=True, default="", db_default="")
        ),
    ]
