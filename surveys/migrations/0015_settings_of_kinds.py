from django.db import migrations, models

OWN = {
    "coin": ("keep", "theta", "ask"),
    "each": ("keep", "theta", "ask"),
    "flip": ("gamma", "radius", "ask", "flips"),
}


def move_values(apps, _schema_editor):
    """What its kind asks for; what stood in the columns of other kinds meant nothing."""
    move(apps.get_model("surveys", "Block"), lambda block: OWN[block.kind])
    move(apps.get_model("surveys", "Question"), lambda _question: ("theta",))
    move(apps.get_model("surveys", "Option"), lambda _option: ("noise",))


def move(model, own):
    rows = list(model.objects.all())
    for row in rows:
        row.settings = {name: value for name in own(row) if (value := getattr(row, name)) is not None}
    model.objects.bulk_update(rows, ["settings"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0014_types_from_their_table")]
    operations = [
        migrations.AlterField(
            "block",
            "kind",
            models.CharField(default="coin", max_length=20, verbose_name="disguised by"),
        ),
        migrations.AddField("block", "settings", models.JSONField(default=dict)),
        migrations.AddField("question", "settings", models.JSONField(default=dict)),
        migrations.AddField("option", "settings", models.JSONField(default=dict)),
        migrations.RunPython(move_values),
        *(migrations.RemoveField("block", name) for name in ("keep", "theta", "ask", "flips", "gamma", "radius")),
        migrations.RemoveField("question", "theta"),
        migrations.RemoveField("option", "noise"),
    ]
