from django.db import migrations


def destroy_keys(apps, schema_editor):
    """Workers keep no copies of sealed parts any more; what lies on their disks can no longer be read."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("TRUNCATE surveys_copykey")  # and their file with it
    else:
        schema_editor.execute("DELETE FROM surveys_copykey")


class Migration(migrations.Migration):
    dependencies = [("mining", "0007_no_samples"), ("surveys", "0043_no_samples_of_surveys")]
    operations = [migrations.RunPython(destroy_keys, migrations.RunPython.noop)]
