"""What people send, and what sealing makes of it.

The tables in NO_ORDER must not tell who came first. Their keys are random numbers or hashes, they hold no time and no
sequence, SQLite keeps them WITHOUT ROWID (sorted by key), and sealing rewrites those in REWRITTEN
(surveys.domain.database.scrub). A test reads their schema, because a migration that remakes a SQLite table loses
WITHOUT ROWID without a word.

QuotaCount, too, is rewritten: its older row versions would tell when responses came.

Those of them that grow have no foreign key in the database: each time a sealing rewrites such a table, PostgreSQL would
look up the survey of every row again, which takes two thirds of the time. Four places write to them: receiving, which
takes the survey from the survey's own row, surveys.domain.messages.invite, surveys.domain.mail.invitees, and
surveys.domain.database.used, which moves what was used after a sealing. Only erasing removes anything, but for
invitees, who go when their survey is closed.
"""

from django.conf import settings
from django.db import models

from surveys.models.published import SurveyVersion, Trial
from surveys.models.survey import Survey


class Keyed(models.Model):
    """A row that is called by its key, in hexadecimal digits."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return bytes(self.pk).hex()


class SealingRound(Keyed):
    """The time from one sealing to the next, in which waiting responses are encrypted to the same keys.

    `lost`: the sealing job has none of its private keys (surveys.domain.responses.sealing_keys).
    """

    key = models.BinaryField(primary_key=True, max_length=16)
    current = models.BooleanField(default=True)
    lost = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["current"], condition=models.Q(current=True), name="one_current_round"),
        )


class SealingKey(Keyed):
    """The public half of a pair. A host that seals has the private half in a file. Without a round it is ready.

    `mark` shows that a host with SECRET_KEY wrote it: who can write to the database alone adds no key of their own.
    """

    public = models.BinaryField(primary_key=True, max_length=32)
    mark = models.BinaryField(max_length=32, default=b"")
    round = models.ForeignKey(SealingRound, on_delete=models.PROTECT, null=True, related_name="keys")


class Inbox(Keyed):
    """A response that waits to be sealed, on disk before the respondent gets an answer. The server draws its key.

    `box` holds the response, encrypted to the keys of its round (surveys.domain.responses.waiting).
    """

    key = models.BinaryField(primary_key=True, max_length=16)
    version = models.ForeignKey(SurveyVersion, on_delete=models.PROTECT, related_name="inbox")
    round = models.ForeignKey(SealingRound, on_delete=models.PROTECT, db_index=False, related_name="inbox")
    box = models.BinaryField()


class Submission(Keyed):
    """A submission key that was used, so that a late retry is recognised. Nothing joins it to a response.

    `key` is a hash of the browser's key, and `proof` a hash of it with the stored bytes; together they are the receipt.
    """

    key = models.BinaryField(primary_key=True, max_length=16)
    proof = models.BinaryField(max_length=16)
    survey = models.ForeignKey(Survey, models.PROTECT, db_index=False, db_constraint=False, related_name="+")


class SpentToken(Keyed):
    """The hash of a token that was spent. Because of the blind signature nothing joins it to its invitation."""

    token = models.BinaryField(primary_key=True, max_length=32)
    survey = models.ForeignKey(Survey, models.PROTECT, db_index=False, db_constraint=False, related_name="+")


class UsedPage(Keyed):
    """Submission keys and spent tokens of one survey that were moved here by a sealing, sorted and packed.

    `place` says whose they are and names the first of them; `entries` has 32 bytes each: a key with its proof, or a
    token (surveys.domain.database.used).
    """

    place = models.BinaryField(primary_key=True, max_length=64)
    entries = models.BinaryField()


class UsedEntry(Keyed):
    """One key with its proof, or one token, of those that are too many to be rewritten at each sealing."""

    place = models.BinaryField(primary_key=True, max_length=64)


class QuotaCount(models.Model):
    """How many responses a survey with a quota has taken, sealed or waiting, so that nobody counts them each time.

    A trigger adds one for each (surveys.schema.count_for_quotas). It is made when the first response comes after it is
    missing, and deleted once the survey is closed (surveys.domain.questionnaire.quotas). It is shown to nobody.
    """

    survey = models.OneToOneField(
        Survey, models.CASCADE, primary_key=True, db_constraint=False, related_name="quota_count"
    )
    responses = models.PositiveIntegerField()


class TrialResponse(Keyed):
    """A response in test mode. It is kept to show that it arrived, and counted nowhere."""

    key = models.BinaryField(primary_key=True, max_length=16)
    proof = models.BinaryField(max_length=16)
    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="responses")
    record = models.BinaryField()
    open = models.BinaryField()


class InvitationKey(models.Model):
    """The RSA key that signs blinded messages for one survey, and does nothing else, wrapped under SECRET_KEY."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="invitation_key")
    private = models.BinaryField()


class InvitationBatch(models.Model):
    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="invitation_batches")
    label = models.CharField(max_length=100)
    count = models.PositiveIntegerField()
    created_on = models.DateField()


