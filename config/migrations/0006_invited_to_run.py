"""An invitation says whether the person will run the site."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("site", "0005_end_sessions")]

    operations = [
        migrations.AddField("accountinvitation", "runs", models.BooleanField(default=False, db_default=False)),
    ]
