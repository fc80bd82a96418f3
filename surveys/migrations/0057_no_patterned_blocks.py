import json
from collections.abc import Iterator

from django.core.management.base import CommandError
from django.db import migrations
from django.db.backends.base.base import BaseDatabaseWrapper

DEFINITIONS = """
    SELECT surveys_survey.title, surveys_surveyversion.definition
    FROM surveys_surveyversion JOIN surveys_survey ON surveys_survey.id = surveys_surveyversion.survey_id
"""
DRAFTS = """
    SELECT surveys_survey.title, surveys_draftdocument.document
    FROM surveys_draftdocument JOIN surveys_survey ON surveys_survey.id = surveys_draftdocument.survey_id
"""


def with_patterned_blocks(connection: BaseDatabaseWrapper) -> Iterator[str]:
    """The titles of surveys of which a version or the draft has a patterned block."""
    known = connection.introspection.table_names()
    with connection.cursor() as cursor:
        if "surveys_surveyversion" in known:
            cursor.execute(DEFINITIONS)
            for title, definition in cursor.fetchall():
                blocks = json.loads(bytes(definition))["design"]["blocks"]
                if any("patterned" in block for block in blocks):
                    yield title
        if "surveys_draftdocument" in known:
            cursor.execute(DRAFTS)
            for title, document in cursor.fetchall():
                read = json.loads(document) if isinstance(document, str | bytes) else document
                if any(block["kind"] == "patterned" for block in read["blocks"]):
                    yield title


class Migration(migrations.Migration):
    """No release had patterned blocks, but a site of the main branch may: it is refused before anything is changed."""

    dependencies = [("surveys", "0056_coarse")]

    @staticmethod
    def check_before(connection: BaseDatabaseWrapper) -> None:
        for title in dict.fromkeys(with_patterned_blocks(connection)):
            raise CommandError(
                f"The survey “{title}” has a patterned block, which Candor no longer has. Nothing was changed. Start "
                "the version that you had before; there, choose another disguise in a draft, or take the files of a "
                "published survey and erase it. Then upgrade."
            )
