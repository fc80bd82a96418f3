"""Make the tables of mining runs as 0001 to 0010 leave them. There are no runs yet, so none are converted here."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from surveys.schema import AtOnce, keep_no_samples

TABLES = ("mining_miningrun", "mining_miningresult", "mining_rulereview")


def promise(apps, schema_editor):
    keep_no_samples(schema_editor, TABLES, but_of_row_numbers=True)


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("mining", "0001_runs"),
        ("mining", "0002_phases_and_reasons"),
        ("mining", "0003_reasons_by_code"),
        ("mining", "0004_cases"),
        ("mining", "0005_reviews_of_rules"),
        ("mining", "0006_bins"),
        ("mining", "0007_no_samples"),
        ("mining", "0008_no_copies"),
        ("mining", "0009_no_fitted_values"),
        ("mining", "0010_reviews_of_pairs"),
    ]

    dependencies = [
        ("surveys", "0047_citation_keys"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        AtOnce(
            migrations.CreateModel(
                name="MiningRun",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("min_support", models.FloatField(verbose_name="minimum support")),
                    ("min_confidence", models.FloatField(verbose_name="minimum confidence")),
                    ("max_length", models.PositiveSmallIntegerField(verbose_name="longest itemset")),
                    ("negated", models.BooleanField(verbose_name="with negations")),
                    (
                        "estimator",
                        models.CharField(
                            choices=[("stratified", "stratified"), ("combined", "combined"), ("pooled", "pooled")],
                            max_length=10,
                            verbose_name="estimator",
                        ),
                    ),
                    (
                        "engine",
                        models.CharField(
                            choices=[("auto", "automatic"), ("bitset", "bitset"), ("mlxtend", "mlxtend")],
                            max_length=7,
                            verbose_name="engine",
                        ),
                    ),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("queued", "waiting"),
                                ("running", "running"),
                                ("done", "done"),
                                ("failed", "ended without a result"),
                                ("cancelled", "cancelled"),
                            ],
                            default="queued",
                            max_length=9,
                            verbose_name="state",
                        ),
                    ),
                    ("level", models.PositiveSmallIntegerField(default=0)),
                    ("candidates", models.PositiveIntegerField(default=0)),
                    ("share", models.FloatField(default=0)),
                    ("token", models.CharField(blank=True, max_length=32)),
                    ("lease_until", models.DateTimeField(null=True)),
                    ("attempts", models.PositiveSmallIntegerField(default=0)),
                    ("requested_at", models.DateTimeField(verbose_name="requested")),
                    ("hinted_at", models.DateTimeField(null=True)),
                    ("started_at", models.DateTimeField(null=True)),
                    ("ended_at", models.DateTimeField(null=True)),
                    (
                        "requested_by",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "snapshot",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="mining_runs",
                            to="surveys.snapshot",
                        ),
                    ),
                    ("ended_for", models.JSONField(default=dict)),
                    (
                        "phase",
                        models.CharField(
                            blank=True,
                            choices=[
                                ("reading", "reading the answers"),
                                ("counting", "counting itemsets"),
                                ("reference", "mlxtend searches for itemsets"),
                                ("rules", "making rules"),
                            ],
                            max_length=9,
                        ),
                    ),
                    (
                        "cases",
                        models.CharField(
                            choices=[
                                ("available", "available: everyone who was asked a part of it"),
                                ("complete", "complete: only those who were asked all of it"),
                            ],
                            default="available",
                            max_length=9,
                            verbose_name="cases",
                        ),
                    ),
                    (
                        "bins",
                        models.CharField(
                            blank=True,
                            default="",
                            help_text="Numbers and places beside other answers: age=18,30,50;home=zones. Empty: left out.",
                            max_length=300,
                            verbose_name="bins",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "search",
                    "verbose_name_plural": "searches",
                    "ordering": ("-id",),
                    "constraints": [
                        models.UniqueConstraint(
                            fields=(
                                "snapshot",
                                "min_support",
                                "min_confidence",
                                "max_length",
                                "negated",
                                "estimator",
                                "engine",
                                "cases",
                                "bins",
                            ),
                            name="one_run_per_request",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="MiningResult",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("summary", models.JSONField()),
                    ("columns", models.BinaryField()),
                    (
                        "run",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE, related_name="result", to="mining.miningrun"
                        ),
                    ),
                ],
                options={
                    "verbose_name": "result of a search",
                    "verbose_name_plural": "results of searches",
                },
            ),
            migrations.CreateModel(
                name="RuleReview",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("rule", models.CharField(max_length=1000)),
                    (
                        "verdict",
                        models.CharField(
                            choices=[
                                ("accept", "accept"),
                                ("doubt", "doubt"),
                                ("reject", "reject"),
                                ("note", "only a note"),
                            ],
                            max_length=6,
                            verbose_name="verdict",
                        ),
                    ),
                    ("note", models.TextField(blank=True, max_length=2000, verbose_name="note")),
                    ("at", models.DateTimeField()),
                    (
                        "by",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "run",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="reviews",
                            to="mining.miningrun",
                        ),
                    ),
                    (
                        "version",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="reviews",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "review of a rule",
                    "verbose_name_plural": "reviews of rules",
                    "ordering": ("-id",),
                },
            ),
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
    ]
