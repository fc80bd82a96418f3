"""The survey itself: its name, its dates and its limits. What is asked is in its draft and in its versions."""

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
            "After this day the site erases the survey with all responses, reports and mining runs. Once published it "
            "can only come earlier."
        ),
    )
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True, editable=False)
    newest = models.PositiveIntegerField(null=True, editable=False)  # number of a version: none before it takes more
    coarse_from = models.PositiveIntegerField(null=True, editable=False)  # number of a version: SurveyVersion.is_coarse
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
