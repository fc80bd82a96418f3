"""What a researcher adds to a report: words for answers in its sentences, and links to it for others."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from surveys.models.published import SurveyVersion
from surveys.models.survey import Survey


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
