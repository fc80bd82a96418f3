"""The log of what was done with a survey: published, closed, invited, exported, mined, shared, and who was given what.

It is the administration's history of the survey, so that older notes stand in it too, and is erased with the survey.
Files have a table of their own (Export), because each names its snapshot and its hash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils.translation import gettext as _

from surveys.models import Survey


@dataclass(frozen=True)
class LogNote:
    at: datetime
    by: str
    what: str


def note(survey: Survey, user: Any, what: str) -> None:
    """Note a sentence about the survey, in the language of the person who acted."""
    LogEntry.objects.create(
        user_id=user.pk,
        content_type=ContentType.objects.get_for_model(Survey),
        object_id=str(survey.pk),
        object_repr=str(survey)[:200],
        action_flag=CHANGE,
        change_message=what,
    )


def notes(survey: Survey, most: int) -> Sequence[LogNote]:
    """The last notes, the newest first, with the files that were taken among them."""
    kind = ContentType.objects.get_for_model(Survey)
    written = LogEntry.objects.filter(content_type=kind, object_id=str(survey.pk)).select_related("user")
    listed = [LogNote(row.action_time, str(row.user), row.get_change_message()) for row in written[:most]]
    for row in survey.exports.all()[:most]:
        values = {"file": row.file, "number": row.version}
        listed.append(LogNote(row.at, row.by, _("%(file)s of version %(number)s was taken.") % values))
    return sorted(listed, key=lambda each: each.at, reverse=True)[:most]
