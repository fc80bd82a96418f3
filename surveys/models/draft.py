"""The draft of a survey, and the changes that led there."""

from django.conf import settings
from django.db import models

from surveys.models.survey import Survey


class DraftDocument(models.Model):
    """The draft as one document (surveys.domain.questionnaire.document); `number` counts its changes."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="draft")
    number = models.PositiveIntegerField(default=0)
    document = models.JSONField()
    changed_at = models.DateTimeField(null=True)  # of drafts older than documents it may not be known


class DraftChange(models.Model):
    """One change, as the parts of the document that it touched: what they were and what they became.

    `tab` is the page in a browser where it was made: what one tab has not seen of another is a conflict, too.
    `takes_back` is the change that an undo, or a redo, takes back; one that was taken back is `over`.
    """

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="draft_changes")
    number = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    tab = models.CharField(max_length=32, blank=True)
    at = models.DateTimeField()
    name = models.CharField(max_length=20)
    parts = models.JSONField(default=dict)
    takes_back = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    over = models.BooleanField(default=False)
    notes = models.JSONField(null=True)  # [place, sentence] of what an import left out (surveys.domain.exchange)

    class Meta:
        ordering = ("survey", "number")
        constraints = (models.UniqueConstraint(fields=("survey", "number"), name="draft_change_number_once"),)
