import csv
from datetime import UTC, datetime, time

from django.conf import settings
from django.db import migrations
from django.db.models import Max

from surveys.schema import take_no_rows

# What drafts were rows of. Machines of the version before find these tables empty, and are refused what they would
# write there: no draft is written twice. A later version takes the tables away.
TABLES = ("surveys_option", "surveys_question", "surveys_page", "surveys_block", "surveys_draftstate")
MODELS = ("option", "question", "page", "block", "draftstate")

SURVEY = ("title", "heading", "who", "why", "consent", "closing", "access", "direct")
CHECKS = ("comprehension", "early", "beside", "lot", "anchor", "anchor_share", "expected")
QUESTION = ("type", "text", "help", "low", "high", "required", "shuffle", "minimum", "maximum", "settings")
OPTION = ("value", "label", "last", "settings")


def convert(apps, schema_editor):
    """Make a document of the rows of each draft. They may be newer than the document that the studio saw last."""
    kept, saved = apps.get_model("surveys", "DraftDocument").objects, saved_by_forms(apps)
    for survey in apps.get_model("surveys", "Survey").objects.filter(rehearses=None).select_related("draft_state"):
        state = getattr(survey, "draft_state", None)
        kept.create(
            survey=survey,
            number=state.number if state else 0,
            document=document_of(survey, state.protection if state else {}),
            changed_at=last_change(survey, state, saved.get(str(survey.pk))),
        )


def saved_by_forms(apps):
    """When the administration's forms last saved each survey: their notes are lists, those of other events sentences."""
    notes = apps.get_model("admin", "LogEntry").objects.filter(
        content_type__app_label="surveys", content_type__model="survey", change_message__startswith="["
    )
    return dict(notes.order_by().values_list("object_id").annotate(Max("action_time")))


def last_change(survey, state, saved):
    """When the draft was last changed, as far as anything says so; else the day of the newest version made of it."""
    changes = [at for at in (state and state.changed_at, saved) if at]
    if changes:
        return max(changes)
    published = survey.versions.aggregate(Max("published_on"))["published_on__max"]
    return published and datetime.combine(published, time(), UTC)


def document_of(survey, protection):
    document = {"candor": 1, **{name: getattr(survey, name) for name in (*SURVEY, *CHECKS)}}
    document |= {"languages": survey.languages.split() or ["en"], "closed": survey.closed or {}}
    questions = list(survey.questions.order_by("page", "position", "id").prefetch_related("options"))
    document["protection"] = protection
    document["blocks"] = [
        {
            "name": block.name,
            "kind": block.kind,
            "settings": block.settings,
            "questions": [question.identifier for question in questions if question.block_id == block.pk],
        }
        for block in survey.blocks.order_by("position", "id")
    ]
    titles = {page.position: page.title for page in survey.pages.order_by("position", "id")}
    document["pages"] = [
        {
            "number": number,
            "title": titles.get(number, {}),
            "questions": [entry_of(question) for question in questions if question.page == number],
        }
        for number in sorted({*titles, *(question.page for question in questions)}) or [1]
    ]
    return document


def entry_of(question):
    options = sorted(question.options.all(), key=lambda option: (option.position, option.pk))
    entry = {"name": question.identifier, "no_skip": question.no_skip or "", "when": None}
    entry |= {name: getattr(question, name) for name in QUESTION}
    if question.when_question:
        values = next(csv.reader([question.when_values], skipinitialspace=True), [])
        entry["when"] = {
            "question": question.when_question,
            "is": [value.strip() for value in values if value.strip()],
        }
    return entry | {"options": [{name: getattr(option, name) for name in OPTION} for option in options]}


def empty_tables(apps, schema_editor):
    """Also what the administration noted of rows: such a note does not say of which survey."""
    types = apps.get_model("contenttypes", "ContentType").objects.filter(app_label="surveys", model__in=MODELS)
    apps.get_model("admin", "LogEntry").objects.filter(content_type__in=types).delete()
    types.delete()
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "postgresql":  # its dead rows would outlast the survey
            cursor.execute(f"TRUNCATE {', '.join(TABLES)}")
        else:
            for table in TABLES:
                cursor.execute(f"DELETE FROM {table}")
    take_no_rows(schema_editor, TABLES)


class Migration(migrations.Migration):
    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("surveys", "0044_draft_documents"),
    ]
    operations = [
        migrations.RunPython(convert, migrations.RunPython.noop),
        migrations.RunPython(empty_tables, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel("Option"),
                migrations.DeleteModel("Question"),
                migrations.DeleteModel("Page"),
                migrations.DeleteModel("Block"),
                migrations.DeleteModel("DraftState"),
            ]
        ),
    ]
