from django.db import migrations


class Migration(migrations.Migration):
    """No release had patterned blocks; surveys.domain.database.former refuses a site that has one."""

    dependencies = [("surveys", "0056_coarse")]
