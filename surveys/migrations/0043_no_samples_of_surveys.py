from django.db import migrations

from surveys.schema import keep_no_samples

# The others with rows of surveys. Those of the mining runs are in mining's migrations.
TABLES = (
    "django_admin_log",
    "surveys_block",
    "surveys_demotruth",
    "surveys_draftchange",
    "surveys_draftstate",
    "surveys_export",
    "surveys_invitationbatch",
    "surveys_invitationkey",
    "surveys_membership",
    "surveys_option",
    "surveys_page",
    "surveys_phrase",
    "surveys_publisheddraft",
    "surveys_question",
    "surveys_receiptpiece",
    "surveys_sharedreport",
    "surveys_snapshot",
    "surveys_snapshot_parts",
    "surveys_snapshotrisk",
    "surveys_statement",
    "surveys_survey",
    "surveys_surveyversion",
    "surveys_tablerelease",
    "surveys_trial",
)


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, ["surveys_copykey"])
    keep_no_samples(schema_editor, TABLES, but_of_row_numbers=True)


class Migration(migrations.Migration):
    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("surveys", "0042_dead_rows"),
    ]
    operations = [migrations.RunPython(promise, migrations.RunPython.noop)]
