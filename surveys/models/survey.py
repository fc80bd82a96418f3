"""The survey itself: name, dates, limits, files, people, draft, mail; and what was erased, which stays."""

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class Survey(models.Model):
    class Access(models.TextChoices):
        OPEN = "open", _("open to everybody who has the link")
        INVITATION = "invitation", _("one response per invitation")

    slug = models.SlugField(_("short name"), unique=True, help_text=_("Stands in the link, after /s/."))
    title = models.CharField(_("working title"), max_length=200, help_text=_("Shown in lists, never to respondents."))
    simulated = models.BooleanField(default=False, editable=False)
    # The survey whose draft simulated people answer here (surveys.domain.rehearsal): this one is on no public page.
    rehearses = models.ForeignKey("self", models.CASCADE, null=True, editable=False, related_name="rehearsals")
    closed = models.JSONField(
        _("text once it is closed"),
        default=dict,
        null=True,  # so that SQLite can add the column in place; no row holds null
        blank=True,
        help_text=_("Shown to people who open the link afterwards. May be changed at any time."),
    )
    access = models.CharField(_("who may answer"), max_length=10, choices=Access.choices, default=Access.OPEN)
    citation_key = models.BinaryField(null=True)  # surveys.domain.responses.snapshots.cite_hash
    opens_at = models.DateTimeField(_("opens at"), null=True, blank=True)
    closes_at = models.DateTimeField(
        _("closes at"), null=True, blank=True, help_text=_("For good, once the last responses are sealed.")
    )
    least = models.PositiveIntegerField(
        _("report from so many respondents on"),
        default=100,
        validators=[MinValueValidator(20)],
        help_text=_("Nothing is mined while there are fewer."),
    )
    expected = models.PositiveIntegerField(
        _("respondents expected"),
        default=1000,
        validators=[MinValueValidator(1)],
        help_text=_("For the expected standard errors shown beside the protection."),
    )
    quota = models.PositiveIntegerField(
        _("quota"),
        validators=[MinValueValidator(1)],
        null=True,
        blank=True,
        help_text=_("Close for good after so many responses, over all versions. Once published it can only be raised."),
    )
    keep_until = models.DateField(
        _("kept until"),
        null=True,
        blank=True,
        help_text=_(
            "After this day the site erases the survey with all responses, reports and searches. Once published it can "
            "only come earlier."
        ),
    )
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True, editable=False)
    newest = models.PositiveIntegerField(null=True, editable=False)  # number of a version: none before it takes more
    coarse_from = models.PositiveIntegerField(null=True, editable=False)  # number of a version: SurveyVersion.is_coarse
    tablets_alone_since = models.DateField(null=True, editable=False)  # and it is closed for others
    turned_away = models.JSONField(null=True, editable=False)  # {"refused": 31, …}: people whom no tablet asked
    tested = models.JSONField(null=True, editable=False)  # ways to come: {"link": {"on": "2027-01-31", "version": 1}}
    erasing_since = models.DateTimeField(null=True, editable=False)  # never set back; only then may versions be deleted
    override_by = models.CharField(_("override signed by"), max_length=200, blank=True)
    override_reason = models.TextField(
        _("reason of the override"),
        blank=True,
        help_text=_(
            "Needed to publish a design that protects less than this site's limit. Respondents are shown both."
        ),
    )

    class Meta:
        verbose_name = _("survey")
        verbose_name_plural = _("surveys")

    def __str__(self) -> str:
        return self.title

    def has_ended(self, number: int) -> bool:
        """Whether the version of this number takes no more responses, and not because the survey is closed."""
        return (self.newest or 0) > number


