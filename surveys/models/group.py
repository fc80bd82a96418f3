"""Groups of people of whom a survey takes enough and no more."""

from django.db import models

from surveys.models.published import SurveyVersion


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
