"""What a version was published from: kept beside it, so that it can leave in every format, and begin a copy.

A published definition holds the numbers that a browser applies, and not the choices that they follow from; so the draft
is kept as it was.
"""

from __future__ import annotations

from django.db import transaction

from privacy.errors import InputError
from surveys.domain.drafts.document import Document, completed, read
from surveys.domain.questionnaire import publish as publishing
from surveys.domain.questionnaire.write import compose
from surveys.models import PublishedDraft, Survey, SurveyVersion


@transaction.atomic
def publish(survey: Survey, by: str = "", reason: str = "") -> SurveyVersion:
    """Publish the draft and keep it; with a reason, under an override that `by` signs. InputError says why not."""
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)  # nobody changes the draft meanwhile
    version = publishing.publish_signed(survey, by, reason) if reason else publishing.publish(survey)
    PublishedDraft.objects.create(version=version, document=read(survey))
    return version


def document_of(version: SurveyVersion) -> Document | None:
    """What the version was published from; None where that was not kept yet, and the draft is another since."""
    kept = PublishedDraft.objects.filter(version=version).first()
    if kept is not None:
        document: Document = completed(kept.document)
        return document
    try:
        same = compose(version.survey).to_bytes() == bytes(version.definition)
    except InputError:
        same = False
    return read(version.survey) if same else None
