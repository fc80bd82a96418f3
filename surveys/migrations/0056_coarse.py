import json

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Max

from surveys.schema import keep_no_samples


def keep_what_was_chosen(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Versions whose undisguised answers may have been reported before keep the choice of what is shown of them.

    Of a version that collects, nothing undisguised was, unless it is looked at early or simulated.
    """
    surveys, versions = apps.get_model("surveys", "Survey"), apps.get_model("surveys", "SurveyVersion")
    for survey in surveys.objects.filter(versions__isnull=False).annotate(last=Max("versions__number")):
        last = versions.objects.get(survey=survey, number=survey.last)
        seen = survey.closed_at or survey.simulated or (survey.newest or 0) > survey.last
        if not seen:
            seen = not {"early", "simulated"}.isdisjoint(json.loads(bytes(last.definition)))
        surveys.objects.filter(pk=survey.pk).update(coarse_from=survey.last + bool(seen))


def promise(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    keep_no_samples(editor, ["surveys_survey"], but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0055_fill_newest")]
    operations = [
        migrations.AddField("survey", "coarse_from", models.PositiveIntegerField(null=True, editable=False)),
        migrations.RunPython(promise, migrations.RunPython.noop),
        migrations.RunPython(keep_what_was_chosen, migrations.RunPython.noop),
    ]
