"""Who took which file of responses, and when. It names the snapshot by its hash: a file keeps no snapshot alive."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey


class Export(models.Model):
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
