import os

import django.db.models.deletion
from django.db import migrations, models

from surveys.definition import Definition
from surveys.domain.messages.submission import Stored
from surveys.domain.responses.sealing_keys import make_pair
from surveys.domain.responses.waiting import close
from surveys.schema import keep_no_order, keep_no_samples, without_triggers_on

INBOX = "surveys_inbox"


def make_anew(apps, schema_editor):
    """Encrypt what waits. The table is made anew, without the columns that held it in clear."""
    inbox, versions = (apps.get_model("surveys", name) for name in ("Inbox", "SurveyVersion"))
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(f"SELECT key, version_id, record, open FROM {INBOX} ORDER BY key")
        rows = [(bytes(key), version, Stored(bytes(record), bytes(open))) for key, version, record, open in cursor]
        with without_triggers_on(schema_editor, INBOX):
            cursor.execute(f"DROP TABLE {INBOX}")
            schema_editor.create_model(inbox)
            keep_no_order(schema_editor, [INBOX])
    keep_no_samples(schema_editor, [INBOX])
    if not rows:
        return
    begun = apps.get_model("surveys", "SealingRound").objects.create(key=os.urandom(16))
    public = make_pair()
    apps.get_model("surveys", "SealingKey").objects.create(public=public, round=begun)
    published = {version.pk: version for version in versions.objects.filter(pk__in={version for _, version, _ in rows})}
    definitions = {number: Definition.parse(bytes(version.definition)) for number, version in published.items()}
    for key, number, response in rows:
        box = close(response, definitions[number], published[number].sha256, key, [public])
        inbox.objects.create(key=key, version_id=number, round=begun, box=box)
    apps.get_model("surveys", "Residue").objects.create()


class Migration(migrations.Migration):
    dependencies = [("surveys", "0019_quota_is_only_raised")]
    operations = [
        migrations.CreateModel(
            name="SealingRound",
            fields=[
                ("key", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                ("current", models.BooleanField(default=True)),
                ("lost", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("current", True)), fields=("current",), name="one_current_round"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="SealingKey",
            fields=[
                ("public", models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                (
                    "round",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="keys",
                        to="surveys.sealinground",
                    ),
                ),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("inbox", "record"),
                migrations.RemoveField("inbox", "open"),
                migrations.AddField(
                    "inbox",
                    "round",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="inbox",
                        to="surveys.sealinground",
                    ),
                    preserve_default=False,
                ),
                migrations.AddField("inbox", "box", models.BinaryField()),
            ]
        ),
        migrations.RunPython(make_anew),
    ]
