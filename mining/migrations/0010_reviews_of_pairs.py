import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("mining", "0009_no_fitted_values"),
        ("surveys", "0047_citation_keys"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="miningrun",
            options={"ordering": ("-id",), "verbose_name": "search", "verbose_name_plural": "searches"},
        ),
        migrations.AlterModelOptions(
            name="miningresult",
            options={"verbose_name": "result of a search", "verbose_name_plural": "results of searches"},
        ),
        migrations.AlterModelOptions(
            name="rulereview",
            options={
                "ordering": ("-id",),
                "verbose_name": "review of a rule",
                "verbose_name_plural": "reviews of rules",
            },
        ),
        migrations.AlterField(
            model_name="rulereview",
            name="run",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reviews",
                to="mining.miningrun",
            ),
        ),
        migrations.AddField(
            model_name="rulereview",
            name="version",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reviews",
                to="surveys.surveyversion",
            ),
        ),
    ]
