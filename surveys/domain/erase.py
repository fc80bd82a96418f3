"""Erasing a survey with everything that was ever sent to it."""

from __future__ import annotations

from django.db import transaction
from django.db.models import ProtectedError

from privacy.errors import EntryError
from surveys.models import Inbox, Residue, Snapshot, SpentToken, Submission, Survey


def erase(survey: Survey) -> None:
    """All of it or nothing; the rows' traces in the database files go with the next round of `manage.py tend`."""
    with transaction.atomic():
        try:
            Snapshot.objects.filter(version__survey=survey).delete()
        except ProtectedError:
            raise EntryError("Mining runs or releases refer to this survey's responses: delete them first.") from None
        Inbox.objects.filter(version__survey=survey).delete()
        Submission.objects.filter(survey=survey).delete()
        SpentToken.objects.filter(survey=survey).delete()
        for version in survey.versions.all():
            version.parts.all().delete()
            version.delete()
        survey.delete()
        Residue.objects.create()