class Medium(models.Model):
    """A file that respondents load, named by its bytes (surveys.media), so that it cannot become another."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="media")
    name = models.CharField(max_length=90)
    body = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("survey", "name"), name="medium_once"),)


class Membership(models.Model):
    """The role of a person in one survey. What a role may do stands in surveys.domain.people.roles."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        EDITOR = "editor", _("editor")
        ANALYST = "analyst", _("analyst")
        VIEWER = "viewer", _("viewer")
        CLERK = "clerk", _("clerk")
        INTERVIEWER = "asks", _("interviewer")

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=8, choices=Role.choices)

    class Meta:
        ordering = ("survey", "id")
        constraints = (models.UniqueConstraint(fields=("survey", "user"), name="one_role_per_person"),)


class DraftDocument(models.Model):
    """The draft as one document (surveys.domain.questionnaire.document); `number` counts its changes."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="draft")
    number = models.PositiveIntegerField(default=0)
    document = models.JSONField()
    changed_at = models.DateTimeField(null=True)  # of drafts older than documents it may not be known


class DraftChange(models.Model):
    """One change, as the parts of the document that it touched: what they were and what they became.

    `tab` is the page in a browser where it was made: what one tab has not seen of another is a conflict, too. `step` is
    which page of the studio that was, empty for a form: a page takes back what was changed on it.
    `takes_back` is the change that an undo, or a redo, takes back; one that was taken back is `over`.
    """

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="draft_changes")
    number = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    tab = models.CharField(max_length=32, blank=True)
    step = models.CharField(max_length=10, blank=True, default="", db_default="")
    at = models.DateTimeField()
    name = models.CharField(max_length=20)
    parts = models.JSONField(default=dict)
    takes_back = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    over = models.BooleanField(default=False)
    notes = models.JSONField(null=True)  # [place, sentence] of what an import left out (surveys.domain.exchange)

    class Meta:
        ordering = ("survey", "number")
        constraints = (models.UniqueConstraint(fields=("survey", "number"), name="draft_change_number_once"),)


class Mailing(models.Model):
    """The texts and days of a survey's mail, and which worker is sending it (surveys.domain.mail)."""

    survey = models.OneToOneField(Survey, models.CASCADE, primary_key=True, related_name="mailing")
    page = models.URLField(max_length=300)  # the respondent's page, at the address where the texts were written
    reply_to = models.EmailField(blank=True)
    texts = models.JSONField()  # {"invitation": {"en": {"subject": …, "body": …}}, "reminder": {…}}
    days = models.JSONField()  # of the invitation, then of each reminder: ["2027-01-31", …]

    looked_on = models.DateField(null=True)  # the day on which it was last looked whose invitation is used
    done = models.PositiveSmallIntegerField(default=0)  # everybody has what so many of the days bring
    trouble = models.CharField(max_length=60, blank=True)  # the kind of error that the mail server last gave

    token = models.CharField(max_length=32, blank=True)  # a worker must still hold this to send
    until = models.DateTimeField(null=True)  # before this time no other worker begins


class Notice(models.Model):
    """A notice that the people of a survey were sent, once (surveys.domain.mail.notices)."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("survey", "kind"), name="notice_once"),)


class Erasure(models.Model):
    """One erasing, as the bytes of its record, which names the record before it; the database refuses to change them.

    `mark` shows that a host with SECRET_KEY wrote it. `removed_at`: when the traces had left the database files.
    `people` had a role in the survey, and may read the record.
    """

    content = models.BinaryField()
    sha256 = models.CharField(max_length=64, unique=True)
    mark = models.BinaryField(max_length=32)
    removed_at = models.DateTimeField(null=True)
    people = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+")

    class Meta:
        ordering = ("id",)


class ClockReading(models.Model):
    """When the machine that leads started, by its clock: the earliest, and after its last jump. One row.

    `machine` is drawn at each start of a machine (surveys.domain.database.clock).
    """

    row = models.PositiveSmallIntegerField(primary_key=True, default=1)
    machine = models.CharField(max_length=36)
    first_start = models.DateTimeField()
    start = models.DateTimeField()
    even_since = models.FloatField()  # seconds that the machine had run when its clock was first read, or last jumped
