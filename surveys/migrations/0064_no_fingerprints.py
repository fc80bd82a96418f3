"""Releases keep no fingerprint: a further table is made from one that is out, so none is compared with another.

What versions before wrote is emptied. The column stays for machines that still write it, and goes one version later.
Tables that were never released, and were made before everybody and suppressed rows counted in them, end here: their
fingerprint alone said so.
"""

import json

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Value


def empty(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    releases = apps.get_model("surveys", "TableRelease").objects
    ready = releases.filter(state="ready").values_list("pk", "asked", "fingerprint")
    for key, asked, kept in list(ready):
        if "everybody" in kept and min(kept["member"], default=0) >= 0:
            continue
        if "spec" in asked:
            spec = {name: value for name, value in json.loads(asked["spec"]).items() if name != "population"}
            asked |= {"spec": json.dumps(spec)}
        ended = {"code": "renewed", "values": {}}
        releases.filter(pk=key).update(state="failed", ended_for=ended, asked=asked, table=b"", report={})
    if releases.exclude(fingerprint={}).update(fingerprint={}):
        apps.get_model("surveys", "Residue").objects.create(rewritten=True, erased=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0063_clock_readings")]

    operations = [
        migrations.RunPython(empty, migrations.RunPython.noop),
        migrations.AlterField(
            "tablerelease",
            "fingerprint",
            models.JSONField(default=dict, db_default=Value({}, models.JSONField())),
        ),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("tablerelease", "fingerprint")]),
    ]
