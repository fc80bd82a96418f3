"""The log of what was done with a survey: published, closed, invited, exported, mined, shared, and who was given what.

It is the administration's history of the survey, so that older notes stand in it too, and is erased with the survey.
Files have a table of their own (Export), because each names its snapshot and its hash.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _, ngettext

from surveys.models import Survey


@dataclass(frozen=True)
class LogNote:
    at: datetime
    by: str
    what: str


def note_down(survey: Survey, user: Any, sentence: str, **values: object) -> str:
    """Note an English sentence, which each reader reads in their own language; return it in the present one.

    A value that is a lazy translation is read in their language, too.
    """
    return _write(survey, user, [sentence], values)


def note_count(survey: Survey, user: Any, one: str, several: str, n: int) -> str:
    """Note one of two English sentences, by the number n."""
    return _write(survey, user, [one, several], {"n": n})


def _write(survey: Survey, user: Any, sentences: list[str], values: Mapping[str, object]) -> str:
    with translation.override("en"):
        kept = {name: [str(one)] if isinstance(one, Promise) else str(one) for name, one in values.items()}
    LogEntry.objects.create(
        user_id=user.pk,
        content_type=ContentType.objects.get_for_model(Survey),
        object_id=str(survey.pk),
        object_repr=str(survey)[:200],
        action_flag=CHANGE,
        change_message=json.dumps({"said": sentences, "values": kept}, ensure_ascii=False),
    )
    return _say(sentences, kept)


def _say(said: list[str], values: Mapping[str, Any]) -> str:
    sentence = ngettext(said[0], said[1], int(values["n"])) if len(said) > 1 else _(said[0])
    shown = {name: _(one[0]) if isinstance(one, list) else one for name, one in values.items()}
    return sentence % shown if shown else sentence


def _read(row: LogEntry) -> str:
    """What a row says; notes of before are sentences in the language of the person who acted."""
    written = row.change_message
    return _say(**json.loads(written)) if written.startswith('{"said"') else row.get_change_message()


def notes(survey: Survey, most: int) -> Sequence[LogNote]:
    """The last notes, the newest first, with the files that were taken among them."""
    kind = ContentType.objects.get_for_model(Survey)
    written = LogEntry.objects.filter(content_type=kind, object_id=str(survey.pk)).select_related("user")
    listed = [LogNote(row.action_time, str(row.user), _read(row)) for row in written[:most]]
    for row in survey.exports.all()[:most]:
        values = {"file": row.file, "number": row.version}
        listed.append(LogNote(row.at, row.by, _("%(file)s of version %(number)s was taken.") % values))
    return sorted(listed, key=lambda each: each.at, reverse=True)[:most]
