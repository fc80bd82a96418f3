from typing import Any

from django.db import migrations, models


def comprehension(**options: Any) -> migrations.AddField:
    return migrations.AddField(
        "survey",
        "comprehension",
        models.BooleanField(
            verbose_name="ask whether the disguise is understood",
            help_text="One question about the disguise before the first page. Respondents may try it again or leave it "
            "out; nobody learns what they answer.",
            **options,
        ),
    )


class Migration(migrations.Migration):
    dependencies = [("surveys", "0020_encrypted_inbox")]
    operations = [
        # May be null in the database, without a default: SQLite then adds the column in place, and the triggers stay.
        migrations.SeparateDatabaseAndState([comprehension(null=True)], [comprehension(default=False)]),
        migrations.RunSQL("UPDATE surveys_survey SET comprehension = FALSE", migrations.RunSQL.noop),
    ]
