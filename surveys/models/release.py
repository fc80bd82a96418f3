"""Tables of responses that were released, or are being made: the row is the truth about where each stands.

A table is made first and looked at; only what is then released can be had. Further tables are made from that one, and
not stored.
"""

import json
from typing import Any

from django.db import models
from django.utils.translation import gettext, gettext_lazy as _

from surveys.models.leased import Leased
from surveys.models.published import SurveyVersion


class TableRelease(Leased):
    """A release of one snapshot, by its hash."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("being made")
        READY = "ready", _("made, not released yet")
        DONE = "done", _("released")
        FAILED = "failed", _("not released")
        STOPPED = "stopped", _("discarded")

    class Step(models.TextChoices):
        READING = "reading", _("reading the responses")
        GATHERING = "gather", _("making answers coarser")
        WRITING = "writing", _("writing table and report")

    version = models.ForeignKey(SurveyVersion, on_delete=models.CASCADE, related_name="releases")
    snapshot = models.CharField(max_length=64)
    asked = models.JSONField()  # {"spec": the text of what candor anonymize takes}: the order of its columns is kept

    state = models.CharField(max_length=7, choices=State.choices, default=State.QUEUED)
    step = models.CharField(max_length=7, choices=Step.choices, default=Step.READING)
    report = models.JSONField(default=dict)
    table = models.BinaryField(default=b"")  # the CSV file

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return gettext("Release %(number)s of %(version)s") % {"number": self.pk, "version": self.version}

    @property
    def spec(self) -> dict[str, Any]:
        """What is to be made, as `candor anonymize` takes it; empty of what an older site was asked."""
        return json.loads(self.asked["spec"]) if "spec" in self.asked else {}

    @property
    def columns_to_compare(self) -> list[str]:
        """The columns whose joint table is compared with that of the responses."""
        return self.asked.get("compared", [])

    @property
    def roles(self) -> dict[str, str]:
        """The role of each column that the table has; none of what an older site was asked."""
        return {name: entry["role"] for name, entry in self.spec.get("attributes", {}).items()}
