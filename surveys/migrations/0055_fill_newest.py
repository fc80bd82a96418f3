from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Max


def fill(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Surveys that were published before `newest` was there know the number of their newest version, too."""
    surveys = apps.get_model("surveys", "Survey")
    published = surveys.objects.filter(newest=None, versions__isnull=False)
    for key, number in published.values_list("pk").annotate(Max("versions__number")):
        surveys.objects.filter(pk=key, newest=None).update(newest=number)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0054_groups")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
