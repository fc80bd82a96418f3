from django.db import migrations

NAMES = {"name": "id", "minimum": "min", "maximum": "max"}


def rename(apps, schema_editor):
    """Call the fields of a question in a draft what the published questionnaire calls them.

    Drafts of versions and parts of the history stay as they were written: the program reads both formats.
    """
    for draft in apps.get_model("surveys", "DraftDocument").objects.filter(document__candor=1).iterator(chunk_size=20):
        draft.document["candor"] = 2
        for page in draft.document["pages"]:
            page["questions"] = [
                {NAMES.get(name, name): value for name, value in question.items()} for question in page["questions"]
            ]
        draft.save(update_fields=["document"])


class Migration(migrations.Migration):
    dependencies = [("surveys", "0049_lineages_of_budgets")]
    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