class Invitation(Keyed):
    """The hash of an invitation's secret and, once it is used, of the blinded message that was signed for it."""

    secret = models.BinaryField(primary_key=True, max_length=32)
    batch = models.ForeignKey(InvitationBatch, models.CASCADE, db_constraint=False, related_name="invitations")
    blinded = models.BinaryField(max_length=32, null=True)


class Invitee(Keyed):
    """Somebody whom the site invites by mail: a keyed hash of the address, and a box that SECRET_KEY opens.

    The box holds the address and the secret of the invitation as long as mail may have to be sent, and has one length
    (surveys.domain.mail.invitees). Without SECRET_KEY nothing here says who was invited, or whose invitation is used.
    """

    key = models.BinaryField(primary_key=True, max_length=32)
    survey = models.ForeignKey(Survey, models.CASCADE, db_constraint=False, related_name="invitees")
    box = models.BinaryField()


class Part(models.Model):
    """Sealed responses of one version, shuffled as a whole: records, packed as the design says, and undisguised
    answers.
    """

    version = models.ForeignKey(SurveyVersion, on_delete=models.PROTECT, related_name="parts")
    size = models.PositiveIntegerField()
    records = models.BinaryField()
    open = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    first_day = models.DateField()
    last_day = models.DateField()

    class Meta:
        ordering = ("id",)
        indexes = (  # all that a list says: SQLite would else walk along the records to the hash behind them
            models.Index(fields=["version", "id", "sha256", "size"], name="surveys_part_listed"),
        )


class Snapshot(models.Model):
    """An unchangeable list of parts. Every figure, export and run reads a snapshot and names it.

    When the next snapshot is sealed, a snapshot that nothing refers to is removed, with the parts that no other
    snapshot lists. A run or a release keeps its snapshot by a foreign key with on_delete=PROTECT.
    """

    version = models.ForeignKey(SurveyVersion, on_delete=models.PROTECT, related_name="snapshots")
    parts = models.ManyToManyField(Part, related_name="snapshots")
    sha256 = models.CharField(max_length=64)
    respondents = models.PositiveIntegerField()
    first_day = models.DateField()
    last_day = models.DateField()
    is_known_to_be_last = False  # set by `disclosure.is_last`; no column

    class Meta:
        ordering = ("id",)
        get_latest_by = "id"


class CopyKey(models.Model):
    """The key of encrypted copies that workers of earlier versions kept of sealed parts.

    Nothing reads or writes it any more but machines of such a version, while one after the other is upgraded. The next
    version takes the table away.
    """

    name = models.CharField(primary_key=True, max_length=32)
    version = models.OneToOneField(SurveyVersion, on_delete=models.CASCADE, related_name="copy_key")
    key = models.BinaryField()


class SnapshotRisk(models.Model):
    """What the files of a snapshot tell of people, worked out once (surveys.domain.exports.risk).

    `direct`: with the direct group, which a snapshot shows only once its version has ended.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="risks")
    direct = models.BooleanField()
    figures = models.JSONField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("snapshot", "direct"), name="risk_once"),)


class Residue(models.Model):
    """A row for every sealing or erasing whose traces may still be in the files (surveys.domain.database.scrub)."""

    # The tables are rewritten; old files and logs are still to be dropped.
    rewritten = models.BooleanField(default=False)
    erased = models.BooleanField(db_default=False)  # rows of UsedEntry are gone, which no sealing rewrites


class GroupCount(models.Model):
    """How many sealed responses to a version have this answer, and how many more than enough are counted first.

    `more` is drawn once (surveys.domain.responses.groups). Neither number is shown.
    """

    version = models.ForeignKey(SurveyVersion, models.CASCADE, related_name="groups")
    question = models.CharField(max_length=40)
    answer = models.CharField(max_length=200)
    people = models.PositiveIntegerField(default=0)
    more = models.PositiveSmallIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("version", "question", "answer"), name="group_once"),)


REWRITTEN: tuple[type[models.Model], ...] = (
    Submission,
    SpentToken,
    Inbox,
    Invitation,
    Invitee,
    TrialResponse,
    UsedPage,
)
NO_ORDER: tuple[type[models.Model], ...] = (*REWRITTEN, UsedEntry)


class PaperBatch(models.Model):
    """Counted sheets that were entered together. It holds counts alone: no answer, no sheet, no person and no time.

    `counted` sheets were counted before; `aside` of them could not be entered. Some were entered twice: `compared`
    answers, of which `differing` were not the same. `file` marks a hash of what was read under SECRET_KEY, without
    which nobody can try what few sheets may have said.
    """

    version = models.ForeignKey(SurveyVersion, models.CASCADE, related_name="paper_batches")
    counted = models.PositiveIntegerField()
    aside = models.PositiveIntegerField()
    compared = models.PositiveIntegerField()
    differing = models.PositiveIntegerField()
    file = models.CharField(max_length=64)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["version", "file"], name="one_batch_of_a_file"),)

    @property
    def sheets(self) -> int:
        return self.counted - self.aside


class TypedSheets(models.Model):
    """What somebody has typed of a stack and not stored yet, under a key that their browser alone has.

    `name` is a hash of that key. It holds no time.
    """

    version = models.ForeignKey(SurveyVersion, models.CASCADE, related_name="typed_sheets")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()
