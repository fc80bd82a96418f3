"""Releases that ended without a table keep no table of all people."""

import json

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    releases = apps.get_model("surveys", "TableRelease").objects
    found = False
    for key, asked in releases.filter(state__in=("failed", "stopped")).values_list("pk", "asked"):
        spec = json.loads(asked.get("spec", "{}"))
        if "table" in spec.get("population", {}):
            del spec["population"]
            releases.filter(pk=key).update(asked=asked | {"spec": json.dumps(spec)})
            found = True
    if found:
        apps.get_model("surveys", "Residue").objects.create(rewritten=True, erased=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0061_typed_sheets")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
