"""What people send, and what sealing makes of it.

The tables in NO_ORDER must not tell who came first: their keys are random or hashes, they hold no time and no
sequence, SQLite keeps them WITHOUT ROWID (sorted by key), and sealing rewrites them (surveys.domain.traces). A test
reads their schema, because a migration that remakes a SQLite table loses WITHOUT ROWID silently.

Those of them that grow have no foreign key in the database: PostgreSQL would look up every row's survey again each time
a sealing rewrites them, which takes two thirds of the time. Only the insert of receiving, which takes the survey from
the survey's own row, and surveys.domain.invite write to them, and only erasing removes the rows.
"""

from __future__ import annotations

from django.db import models

from surveys.models.published import SurveyVersion, Trial
from surveys.models.questionnaire import Survey


class Inbox(models.Model):
    """One response, durable before the respondent is answered, waiting to be sealed. The key is drawn by the server."""

    key = models.BinaryField(primary_key=True, max_length=16)
    version = models.ForeignKey(SurveyVersion, on_delete=models.PROTECT, related_name="inbox")
    record = models.BinaryField()
    open = models.BinaryField()

    def __str__(self) -> str:
        return bytes(self.key).hex()


class Submission(models.Model):
    """A submission key that was used, so that a late retry is recognised. Joined to no response.

    `key` hashes the browser's key, `proof` hashes it with the stored bytes; the two are the receipt.
    """

    key = models.BinaryField(primary_key=True, max_length=16)
    proof = models.BinaryField(max_length=16)
    survey = models.ForeignKey(Survey, models.PROTECT, db_index=False, db_constraint=False, related_name="+")

    def __str__(self) -> str:
        return bytes(self.key).hex()


class SpentToken(models.Model):
    """The hash of a token that was spent; the blind signature keeps it apart from its invitation."""

    token = models.BinaryField(primary_key=True, max_length=32)
    survey = models.ForeignKey(Survey, models.PROTECT, db_index=False, db_constraint=False, related_name="+")

    def __str__(self) -> str:
        return bytes(self.token).hex()


class TrialResponse(models.Model):
    """A response in test mode: kept to show that it arrived, counted nowhere."""

    key = models.BinaryField(primary_key=True, max_length=16)
    proof = models.BinaryField(max_length=16)
    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="responses")
    record = models.BinaryField()
    open = models.BinaryField()

    def __str__(self) -> str:
        return bytes(self.key).hex()


class InvitationKey(models.Model):
    """The RSA key that signs blinded messages for one survey, and does nothing else."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="invitation_key")
    private = models.BinaryField()

    def __str__(self) -> str:
        return f"Signing key of {self.survey}"


class InvitationBatch(models.Model):
    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="invitation_batches")
    label = models.CharField(max_length=100)
    count = models.PositiveIntegerField()
    created_on = models.DateField()

    def __str__(self) -> str:
        return f"{self.label} ({self.count})"


class Invitation(models.Model):
    """The hash of an invitation's secret and, once used, of the blinded message that was signed for it."""

    secret = models.BinaryField(primary_key=True, max_length=32)
    batch = models.ForeignKey(InvitationBatch, models.CASCADE, db_constraint=False, related_name="invitations")
    blinded = models.BinaryField(max_length=32, null=True)

    def __str__(self) -> str:
        return bytes(self.secret).hex()


class Part(models.Model):
    """Sealed responses of one version, wholly shuffled: records packed by the design's layout, and the open answers."""

    version = models.ForeignKey(SurveyVersion, on_delete=models.PROTECT, related_name="parts")
    size = models.PositiveIntegerField()
    records = models.BinaryField()
    open = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    first_day = models.DateField()
    last_day = models.DateField()

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.size} responses {self.sha256[:8]}"


class Snapshot(models.Model):
    """An immutable list of parts: what every figure, export and run reads and names.

    When the next one is sealed, a snapshot that nothing refers to is removed with the parts only it had. A foreign key
    with on_delete=PROTECT is how a run or a release keeps its snapshot.
    """

    version = models.ForeignKey(SurveyVersion, on_delete=models.PROTECT, related_name="snapshots")
    parts = models.ManyToManyField(Part, related_name="snapshots")
    sha256 = models.CharField(max_length=64)
    respondents = models.PositiveIntegerField()
    first_day = models.DateField()
    last_day = models.DateField()

    class Meta:
        ordering = ("id",)
        get_latest_by = "id"

    def __str__(self) -> str:
        return f"{self.version}, {self.respondents} responses"


class Residue(models.Model):
    """A row for every sealing whose traces may still lie in the database files (surveys.domain.traces)."""

    rewritten = models.BooleanField(default=False)  # only what was written before is still to be let go of

    def __str__(self) -> str:
        return "traces to remove"


NO_ORDER: tuple[type[models.Model], ...] = (Submission, SpentToken, Inbox, Invitation, TrialResponse)
