"""Publishing freezes a questionnaire under a hash; so does a trial of its draft."""

import secrets
from hashlib import sha256
from math import isinf
from typing import Any

from django.db import transaction
from django.utils import timezone

from privacy.errors import EntryError, InputError, to_translate
from privacy.guarantee import round_up
from surveys.definition import Definition
from surveys.domain.messages.invite import inviting_survey, make_key
from surveys.domain.questionnaire.check import complete_definition
from surveys.domain.questionnaire.closing import is_over, lock_to_end, refuse_to_end
from surveys.domain.questionnaire.compose import compose, gamma_limit
from surveys.domain.questionnaire.document import Document, Draft, published_document
from surveys.domain.questionnaire.draft_part import allow, prepare
from surveys.features import odds_of_secrets
from surveys.models import DraftDocument, PublishedDraft, Survey, SurveyVersion, Trial

CHANGED = to_translate("The draft was changed meanwhile: look at it once more. Nothing was published.")


@transaction.atomic
def publish(survey: Survey, by: str = "", reason: str = "", seen: str = "") -> SurveyVersion:
    """Publish the draft as the next version; with a reason, under an override that `by` signs for this version alone.

    `seen`: how often the draft had been changed when somebody looked at what they publish.
    InputError says why it may not be published; then nothing has changed, and nobody has signed.
    """
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)  # nobody changes the draft meanwhile
    # The published bytes name it for good; it may have been closed since the page was read.
    survey.refresh_from_db(fields=["slug", "closed_at", "closes_at"])
    if survey.closed_at:
        raise EntryError("This survey is closed.")
    if is_over(survey):
        raise EntryError("The closing date has passed: move it before you publish, or the survey would close at once.")
    if seen not in ("", count_changes(survey)):
        raise EntryError(CHANGED)
    refuse_to_end(survey.versions.last())
    draft = Draft.load(survey)
    if reason or survey.versions.exists():  # nobody has signed for another version with the one before
        survey.override_by, survey.override_reason = (by, reason) if reason else ("", "")
    if draft.document["access"] == Survey.Access.INVITATION:
        inviting = inviting_survey(survey, draft.document)
        make_key(inviting)
    prepare(draft)
    definition = complete_definition(draft)
    _check_limit(definition)
    frozen = definition.to_bytes()
    digest = sha256(frozen).hexdigest()
    if SurveyVersion.objects.filter(sha256=digest).exists():
        raise EntryError("This questionnaire is already published, word for word.")
    lock_to_end(survey)  # from here on nobody answers the version before
    allow(draft, definition)
    current = survey.versions.last()
    survey.newest = current.number + 1 if current else 1
    survey.citation_key = survey.citation_key or secrets.token_bytes(32)  # so that no reader has to draw it
    signed = ("override_by", "override_reason") if definition.source["override"] else ()
    survey.save(update_fields=["newest", "citation_key", *signed])
    version = SurveyVersion.objects.create(
        survey=survey, number=survey.newest, definition=frozen, sha256=digest, published_on=timezone.localdate()
    )
    PublishedDraft.objects.create(document=draft.document, version=version)
    return version


def count_changes(survey: Survey) -> str:
    """How often the draft was changed, for the page that shows it."""
    return str(DraftDocument.objects.filter(survey=survey).values_list("number", flat=True).first() or 0)


def _check_limit(definition: Definition) -> None:
    """Refuse a design that protects less than this site asks for, unless somebody has signed for it."""
    design = definition.design
    odds = odds_of_secrets(design, definition.source)
    if odds <= gamma_limit() or definition.source["override"] is not None:
        return
    figures: dict[str, Any] = {"shown": "∞" if isinf(odds) else f"{float(round_up(odds, 6)):g}", "limit": gamma_limit()}
    if design.odds == design.gamma:
        raise EntryError(
            "γ is {shown}, above this site's limit of {limit:g}: "
            "disguise more, or sign the override, which respondents will see.",
            **figures,
        )
    raise EntryError(
        "The odds of what is hidden can grow {shown} times, above this site's limit of {limit:g}: "
        "disguise more, or sign the override, which respondents will see.",
        **figures,
    )


def draft_of_version(version: SurveyVersion) -> Document | None:
    """The draft that a version was published from: a definition holds numbers that a browser applies, and not the
    choices that they follow from. None if it was not kept, and today's draft is another.
    """
    if (kept := published_document(version=version)) is not None:
        return kept
    draft = Draft.load(version.survey)
    return draft.document if is_of(version, draft) else None


def is_of(version: SurveyVersion, draft: Draft) -> bool:
    """Whether the draft would be published as exactly this version."""
    try:
        return compose(draft).to_bytes() == bytes(version.definition)
    except InputError:
        return False


def trial(survey: Survey) -> Trial:
    """Start a trial of the draft in the real page, under a link that nobody can guess; its responses count nowhere.

    Earlier trials of the survey end, and their responses are deleted.
    """
    frozen = compose(Draft.load(survey), trial=True).to_bytes()
    survey.trials.all().delete()
    return Trial.objects.create(
        code=secrets.token_urlsafe(12),
        survey=survey,
        definition=frozen,
        sha256=sha256(frozen).hexdigest(),
        created_on=timezone.localdate(),
    )
