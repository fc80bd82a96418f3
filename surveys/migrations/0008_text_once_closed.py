from typing import Any

from django.db import migrations, models


def add_closing_text(**options: Any) -> migrations.AddField:
    words: dict[str, Any] = {
        "verbose_name": "text once it is closed",
        "help_text": "Shown to people who open the link afterwards. May be changed at any time.",
    }
    return migrations.AddField("survey", "closed", models.JSONField(blank=True, null=True, **words, **options))


class Migration(migrations.Migration):
    dependencies = [("surveys", "0007_nothing_is_exchanged")]
    operations = [
        # Without a default in the database: SQLite then adds the column in place, and the table's triggers stay.
        migrations.SeparateDatabaseAndState([add_closing_text()], [add_closing_text(default=dict)]),
        migrations.RunSQL("UPDATE surveys_survey SET closed = '{}'", migrations.RunSQL.noop),
    ]
