"""Make the tables of surveys as 0001 to 0068 leave them. A new database has no rows, so none are converted here."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Value

from surveys import schema

NO_ORDER = (
    "surveys_inbox",
    "surveys_submission",
    "surveys_spenttoken",
    "surveys_invitation",
    "surveys_invitee",
    "surveys_trialresponse",
)
USED = ("surveys_usedpage", "surveys_usedentry")
IMMUTABLE = ("surveys_surveyversion", "surveys_part", "surveys_snapshot")
REWRITTEN = (*NO_ORDER, "surveys_usedpage", "surveys_quotacount")
SENT = (*NO_ORDER, *USED, "surveys_quotacount", "surveys_part", "surveys_copykey")
OF_SURVEYS = (
    "django_admin_log",
    "surveys_demotruth",
    "surveys_draftchange",
    "surveys_draftdocument",
    "surveys_export",
    "surveys_groupcount",
    "surveys_invitationbatch",
    "surveys_invitationkey",
    "surveys_mailing",
    "surveys_medium",
    "surveys_membership",
    "surveys_notice",
    "surveys_paperbatch",
    "surveys_phrase",
    "surveys_publisheddraft",
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
    "surveys_typedsheets",
)

# What drafts were rows of, and the columns of surveys that their documents hold now (0045, 0046). Machines of the version
# before name them, so they go one version later.
DEAD_TABLES = ("surveys_option", "surveys_question", "surveys_page", "surveys_block", "surveys_draftstate")
DEAD_COLUMNS = (
    ("languages", models.CharField(max_length=100)),
    *((name, models.JSONField()) for name in ("heading", "who", "why", "consent", "closing")),
    ("direct", models.BooleanField()),
    *((name, models.BooleanField(null=True)) for name in ("comprehension", "early", "beside")),
    ("lot", models.PositiveSmallIntegerField(null=True)),
    ("anchor", models.CharField(max_length=100, null=True)),
    ("anchor_share", models.FloatField(null=True)),
)


def promise(apps, schema_editor):
    schema.keep_no_order(schema_editor, (*NO_ORDER, *USED))
    schema.forbid_updates(schema_editor, IMMUTABLE)
    schema.forbid_lowering_least(schema_editor)
    schema.forbid_lowering_quota(schema_editor)
    schema.forbid_keeping_longer(schema_editor)
    schema.forbid_exchanges(schema_editor)
    schema.forbid_detours(schema_editor)
    schema.forbid_replacing(schema_editor)
    schema.hold_lists_at_once(schema_editor)
    schema.keep_statements(schema_editor)
    schema.refuse_used(schema_editor)
    schema.count_for_quotas(schema_editor)
    schema.keep_vacuum_away(schema_editor, REWRITTEN)
    schema.give_defaults_to_columns_of_drafts(schema_editor)
    schema.take_no_rows(schema_editor, DEAD_TABLES)
    schema.keep_no_samples(schema_editor, SENT)
    schema.keep_no_samples(schema_editor, (*OF_SURVEYS, *DEAD_TABLES), but_of_row_numbers=True)


def dead(name, related_name, *fields, owner="survey", one=False, constraints=()):
    """Make a table that only machines of the version before know."""
    refers = models.OneToOneField if one else models.ForeignKey
    referring: models.Field = refers(f"surveys.{owner}", models.CASCADE, related_name=related_name)
    columns = [("id", models.BigAutoField(primary_key=True)), *fields, (owner, referring)]
    return migrations.CreateModel(name, columns, {"constraints": [*constraints]})


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("surveys", "0001_initial"),
        ("surveys", "0002_promises"),
        ("surveys", "0003_words_and_expected"),
        ("surveys", "0004_a_note_for_every_sealing"),
        ("surveys", "0005_least_respondents"),
        ("surveys", "0006_least_stays"),
        ("surveys", "0007_nothing_is_exchanged"),
        ("surveys", "0008_text_once_closed"),
        ("surveys", "0009_no_samples"),
        ("surveys", "0010_page_titles"),
        ("surveys", "0011_no_detours"),
        ("surveys", "0012_for_good"),
        ("surveys", "0013_no_replacing"),
        ("surveys", "0014_types_from_their_table"),
        ("surveys", "0015_settings_of_kinds"),
        ("surveys", "0016_wrapped_keys"),
        ("surveys", "0017_statements"),
        ("surveys", "0018_direct_is_off_by_default"),
        ("surveys", "0019_quota_is_only_raised"),
        ("surveys", "0020_encrypted_inbox"),
        ("surveys", "0021_comprehension"),
        ("surveys", "0022_marks_of_sealing_keys"),
        ("surveys", "0023_early_looks_and_texts"),
        ("surveys", "0024_exports"),
        ("surveys", "0025_words_and_links_of_reports"),
        ("surveys", "0026_table_releases"),
        ("surveys", "0027_risks_are_kept"),
        ("surveys", "0028_studio"),
        ("surveys", "0029_table_releases_step"),
        ("surveys", "0030_notes_of_imports"),
        ("surveys", "0031_rehearsals"),
        ("surveys", "0032_copy_keys"),
        ("surveys", "0033_checks"),
        ("surveys", "0034_retention"),
        ("surveys", "0035_no_skip"),
        ("surveys", "0036_used_once"),
        ("surveys", "0037_published_drafts"),
        ("surveys", "0038_long_lists"),
        ("surveys", "0039_reasons_of_releases"),
        ("surveys", "0040_counts_of_quotas"),
        ("surveys", "0041_newest_versions"),
        ("surveys", "0042_dead_rows"),
        ("surveys", "0043_no_samples_of_surveys"),
        ("surveys", "0044_draft_documents"),
        ("surveys", "0045_drafts_as_documents"),
        ("surveys", "0046_surveys_without_drafts"),
        ("surveys", "0047_citation_keys"),
        ("surveys", "0048_noisy_counts"),
        ("surveys", "0049_lineages_of_budgets"),
        ("surveys", "0050_names_of_drafts"),
        ("surveys", "0051_waiting_people"),
        ("surveys", "0052_mail"),
        ("surveys", "0053_media"),
        ("surveys", "0054_groups"),
        ("surveys", "0055_fill_newest"),
        ("surveys", "0056_coarse"),
        ("surveys", "0057_no_patterned_blocks"),
        ("surveys", "0058_tested"),
        ("surveys", "0059_paper"),
        ("surveys", "0060_marked_batches"),
        ("surveys", "0061_typed_sheets"),
        ("surveys", "0062_forgotten_people"),
        ("surveys", "0063_clock_readings"),
        ("surveys", "0064_no_fingerprints"),
        ("surveys", "0065_steps_of_changes"),
        ("surveys", "0066_no_counts_with_noise"),
        ("surveys", "0067_no_second_waves"),
        ("surveys", "0068_interviews"),
    ]

    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        schema.AtOnce(
            migrations.CreateModel(
                name="Survey",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    (
                        "slug",
                        models.SlugField(
                            help_text="Stands in the link, after /s/.", unique=True, verbose_name="short name"
                        ),
                    ),
                    (
                        "title",
                        models.CharField(
                            help_text="Shown in lists, never to respondents.",
                            max_length=200,
                            verbose_name="working title",
                        ),
                    ),
                    ("simulated", models.BooleanField(default=False, editable=False)),
                    (
                        "access",
                        models.CharField(
                            choices=[
                                ("open", "open to everybody who has the link"),
                                ("invitation", "one response per invitation"),
                            ],
                            default="open",
                            max_length=10,
                            verbose_name="who may answer",
                        ),
                    ),
                    ("opens_at", models.DateTimeField(blank=True, null=True, verbose_name="opens at")),
                    (
                        "closes_at",
                        models.DateTimeField(
                            blank=True,
                            help_text="For good, once the last responses are sealed.",
                            null=True,
                            verbose_name="closes at",
                        ),
                    ),
                    (
                        "quota",
                        models.PositiveIntegerField(
                            blank=True,
                            help_text="Close for good after so many responses, over all versions. Once published it can only be raised.",
                            null=True,
                            validators=[django.core.validators.MinValueValidator(1)],
                            verbose_name="quota",
                        ),
                    ),
                    (
                        "closed_at",
                        models.DateTimeField(blank=True, editable=False, null=True, verbose_name="closed at"),
                    ),
                    ("override_by", models.CharField(blank=True, max_length=200, verbose_name="override signed by")),
                    (
                        "override_reason",
                        models.TextField(
                            blank=True,
                            help_text="Needed to publish a design that protects less than this site's limit. Respondents are shown both.",
                            verbose_name="reason of the override",
                        ),
                    ),
                    (
                        "expected",
                        models.PositiveIntegerField(
                            default=1000,
                            help_text="For the expected standard errors shown beside the protection.",
                            validators=[django.core.validators.MinValueValidator(1)],
                            verbose_name="respondents expected",
                        ),
                    ),
                    (
                        "least",
                        models.PositiveIntegerField(
                            default=100,
                            help_text="Nothing is mined while there are fewer.",
                            validators=[django.core.validators.MinValueValidator(20)],
                            verbose_name="report from so many respondents on",
                        ),
                    ),
                    ("erasing_since", models.DateTimeField(editable=False, null=True)),
                    (
                        "closed",
                        models.JSONField(
                            blank=True,
                            default=dict,
                            help_text="Shown to people who open the link afterwards. May be changed at any time.",
                            null=True,
                            verbose_name="text once it is closed",
                        ),
                    ),
                    (
                        "rehearses",
                        models.ForeignKey(
                            editable=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="rehearsals",
                            to="surveys.survey",
                        ),
                    ),
                    (
                        "keep_until",
                        models.DateField(
                            blank=True,
                            help_text="After this day the site erases the survey with all responses, reports and searches. Once published it can only come earlier.",
                            null=True,
                            verbose_name="kept until",
                        ),
                    ),
                    ("newest", models.PositiveIntegerField(editable=False, null=True)),
                    *DEAD_COLUMNS,
                    ("citation_key", models.BinaryField(null=True)),
                    ("coarse_from", models.PositiveIntegerField(editable=False, null=True)),
                    ("tested", models.JSONField(editable=False, null=True)),
                    ("tablets_alone_since", models.DateField(editable=False, null=True)),
                    ("turned_away", models.JSONField(editable=False, null=True)),
                ],
                options={
                    "verbose_name": "survey",
                    "verbose_name_plural": "surveys",
                },
            ),
            migrations.CreateModel(
                name="Membership",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    (
                        "role",
                        models.CharField(
                            choices=[
                                ("owner", "owner"),
                                ("editor", "editor"),
                                ("analyst", "analyst"),
                                ("viewer", "viewer"),
                                ("clerk", "clerk"),
                                ("asks", "interviewer"),
                            ],
                            max_length=8,
                            verbose_name="role",
                        ),
                    ),
                    (
                        "survey",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="surveys.survey"
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="memberships",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "ordering": ("survey", "id"),
                    "constraints": [models.UniqueConstraint(fields=("survey", "user"), name="one_role_per_person")],
                },
            ),
            migrations.CreateModel(
                name="DraftDocument",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("number", models.PositiveIntegerField(default=0)),
                    ("document", models.JSONField()),
                    ("changed_at", models.DateTimeField(null=True)),
                    (
                        "survey",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE, related_name="draft", to="surveys.survey"
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="DraftChange",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("number", models.PositiveIntegerField()),
                    ("tab", models.CharField(blank=True, max_length=32)),
                    ("at", models.DateTimeField()),
                    ("name", models.CharField(max_length=20)),
                    ("parts", models.JSONField(default=dict)),
                    ("over", models.BooleanField(default=False)),
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
                        "survey",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="draft_changes",
                            to="surveys.survey",
                        ),
                    ),
                    (
                        "takes_back",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="surveys.draftchange",
                        ),
                    ),
                    ("notes", models.JSONField(null=True)),
                    ("step", models.CharField(blank=True, db_default="", default="", max_length=10)),
                ],
                options={
                    "ordering": ("survey", "number"),
                    "constraints": [
                        models.UniqueConstraint(fields=("survey", "number"), name="draft_change_number_once")
                    ],
                },
            ),
            migrations.CreateModel(
                name="SurveyVersion",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("number", models.PositiveIntegerField()),
                    ("definition", models.BinaryField()),
                    ("sha256", models.CharField(max_length=64, unique=True)),
                    ("published_on", models.DateField()),
                    (
                        "survey",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT, related_name="versions", to="surveys.survey"
                        ),
                    ),
                ],
                options={
                    "ordering": ("survey", "number"),
                    "constraints": [models.UniqueConstraint(fields=("survey", "number"), name="version_number_once")],
                    "verbose_name": "published version",
                    "verbose_name_plural": "published versions",
                },
            ),
            migrations.CreateModel(
                name="PublishedDraft",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("document", models.JSONField()),
                    (
                        "version",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="draft",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="DemoTruth",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("answers", models.BinaryField()),
                    (
                        "version",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="demo_truth",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Trial",
                fields=[
                    ("code", models.CharField(max_length=32, primary_key=True, serialize=False)),
                    ("definition", models.BinaryField()),
                    ("sha256", models.CharField(max_length=64)),
                    ("created_on", models.DateField()),
                    (
                        "survey",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="trials", to="surveys.survey"
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="TrialResponse",
                fields=[
                    ("key", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                    ("proof", models.BinaryField(max_length=16)),
                    ("record", models.BinaryField()),
                    ("open", models.BinaryField()),
                    (
                        "trial",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="responses", to="surveys.trial"
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="InvitationKey",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("private", models.BinaryField()),
                    (
                        "survey",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="invitation_key",
                            to="surveys.survey",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="InvitationBatch",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("label", models.CharField(max_length=100)),
                    ("count", models.PositiveIntegerField()),
                    ("created_on", models.DateField()),
                    ("waiting", models.PositiveIntegerField(db_default=0, default=0)),
                    (
                        "survey",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="invitation_batches",
                            to="surveys.survey",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Invitation",
                fields=[
                    ("secret", models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                    ("blinded", models.BinaryField(max_length=32, null=True)),
                    (
                        "batch",
                        models.ForeignKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="invitations",
                            to="surveys.invitationbatch",
                        ),
                    ),
                ],
            ),
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
                    ],
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
                    ("mark", models.BinaryField(default=b"", max_length=32)),
                ],
            ),
            migrations.CreateModel(
                name="Inbox",
                fields=[
                    ("key", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                    (
                        "version",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="inbox",
                            to="surveys.surveyversion",
                        ),
                    ),
                    (
                        "round",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="inbox",
                            to="surveys.sealinground",
                        ),
                    ),
                    ("box", models.BinaryField()),
                ],
            ),
            migrations.CreateModel(
                name="Submission",
                fields=[
                    ("key", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                    ("proof", models.BinaryField(max_length=16)),
                    (
                        "survey",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="surveys.survey",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="SpentToken",
                fields=[
                    ("token", models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                    (
                        "survey",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="surveys.survey",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="UsedPage",
                fields=[
                    ("place", models.BinaryField(max_length=64, primary_key=True, serialize=False)),
                    ("entries", models.BinaryField()),
                ],
            ),
            migrations.CreateModel(
                name="UsedEntry",
                fields=[
                    ("place", models.BinaryField(max_length=64, primary_key=True, serialize=False)),
                ],
            ),
            migrations.CreateModel(
                name="QuotaCount",
                fields=[
                    (
                        "survey",
                        models.OneToOneField(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            related_name="quota_count",
                            serialize=False,
                            to="surveys.survey",
                        ),
                    ),
                    ("responses", models.PositiveIntegerField()),
                ],
            ),
            migrations.CreateModel(
                name="Part",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("size", models.PositiveIntegerField()),
                    ("records", models.BinaryField()),
                    ("open", models.BinaryField()),
                    ("sha256", models.CharField(max_length=64)),
                    ("first_day", models.DateField()),
                    ("last_day", models.DateField()),
                    (
                        "version",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="parts",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
                options={
                    "ordering": ("id",),
                    "indexes": [models.Index(fields=["version", "id", "sha256", "size"], name="surveys_part_listed")],
                },
            ),
            migrations.CreateModel(
                name="Snapshot",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("sha256", models.CharField(max_length=64)),
                    ("respondents", models.PositiveIntegerField()),
                    ("first_day", models.DateField()),
                    ("last_day", models.DateField()),
                    ("parts", models.ManyToManyField(related_name="snapshots", to="surveys.part")),
                    (
                        "version",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="snapshots",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
                options={
                    "ordering": ("id",),
                    "get_latest_by": "id",
                },
            ),
            migrations.CreateModel(
                name="SnapshotRisk",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("direct", models.BooleanField()),
                    ("figures", models.JSONField()),
                    (
                        "snapshot",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="risks", to="surveys.snapshot"
                        ),
                    ),
                ],
                options={
                    "constraints": [models.UniqueConstraint(fields=("snapshot", "direct"), name="risk_once")],
                },
            ),
            migrations.CreateModel(
                name="CopyKey",
                fields=[
                    ("name", models.CharField(max_length=32, primary_key=True, serialize=False)),
                    ("key", models.BinaryField()),
                    (
                        "version",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="copy_key",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Statement",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("content", models.BinaryField()),
                    ("sha256", models.CharField(max_length=64)),
                    ("salt", models.BinaryField(max_length=32)),
                    (
                        "survey",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT, related_name="statement", to="surveys.survey"
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="ReceiptPiece",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("number", models.PositiveIntegerField()),
                    ("receipts", models.BinaryField()),
                    (
                        "statement",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="pieces", to="surveys.statement"
                        ),
                    ),
                ],
                options={
                    "ordering": ("number",),
                    "constraints": [models.UniqueConstraint(fields=("statement", "number"), name="receipt_piece_once")],
                },
            ),
            migrations.CreateModel(
                name="Export",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("version", models.PositiveIntegerField()),
                    ("snapshot", models.CharField(max_length=64)),
                    ("respondents", models.PositiveIntegerField()),
                    ("file", models.CharField(max_length=100)),
                    ("size", models.PositiveBigIntegerField()),
                    ("sha256", models.CharField(max_length=64)),
                    ("by", models.CharField(max_length=200)),
                    ("at", models.DateTimeField()),
                    (
                        "survey",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="exports", to="surveys.survey"
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "ordering": ("-id",),
                },
            ),
            migrations.CreateModel(
                name="Phrase",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("item", models.CharField(max_length=40)),
                    ("value", models.CharField(max_length=40)),
                    ("words", models.JSONField(default=dict)),
                    (
                        "survey",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="phrases", to="surveys.survey"
                        ),
                    ),
                ],
                options={
                    "ordering": ("survey", "item", "value"),
                    "constraints": [models.UniqueConstraint(fields=("survey", "item", "value"), name="phrase_once")],
                },
            ),
            migrations.CreateModel(
                name="SharedReport",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("token", models.BinaryField(max_length=32, unique=True)),
                    ("label", models.CharField(max_length=100, verbose_name="for whom")),
                    ("parts", models.JSONField(default=list)),
                    ("expires_at", models.DateTimeField(verbose_name="ends")),
                    ("revoked_at", models.DateTimeField(null=True)),
                    ("created_at", models.DateTimeField()),
                    (
                        "created_by",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "version",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="shared_reports",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "shared report",
                    "verbose_name_plural": "shared reports",
                    "ordering": ("-id",),
                },
            ),
            migrations.CreateModel(
                name="TableRelease",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("snapshot", models.CharField(max_length=64)),
                    ("asked", models.JSONField()),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("queued", "waiting"),
                                ("running", "being made"),
                                ("ready", "made, not released yet"),
                                ("done", "released"),
                                ("failed", "not released"),
                                ("stopped", "discarded"),
                            ],
                            default="queued",
                            max_length=7,
                        ),
                    ),
                    ("share", models.FloatField(default=0)),
                    ("ended_for", models.JSONField(default=dict)),
                    ("token", models.CharField(blank=True, max_length=32)),
                    ("lease_until", models.DateTimeField(null=True)),
                    ("attempts", models.PositiveSmallIntegerField(default=0)),
                    ("hinted_at", models.DateTimeField(null=True)),
                    ("requested_at", models.DateTimeField()),
                    ("ended_at", models.DateTimeField(null=True)),
                    ("report", models.JSONField(default=dict)),
                    ("table", models.BinaryField(default=b"")),
                    ("fingerprint", models.JSONField(default=dict, db_default=Value({}, models.JSONField()))),
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
                        "version",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="releases",
                            to="surveys.surveyversion",
                        ),
                    ),
                    (
                        "step",
                        models.CharField(
                            choices=[
                                ("reading", "reading the responses"),
                                ("gather", "making answers coarser"),
                                ("writing", "writing table and report"),
                            ],
                            default="reading",
                            max_length=7,
                        ),
                    ),
                ],
                options={
                    "ordering": ("-id",),
                },
            ),
            migrations.CreateModel(
                name="Residue",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("rewritten", models.BooleanField(default=False)),
                    ("erased", models.BooleanField(db_default=False)),
                ],
            ),
            migrations.CreateModel(
                name="Erasure",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("content", models.BinaryField()),
                    ("sha256", models.CharField(max_length=64, unique=True)),
                    ("mark", models.BinaryField(max_length=32)),
                    ("removed_at", models.DateTimeField(null=True)),
                    ("people", models.ManyToManyField(related_name="+", to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    "ordering": ("id",),
                },
            ),
            migrations.CreateModel(
                name="ClockReading",
                fields=[
                    ("row", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                    ("machine", models.CharField(max_length=36)),
                    ("first_start", models.DateTimeField()),
                    ("start", models.DateTimeField()),
                    ("even_since", models.FloatField()),
                ],
            ),
            migrations.CreateModel(
                name="Mailing",
                fields=[
                    (
                        "survey",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            related_name="mailing",
                            serialize=False,
                            to="surveys.survey",
                        ),
                    ),
                    ("page", models.URLField(max_length=300)),
                    ("reply_to", models.EmailField(blank=True, max_length=254)),
                    ("texts", models.JSONField()),
                    ("days", models.JSONField()),
                    ("looked_on", models.DateField(null=True)),
                    ("done", models.PositiveSmallIntegerField(default=0)),
                    ("trouble", models.CharField(blank=True, max_length=60)),
                    ("token", models.CharField(blank=True, max_length=32)),
                    ("until", models.DateTimeField(null=True)),
                ],
            ),
            migrations.CreateModel(
                name="Invitee",
                fields=[
                    ("key", models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                    ("box", models.BinaryField()),
                    (
                        "survey",
                        models.ForeignKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="invitees",
                            to="surveys.survey",
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Notice",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("kind", models.CharField(max_length=10)),
                    (
                        "survey",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="notices", to="surveys.survey"
                        ),
                    ),
                ],
                options={
                    "constraints": [models.UniqueConstraint(fields=("survey", "kind"), name="notice_once")],
                },
            ),
            migrations.CreateModel(
                name="Medium",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("name", models.CharField(max_length=90)),
                    ("body", models.BinaryField()),
                    (
                        "survey",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="media", to="surveys.survey"
                        ),
                    ),
                ],
                options={
                    "constraints": [models.UniqueConstraint(fields=("survey", "name"), name="medium_once")],
                },
            ),
            migrations.CreateModel(
                name="GroupCount",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("question", models.CharField(max_length=40)),
                    ("answer", models.CharField(max_length=200)),
                    ("people", models.PositiveIntegerField(default=0)),
                    ("more", models.PositiveSmallIntegerField()),
                    (
                        "version",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="groups",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(fields=("version", "question", "answer"), name="group_once")
                    ],
                },
            ),
            migrations.CreateModel(
                name="PaperBatch",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("counted", models.PositiveIntegerField()),
                    ("aside", models.PositiveIntegerField()),
                    ("compared", models.PositiveIntegerField()),
                    ("differing", models.PositiveIntegerField()),
                    ("file", models.CharField(max_length=64)),
                    (
                        "version",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="paper_batches",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
                options={
                    "constraints": [models.UniqueConstraint(fields=("version", "file"), name="one_batch_of_a_file")],
                },
            ),
            migrations.CreateModel(
                name="TypedSheets",
                fields=[
                    (
                        "id",
                        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                    ),
                    ("name", models.CharField(max_length=64, unique=True)),
                    ("content", models.BinaryField()),
                    (
                        "person",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "version",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="typed_sheets",
                            to="surveys.surveyversion",
                        ),
                    ),
                ],
            ),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                schema.AtOnce(
                    dead(
                        "Block",
                        "blocks",
                        ("position", models.PositiveSmallIntegerField()),
                        ("name", models.CharField(max_length=100)),
                        ("kind", models.CharField(max_length=20)),
                        ("settings", models.JSONField()),
                    ),
                    dead(
                        "Page",
                        "pages",
                        ("position", models.PositiveSmallIntegerField()),
                        ("title", models.JSONField()),
                    ),
                    dead(
                        "Question",
                        "questions",
                        *((name, models.PositiveSmallIntegerField()) for name in ("page", "position")),
                        ("identifier", models.CharField(max_length=40)),
                        *((name, models.CharField(max_length=20)) for name in ("type", "minimum", "maximum")),
                        *((name, models.JSONField()) for name in ("text", "help", "low", "high", "settings")),
                        *((name, models.BooleanField()) for name in ("required", "shuffle")),
                        ("when_question", models.CharField(max_length=40)),
                        ("when_values", models.CharField(max_length=200)),
                        ("no_skip", models.CharField(max_length=200, null=True)),
                        (
                            "block",
                            models.ForeignKey("surveys.block", models.RESTRICT, null=True, related_name="questions"),
                        ),
                        constraints=[
                            models.UniqueConstraint(fields=("survey", "identifier"), name="question_identifier_once")
                        ],
                    ),
                    dead(
                        "Option",
                        "options",
                        ("position", models.PositiveSmallIntegerField()),
                        ("value", models.CharField(max_length=40)),
                        ("label", models.JSONField()),
                        ("last", models.BooleanField()),
                        ("settings", models.JSONField()),
                        owner="question",
                        constraints=[models.UniqueConstraint(fields=("question", "value"), name="option_value_once")],
                    ),
                    dead(
                        "DraftState",
                        "draft_state",
                        ("number", models.PositiveIntegerField()),
                        ("document", models.JSONField()),
                        ("protection", models.JSONField()),
                        ("changed_at", models.DateTimeField()),
                        one=True,
                    ),
                )
            ]
        ),
        migrations.RunPython(promise, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                schema.AtOnce(
                    *(migrations.RemoveField("survey", name) for name, _ in DEAD_COLUMNS),
                    migrations.RemoveField("tablerelease", "fingerprint"),
                    migrations.RemoveField("invitationbatch", "waiting"),
                )
            ]
        ),
    ]
