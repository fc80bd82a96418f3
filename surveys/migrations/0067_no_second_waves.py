"""Nobody is kept for a second wave any more; drafts that are tried and have what left are tried no longer.

The column of invitations stays for machines of the version before, and goes one version later.
"""

import json

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

LEFT = {"arms", "central", "after"}


def forget_trials(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    trials = apps.get_model("surveys", "Trial").objects
    for code, definition in trials.values_list("pk", "definition"):
        if LEFT & json.loads(bytes(definition)).keys():
            trials.filter(pk=code).delete()


def drop_functions(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Of the triggers of counts with noise, whose tables are gone (0066)."""
    if editor.connection.vendor == "postgresql":
        for name in ("surveys_noisycounts_immutable", "surveys_noisebudget_spent"):
            editor.execute(f"DROP FUNCTION IF EXISTS candor_{name}()")


class Migration(migrations.Migration):
    dependencies = [("surveys", "0066_no_counts_with_noise")]

    operations = [
        migrations.RunPython(forget_trials, migrations.RunPython.noop),
        migrations.RunPython(drop_functions, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("invitationbatch", "waiting")]),
    ]
