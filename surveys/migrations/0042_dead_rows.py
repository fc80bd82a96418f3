from django.db import migrations


def look_again(apps, schema_editor):
    """Of surveys that were erased before, PostgreSQL has kept dead rows: the next removal of traces drops them."""
    if schema_editor.connection.vendor == "postgresql" and apps.get_model("surveys", "Erasure").objects.exists():
        apps.get_model("surveys", "Residue").objects.create(erased=True)


class Migration(migrations.Migration):
    dependencies = [
        ("surveys", "0041_newest_versions"),
    ]

    operations = [
        migrations.RunPython(look_again, migrations.RunPython.noop),
    ]
