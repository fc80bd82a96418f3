from typing import Any

from django.db import migrations, models

TEXTS = {
    "early": (
        "responses may be looked at before it is closed",
        "Files, open answers and figures of open questions are to be had while people answer; respondents read it. "
        "Otherwise only once the version is closed, because whoever has the link could single somebody out by "
        "answering many times. Direct answers wait in any case.",
    ),
    "beside": (
        "texts stay beside the other answers",
        "What people write in their own words stands in one file with their other answers; respondents read it. "
        "Otherwise it leaves in a file of its own, in another order.",
    ),
}


def add_boolean(name: str, **options: Any) -> migrations.AddField:
    label, help_text = TEXTS[name]
    return migrations.AddField("survey", name, models.BooleanField(verbose_name=label, help_text=help_text, **options))


class Migration(migrations.Migration):
    """No survey that exists says so to its respondents."""

    dependencies = [("surveys", "0022_marks_of_sealing_keys")]
    operations = [
        # May be null in the database, without a default: SQLite then adds the columns in place, and the triggers stay.
        migrations.SeparateDatabaseAndState(
            [add_boolean(name, null=True) for name in TEXTS], [add_boolean(name, default=False) for name in TEXTS]
        ),
        migrations.RunSQL("UPDATE surveys_survey SET early = FALSE, beside = FALSE", migrations.RunSQL.noop),
    ]
