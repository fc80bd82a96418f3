"""Tables of responses that were released, or are being made: the row is the truth about where each stands."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from privacy.errors import EntryError
from surveys.models.published import SurveyVersion


class TableRelease(models.Model):
    """A release of one snapshot, by its hash; a fingerprint of it is kept to hold later ones against it."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("being made")
        DONE = "done", _("released")
        FAILED = "failed", _("not released")

    version = models.ForeignKey(SurveyVersion, on_delete=models.CASCADE, related_name="releases")
    snapshot = models.CharField(max_length=64)
    asked = models.JSONField()  # what the researcher chose: surveys.releases.asked

    state = models.CharField(max_length=7, choices=State.choices, default=State.QUEUED)
    share = models.FloatField(default=0)  # of the work that is done
    ended_for = models.JSONField(default=dict)  # why nothing was released: a sentence and its values

    token = models.CharField(max_length=32, blank=True)  # whoever works on it must still hold this to write
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    hinted_at = models.DateTimeField(null=True)

    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    requested_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    report = models.JSONField(default=dict)
    table = models.BinaryField(default=b"")  # the CSV file
    fingerprint = models.JSONField(default=dict)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return gettext("Release %(number)s of %(version)s") % {"number": self.pk, "version": self.version}

    @property
    def is_open(self) -> bool:
        """Whether something may still happen to it by itself."""
        return self.state in (self.State.QUEUED, self.State.RUNNING)

    @property
    def reason(self) -> EntryError | None:
        """Why nothing was released."""
        return EntryError(self.ended_for["sentence"], **self.ended_for["values"]) if self.ended_for else None
