"""Trying a draft in the real page, under a link that nobody can guess. What is sent there is counted nowhere."""

import secrets
from hashlib import sha256

from django.utils import timezone

from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.draft import Draft
from surveys.models import Survey, Trial


def trial(survey: Survey) -> Trial:
    """Start a trial of the draft as it is now; earlier trials of the survey end, and their responses are deleted."""
    frozen = compose(Draft.load(survey), trial=True).to_bytes()
    survey.trials.all().delete()
    return Trial.objects.create(
        code=secrets.token_urlsafe(12),
        survey=survey,
        definition=frozen,
        sha256=sha256(frozen).hexdigest(),
        created_on=timezone.localdate(),
    )
