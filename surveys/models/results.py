"""What is made of responses: tables that are released, reports and their links, files, and what closing publishes.

A table is made first and looked at; only what is then released can be had. Further tables are made from that one, and
not stored. The row is the truth about where each stands. A file names its snapshot by its hash, and keeps none alive.
The database refuses to change what is published once a survey has closed for good (see the migrations).
"""

import json
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from surveys.models.published import SurveyVersion
from surveys.models.survey import Survey


class Leased(models.Model):
    """Work that somebody asked for, and that workers take one at a time (`surveys.domain.database.leases`).

    The kinds of row have each its own `state`, "queued" and "running" among them.
    """

    state: str
    ended_for = models.JSONField(default=dict)  # why without a result: a code and its values
    share = models.FloatField(default=0)  # of the work that is done

    token = models.CharField(max_length=32, blank=True)  # a worker must still hold this to write
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    requested_at = models.DateTimeField()
    hinted_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        return self.state in ("queued", "running")


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
    def roles(self) -> dict[str, str]:
        """The role of each column that the table has; none of what an older site was asked."""
        return {name: entry["role"] for name, entry in self.spec.get("attributes", {}).items()}


class Phrase(models.Model):
    """How the answer is worded in reports, in each language: “used illegal drugs”. Respondents never see it."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="phrases")
    item = models.CharField(max_length=40)
    value = models.CharField(max_length=40)
    words = models.JSONField(default=dict)

    class Meta:
        ordering = ("survey", "item", "value")
        constraints = (models.UniqueConstraint(fields=("survey", "item", "value"), name="phrase_once"),)


class SharedReport(models.Model):
    """A link that lets everybody who has it read the chosen `parts` of a version's report, and nothing else.

    The token stands in the link alone; `token` is its hash.
    """

    version = models.ForeignKey(SurveyVersion, on_delete=models.CASCADE, related_name="shared_reports")
    token = models.BinaryField(max_length=32, unique=True)
    label = models.CharField(_("for whom"), max_length=100)
    parts = models.JSONField(default=list)
    expires_at = models.DateTimeField(_("ends"))
    revoked_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("shared report")
        verbose_name_plural = _("shared reports")
        ordering = ("-id",)

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and self.expires_at > timezone.now()


class Export(models.Model):
    """Who took which file of responses, and when."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="exports")
    version = models.PositiveIntegerField()
    snapshot = models.CharField(max_length=64)
    respondents = models.PositiveIntegerField()
    file = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    by = models.CharField(max_length=200)  # the person, and by what; it stays when the account goes
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-id",)


class Published(models.Manager["Statement"]):
    """Statements whose list of receipts is complete. Pieces are written from the last to the first.

    Of a few people there is no list, and no piece.
    """

    def get_queryset(self) -> "models.QuerySet[Statement]":
        pieces = ReceiptPiece.objects.filter(statement=OuterRef("pk"))
        return super().get_queryset().filter(Exists(pieces.filter(number=0)) | ~Exists(pieces))


class Statement(models.Model):
    """The roots of a closed survey's receipts and of its sealed parts, as the bytes that everybody gets.

    `salt` keeps the roots of parts from telling what a small part holds to somebody who tries every content; a person
    who has the data may have the salt.
    """

    survey = models.OneToOneField(Survey, on_delete=models.PROTECT, related_name="statement")
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    salt = models.BinaryField(max_length=32)
    objects = models.Manager()
    published = Published()


class ReceiptPiece(models.Model):
    """A piece of a closed survey's sorted list of receipts, 32 bytes each, one after the other."""

    statement = models.ForeignKey(Statement, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    receipts = models.BinaryField()

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("statement", "number"), name="receipt_piece_once"),)
