"""End all sessions: browsers show them under the cookie of earlier versions, which is not read any more."""

from typing import Any

from django.db import migrations


def end(apps: Any, _editor: Any) -> None:
    apps.get_model("sessions", "Session").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("site", "0004_backup"), ("sessions", "0001_initial")]

    operations = [migrations.RunPython(end, migrations.RunPython.noop)]
