"""The pictures and sounds of a survey as they are stored, and what a draft publishes of them."""

import json

from django.db import transaction
from django.db.models.functions import Length

from privacy.errors import EntryError
from surveys.domain.questionnaire.document import Document, read_document
from surveys.media import names_in
from surveys.models import Medium, Survey, Trial

MOST = 8_000_000  # bytes of the files of a survey


@transaction.atomic
def store(survey: Survey, name: str, body: bytes) -> str:
    """Store a file of the survey and return its name; if there is no room, files that nothing names are deleted."""
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
    kept = dict(survey.media.values_list("name", Length("body")))
    if name in kept:
        return name
    if sum(kept.values()) + len(body) > MOST:
        in_use = names_in_use(survey)
        survey.media.exclude(name__in=in_use).delete()
        if sum(size for one, size in kept.items() if one in in_use) + len(body) > MOST:
            raise EntryError(
                "the files of this survey would have more than {most} MB: make them smaller.",
                at="file",
                most=MOST // 10**6,
            )
    Medium.objects.create(survey=survey, name=name, body=body)
    return name


def names_in_use(survey: Survey) -> set[str]:
    """The names of the files that the draft, a version or a trial uses."""
    published = (
        *survey.versions.values_list("definition", flat=True),
        *survey.trials.values_list("definition", flat=True),
    )
    return names_in(read_document(survey)).union(*(names_in(json.loads(bytes(one))) for one in published))


def find_medium(slug: str, name: str) -> Medium | None:
    """The file of the survey with this short name, or of one whose trial was made while it had this short name."""
    if medium := Medium.objects.filter(survey__slug=slug, name=name).first():
        return medium
    for trial in Trial.objects.filter(survey__media__name=name):
        if json.loads(bytes(trial.definition))["slug"] == slug:
            return Medium.objects.get(survey=trial.survey_id, name=name)
    return None


def copy_media(of: Survey, to: Survey, document: Document) -> None:
    """Copy the files that the document names from one survey to its copy."""
    if named := names_in(document):
        Medium.objects.bulk_create(
            Medium(survey=to, name=name, body=body)
            for name, body in of.media.filter(name__in=named).values_list("name", "body")
        )
